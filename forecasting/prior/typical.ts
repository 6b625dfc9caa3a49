import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { projectFile } from '../../config/paths.ts'
import { AirportSize, Iata, LocalDate } from '../../config/vocabulary.ts'
import { ProbabilityBySpread } from '../quantiles/probability-by-spread.ts'

const Minutes = z.number().min(0).max(600)

/** The typical waits of a size class in one hour of the day. */
const PriorHour = z.strictObject({
  /** 0–23, local time. */
  local_hour: z.int().min(0).max(23),
  weekend: z.boolean(),
  p10: Minutes,
  p50: Minutes,
  p90: Minutes,
  /**
   * Probability that the wait at an unseen airport is within 5 minutes of p50; from the backtest. Null when no airport of the class was
   * observed: then nothing is known about it.
   */
  confidence: z.number().min(0).max(1).nullable(),
})

const PriorClass = z.strictObject({
  size: AirportSize,
  /** The airports of this class that the table is derived from. */
  airports: z.array(Iata),
  hours: z.int().min(0),
  /** Set when no airport of the class was observed: the class that the table was derived from instead. */
  extrapolated_from: AirportSize.nullable(),
  /** The distances of p10 and p90 from p50 were multiplied by this, so that whole minutes cover 80 % of the hours of unseen airports. */
  widened_by: z.number().positive(),
  /** Backtest in which each airport is forecast from the others; means over airports. Null when no airport of the class was observed. */
  leave_one_airport_out: z
    .strictObject({
      airports: z.int().min(1),
      samples: z.int().min(1),
      mae_minutes: z.number(),
      coverage_80: z.number(),
      within_5: z.number(),
      /** Mean of the confidence that is claimed in the same hours, learned from the other airports. */
      confidence: z.number(),
    })
    .nullable(),
  /** 24 hours of a weekday, then 24 of a weekend day. */
  table: z.array(PriorHour).length(48),
})

/** The error after some days of own readings, at airports that nothing was learned from; means over airports. */
const OwnDaysScore = z.strictObject({
  own_days: z.number().positive(),
  /** Mean of the own hours that had been observed by then. */
  own_hours: z.number().min(0),
  airports: z.int().min(1),
  samples: z.int().min(1),
  mae_minutes: z.number(),
  /** Error of the prior alone on the same hours. */
  prior_mae_minutes: z.number(),
  coverage_80: z.number(),
  within_5: z.number(),
  /** Mean of the claimed probability of being within 5 minutes. */
  confidence: z.number(),
})
export type OwnDaysScore = z.infer<typeof OwnDaysScore>

/** How the prior is drawn to an airport by its first own readings. */
const OwnReadings = z.strictObject({
  /**
   * The process of what an airport's waits are above or below the prior, as logarithms. Variances in units of `deviation`: how airports
   * differ in their level, in times of day and in single hours; and the days in which what was learned of that falls to 1/e.
   */
  process: z.strictObject({
    deviation: z.number().positive(),
    level: z.number().min(0),
    time_of_day: z.number().min(0),
    hour: z.number().min(0),
    fade_days: z.number().positive(),
  }),
  /** Mean deviation from the median: at a median of 0, and by how much it grows by a minute of it; and how many own hours this weighs. */
  spread: z.strictObject({ base_minutes: Minutes, per_minute: z.number().min(0), prior_hours: z.number().min(0) }),
  /**
   * Corrections by the evidence, the weight of own hours around the clock hour. Values between two steps are interpolated.
   * p10 = p50 − low_factor × (distance + 0.25) in whole minutes; p90 likewise.
   */
  calibration: z
    .array(
      z.strictObject({
        evidence_hours: z.number().min(0),
        low_factor: z.number().positive(),
        high_factor: z.number().positive(),
        within_5: ProbabilityBySpread,
      }),
    )
    .min(1),
  measured: z.array(OwnDaysScore),
})
export type OwnReadings = z.infer<typeof OwnReadings>

/** forecasting/prior/typical.json: derived statistics only, written by `npm run learn -- prior`. */
export const Prior = z.strictObject({
  made_at: LocalDate,
  /** The historical data sets that the table was derived from. */
  made_from: z.array(z.string()).min(1),
  classes: z.array(PriorClass).length(AirportSize.options.length),
  own_readings: OwnReadings,
})
export type Prior = z.infer<typeof Prior>
export type PriorHour = z.infer<typeof PriorHour>
export type PriorClass = z.infer<typeof PriorClass>

export const PRIOR_FILE = ['forecasting', 'prior', 'typical.json'] as const

let cached: { prior: Prior; classes: Map<AirportSize, PriorClass> } | null = null

function shippedPrior() {
  if (!cached) {
    const prior = Prior.parse(JSON.parse(readFileSync(projectFile(...PRIOR_FILE), 'utf8')))
    cached = { prior, classes: new Map(prior.classes.map((entry) => [entry.size, entry])) }
  }
  return cached
}

/** The prior's class of a size: its table, where it comes from and how it did on airports it had not seen. */
export function typicalClass(size: AirportSize): PriorClass {
  return shippedPrior().classes.get(size)!
}

/** How the prior follows the first own readings of an airport. */
export const ownReadings = (): OwnReadings => shippedPrior().prior.own_readings

/** Index of an hour in a class's table: 24 weekday hours, then 24 weekend hours. `isoWeekday`: 1 Monday to 7 Sunday. */
export function priorTableIndex(localHour: number, isoWeekday: number): number {
  return (isoWeekday > 5 ? 24 : 0) + localHour
}

/** Typical wait quantiles in minutes, with their (low) confidence, of an airport size at a local hour. */
export function typicalQuantiles(size: AirportSize, localHour: number, isoWeekday: number): PriorHour {
  return typicalClass(size).table[priorTableIndex(localHour, isoWeekday)]!
}

/** The model card of the prior for a size class. */
export function typicalModel(size: AirportSize) {
  const found = typicalClass(size)
  const madeAt = shippedPrior().prior.made_at
  const measured = found.leave_one_airport_out
  return {
    version: `prior:typical-${size}@${madeAt}`,
    trained_at: `${madeAt}T00:00:00Z`,
    basis: 'typical' as const,
    backtest: {
      mae_minutes: measured?.mae_minutes ?? null,
      baseline_mae_minutes: null,
      coverage_80: measured?.coverage_80 ?? null,
      samples: measured?.samples ?? 0,
    },
  }
}
