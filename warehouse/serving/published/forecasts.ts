import { tableFromIPC } from 'apache-arrow'
import type { Airport } from '../../../config/airports/directory.ts'
import { type AirportSize, DAY_MS, HORIZON_HOURS, HOUR_MS } from '../../../config/domain.ts'
import type { ModelCard } from '../../../config/facts.ts'
import { localClock } from '../../../config/local-time.ts'
import { typicalModel, typicalQuantiles } from '../../../config/prior/typical.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { UNKNOWN_OPEN } from '../waits/learned-hours.ts'
import { type CurrentQueue, openProbability, statusOfTerminal } from '../waits/open-probability.ts'
import { arrowColumn, arrowFile } from './arrow.ts'
import { definePublished } from './define.ts'
import { type OpeningHoursContent, openingHours } from './opening-hours.ts'

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
  /** Percent: probability that the queue is open in the hour; `UNKNOWN_OPEN` where nothing is known. */
  open: Uint8Array
  model: ModelCard
}

/** All series laid end to end in shared arrays. Airports on the prior share the values of their size and time zone. */
export interface ForecastBlock {
  models: ModelCard[]
  /** One entry a series: where its values lie, and its model as an index into `models`. */
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
  /** Percent, or `UNKNOWN_OPEN`. */
  open: Uint8Array
}

export interface ForecastsContent {
  forecasts: ForecastBlock
}

export interface ForecastsIndex {
  forecastOf: (iata: string, terminal?: string) => ForecastSeries | null
  forecastTerminalsOf: (iata: string) => string[]
}

export interface ForecastsReader {
  /** Security forecast; null when not even a typical value may be claimed. */
  forecast: (iata: string, terminal?: string) => ForecastSeries | null
  /** Terminals that have a forecast of their own. */
  terminals: (iata: string) => string[]
}

export const forecasts = definePublished({
  gather: async (
    { warehouse, airports, now },
    { queues = [], opening_hours = [] }: Partial<CurrentQueues & OpeningHoursContent>,
  ): Promise<ForecastsContent> => ({
    forecasts: await forecastBlock(warehouse, airports, now, {
      openAt: openProbabilities({ queues, opening_hours }, now),
    }),
  }),
  files: {
    keys: ['forecasts'],
    encode({ forecasts: { models, series, p10, p50, p90, confidence, open } }) {
      return {
        'forecasts.json': Buffer.from(JSON.stringify({ models, series })),
        'forecasts.arrow': arrowFile({ p10, p50, p90, confidence, open }),
      }
    },
    async decode(files) {
      const { models, series } = await files.json<Pick<ForecastBlock, 'models' | 'series'>>('forecasts.json')
      const table = tableFromIPC(await files.bytes('forecasts.arrow'))
      const confidence = arrowColumn<Uint8Array>(table, 'confidence')
      const hasOpen = table.schema.names.includes('open')
      return {
        forecasts: {
          models,
          series,
          p10: arrowColumn<Int16Array>(table, 'p10'),
          p50: arrowColumn<Int16Array>(table, 'p50'),
          p90: arrowColumn<Int16Array>(table, 'p90'),
          confidence,
          // Snapshots of earlier releases have no such column.
          open: hasOpen ? arrowColumn<Uint8Array>(table, 'open') : new Uint8Array(confidence.length).fill(UNKNOWN_OPEN),
        },
      }
    },
  },
  index: ({ forecasts: block }) => forecastsIndex(block),
  read: ({ forecastOf, forecastTerminalsOf }: ForecastsIndex): ForecastsReader => ({
    forecast: forecastOf,
    terminals: forecastTerminalsOf,
  }),
})

/** Look-ups over a block; the series it gives are views, nothing is copied. */
function forecastsIndex({ models, series, p10, p50, p90, confidence, open }: ForecastBlock): ForecastsIndex {
  const positions = new Map<string, number>()
  const terminals = new Map<string, string[]>()
  series.iata.forEach((iata, position) => {
    const terminal = series.terminal[position] ?? ''
    positions.set(`${iata}/${terminal}`, position)
    if (terminal) terminals.set(iata, [...(terminals.get(iata) ?? []), terminal])
  })
  return {
    forecastOf(iata, terminal = '') {
      const position = positions.get(`${iata}/${terminal}`)
      const model = position === undefined ? undefined : models[series.model[position] ?? -1]
      if (position === undefined || !model) return null
      const start = series.offset[position] ?? 0
      const end = start + (series.length[position] ?? 0)
      return {
        iata,
        terminal,
        start_ms: series.start_ms[position] ?? 0,
        p10: p10.subarray(start, end),
        p50: p50.subarray(start, end),
        p90: p90.subarray(start, end),
        confidence: confidence.subarray(start, end),
        open: open.subarray(start, end),
        model,
      }
    },
    forecastTerminalsOf: (iata) => terminals.get(iata) ?? [],
  }
}

