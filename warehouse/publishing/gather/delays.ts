import type { Airport } from '../../../config/airports/directory.ts'
import { NO_PROVENANCE, type Provenance } from '../../../config/answer-schemas.ts'
import { ageOf, DAY_MS, EXPIRY_SECONDS, isoUtc } from '../../../config/vocabulary.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { closureInForce, localClosedHoursUntil } from '../../tables/closure.ts'
import type { Delay } from '../../tables/delays.ts'
import {
  type Closure,
  type DelayProgram,
  type DelayState,
  type DelaysContent,
  NO_ANSWER,
  statusOf,
  UNSUPPORTED,
} from '../read/delays.ts'
import { defineGathered } from './define-gathered.ts'

export const gatherDelays = defineGathered({
  async gather({ warehouse, airports, now }): Promise<DelaysContent> {
    return {
      ...(await delaysContent(warehouse, now, airports)),
      faa_airports: airports.filter(({ faa_id }) => faa_id !== null).map(({ iata }) => iata),
    }
  },
})

/** FAA sources of airport programs, the better one first: the JSON feed has years and numbers where the XML has prose. */
const AIRPORT_SOURCES = ['faa-airport-events', 'faa-nas-status']
const FLOW_SOURCES = ['faa-enroute-events', 'faa-nas-status']
/** The other source is used when the newest good answer of the better one is older than this. */
const STAND_IN_SECONDS = 600

interface GoodRun {
  source: string
  finished_at: string
  observed_at: string
}

/** Delay states of all listed airports, the state of a quiet one, and flow programs, at `now` (epoch ms). */
export async function delaysContent(
  warehouse: Warehouse,
  now: number,
  airports: readonly Airport[],
): Promise<Omit<DelaysContent, 'faa_airports'>> {
  const runs = await goodRuns(warehouse, now, 'faa-%')
  const run = chooseRun(AIRPORT_SOURCES, runs, now)
  const origin = provenanceOf(run, now)
  const timezoneOf = new Map(airports.map(({ iata, timezone }) => [iata, timezone]))
  const states: Record<string, DelayState> = {}
  const rows = (await rowsOf(warehouse, run)).filter((row) => !hasEnded(row, now))
  for (const iata of new Set(rows.flatMap((row) => row.iata ?? []))) {
    const own = rows.filter((row) => row.iata === iata)
    const programs = own.filter((row) => row.type !== 'closure' && row.type !== 'airspace_flow').map(programOf)
    const closures = own.filter((row) => row.type === 'closure').map((row) => closureOf(row, now, timezoneOf.get(iata)))
    states[iata] = delayState(programs, closures, origin, now)
  }
  const covered = new Set(airports.flatMap(({ iata, faa_id }) => (faa_id === null ? [] : [iata])))
  for (const [iata, outbound] of outboundPrograms(rows, airports)) {
    const { programs, closures } = states[iata] ?? { programs: [], closures: [] }
    const state = delayState([...programs, ...outbound], closures, origin, now)
    const isUncovered = states[iata] === undefined && !covered.has(iata)
    states[iata] = isUncovered ? { ...UNSUPPORTED, ...origin, programs: outbound } : state
  }
  const flowRows = await rowsOf(warehouse, chooseRun(FLOW_SOURCES, runs, now))
  return {
    delays: states,
    quiet: run ? delayState([], [], origin, now) : NO_ANSWER,
    flow_programs: flowRows
      .filter((row) => row.type === 'airspace_flow' && !hasEnded(row, now))
      .map((row) => ({ faa_id: row.faa_id, ...programOf(row) })),
  }
}

/**
 * Programs that name other airports in their scope (`with CYEG CYVR`), by the airport named: they hold departures from
 * there. Centers and regions are not resolved into airports.
 */
