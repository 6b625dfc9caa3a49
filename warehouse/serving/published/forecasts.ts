import type { Airport } from '../../../config/airports/directory.ts'
import { type AirportSize, HORIZON_HOURS, HOUR_MS } from '../../../config/domain.ts'
import type { ModelCard } from '../../../config/facts.ts'
import { localClock } from '../../../config/local-time.ts'
import { typicalModel, typicalQuantiles } from '../../../config/prior/typical.ts'
import type { Warehouse } from '../../storage/warehouse.ts'

/** 168 hourly quantiles of one airport or terminal. Arrays are views of equal length; index 0 is the hour `start_ms`. */
export interface ForecastSeries {
  iata: string
  /** Empty for the airport as a whole. */
  terminal: string
  start_ms: number
  /** Tenths of a minute. */
  p10: Int16Array
  p50: Int16Array
  p90: Int16Array
  /** Percent: probability of being within 5 minutes of p50. */
  confidence: Uint8Array
  model: ModelCard
}

/** Series of hourly quantiles laid end to end; airports without an own model share the series of their zone and size. */
export interface ForecastBlock {
  models: ModelCard[]
  series: {
    iata: string[]
    terminal: string[]
    start_ms: number[]
    offset: number[]
    length: number[]
    model: number[]
  }
  /** Tenths of a minute. */
  p10: Int16Array
  p50: Int16Array
  p90: Int16Array
  /** Percent. */
  confidence: Uint8Array
}

/** A growing block of series; `share` lets many airports point at values that are already there. */
export class ForecastBuilder {
  readonly models: ModelCard[] = []
  readonly series: ForecastBlock['series'] = { iata: [], terminal: [], start_ms: [], offset: [], length: [], model: [] }
  private readonly values: { p10: number[]; p50: number[]; p90: number[]; confidence: number[] } = {
    p10: [],
    p50: [],
    p90: [],
    confidence: [],
  }

  addModel(card: ModelCard): number {
    return this.models.push(card) - 1
  }

  /** Appends values in minutes and fractions; returns where they lie. */
  addValues(hours: { p10: number; p50: number; p90: number; confidence: number }[]): {
    offset: number
    length: number
  } {
    const offset = this.values.p50.length
    for (const hour of hours) {
      this.values.p10.push(Math.round(hour.p10 * 10))
      this.values.p50.push(Math.round(hour.p50 * 10))
      this.values.p90.push(Math.round(hour.p90 * 10))
      this.values.confidence.push(Math.round(hour.confidence * 100))
    }
    return { offset, length: hours.length }
  }

  share(
    iata: string,
    terminal: string,
    startMs: number,
    place: { offset: number; length: number },
    model: number,
  ): void {
    const { series } = this
    series.iata.push(iata)
    series.terminal.push(terminal)
    series.start_ms.push(startMs)
    series.offset.push(place.offset)
    series.length.push(place.length)
    series.model.push(model)
  }

  build(): ForecastBlock {
    return {
      models: this.models,
      series: this.series,
      p10: Int16Array.from(this.values.p10),
      p50: Int16Array.from(this.values.p50),
      p90: Int16Array.from(this.values.p90),
      confidence: Uint8Array.from(this.values.confidence),
    }
  }
}

/** Forecasts of airports with an own history: the newest vintage of each, from the current hour on. */
async function addOwnForecasts(builder: ForecastBuilder, warehouse: Warehouse, startMs: number): Promise<Set<string>> {
  const from = new Date(startMs).toISOString()
  const rows = await warehouse.columns(
    `SELECT iata, terminal, valid_at, p10, p50, p90, p_within_5, model, basis FROM forecasts
     WHERE kind = 'security' AND valid_at >= $from::TIMESTAMPTZ AND date >= $day
     QUALIFY issued_at = max(issued_at) OVER (PARTITION BY iata, terminal) ORDER BY iata, terminal, valid_at`,
    { from, day: new Date(startMs - 8 * 86_400_000).toISOString().slice(0, 10) },
  )
  const cards = await modelCards(warehouse)
  const [iatas, terminals, models] = [rows['iata'] as string[], rows['terminal'] as string[], rows['model'] as string[]]
  const at = (name: string, i: number) => Number(rows[name]?.[i])
  const modelIndex = new Map<string, number>()
  for (let start = 0; start < iatas.length; ) {
    let end = start
    while (iatas[end] === iatas[start] && terminals[end] === terminals[start] && end < iatas.length) end += 1
    const [iata, version] = [iatas[start] ?? '', models[start] ?? '']
    if (!modelIndex.has(version)) modelIndex.set(version, builder.addModel(cards(version)))
    const hours = Array.from({ length: end - start }, (_, i) => ({
      p10: at('p10', start + i),
      p50: at('p50', start + i),
      p90: at('p90', start + i),
      confidence: at('p_within_5', start + i),
    }))
    builder.share(
      iata,
      terminals[start] ?? '',
      at('valid_at', start),
      builder.addValues(hours),
      modelIndex.get(version) ?? 0,
    )
    start = end
  }
  return new Set(iatas)
}

