import { existsSync } from 'node:fs'
import { rm, truncate } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataPaths } from '../../config/settings.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { json, run } from '../end-to-end/commands.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { collectAt, copyOf, makeInstallation, NOW, rowCounts } from '../faults/installation.ts'

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
