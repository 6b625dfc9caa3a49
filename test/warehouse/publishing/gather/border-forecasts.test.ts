import { expect, test } from 'vitest'
import { HOUR_MS, isoUtc } from '../../../../config/vocabulary.ts'
import { newestBorderForecasts } from '../../../../warehouse/publishing/gather/border-forecasts.ts'
import { backtests, type Forecast, forecasts } from '../../../../warehouse/tables/forecasts.ts'
import { newWarehouse } from '../../new-warehouse.ts'
import { backtest, forecast } from '../../test-rows.ts'

const NOW = Date.parse('2026-11-21T14:20:00Z')
const HOUR = Math.floor(NOW / HOUR_MS) * HOUR_MS
const VERSION = 'baseline:ZRH/entry@2026-11-21T12Z'

/** A forecast of Zurich's entry queues, issued `issued` hours and valid `valid` hours from the current hour. */
function row(issued: number, valid: number, over: Partial<Forecast> = {}): Forecast {
  const issued_at = isoUtc(HOUR + issued * HOUR_MS)
  return forecast(Date.parse(issued_at), HOUR + valid * HOUR_MS, 6.5, {
    kind: 'immigration',
    iata: 'ZRH',
    direction: 'entry',
    p10: 4,
    p90: 11,
    p_within_5: 0.8,
    samples: 9,
    model: `baseline:ZRH/${over.direction ?? 'entry'}@${issued_at.slice(0, 13)}Z`,
    ...over,
  })
}

const backtestRow = backtest({
  kind: 'immigration',
  iata: 'ZRH',
  model: VERSION,
  trained_at: '2026-11-21T12:00:00Z',
  samples: 30,
  mae_minutes: null,
  served_mae_minutes: 2.5,
  baseline_mae_minutes: 2.5,
  coverage_80: 0.7,
  within_5: 0.8,
  served: 'baseline',
})

test('publishes the newest forecast of each direction from the current hour on, with its backtest', async () => {
  const warehouse = await newWarehouse()
  await warehouse.land(forecasts, [
    row(-3, 0, { p50: 99 }),
    row(-2, -2),
    row(-2, -1),
    row(-2, 0),
    row(-2, 2),
    row(-1, 1, { direction: 'exit' }),
    // This forecast of the third direction ends before the current hour.
    row(-40, -5, { direction: 'unknown' }),
  ])
  await warehouse.land(backtests, [backtestRow])
  const hour = { p10: 4, p50: 6.5, p90: 11, samples: 9, confidence: 0.8 }
  expect(await newestBorderForecasts(warehouse, NOW)).toEqual([
    {
      iata: 'ZRH',
      terminal: '',
      direction: 'entry',
      basis: 'predicted',
      note: null,
      trained_at: '2026-11-21T12:00:00Z',
      version: VERSION,
      start_ms: HOUR,
      hours: [hour, null, hour],
      backtest: { mae_minutes: 2.5, baseline_mae_minutes: 2.5, coverage_80: 0.7, within_5: 0.8, samples: 30 },
    },
    {
      iata: 'ZRH',
      terminal: '',
      direction: 'exit',
      basis: 'predicted',
      note: null,
      trained_at: null,
      version: 'baseline:ZRH/exit@2026-11-21T13Z',
      start_ms: HOUR,
      hours: [null, hour],
      backtest: { mae_minutes: null, baseline_mae_minutes: null, coverage_80: null, within_5: null, samples: 0 },
    },
  ])
})
