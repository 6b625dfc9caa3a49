import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openState } from '../../../api/state/open.ts'
import { projectFile } from '../../../config/paths.ts'
import { dataPaths, readSettings } from '../../../config/settings.ts'
import {
  listArtifacts,
  loadArtifact,
  pruneArtifacts,
  saveArtifact,
  type TrainingRecord,
} from '../../../training/artifacts/artifact.ts'
import { disposeNet } from '../../../training/models/quantile-net.ts'
import { EMPTY_REGISTRY, writeRegistry } from '../../../training/registry/registry.ts'
import { saveTraining, type Training } from '../../../training/registry/trainings.ts'
import { sweepSnapshots, writeSnapshot } from '../../../warehouse/publishing/snapshot/write.ts'
import { holdDataFolder } from '../../../warehouse/storage/folder-use.ts'
import { sweepLeftovers } from '../../../warehouse/storage/leftovers.ts'
import { clearDataFolder } from '../../../warehouse/storage/own-files.ts'
import { writeCapture } from '../../../warehouse/storage/raw-captures.ts'
import { applyRetention } from '../../../warehouse/storage/retention.ts'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import { checkSimulatedMark } from '../../../warehouse/storage/simulated-mark.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { emptyContent } from '../snapshot-content.ts'
import { reading } from '../test-rows.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')

const TRAINING: Training = {
  format: 1,
  name: '2026-11-20T04Z-0123456789ab.2',
  kind: 'security',
  trained_at: '2026-11-20T05:00:00Z',
  cutoff: '2026-11-20T04:00:00Z',
  settings: {},
  settings_digest: '0123456789ab',
  airports: [],
}
/** Nothing here reads what a record says. */
const NO_RECORD = {} as TrainingRecord

/** Writes everything that an installation has, by the code that writes it. */
async function fill(data_dir: string): Promise<void> {
  const settings = { ...readSettings({}), data_dir }
  await checkSimulatedMark(settings)
  const warehouse = await openWarehouse(data_dir)
  for (const day of ['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21'])
    await warehouse.land(readings, [reading({ observed_at: `${day}T10:00:00Z` })])
  await rollUp(warehouse)
  await warehouse.close()
  const about = { url: 'https://example.org/', status: 200, content_type: null, etag: null, last_modified: null }
  for (const fetched_at of ['2026-11-20T10:00:00Z', '2026-11-21T10:00:00.123Z'])
    await writeCapture(data_dir, Buffer.from('body'), { ...about, source: 'sea-cwt', fetched_at, iata: null })
  const state = await openState(settings)
  await state.close()
  const { snapshots, models } = dataPaths(data_dir)
  for (const minute of ['00', '01']) await writeSnapshot(snapshots, emptyContent(`2026-11-21T10:${minute}:00Z`))
  for (const hour of ['04', '05', '06']) {
    const folder = join(models, 'security', 'JFK', `JFK@2026-11-20T${hour}Z`)
    for (const name of ['model.json', 'weights.bin', 'card.json'])
      cpSync(projectFile('test', 'training', 'fixtures', 'model-v4', name), join(folder, name))
  }
  const { card, net } = await loadArtifact(join(models, 'security', 'JFK', 'JFK@2026-11-20T04Z'))
  for (const version of ['model:ZRH/entry@2026-11-20T04Z-0123abcd', 'model:JFK@2026-11-20T07Z-0123abcd']) {
    const isBorder = version.includes('/')
    const subject = isBorder ? ({ kind: 'immigration', iata: 'ZRH', direction: 'entry' } as const) : { kind: card.kind }
    await saveArtifact(models, { card: { ...card, ...subject, version }, net, record: NO_RECORD })
  }
  disposeNet(net)
  await saveTraining(models, TRAINING)
  await writeRegistry(models, EMPTY_REGISTRY)
  for (const name of ['copy.duckdb', 'copy.duckdb.4999999.tmp', 'damaged-20261120T100000Z.duckdb'])
    writeFileSync(join(data_dir, 'warehouse', name), '')
  mkdirSync(join(data_dir, 'scratch', '4999999', 'staging-0123456789ab'), { recursive: true })
  writeFileSync(join(data_dir, 'scratch', '4999999', 'staging-0123456789ab', 'data_0.parquet'), '')
}

function pathsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith('locks/'))
}

/** Names that resemble ours, in every folder that exists. */
const STRANGERS = [
  'thesis.txt',
  'mine.parquet',
  'p-1.parquet',
  'my notes.json',
  'model.json.bak',
  '.hidden',
  'a.gz',
  'x.tmp',
]

function addStrangers(folder: string): string[] {
  const folders = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    // The scratch folder of a process is its own with everything in it.
    .filter((path) => !path.startsWith('scratch/') && path !== 'locks')
  const strangers = ['', ...folders].flatMap((path) => STRANGERS.map((name) => join(path, name)))
  strangers.push('my-folder/thesis.txt', 'raw/source=mine/notes/thesis.txt', 'models/security/JFK/JFK/thesis.txt')
  strangers.push('snapshots/mine/thesis.txt', 'warehouse/readings/kind=security/thesis/1.txt', 'scratch/mine/1.txt')
  for (const path of strangers) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), `${path} is not yours`)
  }
  return strangers
}

test('clears everything that this program wrote, and leaves every other file at every level', async () => {
  const folder = await temporaryFolder()
  await fill(folder)
  const strangers = addStrangers(folder)
  const left = await clearDataFolder(folder)
  expect(pathsIn(folder).toSorted()).toEqual(strangers.toSorted())
  for (const path of strangers) expect(readFileSync(join(folder, path), 'utf8')).toBe(`${path} is not yours`)
  expect(left).toEqual(expect.arrayContaining(['thesis.txt', 'my-folder', 'snapshots/mine']))
  const again = await openWarehouse(folder)
  expect(await again.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 0 }])
  await again.close()
})

test('clears a folder that holds nothing else until only the locks are left', async () => {
  const folder = await temporaryFolder()
  await fill(folder)
  const alone = await holdDataFolder(folder)
  expect(await clearDataFolder(folder)).toEqual([])
  await alone.release()
  expect(readdirSync(folder)).toEqual(['locks'])
})

test('retention, pruning and sweeping delete no file of somebody else', async () => {
  const folder = await temporaryFolder()
  await fill(folder)
  const strangers = addStrangers(folder)
  const limits = { raw_bytes: 0, warehouse_bytes: 0 }
  const settings = { ...readSettings({}), data_dir: folder, ...limits }
  const warehouse = await openWarehouse(folder)
  const retain = () => applyRetention(warehouse, settings, NOW)
  const reports = await retain()
  expect(reports.map(({ dropped }) => dropped)).toEqual([2, 2, 0, expect.any(Number)])
  expect(await sweepSnapshots(folder, 1, 0)).toBe(1)
  const { models } = dataPaths(folder)
  const [newest] = (await listArtifacts(models, 'security', 'JFK')).toReversed()
  await pruneArtifacts(models, 'security', 'JFK', new Set([newest!]))
  await sweepLeftovers(folder, NOW + 1e10)
  const present = new Set(pathsIn(folder))
  expect(strangers.filter((path) => !present.has(path))).toEqual([])
  // What is left of ours is the newest of each, and what no limit is about.
  expect(readdirSync(join(folder, 'models/security/JFK/JFK@2026-11-20T04Z')).toSorted()).toEqual(STRANGERS.toSorted())
  // Folders that hold only files of somebody else are not counted again.
  const again = await retain()
  await warehouse.close()
  expect(again.map(({ dropped }) => dropped)).toEqual([0, 0, 0, 0])
  expect(await sweepSnapshots(folder, 1, 0)).toBe(0)
})