const NO_BACKTEST = { mae_minutes: null, baseline_mae_minutes: null, coverage_80: null, samples: 0 }

interface CardRow {
  iata: string
  model: string
  trained_at: string
  served: 'model' | 'baseline'
  mae_minutes: number
  baseline_mae_minutes: number
  coverage_80: number
  samples: number
}

/**
 * Gives the card of a version that served, of all airports or of one; a baseline that serves is named after the model it
 * beat. A version whose backtest is not kept has a card without figures.
 */
export async function modelCards(warehouse: Warehouse, iata?: string): Promise<(version: string) => ModelCard> {
  const rows = await warehouse.query<CardRow>(
    `SELECT iata, model, trained_at, served, mae_minutes, baseline_mae_minutes, coverage_80, samples FROM backtests
     WHERE kind = 'security'${iata === undefined ? '' : ' AND iata = $iata'}`,
    iata === undefined ? {} : { iata },
  )
  const cards = new Map(
    rows.map((row) => {
      const version = row.served === 'model' ? row.model : row.model.replace(/^model:/, 'baseline:')
      const served = row.served === 'model' ? row.mae_minutes : row.baseline_mae_minutes
      const { baseline_mae_minutes, coverage_80, samples } = row
      const backtest = { mae_minutes: served, baseline_mae_minutes, coverage_80, samples }
      return [version, { version, trained_at: row.trained_at, basis: 'predicted' as const, backtest }]
    }),
  )
  return (version) => cards.get(version) ?? { version, trained_at: null, basis: 'predicted', backtest: NO_BACKTEST }
}

/** The hours ahead as a clock in a time zone shows them. */
function localHours(timezone: string, startMs: number) {
  const instants = Float64Array.from({ length: HORIZON_HOURS }, (_, i) => startMs + i * HOUR_MS)
  const { hour, weekday } = localClock(timezone, instants)
  return Array.from(hour, (localHour, i) => ({ hour: localHour, weekday: weekday[i] ?? 1 }))
}

/**
 * Every forecast a snapshot serves: own models and baselines first, then the worldwide prior for every other airport
 * with scheduled service. An airfield without any has no queue, so nothing is claimed for it (`everywhere` is for the
 * bench, which wants the largest snapshot there can be, unshared).
 */
export async function forecastBlock(
  warehouse: Warehouse,
  airports: readonly Airport[],
  now: number,
  everywhere = false,
): Promise<ForecastBlock> {
  const startMs = Math.floor(now / HOUR_MS) * HOUR_MS
  const builder = new ForecastBuilder()
  const own = await addOwnForecasts(builder, warehouse, startMs)
  const models = new Map<AirportSize, number>()
  const shared = new Map<string, { offset: number; length: number }>()
  const clocks = new Map<string, ReturnType<typeof localHours>>()
  for (const { iata, size, timezone, scheduled_service } of airports) {
    if (own.has(iata) || !(scheduled_service || everywhere)) continue
    if (!models.has(size)) models.set(size, builder.addModel(typicalModel(size)))
    const key = everywhere ? iata : `${size}/${timezone}`
    // Reading a clock of a zone is the dear part: it is read once a zone, not once an airport.
    const clock = clocks.get(timezone) ?? localHours(timezone, startMs)
    clocks.set(timezone, clock)
    const typicalWeek = () => builder.addValues(clock.map(({ hour, weekday }) => typicalQuantiles(size, hour, weekday)))
    const place = shared.get(key) ?? typicalWeek()
    shared.set(key, place)
    builder.share(iata, '', startMs, place, models.get(size) ?? 0)
  }
  return builder.build()
}