function outboundPrograms(rows: readonly Delay[], airports: readonly Airport[]): Map<string, DelayProgram[]> {
  const iataOf = new Map(airports.flatMap(({ icao, iata }) => (icao === null ? [] : [[icao, iata] as const])))
  const outbound = new Map<string, DelayProgram[]>()
  for (const row of rows) {
    if (row.iata === null || (row.type !== 'ground_stop' && row.type !== 'ground_delay')) continue
    for (const [icao] of (row.scope ?? '').matchAll(/\b[A-Z]{4}\b/g)) {
      const named = iataOf.get(icao)
      if (named === undefined || named === row.iata) continue
      outbound.set(named, [...(outbound.get(named) ?? []), { ...programOf(row), destination: row.iata }])
    }
  }
  return outbound
}

/** The newest good run of each source with such an id (a pattern of LIKE) within six hours before `now`; later ones are of a clock that was ahead. */
export function goodRuns(warehouse: Warehouse, now: number, like: string): Promise<GoodRun[]> {
  const from = new Date(now - EXPIRY_SECONDS * 1_000).toISOString()
  return warehouse.query<GoodRun>(
    `SELECT source, finished_at, observed_at FROM runs
     WHERE date >= $day AND finished_at > $from::TIMESTAMPTZ AND finished_at <= $now::TIMESTAMPTZ AND outcome <> 'failed'
       AND observed_at IS NOT NULL AND source LIKE $like
     QUALIFY row_number() OVER (PARTITION BY source ORDER BY finished_at DESC) = 1`,
    { day: from.slice(0, 10), from, now: isoUtc(now), like },
  )
}

/** The run of the first source in `order` that answered under ten minutes ago, else the newest run of any of them. */
export function chooseRun(order: string[], runs: GoodRun[], now: number): GoodRun | null {
  const known = order.flatMap((source) => runs.find((run) => run.source === source) ?? [])
  const age = (run: GoodRun) => (now - Date.parse(run.finished_at)) / 1_000
  const fresh = known.find((run) => age(run) < STAND_IN_SECONDS)
  return fresh ?? known.sort((a, b) => age(a) - age(b))[0] ?? null
}

async function rowsOf(warehouse: Warehouse, run: GoodRun | null): Promise<Delay[]> {
  if (!run) return []
  return warehouse.query<Delay>(
    'SELECT * EXCLUDE (date) FROM delays WHERE source = $source AND observed_at = $at::TIMESTAMPTZ ORDER BY faa_id, type',
    { source: run.source, at: run.observed_at },
  )
}

const hasEnded = (row: Delay, now: number) => row.end !== null && Date.parse(row.end) < now

function programOf(row: Delay): DelayProgram {
  return {
    type: row.type as DelayProgram['type'],
    reason: row.reason,
    average_minutes: row.average_minutes,
    min_minutes: row.min_minutes,
    max_minutes: row.max_minutes,
    trend: row.trend,
    start: row.start,
    end: row.end,
    destination: null,
  }
}

/** The local hours of a closure are listed for this long ahead if the clocks change. */
const HOURS_AHEAD_MS = 30 * DAY_MS

function closureOf(row: Delay, now: number, timezone: string | undefined): Closure {
  const { reason, start, end, closed_to_airlines, closed_hours_utc } = row
  const from = Math.max(now, start === null ? now : Date.parse(start))
  const until = Math.min(from + HOURS_AHEAD_MS, end === null ? Number.POSITIVE_INFINITY : Date.parse(end))
  return {
    reason,
    start,
    end,
    closed_to_airlines,
    closed_hours_utc,
    closed_hours_local:
      closed_hours_utc === null || timezone === undefined
        ? null
        : localClosedHoursUntil(closed_hours_utc, timezone, from, until),
    in_force: closureInForce(row, now),
  }
}

/** The provenance of a list of the newest good run. */
export function provenanceOf(run: GoodRun | null, now: number): Provenance {
  if (!run) return NO_PROVENANCE
  const { observed_at, source, finished_at } = run
  return { basis: 'measured', observed_at, source, ...ageOf(finished_at, now) }
}

function delayState(programs: DelayProgram[], closures: Closure[], origin: Provenance, now: number): DelayState {
  return {
    supported: true,
    status: statusOf(programs, closures, now),
    unavailable_reason: null,
    programs,
    closures,
    ...origin,
  }
}
