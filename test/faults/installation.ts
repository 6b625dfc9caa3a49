import { cp, mkdtemp, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { issueKey } from '../../accounts/keys/keys.ts'
import { openState } from '../../api/state/open.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { projectFile } from '../../config/paths.ts'
import { dataPaths, readSettings, type Settings } from '../../config/settings.ts'
import { sourceById } from '../../config/sources.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { collectSources } from '../../pipeline/collecting/collect-source.ts'
import { type RefreshReport, refresh } from '../../pipeline/refresh.ts'
import { startSimulatedWorld } from '../../pipeline/simulator/server.ts'
import { upkeep } from '../../pipeline/upkeep.ts'
import { digestsOf } from '../../training/artifacts/artifact-files.ts'
import { copyWarehouse } from '../../warehouse/storage/housekeeping.ts'
import { CARD_FILE, NET_FILES } from '../../warehouse/storage/model-files.ts'
import { checkSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/storage/warehouse.ts'
import { allTables } from '../../warehouse/tables/index.ts'
import { openTestPipeline, testTransport } from '../pipeline/test-pipeline.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** When the faults happen. Three days were collected before, so that the clock is believed. */
export const NOW = Date.parse('2026-11-21T10:00:00Z')
const SOURCES = ['panynj-graphql', 'zrh-passport', 'faa-airport-events', 'awc-metar', 'awc-taf'].map(sourceById)
const AIRPORTS = airportDirectory().all.filter(({ iata }) => ['JFK', 'ZRH', 'SEA'].includes(iata))
export const ACCOUNTS = 5

/** Settings of an installation in a folder. */
export const settingsOf = (data_dir: string): Settings => ({
  ...readSettings({ HOLDSHORT_SIMULATED_WORLD: 'http://127.0.0.1:9' }),
  data_dir,
})

/** What the pipeline does every minute. */
export const refreshAt = (warehouse: Warehouse, now: number): Promise<RefreshReport> =>
  refresh(
    { warehouse, now: () => now, simulated: true, sources: SOURCES, airports: AIRPORTS, predict: async () => 0 },
    { predict: 'never' },
  )

/** What the pipeline does every hour. */
export const upkeepAt = (warehouse: Warehouse, now: number) => upkeep(warehouse, settingsOf(warehouse.data_dir), now)

/** Collects all sources of a simulated world at each of some instants, refreshing after the last two; `whenLanded` is called once all rows have landed. */
export async function collectAt(
  data_dir: string,
  instants: readonly number[],
  whenLanded: () => unknown = () => undefined,
): Promise<void> {
  let now = instants[0] ?? NOW
  const clock = () => now
  const world = await startSimulatedWorld({ seed: 7, now: clock })
  const pipeline = await openTestPipeline(data_dir, testTransport(world.url, { now: clock }), clock)
  try {
    for (const [index, instant] of instants.entries()) {
      now = instant
      await collectSources(SOURCES, pipeline.context)
      if (index === instants.length - 1) whenLanded()
      // Two snapshots are enough: the current one and the one before.
      if (index >= instants.length - 2) await refreshAt(pipeline.warehouse, now)
    }
  } finally {
    await pipeline.close()
    await world.close()
  }
}

/** A small installation as the simulator fills it: raw captures, all derived tables, a copy of the warehouse, snapshots, a model and accounts. */
export async function makeInstallation(
  instants = [NOW - 2 * DAY_MS, NOW - DAY_MS, NOW - DAY_MS + 600_000, NOW - 600_000, NOW],
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdshort-faults-'))
  const settings = settingsOf(folder)
  await checkSimulatedMark(settings)
  await collectAt(folder, instants)
  const state = await openState(settings)
  for (let account = 0; account < ACCOUNTS; account += 1) await issueKey(state, { tier: 'free' }, NOW)
  await state.close()
  for (const hour of ['04', '05'])
    await addModel(join(dataPaths(folder).models, 'security', 'JFK', `JFK@2026-11-20T${hour}Z`))
  const { warehouse_copy } = dataPaths(folder)
  const warehouse = await openWarehouse(folder)
  await copyWarehouse(warehouse, warehouse_copy).finally(warehouse.close)
  await utimes(warehouse_copy, NOW / 1_000, NOW / 1_000)
  return folder
}

/** Copies a saved model, and adds the digests that are stored with every model now. */
async function addModel(folder: string): Promise<void> {
  const saved = (name: string) => projectFile('test', 'training', 'fixtures', 'model-v4', name)
  for (const name of NET_FILES) await cp(saved(name), join(folder, name))
  const card = JSON.parse(await readFile(saved(CARD_FILE), 'utf8')) as object
  await writeFile(join(folder, CARD_FILE), JSON.stringify(Object.assign(card, { files: await digestsOf(folder) })))
}

/** A copy of an installation, which is removed when the test ends. */
export async function copyOf(installation: string): Promise<string> {
  const folder = await temporaryFolder()
  // SQLite removes its log a moment after the last process has closed the file.
  const filter = (path: string) => !/-(wal|shm)$/.test(path)
  await cp(installation, folder, { recursive: true, preserveTimestamps: true, filter })
  return folder
}

/** Rows of each table of a folder. */
export async function rowCounts(folder: string): Promise<Map<string, number>> {
  const warehouse = await openWarehouse(folder)
  const counts = allTables.map(({ name }) => `SELECT '${name}' AS name, count(*) AS n FROM ${name}`)
  const rows = await warehouse.query<{ name: string; n: number }>(counts.join(' UNION ALL ')).finally(warehouse.close)
  return new Map(rows.map(({ name, n }) => [name, n]))
}

/** Expects no table to have fewer rows than before; returns the counts now. */
export async function expectNoRowLost(folder: string, before: Map<string, number>): Promise<Map<string, number>> {
  const after = await rowCounts(folder)
  for (const [table, rows] of before) expect(after.get(table), table).toBeGreaterThanOrEqual(rows)
  return after
}

/** Paths of all files of a folder, relative to it. */
export async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}