/** Where the values of a series lie in the shared arrays. */
interface ValueSpan {
  offset: number
  length: number
}

/** Builds a block series by series; several airports can share the values of one span. */
export class ForecastBuilder {
  readonly models: ModelCard[] = []
  readonly series: ForecastBlock['series'] = { iata: [], terminal: [], start_ms: [], offset: [], length: [], model: [] }
  private readonly values: Record<'p10' | 'p50' | 'p90' | 'confidence' | 'open', number[]> = {
    p10: [],
    p50: [],
    p90: [],
    confidence: [],
    open: [],
  }

  /** Adds a model; returns its index. */
  addModel(card: ModelCard): number {
    return this.models.push(card) - 1
  }

  /**
   * Appends values in minutes, confidence (null: its model has no backtest) and the
   * probability of being open as fractions; returns where they lie.
   */
  addValues(
    hours: { p10: number; p50: number; p90: number; confidence: number | null; open?: number | null }[],
  ): ValueSpan {
    const offset = this.values.p50.length
    for (const hour of hours) {
      this.values.p10.push(Math.round(hour.p10 * 10))
      this.values.p50.push(Math.round(hour.p50 * 10))
      this.values.p90.push(Math.round(hour.p90 * 10))
      this.values.confidence.push(Math.round((hour.confidence ?? 0) * 100))
      this.values.open.push(typeof hour.open === 'number' ? Math.round(hour.open * 100) : UNKNOWN_OPEN)
    }
    return { offset, length: hours.length }
  }

  /** Adds the series of an airport or terminal over values that are already in the block. */
  addSeries(iata: string, terminal: string, startMs: number, span: ValueSpan, model: number): void {
    const { series } = this
    series.iata.push(iata)
    series.terminal.push(terminal)
    series.start_ms.push(startMs)
    series.offset.push(span.offset)
    series.length.push(span.length)
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
      open: Uint8Array.from(this.values.open),
    }
  }
}

/**
 * Every forecast a snapshot serves: first airports with an own history (model or baseline), then the worldwide prior for
 * every other airport with scheduled service. An airfield without scheduled service has no queue, so it gets none.
 * `everywhere` is for the benchmark: every airport of the list, no values shared.
 */
export async function forecastBlock(
  warehouse: Warehouse,
  airports: readonly Airport[],
  now: number,
  { everywhere = false, openAt = () => null }: { everywhere?: boolean; openAt?: OpenProbability } = {},
): Promise<ForecastBlock> {
  const startMs = Math.floor(now / HOUR_MS) * HOUR_MS
  const builder = new ForecastBuilder()
  const withOwnForecast = await addOwnForecasts(builder, warehouse, startMs, openAt)
  addPrior(
    builder,
    airports.filter(({ iata, scheduled_service }) => !withOwnForecast.has(iata) && (scheduled_service || everywhere)),
    startMs,
    { unshared: everywhere, openAt },
  )
  return builder.build()
}

/** The waits that were gathered before. */
interface CurrentQueues {
  queues: CurrentQueue[]
}

/** The probability that a queue is open in the hour that starts at `start` (epoch ms); null when nothing is known. */
type OpenProbability = (iata: string, terminal: string, start: number) => number | null

/** Security queues as their hours and their newest observation show them. */
function openProbabilities(
  { queues, opening_hours }: CurrentQueues & OpeningHoursContent,
  now: number,
): OpenProbability {
  const { learnedHours } = openingHours.index({ opening_hours })
  const waits = new Map(queues.filter(({ kind }) => kind === 'security').map(({ iata, wait }) => [iata, wait]))
  // Of most airports nothing is known, and there are thousands of them.
  const known = new Set([...waits.keys(), ...opening_hours.map(({ iata }) => iata)])
  return (iata, terminal, start) => {
    if (!known.has(iata)) return null
    const wait = waits.get(iata)
    const observed = wait ? statusOfTerminal(wait, terminal) : null
    return openProbability(learnedHours(iata, 'security', terminal), observed, start, now)
  }
}

