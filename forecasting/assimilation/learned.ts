import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { LocalDate } from '../../config/domain.ts'
import { projectFile } from '../../config/paths.ts'
import { ProbabilityBySpread } from '../quantiles/probability-by-spread.ts'

/**
 * What a deviation of d minutes between a reading and the forecast of its hour means for an hour some time later. `above`
 * and `below` are the share of a positive and of a negative deviation that is added to the quantile.
 */
const Carried = z.strictObject({ above: z.number(), below: z.number() })
/** p10 and p90 also keep this share of their distance from the issued median. */
const CarriedBound = Carried.extend({ spread: z.number() })

const Step = z.strictObject({
  /** Hours from the observation to the middle of the forecast hour. Values between two steps are interpolated. */
  lead_hours: z.number().positive(),
  p10: CarriedBound,
  p50: Carried,
  p90: CarriedBound,
})
export type Step = z.infer<typeof Step>

const Figures = z.strictObject({
  mae_minutes: z.number(),
  pinball_minutes: z.number(),
  coverage_80: z.number(),
})

/** Scores at some hours ahead on data that the fit did not see; means over airports. */
const HorizonScore = z.strictObject({
  lead_hours: z.number().positive(),
  airports: z.int().min(1),
  samples: z.int().min(1),
  issued: Figures,
  adjusted: Figures.extend({
    /** Fraction within 5 minutes of the median, and the confidence that was claimed for it. */
    within_5: z.number(),
    confidence: z.number(),
  }),
})

/** How the readings of the last minutes adjust one kind of forecast. */
const LearnedAdjustment = z.strictObject({
  /** Airports, and pairs of a reading and a later hour, that it was learned from. */
  airports: z.int().min(1),
  samples: z.int().min(1),
  steps: z.array(Step).min(2),
  within_5: ProbabilityBySpread,
  /** What was kept back from the fit for the scores. */
  kept_back: z.string(),
  backtest: z.array(HorizonScore),
  /** Fraction of readings outside the 80 % interval of the next hour, before and after the adjustment. */
  readings_outside_next_hour: z.strictObject({ issued: z.number(), adjusted: z.number() }),
})
export type LearnedAdjustment = z.infer<typeof LearnedAdjustment>

/** forecasting/assimilation/learned.json: derived statistics only, written by `npm run learn -- assimilation`. */
export const LearnedAssimilation = z.strictObject({
  made_at: LocalDate,
  /** The historical data sets that it was learned from. */
  made_from: z.array(z.string()).min(1),
  /** For the worldwide prior. */
  typical: LearnedAdjustment,
  /** For forecasts from an airport's own history; an airport's own factors are applied on top. */
  predicted: LearnedAdjustment,
})
export type LearnedAssimilation = z.infer<typeof LearnedAssimilation>

export const ASSIMILATION_FILE = ['forecasting', 'assimilation', 'learned.json'] as const

let cached: LearnedAssimilation | null = null

/** The learned adjustment that ships with the project. */
export function learnedAssimilation(): LearnedAssimilation {
  cached ??= LearnedAssimilation.parse(JSON.parse(readFileSync(projectFile(...ASSIMILATION_FILE), 'utf8')))
  return cached
}

/** The version that the record of adjustments names. */
export const assimilationVersion = (): string => `assimilation@${learnedAssimilation().made_at}`
