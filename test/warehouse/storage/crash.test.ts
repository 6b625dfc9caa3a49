import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { projectFile } from '../../../config/paths.ts'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { repetitions } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { reading } from '../test-rows.ts'

const CHILD = projectFile('dist', 'test', 'programs', 'land-forever.js')

/** Runs the child until it has acknowledged some batches and a little longer, then kills it; returns the acknowledged batches. */
function killedAfter(folder: string, from: number, ms: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, folder, String(from)], { stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    let doomed = false
    child.stdout.on('data', (text) => {
      said += text
      if (!doomed) setTimeout(() => child.kill('SIGKILL'), ms)
      doomed = true
    })
    child.on('error', reject)
    child.on('exit', () => resolve(said.trim().split('\n').filter(Boolean).map(Number)))
  })
}

/** Kills a writer several times, so many milliseconds after its first output, and checks all rows in between. */
async function survives(folder: string, kills: number[]): Promise<void> {
  const acknowledged = new Set<number>()
  let next = 0
  for (const ms of kills) {
    for (const batch of await killedAfter(folder, next, ms)) acknowledged.add(batch)
    next = Math.max(...acknowledged) + 1
    const warehouse = await openWarehouse(folder)
    const rows = await warehouse.query<{ batch: number; n: number; different: number }>(
      "SELECT split_part(checkpoint, '-', 1)::INTEGER AS batch, count(*) AS n, count(DISTINCT checkpoint) AS different FROM readings GROUP BY 1",
    )
    for (const { n, different } of rows) expect([n, different]).toEqual([20, 20])
    const found = new Set(rows.map(({ batch }) => batch))
    for (const batch of acknowledged) expect(found).toContain(batch)
    for (const { batch } of rows) next = Math.max(next, batch + 1)
    await warehouse.query('SELECT sum(samples) FROM rollups')
    await warehouse.close()
  }
  const warehouse = await openWarehouse(folder)
  expect(await warehouse.land(readings, [reading({ checkpoint: 'after' })])).toBe(1)
  expect(await rollUp(warehouse)).toBe(1)
  await warehouse.close()
}

test('kill −9 at any instant loses no acknowledged row, duplicates none and leaves every file readable', async () => {
  const folders = [await temporaryFolder(), await temporaryFolder()] as const
  // Most of the time is spent waiting for the lock of the killed process.
  await Promise.all([
    survives(folders[0], [5, 140].slice(0, repetitions(1, 2))),
    survives(folders[1], [60, 210].slice(0, repetitions(1, 2))),
  ])
}, 120_000)
