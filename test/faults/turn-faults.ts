import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectFile } from '../../config/paths.ts'
import { quantile } from '../../forecasting/statistics/statistics.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { BATCH_ROWS, batchRows } from './native-work.ts'
import type { Outcome } from './outcome.ts'

const PROGRAM = projectFile('dist', 'test', 'programs', 'use-warehouse.js')

/** Starts a process that uses a warehouse; `lines` are what it has printed. */
function start(folder: string, use: string, seconds: number) {
  const child = spawn(process.execPath, [PROGRAM, folder, use, String(seconds)], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  child.stderr.on('data', (text) => {
    errors += text
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, errors }))
  const lines = <T>() =>
    output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as T)
  return { child, ended, lines }
}

interface Use {
  waited_ms: number
  batch?: number
  rows?: number
  isWhole?: boolean
}

const percentile = (values: number[], p: number) => Math.round(quantile(Float64Array.from(values).sort(), p))

/** A writer every 200 ms, two short readers and one that holds the file for a second each time, in processes of their own. */
export async function turnFaults(seconds: number): Promise<Outcome[]> {
  const folder = await mkdtemp(join(tmpdir(), 'holdshort-turns-'))
  const problems: string[] = []
  let lost = 0
  const started = performance.now()
  const waits: string[] = []
  try {
    const users = ['write', 'read', 'read', 'long'].map((use) => ({ use, run: start(folder, use, seconds) }))
    for (const { use, run } of users) {
      const { code, errors } = await run.ended
      if (code !== 0) problems.push(`${use} ended with ${code}: ${errors.slice(0, 300)}`)
      const uses = run.lines<Use>()
      if (uses.some(({ isWhole }) => isWhole === false)) problems.push('a reader saw half a landing')
      const counts = uses.map(({ rows }) => rows ?? 0)
      if (counts.some((rows, index) => rows < (counts[index - 1] ?? 0))) problems.push(`${use} saw rows disappear`)
      const waited = uses.map(({ waited_ms }) => waited_ms)
      waits.push(`${use} ${uses.length} times, p50 ${percentile(waited, 0.5)} ms, p99 ${percentile(waited, 0.99)} ms`)
    }
    const written = users[0]!.run.lines<Use>().length
    const warehouse = await openWarehouse(folder)
    const [found] = await warehouse.query<{ n: number; keys: number }>(
      'SELECT count(*) AS n, count(DISTINCT checkpoint) AS keys FROM readings',
    )
    await warehouse.close()
    lost = written * BATCH_ROWS - found!.n
    if (lost !== 0) problems.push(`${written} batches were acknowledged, and ${found!.n} rows are there`)
    if (found!.n !== found!.keys) problems.push('rows are doubled')
  } catch (error) {
    problems.push((error as Error).message)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return [
    { kind: 'processes taking turns', what: waits.join('; '), lost, problems, healthyMs: performance.now() - started },
  ]
}

/** An analyst's session holds the file: landings wait, then all of them arrive, and whoever waits is told who holds it. */
export async function heldFaults(seconds: number): Promise<Outcome[]> {
  const folder = await mkdtemp(join(tmpdir(), 'holdshort-held-'))
  const problems: string[] = []
  let lost = 0
  let told = 'nothing, because the wait was short'
  const started = performance.now()
  const holders: (string | null)[] = []
  const warehouse = await openWarehouse(folder, { onWait: (holder) => holders.push(holder) })
  try {
    await warehouse.land(readings, batchRows(0))
    // Lets go of the file first.
    const holder = start(folder, 'hold', seconds)
    await once(holder.child.stdout, 'data')
    const held = performance.now()
    const batches = Array.from({ length: 30 }, (_, index) => index + 1)
    const landed = await Promise.all(batches.map((batch) => warehouse.land(readings, batchRows(batch))))
    const waited = performance.now() - held
    await holder.ended
    if (waited < seconds * 900)
      problems.push(`a landing was done after ${Math.round(waited)} ms, while the file was held`)
    if (waited > seconds * 1_000 + 20_000) problems.push(`landings waited for ${Math.round(waited)} ms`)
    lost = landed.reduce((sum, rows) => sum + BATCH_ROWS - rows, 0)
    const [found] = await warehouse.query<{ n: number }>('SELECT count(*) AS n FROM readings')
    lost += 31 * BATCH_ROWS - found!.n
    if (lost !== 0) problems.push(`${lost} rows did not arrive`)
    if (seconds > 6) {
      told = String(holders[0])
      if (!told.includes(`process ${holder.child.pid} (`) || holders[1] !== null)
        problems.push(`the log says: ${holders.join(', ')}`)
    }
  } catch (error) {
    problems.push((error as Error).message)
  } finally {
    await warehouse.close().catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  }
  return [
    {
      kind: 'file held by an analyst',
      what: `${seconds} s; told: ${told}`,
      lost,
      problems,
      healthyMs: performance.now() - started,
    },
  ]
}
