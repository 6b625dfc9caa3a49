import { z } from 'zod'

/** The shared vocabulary: enums, limits and constants that all folders use, from Parquet to the wire. */

export const Iata = z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters, like JFK')
export type Iata = z.infer<typeof Iata>

export const Icao = z.string().regex(/^[A-Z0-9]{4}$/, 'must be four letters or digits, like KJFK')

/** An instant in UTC, ISO 8601 with a trailing Z. */
export const UtcInstant = z.iso.datetime({ offset: false })
export type UtcInstant = z.infer<typeof UtcInstant>

/** A calendar day, YYYY-MM-DD. */
export const LocalDate = z.iso.date()

/** Epoch milliseconds of an instant in ISO 8601; NaN for none, also of a day that no month has, which Date.parse moves into the next month. */
export const parseInstant = (text: string): number =>
  LocalDate.safeParse(text.slice(0, 10)).success ? Date.parse(text) : Number.NaN

/** An instant as callers send it, with the offset of UTC or another one (`+00:00` from Python), as one in UTC. */
export const SentInstant = z.iso.datetime({ offset: true }).overwrite((text) => {
  const ms = parseInstant(text)
  return Number.isNaN(ms) ? text : new Date(ms).toISOString()
})

/** The queue a wait belongs to. Queues of different kinds are never mixed. For the last three, travellers' reports are the only source. */
export const QueueKind = z.enum(['security', 'immigration', 'checkin', 'customs', 'baggage', 'lounge', 'ees_kiosk'])
export type QueueKind = z.infer<typeof QueueKind>

const QUEUE_NAMES: Partial<Record<QueueKind, string>> = { checkin: 'check-in', ees_kiosk: 'Entry/Exit System kiosk' }

/** The name of a queue in a text. */
export const queueName = (queue: QueueKind): string => QUEUE_NAMES[queue] ?? queue

/** The kinds of places that the map lists at an airport. */
export const PlaceKind = z.enum(['terminal', 'lounge', 'checkpoint'])
export type PlaceKind = z.infer<typeof PlaceKind>

export const Lane = z.enum(['standard', 'precheck', 'clear', 'priority', 'family', 'crew', 'all'])
export type Lane = z.infer<typeof Lane>

/** Whether everybody may use a lane: a standard or unsplit one. */
export const isStandardLane = (lane: string | null) => lane === 'standard' || lane === 'all'

/** Whether a lane is for some travellers only: not for everybody, nor for crews. */
export const isRestrictedLane = (lane: string | null) => !isStandardLane(lane) && lane !== 'crew'

/** Whether a queue was open. A status that a source does not state is `unknown`, never `closed`. */
export const QueueStatus = z.enum(['open', 'closed', 'unknown'])
export type QueueStatus = z.infer<typeof QueueStatus>

/** The basis of a number: see "Honest numbers" in the contract. */
export const Basis = z.enum(['measured', 'reported', 'predicted', 'typical'])
export type Basis = z.infer<typeof Basis>

/**
 * Kinds of publishers, closest to the queue first: if several publish the same queue, the closest is used.
 * `import`: rows imported by the operator. `travellers`: travellers' own reports.
 */
export const Publisher = z.enum(['airport', 'vendor', 'authority', 'airline', 'import', 'aggregator', 'travellers'])
export type Publisher = z.infer<typeof Publisher>

export const Freshness = z.enum(['live', 'recent', 'stale', 'expired'])
export type Freshness = z.infer<typeof Freshness>

/** The upper bound of each freshness level in seconds; from the last bound on a value is `expired`. */
export const FRESHNESS_STEPS = [
  ['live', 600],
  ['recent', 3_600],
  ['stale', 21_600],
] as const

/** A younger value is fresh (live or recent). */
export const FRESH_SECONDS = FRESHNESS_STEPS[1][1]
/** From this age on, a value is expired and never shown as current. */
export const EXPIRY_SECONDS = FRESHNESS_STEPS[2][1]
/** Clocks differ; a timestamp further in the future than this is wrong. */
export const CLOCK_AHEAD_MS = 120_000

/** Freshness of a value of the given age in seconds. */
export function freshnessOf(age_seconds: number): Freshness {
  for (const [step, limit] of FRESHNESS_STEPS) if (age_seconds < limit) return step
  return 'expired'
}

