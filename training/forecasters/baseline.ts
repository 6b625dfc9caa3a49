import { defineForecaster } from './forecaster.ts'

/** Quantiles of the same clock hour in the trailing 28 days, which every forecast is compared with. */
export const baseline = defineForecaster({
  name: 'baseline',
  predict: ({ same_hour_p10, same_hour_p50, same_hour_p90 }) => ({
    p10: same_hour_p10,
    p50: same_hour_p50,
    p90: same_hour_p90,
  }),
})
