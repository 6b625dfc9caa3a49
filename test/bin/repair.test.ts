import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { mkdir, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { checkWarehouse } from '../../bin/doctor/check-folder.ts'
import { runCheck } from '../../bin/doctor/finding.ts'
import { projectFile } from '../../config/paths.ts'
import { dataPaths, readSettings } from '../../config/settings.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { json, run } from '../end-to-end/commands.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { collectAt, copyOf, makeInstallation, NOW, rowCounts } from '../faults/installation.ts'
import { temporaryFolder } from '../temporary-folder.ts'

let installation = ''
beforeAll(async () => {
  installation = await makeInstallation([NOW - DAY_MS, NOW])
  await collectAt(installation, [NOW + 300_000])
}, 120_000)
afterAll(() => rm(installation, { recursive: true, force: true }))

async function damagedCopy(): Promise<string> {
  const folder = await copyOf(installation)
  await truncate(dataPaths(folder).warehouse_file, 400_000)
  return folder
}

test('repair leaves a sound warehouse as it is', async () => {
  const before = await rowCounts(installation)
  expect(await json('repair', '--data-dir', installation, '--json')).toMatchObject({ damaged: false })
  expect(await rowCounts(installation)).toEqual(before)
})

test('repair of a machine whose tables are in a bucket is refused, and makes no warehouse in its folder', async () => {
  const folder = await damagedCopy()
  const before = statSync(dataPaths(folder).warehouse_file).size
  vi.stubEnv('HOLDSHORT_STORE', 's3://bucket/prefix')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { code, stderr } = await run('repair', '--data-dir', folder)
  expect([code, stderr]).toEqual([2, expect.stringContaining('not in this folder; `holdshort doctor` says')])
  expect(statSync(dataPaths(folder).warehouse_file).size).toBe(before)
})

test('repair puts the copy in the place of a damaged warehouse, and parses the captures since then', async () => {
  const before = await rowCounts(installation)
  const folder = await damagedCopy()
  const report = await json<{ copied_rows: number; rows: number; kept: string }>(
    'repair',
    '--data-dir',
    folder,
    '--json',
  )
  expect(report).toMatchObject({ damaged: true, copy_of: '2026-11-21T10:00:00Z', failed: 0 })
  expect([report.copied_rows > 1_000, report.rows > 0, existsSync(report.kept)]).toEqual([true, true, true])
  const after = await rowCounts(folder)
  for (const table of ['readings', 'delays', 'metars', 'tafs', 'rollups'])
    expect([table, after.get(table)]).toEqual([table, before.get(table)])
  // Another repair finds nothing to do.
  expect(await json('repair', '--data-dir', folder, '--json')).toMatchObject({ damaged: false })
}, 60_000)

test('a repair that is killed while it parses captures is named by the doctor, and the next one goes on', async () => {
  const before = await rowCounts(installation)
  const folder = await damagedCopy()
  const { warehouse_file, warehouse_copy, unfinished_repair } = dataPaths(folder)
  await rm(warehouse_copy)
  const damaged = statSync(warehouse_file).ino
  const child = spawn(process.execPath, [projectFile('dist', 'bin', 'holdshort.js'), 'repair', '--data-dir', folder])
  await vi.waitFor(() => expect(statSync(warehouse_file).ino).not.toBe(damaged), { timeout: 30_000, interval: 1 })
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(existsSync(unfinished_repair)).toBe(true)
  const { level, says } = await runCheck('warehouse', () => checkWarehouse({ ...readSettings({}), data_dir: folder }))
  expect([level, says]).toEqual(['wrong', expect.stringContaining('a repair was cut off')])
  const backup = join(await temporaryFolder(), 'backup')
  const backedUp = await run('backup', backup, '--data-dir', folder)
  expect([backedUp.code, backedUp.stderr]).toEqual([1, expect.stringContaining('a repair was cut off')])
  const restored = join(await temporaryFolder(), 'restored')
  await json('restore', backup, '--data-dir', restored, '--json')
  expect(await json('repair', '--dry-run', '--data-dir', folder, '--json')).toMatchObject({ damaged: true })
  expect(await json('repair', '--data-dir', folder, '--json')).toMatchObject({ damaged: true, failed: 0 })
  expect(await json('repair', '--data-dir', restored, '--json')).toMatchObject({ damaged: true, failed: 0 })
  for (const repaired of [folder, restored]) {
    const after = await rowCounts(repaired)
    for (const table of ['readings', 'delays', 'metars', 'tafs'])
      expect([table, after.get(table)]).toEqual([table, before.get(table)])
    expect(await json('repair', '--data-dir', repaired, '--json')).toMatchObject({ damaged: false })
  }
}, 60_000)

test.runIf(EXHAUSTIVE)(
  'without a copy repair parses every capture, and says so',
  async () => {
    const before = await rowCounts(installation)
    const folder = await damagedCopy()
    await rm(dataPaths(folder).warehouse_copy)
    const { code, stdout } = await run('repair', '--data-dir', folder)
    expect([code, stdout]).toEqual([0, expect.stringContaining('there was none')])
    const after = await rowCounts(folder)
    for (const table of ['readings', 'delays', 'metars', 'tafs'])
      expect([table, after.get(table)]).toEqual([table, before.get(table)])
  },
  60_000,
)

test('a warehouse that is gone is not begun anew beside its copy', async () => {
  const folder = await copyOf(installation)
  await rm(dataPaths(folder).warehouse_file)
  const { code, stderr } = await run('run', 'rollup', '--data-dir', folder)
  expect([code, stderr]).toEqual([1, expect.stringContaining('only its copy is left')])
  expect(existsSync(dataPaths(folder).warehouse_file)).toBe(false)
  if (EXHAUSTIVE) expect(await json('repair', '--data-dir', folder, '--json')).toMatchObject({ damaged: true })
}, 60_000)

test.each([
  ['the file alone', ['warehouse_file', 'warehouse_copy', 'warehouse_mark']],
  ['the folder, as of a disk that is not mounted,', ['warehouse']],
] as const)(
  '%s is gone: where a snapshot was published nothing is begun anew',
  async (_what, gone) => {
    const folder = await copyOf(installation)
    const paths = dataPaths(folder)
    await mkdir(paths.snapshots, { recursive: true })
    await writeFile(join(paths.snapshots, 'CURRENT'), '20261121T100000Z')
    for (const name of gone) await rm(paths[name], { recursive: true })
    const { code, stderr } = await run('run', 'rollup', '--data-dir', folder)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^WAREHOUSE_CORRUPT: .*is gone.*mount/)])
    expect(existsSync(paths.warehouse_file)).toBe(false)
    const { level, says } = await runCheck('warehouse', () => checkWarehouse({ ...readSettings({}), data_dir: folder }))
    expect([level, says]).toEqual(['wrong', expect.stringContaining('holdshort repair')])
    expect(await json('repair', '--data-dir', folder, '--json')).toMatchObject({ damaged: true, failed: 0 })
    expect((await rowCounts(folder)).get('metars')).toBe((await rowCounts(installation)).get('metars'))
  },
  60_000,
)

test('repair goes on from a copy that was kept, where it has the most rows', async () => {
  const folder = await damagedCopy()
  const { warehouse, warehouse_copy } = dataPaths(folder)
  await rename(warehouse_copy, join(warehouse, 'copy-20261121T100000Z.duckdb'))
  const report = await json<{ copied_rows: number }>('repair', '--data-dir', folder, '--json')
  expect(report).toMatchObject({ taken: expect.stringContaining('the kept copy of'), lost: {} })
  expect(report.copied_rows).toBeGreaterThan(1_000)
}, 60_000)
