import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { projectFile } from '../../config/paths.ts'
import { dataPaths } from '../../config/settings.ts'
import { readInFull } from '../../warehouse/storage/housekeeping.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { randomFrom } from './harms.ts'
import { BATCH_ROWS, dayOfBatch, KINDS, type Kind, Model } from './native-work.ts'
import type { Outcome } from './outcome.ts'

const WORKER = projectFile('dist', 'test', 'programs', 'work-forever.js')
const temporary = (name: string) => mkdtemp(join(tmpdir(), `holdshort-${name}-`))
const remove = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })

/**
 * Kills a process −9 at drawn instants in landings, rollups, retention, checkpoints and copies of one warehouse, and compares the
 * warehouse with the model after each.
 */
export async function killFaults(seed: number, kills: number, onProgress = (_done: number) => {}): Promise<Outcome[]> {
  const folder = await temporary('kills')
  const random = randomFrom(seed)
  const model = new Model()
  const outcomes: Outcome[] = []
  /** How long each kind of work takes, milliseconds. */
  const durations: Record<Kind, number> = { landing: 20, rollup: 60, retention: 20, checkpoint: 20, copy: 100 }
  let next = 0
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const kind = KINDS[kill % KINDS.length]!
      const delay = random() * durations[kind] * 1.2
      const run = await killIn(folder, kind, next, 1 + Math.floor(random() * 2), delay, model)
      durations[kind] = (durations[kind] * 3 + (run.took ?? durations[kind])) / 4
      next = run.next
      const started = performance.now()
      const problems = [...run.problems]
      let lost = 0
      try {
        const warehouse = await openWarehouse(folder, { waitMs: 20_000 })
        try {
          const found = await model.differencesOf(warehouse)
          lost = found.lost
          problems.push(...found.problems, ...(await copyDifferences(folder, model)))
          await readInFull(folder, 20_000)
          problems.push(...(await model.rollupDifferences(warehouse)))
        } finally {
          await warehouse.close()
        }
      } catch (error) {
        problems.push((error as Error).message)
      }
      outcomes.push({
        kind: `kill in a ${kind}`,
        what: `seed ${seed}, kill ${kill}, after ${delay.toFixed(1)} ms, ${run.inWork ? 'in the work' : 'beside it'}`,
        lost,
        problems,
        healthyMs: performance.now() - started,
      })
      onProgress(kill)
    }
  } finally {
    await remove(folder)
  }
  return outcomes
}

/** Works in a process, and kills it so long after it begins a kind of work for the nth time. */
async function killIn(folder: string, kind: Kind, from: number, nth: number, delay: number, model: Model) {
  const child = spawn(process.execPath, [WORKER, folder, String(from), kind], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const problems: string[] = []
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  let next = from
  let begun = 0
  let beganAt = 0
  let took: number | null = null
  let isKilled = false
  let inWork: string | null = null
  const kill = () => {
    isKilled = true
    child.kill('SIGKILL')
  }
  const lines = createInterface(child.stdout)
  lines.on('line', (line) => {
    const [word, of, text] = line.split(' ') as [string, Kind, string]
    const number = Number(text)
    if (word === 'doubled') problems.push(`${number} rows were landed twice`)
    if (word === 'begin') {
      inWork = of
      if (of === 'landing') {
        model.begun.add(number)
        next = number + 1
      }
      if (of === 'retention') model.mayBeDeletedBefore = Math.max(model.mayBeDeletedBefore, number)
      if (of === 'copy') copying = { batches: [...model.acknowledged], mayBeDeletedBefore: model.mayBeDeletedBefore }
      if (of === kind) {
        begun += 1
        beganAt = performance.now()
        if (begun === nth) setTimeout(kill, delay)
      }
      return
    }
    if (word !== 'done') return
    inWork = null
    if (of === kind) took = performance.now() - beganAt
    if (of === 'landing') {
      model.begun.delete(number)
      model.acknowledged.add(number)
    }
    if (of === 'retention') {
      model.firstDay = Math.max(model.firstDay, number)
      model.mayBeDeletedBefore = Math.max(model.mayBeDeletedBefore, model.firstDay)
    }
    if (of === 'copy') model.copied = copying
  })
  let copying: Model['copied'] = null
  const ended = new Promise((resolve) => child.once('close', resolve))
  const limit = setTimeout(() => {
    problems.push('the work did not get so far in a minute')
    kill()
  }, 60_000)
  await ended
  clearTimeout(limit)
  if (!isKilled) problems.push(`the process ended by itself: ${errors.slice(0, 300)}`)
  return { next, took, problems, inWork: inWork === kind }
}

/** Why the last copy is not what it was made of. */
async function copyDifferences(folder: string, model: Model): Promise<string[]> {
  if (model.copied === null) return []
  const { warehouse_copy } = dataPaths(folder)
  if (!existsSync(warehouse_copy)) return ['the last copy is gone']
  const asWarehouse = await temporary('copy')
  try {
    await mkdir(dataPaths(asWarehouse).warehouse)
    await copyFile(warehouse_copy, dataPaths(asWarehouse).warehouse_file)
    const copy = await openWarehouse(asWarehouse)
    try {
      const rows = await copy.query<{ batch: number; n: number }>(
        `SELECT split_part(checkpoint, '-', 1)::INTEGER AS batch, count(*) AS n FROM readings GROUP BY 1`,
      )
      const counts = new Map(rows.map(({ batch, n }) => [batch, n]))
      const missing = model.copied.batches.filter(
        (batch) => dayOfBatch(batch) >= model.mayBeDeletedBefore && counts.get(batch) !== BATCH_ROWS,
      )
      return missing.length > 0 ? [`the last copy lacks ${missing.length} batches`] : []
    } finally {
      await copy.close()
    }
  } finally {
    await remove(asWarehouse)
  }
}
