import { rm } from 'node:fs/promises'
import { DAY_MS, HOUR_MS } from '../../config/domain.ts'
import { dataPaths } from '../../config/settings.ts'
import { loadSnapshot } from '../../warehouse/publishing/snapshot/load.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { rowCounts } from './file-faults.ts'
import { collectAt, copyOf, NOW, refreshAt, upkeepAt } from './installation.ts'
import type { Outcome } from './outcome.ts'

/** How far the clock is set to, and for how long the pipeline then works. */
const STEPS: Record<string, number> = {
  'three years ahead': 3 * 365 * DAY_MS,
  'a day ahead': DAY_MS,
  'an hour ahead': HOUR_MS,
  'a day back': -DAY_MS,
  'three years back': -3 * 365 * DAY_MS,
}

/** Sets the clock, lets the pipeline collect, refresh and clean up, and sets it right again. */
export async function clockFaults(installation: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const [name, step] of Object.entries(STEPS)) outcomes.push(await tryClock(installation, name, step))
  return outcomes
}

async function tryClock(installation: string, name: string, step: number): Promise<Outcome> {
  const folder = await copyOf(installation)
  const problems: string[] = []
  let lost = 0
  const started = performance.now()
  try {
    const before = await rowCounts(folder)
    await collectAt(folder, [NOW + step, NOW + step + 60_000])
    const wrong = await openWarehouse(folder)
    await upkeepAt(wrong, NOW + step + 61_000)
    await wrong.close()
    // The clock is right again.
    await collectAt(folder, [NOW + 300_000])
    const right = await openWarehouse(folder)
    await upkeepAt(right, NOW + 301_000)
    await refreshAt(right, NOW + 360_000)
    await right.close()
    const after = await rowCounts(folder)
    for (const table of ['readings', 'delays', 'metars', 'tafs']) {
      const missing = (before.get(table) ?? 0) - (after.get(table) ?? 0)
      if (missing <= 0) continue
      lost += missing
      problems.push(`${missing} rows of ${table} were deleted`)
    }
    const snapshot = await loadSnapshot(dataPaths(folder).snapshots)
    if (snapshot?.generated_ms !== NOW + 360_000) problems.push(`serves ${snapshot?.generated_at}`)
    const wait = snapshot?.queue('JFK', 'security')
    const times = JSON.stringify(wait ?? null).match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g) ?? []
    if (times.length === 0) problems.push('shows no wait at JFK')
    const future = times.filter((time) => Date.parse(time) > NOW + 2 * DAY_MS || Date.parse(time) > NOW + 400_000)
    if (future.length > 0) problems.push(`shows figures of the future: ${future[0]}`)
    const fresh = times.some((time) => Date.parse(time) > NOW - HOUR_MS)
    if (times.length > 0 && !fresh) problems.push('shows no fresh figure at JFK')
  } catch (error) {
    problems.push((error as Error).message)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return { kind: `clock: ${name}`, what: name, lost, problems, healthyMs: performance.now() - started }
}
