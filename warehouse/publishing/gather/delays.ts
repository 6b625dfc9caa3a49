import type { Airport } from '../../../config/airports/directory.ts'
import { NO_PROVENANCE, type Provenance } from '../../../config/answers.ts'
import { DAY_MS, type DelayStatus, EXPIRY_SECONDS, freshnessOf, isoUtc } from '../../../config/domain.ts'
import { CLOSED_WORDS, closureWords, reasonWords } from '../../../config/reference/faa-words.ts'
import { localClock } from '../../../config/time-zones/local-time.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { closedUntil, closureInForce, dateText, localClosedHoursUntil } from '../../tables/closure.ts'
import type { Delay } from '../../tables/delays.ts'
import {
  type Closure,
  type DelayProgram,
  type DelayState,
  type DelaysContent,
  isOwn,
  NO_ANSWER,
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
  airports: readonly Airport[] = [],
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
    states[iata] = delayState(programs, closures, origin, now, timezoneOf.get(iata))
  }
  const covered = new Set(airports.flatMap(({ iata, faa_id }) => (faa_id === null ? [] : [iata])))
  for (const [iata, outbound] of outboundPrograms(rows, airports)) {
    const { programs, closures } = states[iata] ?? { programs: [], closures: [] }
    const state = delayState([...programs, ...outbound], closures, origin, now, timezoneOf.get(iata))
    const isUncovered = states[iata] === undefined && !covered.has(iata)
    states[iata] = isUncovered ? { ...state, supported: false, status: 'unknown' } : state
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

/** The newest good run of each source with such an id (a pattern of LIKE) within six hours of `now`. */
export function goodRuns(warehouse: Warehouse, now: number, like: string): Promise<GoodRun[]> {
  const from = new Date(now - EXPIRY_SECONDS * 1_000).toISOString()
  return warehouse.query<GoodRun>(
    `SELECT source, finished_at, observed_at FROM runs
     WHERE date >= $day AND finished_at > $from::TIMESTAMPTZ AND outcome <> 'failed' AND observed_at IS NOT NULL
       AND source LIKE $like
     QUALIFY row_number() OVER (PARTITION BY source ORDER BY finished_at DESC) = 1`,
    { day: from.slice(0, 10), from, like },
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

/** For how long ahead the local hours of a closure are told, where the clocks change. */
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

/** Where a list of the newest good run comes from. */
export function provenanceOf(run: GoodRun | null, now: number): Provenance {
  if (!run) return NO_PROVENANCE
  const age = Math.max(0, Math.round((now - Date.parse(run.finished_at)) / 1_000))
  return {
    basis: 'measured',
    observed_at: run.observed_at,
    age_seconds: age,
    source: run.source,
    freshness: freshnessOf(age),
  }
}

function delayState(
  programs: DelayProgram[],
  closures: Closure[],
  origin: Provenance,
  now: number,
  timezone?: string,
): DelayState {
  return {
    supported: true,
    status: statusOf(programs, closures),
    summary: summaryOf(programs, closures, now, timezone),
    programs,
    closures,
    ...origin,
  }
}

/** The most severe of: closed, ground stop, ground delay, any other delay, none. */
function statusOf(programs: DelayProgram[], closures: Closure[]): DelayStatus {
  if (closures.some((closure) => closure.in_force)) return 'closed'
  const own = programs.filter(isOwn)
  const types = new Set(own.map((program) => program.type))
  if (types.has('ground_stop')) return 'ground_stop'
  if (types.has('ground_delay')) return 'ground_delay'
  return own.length > 0 ? 'minor_delay' : 'normal'
}

/** One or more sentences about the programs and closures, with times of the airport's zone. */
function summaryOf(programs: DelayProgram[], closures: Closure[], now: number, timezone?: string): string {
  const textsOf = (some: Closure[]) => some.map((each) => closureSentence(each, timezone, now))
  const sentences = [
    ...textsOf(closures.filter(({ in_force }) => in_force)),
    ...programs.map((each) => programSentence(each, (instant) => timeText(instant, timezone))),
    ...textsOf(closures.filter(({ in_force }) => !in_force)),
  ]
  return sentences.length > 0 ? [...new Set(sentences)].join(' ') : 'The FAA lists no delay.'
}

const reasonText = (reason: string | null) => (reason === null ? '' : ` (${reasonWords(reason)})`)
/** The words of a closure in brackets, unless they say no more than that the airport is closed. */
function closureReason(reason: string | null): string {
  const words = reason === null ? CLOSED_WORDS : closureWords(reason)
  return words === CLOSED_WORDS ? '' : ` (${words})`
}
type TimeText = (instant: string) => string

/** 2026-11-20T23:30:00Z as `18:30 on 20 Nov`; in UTC, which it says, where the zone is not known. */
function clockText(instant: string, timezone: string | undefined): string {
  if (timezone === undefined) return `${instant.slice(11, 16)} UTC on ${localDayText(instant)}`
  const { hour, minute } = localClock(timezone, [Date.parse(instant)])
  const clock = [hour[0]!, minute[0]!].map((part) => String(part).padStart(2, '0')).join(':')
  return `${clock} on ${localDayText(instant, timezone)}`
}

/** The same with its zone: `18:30 on 20 Nov local time`. */
const timeText = (instant: string, timezone: string | undefined) =>
  `${clockText(instant, timezone)}${timezone === undefined ? '' : ' local time'}`

/** The local day of an instant: `30 Nov`; that of UTC where the zone is not known. */
export const localDayText = (instant: string, timezone = 'UTC'): string =>
  dateText(localClock(timezone, [Date.parse(instant)]).day[0]! * DAY_MS)

/**
 * A closure as a sentence of what holds at an instant (epoch ms), with times of the airport's zone. The text of the notice, which may
 * be long, stands in the closure itself unless airlines are shut out.
 */
export function closureSentence(closure: Closure, timezone: string | undefined, at: number): string {
  const { reason, start, end, closed_to_airlines } = closure
  if (closed_to_airlines === false) return 'A closure is listed for other aircraft; airlines are not shut out.'
  if (closed_to_airlines === null) return 'A closure is listed; whether it shuts out airlines is not clear.'
  const hours = hoursText(closure, timezone, at)
  const until = (instant: string | null) => (instant === null ? '' : ` until ${timeText(instant, timezone)}`)
  if (closureInForce(closure, at)) {
    if (hours === null)
      return `Closed to airlines${end === null ? '; until when is not known' : until(end)}${closureReason(reason)}.`
    const last = closedUntil(closure, at)
    const now = last === null ? '' : ` until ${clockText(isoUtc(last), timezone)}`
    return `Closed to airlines${now}: ${hours}${closureReason(reason)}.`
  }
  const from = start === null ? '' : `from ${(end === null ? timeText : clockText)(start, timezone)}`
  const period = hours ?? `${from}${until(end)}`.trim()
  return `Open to airlines now; closed to them ${period}${closureReason(reason)}.`
}

/** The daily hours of a closure by the airport's clock: `every night from 23:00 to 06:30 local time, until 30 Nov`; null when it has none. `at`: epoch ms. */
export function hoursText(closure: Closure, timezone: string | undefined, at: number): string | null {
  const { closed_hours_utc: utc, closed_hours_local: local, start, end } = closure
  if (utc === null) return null
  const hours = local === null ? `daily at ${utc} UTC` : `${local} local time`
  const from = start === null || Date.parse(start) <= at ? '' : `, from ${localDayText(start, timezone)} on`
  return `${hours}${from}${end === null ? '' : `, until ${localDayText(end, timezone)}`}`
}

function programSentence(program: DelayProgram, time: TimeText): string {
  const { type, reason, end, destination = null } = program
  const length = lengthText(program)
  const details = `${length === null ? '' : `, ${length}`}${reasonText(reason)}${end === null ? '' : ` until ${time(end)}`}.`
  if (destination !== null) {
    const name = type === 'ground_stop' ? 'A ground stop' : 'A ground delay'
    return `${name} of ${destination} holds departures from here to ${destination}${details}`
  }
  return `${PROGRAM_TITLES[type]}${details}`
}

const PROGRAM_TITLES = {
  ground_stop: 'Ground stop: flights to here are held where they depart',
  ground_delay: 'Ground delay: flights to here wait where they depart',
  arrival_delay: 'Arrivals to here are delayed',
  departure_delay: 'Departures from here are delayed',
  airspace_flow: 'Airspace limit',
}

/**
 * The length of a delay as text; null when it is not known. The FAA gives a delay of airport flights as a range, and beside
 * it an "average" that lies at an end of the range or outside of it: then the range counts.
 */
export function lengthText({
  average_minutes: average,
  min_minutes: min,
  max_minutes: max,
}: DelayProgram): string | null {
  if (min !== null && max !== null && (average === null || average <= min || average >= max))
    return `${Math.round(min)} to ${Math.round(max)} min`
  if (average !== null) return `${Math.round(average)} min on average`
  return max === null ? null : `up to ${Math.round(max)} min`
}
