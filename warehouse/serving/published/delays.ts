import { z } from 'zod'
import { DelayProgramType, type DelayStatus, EXPIRY_SECONDS, freshnessOf } from '../../../config/domain.ts'
import { Instant, nullableMinutes, type Provenance } from '../../../config/facts.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { closureInForce } from '../../tables/closure.ts'
import type { Delay } from '../../tables/delays.ts'

export const DelayProgram = z
  .strictObject({
    type: DelayProgramType,
    reason: z.string().nullable().describe('As published.'),
    average_minutes: nullableMinutes,
    min_minutes: nullableMinutes,
    max_minutes: nullableMinutes,
    trend: z.string().nullable(),
    start: Instant.nullable(),
    end: Instant.nullable(),
  })
  .meta({ id: 'DelayProgram', description: 'A traffic management program of the FAA.' })
export type DelayProgram = z.infer<typeof DelayProgram>

export const Closure = z
  .strictObject({
    reason: z.string().nullable(),
    start: Instant.nullable(),
    end: Instant.nullable(),
    closed_to_airlines: z
      .boolean()
      .nullable()
      .describe('Whether scheduled airlines are shut out; most closures are partial.'),
    closed_hours_utc: z.string().nullable().describe('Daily closed hours in UTC, where it is not round the clock.'),
    in_force: z.boolean().describe('Closed to airlines at the time of the snapshot.'),
  })
  .meta({ id: 'Closure' })
export type Closure = z.infer<typeof Closure>

export interface DelayState extends Provenance {
  supported: boolean
  status: DelayStatus
  summary: string
  programs: DelayProgram[]
  closures: Closure[]
}

/** FAA sources of airport programs, the better one first: the JSON sibling has years and numbers where the XML has prose. */
const AIRPORT_SOURCES = ['faa-airport-events', 'faa-nas-status']
const FLOW_SOURCES = ['faa-enroute-events', 'faa-nas-status']
/** The better source is left for the other when its newest good answer is older than this. */
const STAND_IN_SECONDS = 600

interface GoodRun {
  source: string
  finished_at: string
  observed_at: string
}

/** The newest good answer of each FAA source within six hours of `now`. */
async function goodRuns(warehouse: Warehouse, now: number): Promise<GoodRun[]> {
  const from = new Date(now - EXPIRY_SECONDS * 1_000).toISOString()
  return warehouse.query<GoodRun>(
    `SELECT source, finished_at, observed_at FROM runs
     WHERE date >= $day AND finished_at > $from::TIMESTAMPTZ AND outcome <> 'failed' AND observed_at IS NOT NULL
       AND source LIKE 'faa-%'
     QUALIFY row_number() OVER (PARTITION BY source ORDER BY finished_at DESC) = 1`,
    { day: from.slice(0, 10), from },
  )
}

/** The first of the given sources with an answer under ten minutes old, else whichever answered last. */
export function standIn(order: string[], runs: GoodRun[], now: number): GoodRun | null {
  const known = order.flatMap((source) => runs.find((run) => run.source === source) ?? [])
  const age = (run: GoodRun) => (now - Date.parse(run.finished_at)) / 1_000
  const fresh = known.find((run) => age(run) < STAND_IN_SECONDS)
  return fresh ?? known.sort((a, b) => age(a) - age(b))[0] ?? null
}

const rowsOf = (warehouse: Warehouse, run: GoodRun | null) =>
  run
    ? warehouse.query<Delay>(
        'SELECT * EXCLUDE (date) FROM delays WHERE source = $source AND observed_at = $at::TIMESTAMPTZ ORDER BY faa_id, type',
        { source: run.source, at: run.observed_at },
      )
    : Promise.resolve([])

const ended = (row: Delay, now: number) => row.end !== null && Date.parse(row.end) < now

function programView(row: Delay): DelayProgram {
  const { reason, average_minutes, min_minutes, max_minutes, trend, start, end } = row
  return {
    type: row.type as DelayProgram['type'],
    reason,
    average_minutes,
    min_minutes,
    max_minutes,
    trend,
    start,
    end,
  }
}

