import { rm } from 'node:fs/promises'
import { HOUR_MS } from '../../config/domain.ts'
import { allSources, type Source } from '../../config/sources.ts'
import { type CollectOutcome, collectSource, emptyMemory } from '../../pipeline/collect.ts'
import type { Doors } from '../../pipeline/doors.ts'
import { createLanding } from '../../pipeline/landing.ts'
import type { Mishaps } from '../../pipeline/simulator/faults.ts'
import { type Emitted, startWorld } from '../../pipeline/simulator/server.ts'
import { simulatedSources } from '../../pipeline/simulator/simulated-sources.ts'
import { upkeep } from '../../pipeline/upkeep.ts'
import { openWarehouse } from '../../warehouse/open.ts'
import { rollUp } from '../../warehouse/rollup.ts'
import { httpDoors, settingsIn } from './room.ts'

export interface SoakOptions {
  data_dir: string
  seed: number
  from: number
  hours: number
  /** Simulated minutes between two rounds of all sources. */
  step_minutes: number
  mishaps: Mishaps
  /** What the operator of the world does besides, at each round. */
  trouble?: (world: Awaited<ReturnType<typeof startWorld>>, round: number) => void
}

export interface SoakReport {
  sources: number
  rounds: number
  answers: number
  failed: number
  /** Readings with a wait or a closure, as texts: what went out whole, and what the warehouse holds. */
  emitted: Set<string>
  landed: string[]
  /** Failed runs by error code. */
  failures: Record<string, number>
}

const textOf = (row: Omit<Emitted, 'closed'> & { closed: boolean }) =>
  [
    ...[row.source, row.kind, row.iata, row.terminal, row.checkpoint, row.lane],
    new Date(row.observed_at).toISOString().replace('.000', ''),
    row.closed ? 'closed' : [row.wait_minutes, row.wait_minutes_low, row.wait_minutes_high].join(' '),
  ].join(' | ')

/** Sources of the world that tell of waits now. */
export const soakSources = (): Source[] =>
  simulatedSources(allSources()).filter((source) => source.active && source.timeliness === 'live')

/**
 * Lets every source of the simulated world be collected for some simulated days, through the real doors and into a real
 * warehouse with its upkeep, and tells what went out and what is there.
 */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  let now = options.from
  const emitted = new Set<string>()
  const world = await startWorld({
    seed: options.seed,
    now: () => now,
    mishaps: options.mishaps,
    onEmission: (readings) => {
      for (const reading of readings) emitted.add(textOf(reading))
    },
  })
  const warehouse = await openWarehouse(options.data_dir)
  const landing = createLanding(warehouse)
  const doors = soakDoors(httpDoors(world.url, { now: () => now, sleep: async () => undefined }))
  const context = { warehouse, landing, doors, now: () => now, memory: emptyMemory() }
  const settings = settingsIn(options.data_dir, world.url)
  const sources = soakSources()
  const report: SoakReport = { sources: sources.length, rounds: 0, answers: 0, failed: 0, emitted, landed: [], failures: {} }
  try {
    const until = options.from + options.hours * HOUR_MS
    for (; now < until; now += options.step_minutes * 60_000) {
      options.trouble?.(world, report.rounds)
      const outcomes = await Promise.all(sources.map((source) => collectSource(source, context)))
      const g=globalThis as any;console.log(report.rounds, 'recent',g.PR|0,'land',g.PL|0,'groups',g.PN,'count',g.PC|0);g.PR=g.PL=g.PN=g.PC=0
      for (const outcome of outcomes.flat()) count(report, outcome)
      report.rounds += 1
      if (now % (6 * HOUR_MS) < options.step_minutes * 60_000) {
        const t=performance.now();await warehouse.maintain((write) => rollUp(write))
        await upkeep(warehouse, settings, now);console.log('upkeep',performance.now()-t)
      }
    }
    await landing.idle()
    const rows = await warehouse.query<Omit<Emitted, 'closed'> & { status: string }>(
      `SELECT source, kind, iata, terminal, checkpoint, lane, observed_at, wait_minutes, wait_minutes_low, wait_minutes_high, status
       FROM readings WHERE status = 'closed' OR coalesce(wait_minutes, wait_minutes_low, wait_minutes_high) IS NOT NULL`,
    )
    report.landed = rows.map((row) => textOf({ ...row, closed: row.status === 'closed' }))
    return report
  } finally {
    await landing.idle()
    await warehouse.close()
    await world.close()
    await rm(options.data_dir, { recursive: true, force: true })
  }
}

function count(report: SoakReport, { error }: CollectOutcome): void {
  report.answers += 1
  if (!error) return
  report.failed += 1
  report.failures[error.code] = (report.failures[error.code] ?? 0) + 1
}

/** Pages that need a browser are left out: they have a test of their own. */
function soakDoors(doors: Doors): Doors {
  return doors
}
