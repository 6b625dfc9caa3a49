import { z } from 'zod'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { Instant, NO_PROVENANCE, nullableMinutes, type Provenance } from '../../../config/answer-schemas.ts'
import { closedForHolidays } from '../../../config/reference/holiday-closures.ts'
import { DAY_MS, DelayProgramType, type DelayStatus, Iata } from '../../../config/vocabulary.ts'
import { definePublished } from './define-published.ts'
import { isUnexpired, type ReadTime } from './read-time.ts'

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
    destination: Iata.nullable()
      .default(null)
      .describe('Another airport whose program holds departures from here to it.'),
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
    closed_hours_local: z
      .string()
      .nullable()
      .default(null)
      .describe('The same by the airport’s clock, like `every night from 00:30 to 05:45`.'),
    in_force: z.boolean().describe('Closed to airlines at the time of the snapshot.'),
  })
  .meta({ id: 'Closure' })
export type Closure = z.infer<typeof Closure>

/** The FAA's programs and closures of one airport. */
export interface DelayState extends Provenance {
  supported: boolean
  status: DelayStatus
  /** Why delays are not known, as a sentence; null if they are. */
  unavailable_reason: string | null
  programs: DelayProgram[]
  closures: Closure[]
}

export interface DelaysContent {
  /** Delays by airport, of those with a program or closure of the FAA. */
  delays: Record<string, DelayState>
  faa_airports: string[]
  /** State of an airport that the FAA covers and lists nothing for. */
  quiet: DelayState
  flow_programs: (DelayProgram & { faa_id: string })[]
}

export interface DelaysIndex {
  publishedDelays: DelaysContent
  publishedDelayState: (iata: string) => DelayState
  /** The state as of a time of reading, with closures for holidays within a span from then on (ms, a day by default); an expired one says nothing. */
  currentDelayState: (iata: string, time: ReadTime, ahead_ms?: number) => DelayState
}

export const NO_FAA_ANSWER = 'The FAA has not answered in the last six hours.'

export const delays = definePublished({
  index(content: DelaysContent): DelaysIndex {
    const covered = new Set(content.faa_airports)
    const publishedDelayState = (iata: string) =>
      content.delays[iata] ?? (covered.has(iata) ? content.quiet : uncovered(iata, content))
    return {
      publishedDelays: content,
      publishedDelayState,
      currentDelayState: (iata, time, ahead_ms) =>
        withHolidays(stateAt(publishedDelayState(iata), time), iata, time.atMs, ahead_ms),
    }
  },
  read({ publishedDelays, publishedDelayState, currentDelayState }: DelaysIndex, time) {
    // Most airports share this state, so it is aged once.
    const quiet = withoutExpired(time.aged(publishedDelays.quiet))
    const faaAnswered = quiet.status !== 'unknown'
    return {
      delays(iata: string): DelayState {
        const published = publishedDelayState(iata)
        return published === publishedDelays.quiet
          ? withHolidays(quiet, iata, time.atMs)
          : currentDelayState(iata, time)
      },
      /** Airspace flow programs in force, which belong to no airport. */
      flowPrograms: () => (faaAnswered ? publishedDelays.flow_programs : []),
      /** Airports with any program or closure. */
      delayedAirports: () => (faaAnswered ? airportsWithOwnDelays(publishedDelays) : []),
    }
  },
})

/** The state of an airport that the FAA does not cover. */
export const UNSUPPORTED: DelayState = {
  supported: false,
  status: 'unknown',
  unavailable_reason: 'The FAA does not cover this airport.',
  programs: [],
  closures: [],
  ...NO_PROVENANCE,
}

export const NO_ANSWER: DelayState = {
  ...NO_PROVENANCE,
  supported: true,
  status: 'unknown',
  unavailable_reason: NO_FAA_ANSWER,
  programs: [],
  closures: [],
}

const CANADIAN: DelayState = {
  ...UNSUPPORTED,
  unavailable_reason:
    'The FAA does not run this airport. Its programs sometimes name Canadian airports; none names this one now. No other delay source is known for it.',
}

function uncovered(iata: string, { quiet }: DelaysContent): DelayState {
  const isCanadian = airportDirectory().byIata.get(iata)?.country === 'CA'
  return isCanadian && quiet.status !== 'unknown' ? CANADIAN : UNSUPPORTED
}

/** Airports that the FAA lists a program or closure of, without those that only another airport's program names. */
function airportsWithOwnDelays({ delays: states }: DelaysContent): string[] {
  return Object.entries(states).flatMap(([iata, { programs, closures }]) =>
    closures.length > 0 || programs.some(isOwn) ? [iata] : [],
  )
}

export const isOwn = ({ destination = null }: DelayProgram) => destination === null

/** Whether a program is listed before it begins. */
export const beginsLater = ({ start }: Pick<DelayProgram, 'start'>, now: number): boolean =>
  start !== null && Date.parse(start) > now

/** The programs of an airport itself: those that hold now, and those that are listed before they begin. */
export function ownPrograms(
  programs: readonly DelayProgram[],
  now: number,
): { present: DelayProgram[]; later: DelayProgram[] } {
  const own = programs.filter(isOwn)
  return {
    present: own.filter((program) => !beginsLater(program, now)),
    later: own.filter((program) => beginsLater(program, now)),
  }
}

/** The most severe now of: closed, ground stop, ground delay, any other delay, none. A program that begins later is none yet. */
export function statusOf(programs: DelayProgram[], closures: Closure[], now: number): DelayStatus {
  if (closures.some((closure) => closure.in_force)) return 'closed'
  const { present } = ownPrograms(programs, now)
  const types = new Set(present.map((program) => program.type))
  if (types.has('ground_stop')) return 'ground_stop'
  if (types.has('ground_delay')) return 'ground_delay'
  return present.length > 0 ? 'minor_delay' : 'normal'
}

/** A state as of a time of reading: a program that has begun since it was published counts, and a state that expired says nothing. */
function stateAt(published: DelayState, { aged, atMs }: ReadTime): DelayState {
  const state = withoutExpired(aged(published))
  if (!state.supported || state.programs.length === 0) return state
  const status = statusOf(state.programs, state.closures, atMs)
  return status === state.status ? state : { ...state, status }
}

/** The closures of an airport for holidays at an instant (epoch ms) and within a span after it (ms). */
export const closuresForHolidays = (iata: string, instant: number, ahead_ms = DAY_MS): Closure[] =>
  closedForHolidays(iata, instant, instant + ahead_ms).map(({ name, start, end }) => ({
    reason: name,
    start,
    end,
    closed_to_airlines: true,
    closed_hours_utc: null,
    closed_hours_local: null,
    in_force: Date.parse(start) <= instant,
  }))

/** A state with what no feed says: the holidays on which an airport closes. */
function withHolidays(state: DelayState, iata: string, instant: number, ahead_ms?: number): DelayState {
  const further = closuresForHolidays(iata, instant, ahead_ms)
  if (further.length === 0) return state
  const closures = [...state.closures, ...further]
  return { ...state, closures, status: closures.some(({ in_force }) => in_force) ? 'closed' : state.status }
}

/** A state older than six hours says nothing about now. */
function withoutExpired(state: DelayState): DelayState {
  if (isUnexpired(state)) return state
  return state.supported ? NO_ANSWER : UNSUPPORTED
}
