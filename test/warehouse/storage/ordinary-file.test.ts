import { execFileSync } from 'node:child_process'
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { stateFault } from '../../../api/state/integrity.ts'
import { readMarker } from '../../../api/state/marker.ts'
import { openState } from '../../../api/state/open.ts'
import { watchCommitsOfOtherProcesses } from '../../../api/state/sqlite-commit-watcher.ts'
import { dataPaths } from '../../../config/settings.ts'
import { readSoundCard } from '../../../training/artifacts/artifact-files.ts'
import { readRegistry } from '../../../training/registry/registry.ts'
import { loadSoundSnapshot } from '../../../warehouse/serving/snapshot/load.ts'
import { listPartitions, livePaths } from '../../../warehouse/storage/layout.ts'
import { withWriteLock } from '../../../warehouse/storage/lock.ts'
import { quarantinedFiles } from '../../../warehouse/storage/quarantined.ts'
import { readCapture, writeCapture } from '../../../warehouse/storage/raw-captures.ts'
import { readSimulatedMark } from '../../../warehouse/storage/simulated-mark.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { run } from '../../end-to-end/commands.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { reading } from '../test-rows.ts'

/** What may lie in the place of a file. Opening the pipe or reading the device would never end. */
const INSTEAD: Record<string, (path: string) => Promise<unknown>> = {
  'a pipe': async (path) => execFileSync('mkfifo', [path]),
  'a device': (path) => symlink('/dev/zero', path),
  'a folder': (path) => mkdir(path),
  'a link to itself': (path) => symlink(path, path),
  'a link that leads nowhere': (path) => symlink(`${path}-nowhere`, path),
}

test('whatever lies in the place of a file of a data folder is told at once', async () => {
  const folder = await temporaryFolder()
  const paths = dataPaths(folder)
  for (const [name, put] of Object.entries(INSTEAD)) {
    const path = join(folder, name)
    await put(path)
    const model = join(folder, `model of ${name}`)
    await mkdir(model)
    await put(join(model, 'card.json'))
    await put(paths.state)
    await put(paths.pepper)
    await put(join(folder, 'registry.json'))
    await expect(openState({ data_dir: folder }), name).rejects.toMatchObject({ code: 'STATE_DAMAGED' })
    expect(await stateFault(paths.state, null, false, null), name).toMatch(/damaged/)
    await rm(paths.state, { recursive: true })
    const commits = watchCommitsOfOtherProcesses(paths.state)
    await put(`${paths.state}-keys-changed`)
    await commits.announce()
    commits.close()
    // A pepper that is a link to nowhere is none: a new one is made in its place where no state needs the old one.
    if (name !== 'a link that leads nowhere')
      await expect(openState({ data_dir: folder }), name).rejects.toMatchObject({ code: 'STATE_INCOMPLETE' })
    expect(readMarker(path), name).toBe(null)
    await expect(readCapture(path), name).rejects.toMatchObject({ code: 'WAREHOUSE_CORRUPT' })
    await expect(readSoundCard(model), name).rejects.toThrow()
    if (name !== 'a link that leads nowhere')
      await expect(readRegistry(folder), name).rejects.toMatchObject({ code: 'MODEL_INVALID' })
    await mkdir(join(paths.snapshots, '20261121T100000Z'), { recursive: true })
    await put(join(paths.snapshots, 'CURRENT'))
    await put(join(paths.snapshots, '20261121T100000Z', 'manifest.json'))
    expect(await loadSoundSnapshot(paths.snapshots, () => undefined), name).toBe(null)
    expect(await readSimulatedMark(folder), name).toBe(null)
    for (const entry of await readdir(folder)) await rm(join(folder, entry), { recursive: true })
  }
})

test('a part file that is no file is put into quarantine, a backup names captures that are none', async () => {
  const folder = join(await temporaryFolder(), 'data')
  await mkdir(folder)
  await writeFile(dataPaths(folder).world, '{"simulated":false}')
  const days = Object.keys(INSTEAD).map((_, at) => `2026-11-1${at}`)
  const warehouse = await openWarehouse(folder)
  for (const day of [...days, '2026-11-20'])
    await warehouse.land(readings, [reading({ observed_at: `${day}T10:00:00Z` })])
  const about = { source: 'sea-cwt', url: 'https://example.org/', status: 200, content_type: null, etag: null }
  for (const day of days)
    await writeCapture(folder, Buffer.from(day), {
      ...about,
      fetched_at: `${day}T10:00:00.000Z`,
      last_modified: null,
      iata: null,
    })
  await warehouse.close()
  const parts = livePaths(await listPartitions(dataPaths(folder).warehouse, readings))
  const raw = join(dataPaths(folder).raw, 'source=sea-cwt')
  for (const [at, put] of Object.values(INSTEAD).entries()) {
    await rm(parts[at] ?? '')
    await put(parts[at] ?? '')
    const [capture = ''] = await readdir(join(raw, `date=${days[at]}`))
    await rm(join(raw, `date=${days[at]}`, capture))
    await put(join(raw, `date=${days[at]}`, capture))
  }
  const again = await openWarehouse(folder)
  expect(await again.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 1 }])
  await again.close()
  expect(await quarantinedFiles(folder)).toHaveLength(days.length)
  const { code, stderr, stdout } = await run('backup', join(folder, '..', 'backup'), '--json', '--data-dir', folder)
  expect(code, stderr).toBe(1)
  expect(stderr).toMatch(/damaged files are NOT in this backup/)
  expect((JSON.parse(stdout) as { damaged: string[] }).damaged.filter((path) => path.startsWith('raw/'))).toHaveLength(
    days.length,
  )
})

test('a lease whose content is no lease, and a folder that somebody made, stop nobody', async () => {
  const folder = await temporaryFolder()
  const { locks, warehouse: warehouseDir } = dataPaths(folder)
  await mkdir(locks)
  const released = '{"pid":1,"host":"a","command":"b","since":"c","process_identity":null,"released":true}'
  // The last one is a link that leads nowhere.
  const texts = ['null', '5', '{}', '{"released":"no","pid":{}}', '']
  const takeOver = texts.map(async (text, at) => {
    const folderOfOne = join(locks, String(at))
    await mkdir(folderOfOne)
    const damaged = join(folderOfOne, 'write.00000007.lease')
    if (text === '') await symlink('/nowhere', damaged)
    else await writeFile(damaged, text)
    const taken = withWriteLock(folderOfOne, async () => 'done')
    // It waits for the unknown holder, and takes the next token once that is free.
    await sleep(100)
    await writeFile(join(folderOfOne, 'write.00000008.lease'), released)
    return taken
  })
  expect(await Promise.all(takeOver)).toEqual(texts.map(() => 'done'))
  await mkdir(join(warehouseDir, 'readings', 'kind=%zz', 'date=%'), { recursive: true })
  expect(await listPartitions(warehouseDir, readings)).toEqual([])
})
