import { DAY_MS, EXPIRY_SECONDS, HORIZON_HOURS, HOUR_MS, startOfHour, utcDayOf } from '../../../config/vocabulary.ts'
import type { HourForecast } from '../../../forecasting/nowcast/assimilate.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { backtests, forecasts as forecastTable } from '../../tables/forecasts.ts'
import { adjustedSeries } from './adjusted-series.ts'
import type { ForecastBuilder, ForecastRequest } from './forecast-block.ts'
import { servedModels } from './served-models.ts'

/** The newest forecast of an airport or terminal. */
interface OwnForecast {
  iata: string
  terminal: string
  version: string
  /** The starts of its hours, epoch milliseconds. */
  valid_ms: readonly number[]
  hours: readonly HourForecast[]
}

/** The newest vintage of each airport with an own history, from the current hour on; none that a clock that was ahead issued later. */
async function newestForecasts(warehouse: Warehouse, startMs: number, now: number): Promise<OwnForecast[]> {
  const rows = await warehouse.columns(
    `SELECT iata, terminal, valid_at, p10, p50, p90, p_within_5, model FROM forecasts
     WHERE kind = 'security' AND valid_at >= $from::TIMESTAMPTZ AND date >= $day AND issued_at <= $now::TIMESTAMPTZ
     QUALIFY issued_at = max(issued_at) OVER (PARTITION BY iata, terminal) ORDER BY iata, terminal, valid_at`,
    {
      now: new Date(now).toISOString(),
      from: new Date(startMs).toISOString(),
      day: utcDayOf(startMs - HORIZON_HOURS * HOUR_MS - DAY_MS),
    },
  )
  const [iatas, terminals, versions] = [rows['iata'], rows['terminal'], rows['model']] as (string | null)[][]
  const number = (column: string, row: number) => Number(rows[column]?.[row])
  const found: (OwnForecast & { valid_ms: number[]; hours: HourForecast[] })[] = []
  for (let row = 0; row < iatas!.length; row++) {
    const [iata, terminal] = [iatas![row] ?? '', terminals![row] ?? '']
    const last = found.at(-1)
    const isNext = last?.iata === iata && last.terminal === terminal
    const series = isNext ? last : { iata, terminal, version: versions![row] ?? '', valid_ms: [], hours: [] }
    if (series !== last) found.push(series)
    series.valid_ms.push(number('valid_at', row))
    series.hours.push({
      p10: number('p10', row),
      p50: number('p50', row),
      p90: number('p90', row),
      confidence: number('p_within_5', row),
    })
  }
  return found
}

/** Adds the newest vintage of each airport with an own history, from the current hour on; returns these airports. */
export async function addOwnForecasts(builder: ForecastBuilder, request: ForecastRequest): Promise<Set<string>> {
  const { warehouse, now } = request
  const startMs = startOfHour(now)
  // These tables change once an hour, and there are many publications in it.
  const newest = await warehouse.remembered('newest forecasts', [forecastTable], startMs, () =>
    newestForecasts(warehouse, startMs, now),
  )
  const cardOf = await warehouse.remembered('served models', [backtests], '', () => servedModels(warehouse))
  const earlierHour = await warehouse.remembered('forecasts of earlier hours', [forecastTable], startMs, () =>
    earlierHours(warehouse, startMs),
  )
  const models = new Map<string, number>()
  for (const { iata, terminal, version, valid_ms, hours: issued } of newest) {
    if (!models.has(version)) models.set(version, builder.addModel(cardOf(version)))
    const openAt = request.openAt?.(iata, terminal)
    const hours = issued.map(({ p10, p50, p90, confidence }, ahead) => ({
      p10,
      p50,
      p90,
      confidence,
      open: openAt?.(valid_ms[ahead]!) ?? null,
    }))
    const first_ms = valid_ms[0]!
    const adjusted = adjustedSeries(request, {
      iata,
      terminal,
      version,
      hours,
      start_ms: first_ms,
      issued_basis: 'predicted',
      // Without a forecast of the hour of the reading, the nearest hour is compared.
      expectedAt: (hour_ms) =>
        hours[(hour_ms - first_ms) / HOUR_MS]?.p50 ?? earlierHour(iata, terminal, hour_ms) ?? hours[0]!.p50,
    })
    builder.addSeries(
      iata,
      terminal,
      first_ms,
      builder.addValues(adjusted?.hours ?? hours),
      models.get(version) ?? 0,
      adjusted?.adjusted_to ?? null,
    )
  }
  return new Set(newest.map(({ iata }) => iata))
}

/** Hours before the current one that a current wait can have been observed in. */
const EARLIER_HOURS = EXPIRY_SECONDS / 3_600 + 1

/** Look-up of the median that was forecast for the hours before the current one, each by the newest vintage that has it. */
async function earlierHours(
  warehouse: Warehouse,
  startMs: number,
): Promise<(iata: string, terminal: string, hour_ms: number) => number | null> {
  const from = startMs - EARLIER_HOURS * HOUR_MS
  const rows = await warehouse.query<{ iata: string; terminal: string; ms: number; p50: number }>(
    `SELECT iata, terminal, epoch_ms(valid_at)::DOUBLE AS ms, arg_max(p50, issued_at) AS p50
     FROM forecasts
     WHERE kind = 'security' AND valid_at >= $from::TIMESTAMPTZ AND valid_at < $to::TIMESTAMPTZ AND date >= $day
     GROUP BY iata, terminal, valid_at`,
    {
      from: new Date(from).toISOString(),
      to: new Date(startMs).toISOString(),
      day: utcDayOf(from - DAY_MS),
    },
  )
  const hours = new Map(rows.map((row) => [`${row.iata}/${row.terminal}/${row.ms}`, row.p50]))
  return (iata, terminal, hour_ms) => hours.get(`${iata}/${terminal}/${hour_ms}`) ?? null
}
