import { execFileSync } from 'node:child_process'
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stateFault } from '../../../api/state/integrity.ts'
import { readMarker } from '../../../api/state/marker.ts'
import { openState } from '../../../api/state/open.ts'
import { watchCommitsOfOtherProcesses } from '../../../api/state/sqlite-commit-watcher.ts'
import { dataPaths } from '../../../config/settings.ts'
import { readSoundCard } from '../../../training/artifacts/artifact-files.ts'
import { readRegistry } from '../../../training/registry/registry.ts'
import { loadSoundSnapshot } from '../../../warehouse/publishing/snapshot/load.ts'
import { readCapture, writeCapture } from '../../../warehouse/storage/raw-captures.ts'
import { readSimulatedMark } from '../../../warehouse/storage/simulated-mark.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { run } from '../../end-to-end/commands.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

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

test('whatever lies in the place of the log of the state is told at once', async () => {
  const folder = await temporaryFolder()
  const { state } = dataPaths(folder)
  await (await openState({ data_dir: folder })).close()
  for (const log of [`${state}-wal`, `${state}-shm`])
    for (const [name, put] of Object.entries(INSTEAD)) {
      await rm(log, { force: true })
      await put(log)
      const message = expect.stringContaining(`${log} is damaged`)
      await expect(openState({ data_dir: folder }), name).rejects.toMatchObject({ code: 'STATE_DAMAGED', message })
      expect(await stateFault(state, null, false, null), name).toContain(`${log} is damaged`)
      await rm(log, { recursive: true })
    }
  await (await openState({ data_dir: folder })).close()
})

test('a warehouse that is no file is damaged, and a backup names captures that are none', async () => {
  const folder = join(await temporaryFolder(), 'data')
  await mkdir(folder)
  await writeFile(dataPaths(folder).world, '{"simulated":false}')
  const days = Object.keys(INSTEAD).map((_, index) => `2026-11-1${index}`)
  const about = { source: 'sea-cwt', url: 'https://example.org/', status: 200, content_type: null, etag: null }
  for (const day of days)
    await writeCapture(folder, Buffer.from(day), {
      ...about,
      fetched_at: `${day}T10:00:00.000Z`,
      last_modified: null,
      iata: null,
    })
  const { warehouse: warehouseDir, warehouse_file } = dataPaths(folder)
  await mkdir(warehouseDir)
  const raw = join(dataPaths(folder).raw, 'source=sea-cwt')
  for (const [index, [name, put]] of Object.entries(INSTEAD).entries()) {
    if (!name.startsWith('a link')) {
      await put(warehouse_file)
      const warehouse = await openWarehouse(folder)
      const counted = warehouse.query('SELECT count(*) AS n FROM readings')
      await expect(counted, name).rejects.toMatchObject({ code: 'WAREHOUSE_CORRUPT' })
      await warehouse.close()
      await rm(warehouse_file, { recursive: true })
    }
    const [capture = ''] = await readdir(join(raw, `date=${days[index]}`))
    await rm(join(raw, `date=${days[index]}`, capture))
    await put(join(raw, `date=${days[index]}`, capture))
  }
  const { code, stderr, stdout } = await run('backup', join(folder, '..', 'backup'), '--json', '--data-dir', folder)
  expect(code, stderr).toBe(1)
  expect(stderr).toMatch(/damaged files are NOT in this backup/)
  expect((JSON.parse(stdout) as { damaged: string[] }).damaged.filter((path) => path.startsWith('raw/'))).toHaveLength(
    days.length,
  )
})
