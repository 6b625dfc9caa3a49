import { mapKeys } from '../../config/map-keys.ts'
import { mean } from '../../forecasting/statistics/statistics.ts'

/** The sums of absolute errors (minutes) of some forecasts of an airport, and of how many hours. */
export interface ErrorSums<Name extends string> {
  errors: Record<Name, number>
  samples: number
}

/** Mean absolute errors on the same hours; each airport counts alike. */
export interface MeanErrors<Name extends string> {
  airports: number
  samples: number
  mae_minutes: Record<Name, number>
}

/** The mean absolute errors of airports with at least one hour each. */
export const meanErrors = <Name extends string>(
  names: readonly Name[],
  sums: readonly ErrorSums<Name>[],
): MeanErrors<Name> => ({
  airports: sums.length,
  samples: sums.reduce((total, { samples }) => total + samples, 0),
  mae_minutes: mapKeys(names, (name) => mean(sums.map(({ errors, samples }) => errors[name] / samples))),
})
