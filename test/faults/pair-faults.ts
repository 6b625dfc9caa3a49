import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { startProgram } from '../start-program.ts'
import { randomFrom } from './harms.ts'
import type { Outcome } from './outcome.ts'

/** Two writers at once; one is frozen or killed at a drawn instant while the other goes on, then the other way round. */
export async function pairFaults(seed: number, pairs: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (let pair = 0; pair < pairs; pair += 1) outcomes.push(await tryPair(seed + pair))
  return outcomes
}

async function tryPair(seed: number): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'holdshort-pair-'))
  const random = randomFrom(seed)
  const problems: string[] = []
  let lost = 0
  const isFrozen = random() < 0.6
  const writers = [
    startProgram('land-forever', folder, 1_000_000),
    startProgram('land-forever', folder, 2_000_000),
  ] as const
  let started = performance.now()
  try {
    for (const writer of writers) await Promise.race([writer.hasPrinted(2), sleep(30_000)])
    await sleep(random() * 1_000)
    const [first, second] = writers
    first.child.kill(isFrozen ? 'SIGSTOP' : 'SIGKILL')
    const seen = second.lines().length
    started = performance.now()
    // A process that is frozen while it holds the file keeps the other waiting, and goes on holding it when it wakes up.
    if (isFrozen) {
      await sleep(random() * 3_000)
      first.child.kill('SIGCONT')
    }
    for (; second.lines().length === seen; await sleep(20))
      if (performance.now() - started > 15_000) {
        problems.push('the other writer was held up for more than 15 s')
        break
      }
    await sleep(random() * 1_000)
    for (const writer of writers) if (writer.child.signalCode === null) await writer.kill()
    const warehouse = await openWarehouse(folder)
    const rows = await warehouse.query<{ batch: number; n: number; keys: number }>(
      `SELECT split_part(checkpoint, '-', 1)::INTEGER AS batch, count(*) AS n, count(DISTINCT checkpoint) AS keys
       FROM readings GROUP BY 1`,
    )
    await warehouse.close()
    const stored = new Map(rows.map(({ batch, n }) => [batch, n]))
    for (const writer of writers) for (const batch of writer.lines()) lost += 20 - (stored.get(Number(batch)) ?? 0)
    if (lost > 0) problems.push(`${lost} acknowledged rows are lost`)
    if (rows.some(({ n, keys }) => n !== keys)) problems.push('rows are doubled')
  } catch (error) {
    problems.push((error as Error).message)
  } finally {
    for (const { child } of writers) child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
  const kind = `pair of writers: one ${isFrozen ? 'frozen' : 'killed'}`
  return { kind, what: `seed ${seed}`, lost, problems, healthyMs: performance.now() - started }
}
