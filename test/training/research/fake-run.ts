import { HOUR_MS } from '../../../config/vocabulary.ts'
import type { SeriesBacktest } from '../../../training/backtest/results.ts'

/** A forecast of a run: epoch ms, hours ahead, and the observed minutes or NaN. */
export interface FakeForecast {
  issued_ms: number
  ahead: number
  truth: number
}

/** A scored backtest of an airport whose every forecast has the same quantiles. */
export function fakeRun(
  iata: string,
  forecasts: readonly FakeForecast[],
  { p10, p50, p90 }: Record<'p10' | 'p50' | 'p90', number>,
): SeriesBacktest {
  const column = (minutes: number) => new Float64Array(forecasts.length).fill(minutes)
  const quantiles = { p10: column(p10), p50: column(p50), p90: column(p90), p_within_5: column(0.5) }
  return {
    iata,
    terminal: '',
    issued_ms: Float64Array.from(forecasts, ({ issued_ms }) => issued_ms),
    valid_ms: Float64Array.from(forecasts, ({ issued_ms, ahead }) => issued_ms + ahead * HOUR_MS),
    horizon: Uint8Array.from(forecasts, ({ ahead }) => ahead),
    truth: Float64Array.from(forecasts, ({ truth }) => truth),
    calibrated: { model: quantiles, rule: quantiles, baseline: quantiles },
    served: new Uint8Array(forecasts.length),
    scored: new Uint8Array(forecasts.length).fill(1),
    opponents: { persistence: column(Number.NaN), trend: column(Number.NaN) },
    adapted: null,
  } as unknown as SeriesBacktest
}