function closureView(row: Delay, now: number): Closure {
  const { reason, start, end, closed_to_airlines, closed_hours_utc } = row
  return { reason, start, end, closed_to_airlines, closed_hours_utc, in_force: closureInForce(row, now) }
}

/** The worst thing that holds: closed, ground stop, ground delay, any other delay, nothing. */
export function delayStatus(programs: DelayProgram[], closures: Closure[]): DelayStatus {
  if (closures.some((closure) => closure.in_force)) return 'closed'
  const types = new Set(programs.map((program) => program.type))
  if (types.has('ground_stop')) return 'ground_stop'
  if (types.has('ground_delay')) return 'ground_delay'
  return programs.length > 0 ? 'minor_delay' : 'normal'
}

const TITLES = {
  ground_stop: 'Ground stop',
  ground_delay: 'Ground delay program',
  arrival_delay: 'Arrival delays',
  departure_delay: 'Departure delays',
  airspace_flow: 'Airspace flow program',
}

function programSentence(program: DelayProgram): string {
  const { average_minutes: average, min_minutes: low, max_minutes: high } = program
  const length =
    average !== null
      ? ` averaging ${Math.round(average)} min`
      : low !== null && high !== null
        ? ` of ${Math.round(low)}–${Math.round(high)} min`
        : ''
  const until = program.end ? ` until ${program.end}` : ''
  return `${TITLES[program.type]}${length}${program.reason ? ` (${program.reason})` : ''}${until}.`
}

/** One or more plain sentences on what holds. */
export function delaySummary(programs: DelayProgram[], closures: Closure[]): string {
  const closed = closures
    .filter((closure) => closure.in_force)
    .map((closure) => `Closed to airlines (${closure.reason ?? 'no reason given'}).`)
  const partial = closures.some((closure) => !closure.in_force)
    ? ['A closure is listed that does not shut out airlines now.']
    : []
  const sentences = [...closed, ...programs.map(programSentence), ...partial]
  return sentences.length > 0 ? sentences.join(' ') : 'The FAA lists no delay.'
}

function provenance(run: GoodRun | null, now: number): Provenance {
  if (!run) return { basis: null, observed_at: null, age_seconds: null, source: null, freshness: null }
  const age = Math.max(0, Math.round((now - Date.parse(run.finished_at)) / 1_000))
  return {
    basis: 'measured',
    observed_at: run.observed_at,
    age_seconds: age,
    source: run.source,
    freshness: freshnessOf(age),
  }
}

/** Delay states of all airports with something listed, the state of a quiet one, and flow programs, at `now` (epoch ms). */
export async function delayStates(warehouse: Warehouse, now: number) {
  const runs = await goodRuns(warehouse, now)
  const run = standIn(AIRPORT_SOURCES, runs, now)
  const where = provenance(run, now)
  const quiet: DelayState = run
    ? { supported: true, status: 'normal', summary: delaySummary([], []), programs: [], closures: [], ...where }
    : {
        supported: true,
        status: 'unknown',
        summary: 'The FAA has not answered in the last six hours.',
        programs: [],
        closures: [],
        ...where,
      }
  const delays: Record<string, DelayState> = {}
  const rows = (await rowsOf(warehouse, run)).filter((row) => !ended(row, now))
  for (const iata of new Set(rows.flatMap((row) => row.iata ?? []))) {
    const own = rows.filter((row) => row.iata === iata)
    const programs = own.filter((row) => row.type !== 'closure' && row.type !== 'airspace_flow').map(programView)
    const closures = own.filter((row) => row.type === 'closure').map((row) => closureView(row, now))
    const status = delayStatus(programs, closures)
    delays[iata] = { supported: true, status, summary: delaySummary(programs, closures), programs, closures, ...where }
  }
  const flowRows = await rowsOf(warehouse, standIn(FLOW_SOURCES, runs, now))
  const flow_programs = flowRows
    .filter((row) => row.type === 'airspace_flow' && !ended(row, now))
    .map((row) => ({ faa_id: row.faa_id, ...programView(row) }))
  return { delays, quiet, flow_programs }
}