/** The age of an instant at `now` (epoch ms), in whole seconds; 0 for one that a clock that is ahead has written. */
export const ageSeconds = (instant: string, now: number) => Math.max(0, Math.round((now - Date.parse(instant)) / 1_000))

/** The fields of a figure that say how old it is at `now` (epoch ms). */
export function ageOf(observed_at: string, now: number): { age_seconds: number; freshness: Freshness } {
  const age_seconds = ageSeconds(observed_at, now)
  return { age_seconds, freshness: freshnessOf(age_seconds) }
}

export const DelayStatus = z.enum(['normal', 'minor_delay', 'ground_delay', 'ground_stop', 'closed', 'unknown'])
export type DelayStatus = z.infer<typeof DelayStatus>

export const DelayProgramType = z.enum([
  'ground_stop',
  'ground_delay',
  'arrival_delay',
  'departure_delay',
  'airspace_flow',
])
export type DelayProgramType = z.infer<typeof DelayProgramType>

export const FlightCategory = z.enum(['VFR', 'MVFR', 'IFR', 'LIFR'])
export type FlightCategory = z.infer<typeof FlightCategory>

/** How grave the US National Weather Service calls an alert, in its own words. */
export const AlertSeverity = z.enum(['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'])
export type AlertSeverity = z.infer<typeof AlertSeverity>

/** The effect of a weather alert on flights, the gravest first: they may stop, are likely late, a watch, or may be late. */
export const AlertEffect = z.enum(['stops', 'disrupts', 'may_come', 'slows'])
export type AlertEffect = z.infer<typeof AlertEffect>

/** The bound of a visibility: `at_least` (9999, 10+), `more_than` (P6SM), `less_than` (M1/4SM). */
export const VisibilityBound = z.enum(['at_least', 'more_than', 'less_than'])
export type VisibilityBound = z.infer<typeof VisibilityBound>

/** Change groups of a TAF. INTER is Australia's: for less than half an hour at a time. */
export const TafChange = z.enum(['FM', 'BECMG', 'TEMPO', 'INTER', 'PROB'])
export type TafChange = z.infer<typeof TafChange>

export const Tier = z.enum(['free', 'pro', 'enterprise'])
export type Tier = z.infer<typeof Tier>

export const AirportSize = z.enum(['large', 'medium', 'small'])
export type AirportSize = z.infer<typeof AirportSize>

/** A plausible wait in minutes: 0 to 600. Any other value is an error of the source. */
export const WaitMinutes = z.number().min(0).max(600)

export const QUANTILES = [0.1, 0.5, 0.9] as const
export const HORIZON_HOURS = 168
/** Hours ahead that are calibrated and scored apart: from ≤ h < to. The hour in which a forecast is issued is 0. */
export const HORIZON_BUCKETS: readonly (readonly [from: number, to: number])[] = [
  [0, 1],
  [1, 6],
  [6, 24],
  [24, HORIZON_HOURS],
]
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000
/** Hours of a week: the length of a table by weekday and hour. Index d × 24 + h, d 0 is Monday. */
export const WEEK_HOURS = 168

/** Formats epoch milliseconds as an ISO instant in UTC; the fraction is left out when it is zero. */
export function isoUtc(ms: number): UtcInstant {
  if (ms % SECOND_MS !== 0) return new Date(ms).toISOString().replace('.000Z', 'Z')
  const day = Math.floor(ms / DAY_MS)
  if (day !== written.day) written = { day, date: new Date(ms).toISOString().slice(0, -'00:00:00.000Z'.length) }
  const seconds = (ms - day * DAY_MS) / SECOND_MS
  const minutes = Math.floor(seconds / 60)
  return `${written.date}${DIGITS[Math.floor(minutes / 60)]}:${DIGITS[minutes % 60]}:${DIGITS[seconds % 60]}Z`
}

/** The start of the hour of an instant, both in epoch milliseconds. */
export const startOfHour = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS

/** The UTC day (YYYY-MM-DD) of an instant in epoch milliseconds. */
export const utcDayOf = (ms: number): string => isoUtc(ms).slice(0, 10)

const SECOND_MS = 1_000
const DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'))
/** The day that was written last: the instants of an answer are mostly of one, and a Date takes five times as long. */
let written = { day: Number.NaN, date: '' }
