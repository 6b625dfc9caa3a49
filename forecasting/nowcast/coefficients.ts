import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { projectFile } from '../../config/paths.ts'
import { LocalDate } from '../../config/vocabulary.ts'
import { ProbabilityBySpread } from '../quantiles/probability-by-spread.ts'

/** Minutes ahead at which coefficients are learned; between two of them they are interpolated. */
export const NOWCAST_LEADS = [15, 30, 60, 120, 360] as const

/** Inputs of the median, in this order; see `forecasting/nowcast/nowcast-inputs.ts`. */
export const MEDIAN_INPUTS = [
  'deviation_scaled',
  'deviation',
  'deviation_unknown',
  'last_10',
  'last_20',
  'last_40',
  'last_80',
  'last_150',
  'deviation_size',
  'change',
  'change_unknown',
  'yesterday',
  'last_week',
  'yesterday_now',
  'narrow',
  'short_memory',
  'wide',
  'widest',
  'constant',
  'typical_change',
  'deviation_age',
  'change_age',
] as const

/** Inputs of the distances of p10 and p90 from the median, in this order. */
export const WIDTH_INPUTS = [
  'constant',
  'usual_below',
  'usual_above',
  'deviation_size',
  'recent_spread',
  'level',
  'unknown',
] as const

const coefficients = (inputs: readonly string[]) =>
  z.array(z.array(z.number()).length(inputs.length)).length(NOWCAST_LEADS.length)

const NowcastCoefficients = z.strictObject({
  p50: coefficients(MEDIAN_INPUTS),
  low: coefficients(WIDTH_INPUTS),
  high: coefficients(WIDTH_INPUTS),
})
export type NowcastCoefficients = z.infer<typeof NowcastCoefficients>

/** Coefficients that airports share: of feeds that are read every few minutes, and of feeds that are read every two hours. */
export const SharedNowcast = z.strictObject({
  dense: NowcastCoefficients,
  sparse: NowcastCoefficients,
  within_5: ProbabilityBySpread,
})
export type SharedNowcast = z.infer<typeof SharedNowcast>

/** forecasting/nowcast/coefficients.json: derived statistics only, written by `npm run learn -- nowcast`. */
export const StoredCoefficients = z.strictObject({
  made_at: LocalDate,
  /** The historical data sets that it was learned from. */
  made_from: z.array(z.string()).min(1),
  airports: z.int().min(1),
  /** Pairs of an instant of issue and a later instant. */
  samples: z.int().min(1),
  shared: SharedNowcast,
})
export type StoredCoefficients = z.infer<typeof StoredCoefficients>

export const NOWCAST_FILE = ['forecasting', 'nowcast', 'coefficients.json'] as const

let cached: StoredCoefficients | null = null

/** The shared coefficients that ship with the project. */
export function nowcastCoefficients(): StoredCoefficients {
  cached ??= StoredCoefficients.parse(JSON.parse(readFileSync(projectFile(...NOWCAST_FILE), 'utf8')))
  return cached
}

/** The version that the record of nowcasts names. */
export const nowcastVersion = (): string => `nowcast@${nowcastCoefficients().made_at}`

/** The corrections by an airport's own history to the shared coefficients, at each lead. */
export const OwnNowcast = z.strictObject({
  /** Added to the coefficients of the median. */
  p50: coefficients(MEDIAN_INPUTS),
  /** A median nearer to the newest wait than this, in units of the airport's spread, is the newest wait. */
  hold: z.array(z.number().min(0)).length(NOWCAST_LEADS.length),
  /** The waits of this airport are `from` and whole multiples of `minutes` above it; null if they are not in steps. */
  steps: z.strictObject({ minutes: z.number().positive(), from: z.number().min(0) }).nullable(),
  /** Whether the median of an instant is rounded to a step. */
  in_steps: z.array(z.boolean()).length(NOWCAST_LEADS.length),
  /** Multiply the distances of p10 and p90 from the median. */
  low: z.array(z.number().positive()).length(NOWCAST_LEADS.length),
  high: z.array(z.number().positive()).length(NOWCAST_LEADS.length),
})
export type OwnNowcast = z.infer<typeof OwnNowcast>