/** Adds the newest vintage of each airport with an own history, from the current hour on; returns these airports. */
async function addOwnForecasts(
  builder: ForecastBuilder,
  warehouse: Warehouse,
  startMs: number,
  openAt: OpenProbability,
): Promise<Set<string>> {
  const rows = await warehouse.columns(
    `SELECT iata, terminal, valid_at, p10, p50, p90, p_within_5, model, basis FROM forecasts
     WHERE kind = 'security' AND valid_at >= $from::TIMESTAMPTZ AND date >= $day
     QUALIFY issued_at = max(issued_at) OVER (PARTITION BY iata, terminal) ORDER BY iata, terminal, valid_at`,
    {
      from: new Date(startMs).toISOString(),
      day: new Date(startMs - HORIZON_HOURS * HOUR_MS - DAY_MS).toISOString().slice(0, 10),
    },
  )
  const cardOf = await modelCards(warehouse)
  const iatas = rows['iata'] as string[]
  const terminals = rows['terminal'] as string[]
  const versions = rows['model'] as string[]
  const number = (column: string, row: number) => Number(rows[column]?.[row])
  const models = new Map<string, number>()
  for (let start = 0; start < iatas.length; ) {
    let end = start
    while (iatas[end] === iatas[start] && terminals[end] === terminals[start] && end < iatas.length) end += 1
    const version = versions[start] ?? ''
    if (!models.has(version)) models.set(version, builder.addModel(cardOf(version)))
    const first = start
    const hours = Array.from({ length: end - start }, (_, ahead) => ({
      p10: number('p10', first + ahead),
      p50: number('p50', first + ahead),
      p90: number('p90', first + ahead),
      confidence: number('p_within_5', first + ahead),
      open: openAt(iatas[first] ?? '', terminals[first] ?? '', number('valid_at', first + ahead)),
    }))
    builder.addSeries(
      iatas[start] ?? '',
      terminals[start] ?? '',
      number('valid_at', start),
      builder.addValues(hours),
      models.get(version) ?? 0,
    )
    start = end
  }
  return new Set(iatas)
}

/**
 * Adds the worldwide prior of these airports. Airports of one size and time zone share their values, unless something is
 * known of when they are open, or all are `unshared`.
 */
function addPrior(
  builder: ForecastBuilder,
  airports: readonly Airport[],
  startMs: number,
  { unshared, openAt }: { unshared: boolean; openAt: OpenProbability },
): void {
  const models = new Map<AirportSize, number>()
  const spans = new Map<string, ValueSpan>()
  // Reading the clock of a time zone is the slow part, so it is read once a time zone and not once an airport.
  const clocks = new Map<string, LocalHour[]>()
  for (const { iata, size, timezone } of airports) {
    if (!models.has(size)) models.set(size, builder.addModel(typicalModel(size)))
    const clock = clocks.get(timezone) ?? localHours(timezone, startMs)
    clocks.set(timezone, clock)
    const open = clock.map((_, ahead) => openAt(iata, '', startMs + ahead * HOUR_MS))
    const isOwn = unshared || open.some((probability) => probability !== null)
    const key = isOwn ? iata : `${size}/${timezone}`
    const span =
      spans.get(key) ??
      builder.addValues(
        clock.map(({ hour, weekday }, ahead) =>
          Object.assign({ open: open[ahead] ?? null }, typicalQuantiles(size, hour, weekday)),
        ),
      )
    spans.set(key, span)
    builder.addSeries(iata, '', startMs, span, models.get(size) ?? 0)
  }
}

interface LocalHour {
  hour: number
  weekday: number
}

/** The hours of the forecast horizon on the clock of a time zone. */
function localHours(timezone: string, startMs: number): LocalHour[] {
  const instants = Float64Array.from({ length: HORIZON_HOURS }, (_, ahead) => startMs + ahead * HOUR_MS)
  const { hour, weekday } = localClock(timezone, instants)
  return Array.from(hour, (localHour, ahead) => ({ hour: localHour, weekday: weekday[ahead] ?? 1 }))
}

const NO_BACKTEST = { mae_minutes: null, baseline_mae_minutes: null, coverage_80: null, samples: 0 }

interface BacktestRow {
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
 * Returns the look-up of model cards by the version a forecast names, of all airports or of one. A baseline that serves
 * is named after the model it beat. The card of a version without a stored backtest has no figures.
 */
export async function modelCards(warehouse: Warehouse, iata?: string): Promise<(version: string) => ModelCard> {
  const rows = await warehouse.query<BacktestRow>(
    `SELECT iata, model, trained_at, served, mae_minutes, baseline_mae_minutes, coverage_80, samples FROM backtests
     WHERE kind = 'security'${iata === undefined ? '' : ' AND iata = $iata'}`,
    iata === undefined ? {} : { iata },
  )
  const cards = new Map(rows.map(cardOfBacktest).map((card) => [card.version, card]))
  return (version) => cards.get(version) ?? { version, trained_at: null, basis: 'predicted', backtest: NO_BACKTEST }
}

function cardOfBacktest(row: BacktestRow): ModelCard {
  const isModel = row.served === 'model'
  return {
    version: isModel ? row.model : row.model.replace(/^model:/, 'baseline:'),
    trained_at: row.trained_at,
    basis: 'predicted',
    backtest: {
      mae_minutes: isModel ? row.mae_minutes : row.baseline_mae_minutes,
      baseline_mae_minutes: row.baseline_mae_minutes,
      coverage_80: row.coverage_80,
      samples: row.samples,
    },
  }
}
