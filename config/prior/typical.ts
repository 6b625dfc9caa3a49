import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { AirportSize, Iata, LocalDate } from '../domain.ts'
import { projectFile } from '../paths.ts'

const Minutes = z.number().min(0).max(600)

/** A typical hour of a size class. */
const PriorHour = z.strictObject({
  /** 0–23 at the airport. */
  local_hour: z.int().min(0).max(23),
  weekend: z.boolean(),
  p10: Minutes,
  p50: Minutes,
  p90: Minutes,
  /** Probability of being within 5 minutes of p50 at an airport that was not looked at; from the backtest, capped. */
  confidence: z.number().min(0).max(1),
})

const PriorClass = z.strictObject({
  size: AirportSize,
  /** Airports of this class behind the table. */
  airports: z.array(Iata),
  hours: z.int().min(0),
  /** Set when no airport of the class was observed: the class that nearly all the borrowed airports are of. */
  extrapolated_from: AirportSize.nullable(),
  /** p10 and p90 were moved away from p50 by this factor, so that left-out airports were covered in 80 % of their hours. */
  widened_by: z.number().min(1),
  /** Each airport forecast from the others only; means over airports. Null when no airport of the class was observed. */
  leave_one_airport_out: z
    .strictObject({
      airports: z.int().min(1),
      samples: z.int().min(1),
      mae_minutes: z.number(),
      coverage_80: z.number(),
      within_5: z.number(),
    })
    .nullable(),
  /** 24 hours of a weekday, then 24 of a weekend day. */
  table: z.array(PriorHour).length(48),
})

/** config/prior/typical.json: derived statistics only, made by `training/prior/prior.ts`. */
export const Prior = z.strictObject({
  made_at: LocalDate,
  /** Historical sets that the table was derived from. */
  made_from: z.array(z.string()).min(1),
  classes: z.array(PriorClass).length(AirportSize.options.length),
})
export type Prior = z.infer<typeof Prior>
export type PriorHour = z.infer<typeof PriorHour>
export type PriorClass = z.infer<typeof PriorClass>

export const PRIOR_FILE = ['config', 'prior', 'typical.json'] as const

let cached: Map<AirportSize, PriorClass> | null = null
let madeAt = ''

function classOf(size: AirportSize): PriorClass {
  if (!cached) {
    const prior = Prior.parse(JSON.parse(readFileSync(projectFile(...PRIOR_FILE), 'utf8')))
    cached = new Map(prior.classes.map((one) => [one.size, one]))
    madeAt = prior.made_at
  }
  return cached.get(size)!
}

/** Index of an hour in a class's table: 24 weekday hours, then 24 weekend hours. `isoWeekday`: 1 Monday to 7 Sunday. */
export function priorTableIndex(localHour: number, isoWeekday: number): number {
  return (isoWeekday > 5 ? 24 : 0) + localHour
}

/** Typical wait quantiles in minutes, and their honest low confidence, of an airport size at a local hour. */
export function typicalQuantiles(size: AirportSize, localHour: number, isoWeekday: number): PriorHour {
  return classOf(size).table[priorTableIndex(localHour, isoWeekday)]!
}

/** What the prior says of itself for a size class, in the shape of a model's card. */
export function typicalModel(size: AirportSize) {
  const found = classOf(size)
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
