import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { dataPaths } from '../../config/settings.ts'
import { seededRandom } from '../../forecasting/statistics/statistics.ts'
import { readInFull } from '../../warehouse/storage/housekeeping.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { startProgram } from '../start-program.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { DrawnFaults, ROUNDS, seedsOf } from './harms.ts'
import { Model } from './model.ts'
import { BATCH_ROWS, dayOfBatch, KINDS, type Kind } from './native-work.ts'

const SEEDS = seedsOf(40 * ROUNDS)

/** Works in a process, and kills it so long after it begins a kind of work for the nth time. */
async function killIn(folder: string, kind: Kind, from: number, nth: number, delay: number, model: Model) {
  const { child } = startProgram('work-forever', folder, from, kind)
  const kill = () => child.kill('SIGKILL')
  const doubled: string[] = []
  let next = from
  let begun = 0
  let beganAt = 0
  let took: number | null = null
  let copying: Model['copied'] = null
  createInterface(child.stdout!).on('line', (line) => {
    const [word, batchKind, text] = line.split(' ') as [string, Kind, string]
    const number = Number(text)
    if (word === 'doubled') doubled.push(line)
    else if (word === 'begin') {
      if (batchKind === 'landing') {
        model.begun.add(number)
        next = number + 1
      }
      if (batchKind === 'retention') model.mayBeDeletedBefore = Math.max(model.mayBeDeletedBefore, number)
      if (batchKind === 'copy')
        copying = { batches: [...model.acknowledged], mayBeDeletedBefore: model.mayBeDeletedBefore }
      if (batchKind !== kind) return
      begun += 1
      beganAt = performance.now()
      if (begun === nth) setTimeout(kill, delay)
    } else {
      if (batchKind === kind) took = performance.now() - beganAt
      if (batchKind === 'landing') {
        model.begun.delete(number)
        model.acknowledged.add(number)
      }
      if (batchKind === 'retention') {
        model.firstDay = Math.max(model.firstDay, number)
        model.mayBeDeletedBefore = Math.max(model.mayBeDeletedBefore, model.firstDay)
      }
      if (batchKind === 'copy') model.copied = copying
    }
  })
  const limit = setTimeout(kill, 60_000)
  await once(child, 'close')
  clearTimeout(limit)
  expect([child.signalCode, doubled]).toEqual(['SIGKILL', []])
  expect(begun, `${kind} is begun within a minute`).toBeGreaterThanOrEqual(nth)
  return { next, took }
}

/** Expects the last copy to be what it was made of. */
async function expectCopyOf({ copied, mayBeDeletedBefore }: Model, folder: string, what: string): Promise<void> {
  if (copied === null) return
  const { warehouse_copy } = dataPaths(folder)
  expect(existsSync(warehouse_copy), what).toBe(true)
  const asWarehouse = await temporaryFolder()
  await mkdir(dataPaths(asWarehouse).warehouse)
  await copyFile(warehouse_copy, dataPaths(asWarehouse).warehouse_file)
  const copy = await openWarehouse(asWarehouse)
  const rows = await copy
    .query<{ batch: number; n: number }>(
      `SELECT split_part(checkpoint, '-', 1)::INTEGER AS batch, count(*) AS n FROM readings GROUP BY 1`,
    )
    .finally(copy.close)
  const counts = new Map(rows.map(({ batch, n }) => [batch, n]))
  const kept = copied.batches.filter((batch) => dayOfBatch(batch) >= mayBeDeletedBefore)
  expect(
    kept.filter((batch) => counts.get(batch) !== BATCH_ROWS),
    `${what}: the copy lacks batches`,
  ).toEqual([])
}

test(
  'kill −9 in a landing, a rollup, a retention, a checkpoint and a copy loses, doubles and halves nothing',
  async () => {
    const folder = await temporaryFolder()
    const faults = new DrawnFaults()
    const model = new Model()
    /** How long each kind of work takes, milliseconds. */
    const durations: Record<Kind, number> = { landing: 20, rollup: 60, retention: 20, checkpoint: 20, copy: 100 }
    let next = 0
    for (const seed of SEEDS) {
      const kind = KINDS[seed % KINDS.length]!
      const random = seededRandom(seed)
      const delay = random() * durations[kind] * 1.2
      const what = `seed ${seed}: kill in a ${kind} after ${delay.toFixed(1)} ms`
      const run = await killIn(folder, kind, next, 1 + Math.floor(random() * 2), delay, model)
      durations[kind] = (durations[kind] * 3 + (run.took ?? durations[kind])) / 4
      next = run.next
      const warehouse = await openWarehouse(folder, { waitMs: 20_000 })
      await model.expectHeldBy(warehouse, what)
      await expectCopyOf(model, folder, what)
      await readInFull(folder, 20_000)
      await model.expectHoursOf(warehouse, what)
      await warehouse.close()
      faults.count(`a kill in a ${kind}`, false)
    }
    faults.print('processes that are killed')
  },
  240_000 * ROUNDS,
)
