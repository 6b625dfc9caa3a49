import { tableFromIPC } from 'apache-arrow'
import { type Airport, airportDirectory } from '../../../config/airports/directory.ts'
import { type AirportSize, DAY_MS, EXPIRY_SECONDS, HORIZON_HOURS, HOUR_MS, isoUtc } from '../../../config/domain.ts'
import type { AdjustedTo, ModelCard } from '../../../config/facts.ts'
import { localClock } from '../../../config/time-zones/local-time.ts'
import {
  assimilate,
  type HourForecast,
  NO_OWN_FACTORS,
  type OwnFactors,
} from '../../../forecasting/assimilation/assimilate.ts'
import {
  assimilationVersion,
  type LearnedAdjustment,
  learnedAssimilation,
} from '../../../forecasting/assimilation/learned.ts'
import { learnedNowcast } from '../../../forecasting/nowcast/learned.ts'
import {
  isNowcastKnown,
  type NowcastSource,
  nowcastHours,
  withNowcast,
} from '../../../forecasting/nowcast/next-hours.ts'
import { withScans } from '../../../forecasting/nowcast/series.ts'
import { typicalModel, typicalQuantiles } from '../../../forecasting/prior/typical.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { type AdjustmentFactors, type AdjustmentRow, adjustmentFactors } from '../../tables/adjustments.ts'
import { backtests, forecasts as forecastTable } from '../../tables/forecasts.ts'
import { nowcasts } from '../../tables/nowcasts.ts'
import { UNKNOWN_OPEN } from '../waits/learned-hours.ts'
import {
  type NewestWaitOf,
  newestSecurityWaits,
  type PublishedQueues,
  type SourcedWait,
} from '../waits/newest-waits.ts'
import { readNowcastSeries, readOwnNowcasts } from '../waits/nowcast-readings.ts'
import { type CurrentQueue, openProbability, statusOfTerminal } from '../waits/open-probability.ts'
import { recordedHours } from '../waits/recorded-adjustments.ts'
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
  /** The newest wait that the next hours were adjusted to; null where there is none. */
  adjusted_to: AdjustedTo | null
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
  /** The series that were adjusted to a newer wait, by their position in `series`. */
  adjustments: { series: number; adjusted_to: AdjustedTo }[]
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
  /** Airports whose forecast is their own, not the typical one of their size. */
  airportsWithOwnForecast: ReadonlySet<string>
}

export interface ForecastsReader {
  /** Security forecast; null when not even a typical value may be claimed. */
  forecast: (iata: string, terminal?: string) => ForecastSeries | null
  /** Terminals that have a forecast of their own. */
  terminals: (iata: string) => string[]
}

export const forecasts = definePublished({
  async gather(
    { warehouse, airports, now, adjustments },
    { queues, opening_hours = [] }: PublishedQueues & Partial<OpeningHoursContent>,
  ): Promise<ForecastsContent> {
    const newestWaitOf = newestSecurityWaits(queues)
    const openAt = openProbabilities({ queues, opening_hours }, now)
    const nowcastOf = await nowcastSources(warehouse, airports, now)
    return {
      forecasts: await forecastBlock({
        warehouse,
        airports,
        now,
        newestWaitOf,
        nowcastOf,
        openAt,
        record: adjustments,
      }),
    }
  },
  files: {
    keys: ['forecasts'],
    encode({ forecasts: { models, series, adjustments, p10, p50, p90, confidence, open } }) {
      return {
        'forecasts.json': Buffer.from(JSON.stringify({ models, series, adjustments })),
        'forecasts.arrow': arrowFile({ p10, p50, p90, confidence, open }),
      }
    },
    async decode(files) {
      const { models, series, adjustments } = await files.json<ForecastsFile>('forecasts.json')
      const table = tableFromIPC(await files.bytes('forecasts.arrow'))
      const confidence = arrowColumn<Uint8Array>(table, 'confidence')
      const hasOpen = table.schema.names.includes('open')
      return {
        forecasts: {
          models,
          series,
          adjustments: adjustments ?? [],
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

/** forecasts.json; snapshots of earlier releases have no adjustments. */
type ForecastsFile = Pick<ForecastBlock, 'models' | 'series'> & Partial<Pick<ForecastBlock, 'adjustments'>>

/** Look-ups over a block; the series it gives are views, nothing is copied. */
function forecastsIndex(block: ForecastBlock): ForecastsIndex {
  const { models, series, p10, p50, p90, confidence, open } = block
  const adjusted = new Map(block.adjustments.map((adjustment) => [adjustment.series, adjustment.adjusted_to]))
  const positions = new Map<string, number>()
  const terminals = new Map<string, string[]>()
  const airportsWithOwnForecast = new Set<string>()
  series.iata.forEach((iata, position) => {
    const terminal = series.terminal[position] ?? ''
    if (models[series.model[position] ?? -1]?.basis !== 'typical') airportsWithOwnForecast.add(iata)
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
        adjusted_to: adjusted.get(position) ?? null,
      }
    },
    forecastTerminalsOf: (iata) => terminals.get(iata) ?? [],
    airportsWithOwnForecast,
  }
}

/** A forecast hour in minutes, with the probability that the queue is open as a fraction. */
interface IssuedHour extends HourForecast {
  open?: number | null
}

/** The values of hours as a block holds them. */
type EncodedHours = Pick<ForecastBlock, 'p10' | 'p50' | 'p90' | 'confidence' | 'open'>

const emptyHours = (length: number): EncodedHours => ({
  p10: new Int16Array(length),
  p50: new Int16Array(length),
  p90: new Int16Array(length),
  confidence: new Uint8Array(length),
  open: new Uint8Array(length),
})

/** Encodes values in minutes, confidence (null: its model has no backtest) and the probability of being open as fractions. */
function encodeHours(hours: readonly IssuedHour[]): EncodedHours {
  const encoded = emptyHours(hours.length)
  for (const [k, hour] of hours.entries()) {
    encoded.p10[k] = Math.round(hour.p10 * 10)
    encoded.p50[k] = Math.round(hour.p50 * 10)
    encoded.p90[k] = Math.round(hour.p90 * 10)
    encoded.confidence[k] = Math.round((hour.confidence ?? 0) * 100)
    encoded.open[k] = typeof hour.open === 'number' ? Math.round(hour.open * 100) : UNKNOWN_OPEN
  }
  return encoded
}

/** Where the values of a series lie in the shared arrays. */
interface ValueSpan {
  offset: number
  length: number
}

/** Builds a block series by series; several airports can share the values of one span. */
export class ForecastBuilder {
  readonly models: ModelCard[] = []
  readonly adjustments: ForecastBlock['adjustments'] = []
  readonly series: ForecastBlock['series'] = { iata: [], terminal: [], start_ms: [], offset: [], length: [], model: [] }
  private readonly parts: EncodedHours[] = []
  private length = 0

  /** Adds a model; returns its index. */
  addModel(card: ModelCard): number {
    return this.models.push(card) - 1
  }

  /** Appends values in minutes; returns where they lie. */
  addValues(hours: readonly IssuedHour[]): ValueSpan {
    return this.addEncoded(encodeHours(hours))
  }

  /** Appends values that are encoded already; returns where they lie. */
  addEncoded(hours: EncodedHours): ValueSpan {
    const span = { offset: this.length, length: hours.p50.length }
    this.parts.push(hours)
    this.length += span.length
    return span
  }

  /** Adds the series of an airport or terminal over values that are already in the block. */
  addSeries(
    iata: string,
    terminal: string,
    startMs: number,
    span: ValueSpan,
    model: number,
    adjusted_to: AdjustedTo | null = null,
  ): void {
    if (adjusted_to) this.adjustments.push({ series: this.series.iata.length, adjusted_to })
    const { series } = this
    series.iata.push(iata)
    series.terminal.push(terminal)
    series.start_ms.push(startMs)
    series.offset.push(span.offset)
    series.length.push(span.length)
    series.model.push(model)
  }

  build(): ForecastBlock {
    const { models, series, adjustments } = this
    const values = emptyHours(this.length)
    let offset = 0
    for (const part of this.parts) {
      for (const name of VALUE_COLUMNS) values[name].set(part[name], offset)
      offset += part.p50.length
    }
    return Object.assign({ models, series, adjustments }, values)
  }
}

const VALUE_COLUMNS = ['p10', 'p50', 'p90', 'confidence', 'open'] as const

/** What the forecasts of a snapshot are made from. */
export interface ForecastRequest {
  warehouse: Warehouse
  airports: readonly Airport[]
  /** Epoch milliseconds. */
  now: number
  /** The current wait of an airport or terminal, to which the next hours are adjusted; none by default. */
  newestWaitOf?: NewestWaitOf
  /** What the nowcast of an airport or terminal is made from; none by default. */
  nowcastOf?: (iata: string, terminal: string) => NowcastSource | null
  /** Whether a queue is expected to be open in an hour; nothing is known by default. */
  openAt?: OpenProbability
  /** Takes a row for each adjusted series. */
  record?: AdjustmentRow[]
  /** For the benchmark: every airport of the list, no values shared. */
  everywhere?: boolean
}

/**
 * Every forecast a snapshot serves: first airports with an own history (model or baseline), then the worldwide prior for
 * every other airport with scheduled service. An airfield without scheduled service has no queue, so it gets none. The
 * next hours are adjusted to the newest wait where one is known.
 */
export async function forecastBlock(request: ForecastRequest): Promise<ForecastBlock> {
  const { airports, everywhere = false } = request
  const builder = new ForecastBuilder()
  const withOwnForecast = await addOwnForecasts(builder, request)
  addPrior(
    builder,
    request,
    airports.filter(({ iata, scheduled_service }) => !withOwnForecast.has(iata) && (scheduled_service || everywhere)),
  )
  return builder.build()
}

/** The waits that were gathered before. */
interface CurrentQueues {
  queues: readonly CurrentQueue[]
}

/** The probability that a queue is open in the hour that starts at an instant (epoch ms), or null; null for a queue of which nothing is known. */
type OpenProbability = (iata: string, terminal: string) => ((start: number) => number | null) | null

/** Security queues as their hours and their newest observation show them. */
function openProbabilities(
  { queues, opening_hours }: CurrentQueues & OpeningHoursContent,
  now: number,
): OpenProbability {
  const { learnedHours } = openingHours.index({ opening_hours })
  const waits = new Map(queues.filter(({ kind }) => kind === 'security').map(({ iata, wait }) => [iata, wait]))
  // Of most airports nothing is known, and there are thousands of them.
  const known = new Set([...waits.keys(), ...opening_hours.map(({ iata }) => iata)])
  return (iata, terminal) => {
    if (!known.has(iata)) return null
    const wait = waits.get(iata)
    const observed = wait ? statusOfTerminal(wait, terminal) : null
    const learned = learnedHours(iata, 'security', terminal)
    return (start) => openProbability(learned, observed, start, now)
  }
}

const startOfHour = (ms: number) => Math.floor(ms / HOUR_MS) * HOUR_MS

/** The hours of the newest vintage of each airport with an own history, from the current hour on. */
const newestForecasts = (warehouse: Warehouse, startMs: number) =>
  warehouse.columns(
    `SELECT iata, terminal, valid_at, p10, p50, p90, p_within_5, model, basis FROM forecasts
     WHERE kind = 'security' AND valid_at >= $from::TIMESTAMPTZ AND date >= $day
     QUALIFY issued_at = max(issued_at) OVER (PARTITION BY iata, terminal) ORDER BY iata, terminal, valid_at`,
    {
      from: new Date(startMs).toISOString(),
      day: new Date(startMs - HORIZON_HOURS * HOUR_MS - DAY_MS).toISOString().slice(0, 10),
    },
  )

/** Adds the newest vintage of each airport with an own history, from the current hour on; returns these airports. */
async function addOwnForecasts(builder: ForecastBuilder, request: ForecastRequest): Promise<Set<string>> {
  const { warehouse, now } = request
  const startMs = startOfHour(now)
  // These tables change once an hour, and there are many publications in it.
  const rows = await warehouse.remembered('newest forecasts', [forecastTable], startMs, () =>
    newestForecasts(warehouse, startMs),
  )
  const { cardOf, factorsOf } = await warehouse.remembered('served models', [backtests, adjustmentFactors], '', () =>
    servedModels(warehouse),
  )
  const earlierHour = await warehouse.remembered('forecasts of earlier hours', [forecastTable], startMs, () =>
    earlierHours(warehouse, startMs),
  )
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
    const iata = iatas[start] ?? ''
    const terminal = terminals[start] ?? ''
    const openAt = request.openAt?.(iata, terminal)
    const hours = Array.from({ length: end - start }, (_, ahead) => ({
      p10: number('p10', first + ahead),
      p50: number('p50', first + ahead),
      p90: number('p90', first + ahead),
      confidence: number('p_within_5', first + ahead),
      open: openAt?.(number('valid_at', first + ahead)) ?? null,
    }))
    const first_ms = number('valid_at', start)
    const adjusted = adjustedSeries(request, {
      iata,
      terminal,
      version,
      hours,
      start_ms: first_ms,
      learned: learnedAssimilation().predicted,
      own: factorsOf(version),
      // Without a forecast of the hour of the reading, the nearest hour is compared.
      expectedAt: (hour_ms) =>
        hours[(hour_ms - first_ms) / HOUR_MS] ?? earlierHour(iata, terminal, hour_ms) ?? hours[0]!,
    })
    builder.addSeries(
      iata,
      terminal,
      first_ms,
      builder.addValues(adjusted?.hours ?? hours),
      models.get(version) ?? 0,
      adjusted?.adjusted_to ?? null,
    )
    start = end
  }
  return new Set(iatas)
}

/** Hours before the current one that a current wait can have been observed in. */
const EARLIER_HOURS = EXPIRY_SECONDS / 3_600 + 1

/** Look-up of what was forecast for the hours before the current one, each by the newest vintage that has it. */
async function earlierHours(
  warehouse: Warehouse,
  startMs: number,
): Promise<(iata: string, terminal: string, hour_ms: number) => HourForecast | null> {
  const from = startMs - EARLIER_HOURS * HOUR_MS
  const rows = await warehouse.query<{ iata: string; terminal: string; ms: number } & HourForecast>(
    `SELECT iata, terminal, epoch_ms(valid_at)::DOUBLE AS ms, arg_max(p10, issued_at) AS p10, arg_max(p50, issued_at) AS p50,
       arg_max(p90, issued_at) AS p90, NULL AS confidence FROM forecasts
     WHERE kind = 'security' AND valid_at >= $from::TIMESTAMPTZ AND valid_at < $to::TIMESTAMPTZ AND date >= $day
     GROUP BY iata, terminal, valid_at`,
    {
      from: new Date(from).toISOString(),
      to: new Date(startMs).toISOString(),
      day: new Date(from - DAY_MS).toISOString().slice(0, 10),
    },
  )
  const hours = new Map(rows.map((row) => [`${row.iata}/${row.terminal}/${row.ms}`, row]))
  return (iata, terminal, hour_ms) => hours.get(`${iata}/${terminal}/${hour_ms}`) ?? null
}

/** The prior of the hours from an instant on. */
interface PriorHours {
  start_ms: number
  /** Reading the clock of a time zone is the slow part, so it is read once a time zone and not once an airport. */
  clockOf: (timezone: string) => readonly LocalHour[]
  /** The values of airports of one size and time zone, of whose opening nothing is known. */
  sharedOf: (size: AirportSize, timezone: string) => EncodedHours
}

function priorHours(start_ms: number): PriorHours {
  const clocks = new Map<string, LocalHour[]>()
  const shared = new Map<string, EncodedHours>()
  const clockOf = (timezone: string) => {
    const clock = clocks.get(timezone) ?? localHours(timezone, start_ms)
    clocks.set(timezone, clock)
    return clock
  }
  return {
    start_ms,
    clockOf,
    sharedOf: (size, timezone) => {
      const key = `${size}/${timezone}`
      const hours =
        shared.get(key) ??
        encodeHours(clockOf(timezone).map(({ hour, weekday }) => typicalQuantiles(size, hour, weekday)))
      shared.set(key, hours)
      return hours
    },
  }
}

/** The prior depends on the hour alone, and there are many publications in it. */
let lastPrior: PriorHours | null = null

function priorFrom(start_ms: number): PriorHours {
  if (lastPrior?.start_ms !== start_ms) lastPrior = priorHours(start_ms)
  return lastPrior
}

/**
 * Adds the worldwide prior of these airports. Airports of one size and time zone share their values, unless something newer is
 * known: their current wait, or when they are open.
 */
function addPrior(builder: ForecastBuilder, request: ForecastRequest, airports: readonly Airport[]): void {
  const startMs = startOfHour(request.now)
  const models = new Map<AirportSize, number>()
  const spans = new Map<string, ValueSpan>()
  const prior = priorFrom(startMs)
  for (const { iata, size, timezone } of airports) {
    if (!models.has(size)) models.set(size, builder.addModel(typicalModel(size)))
    const openAt = request.openAt?.(iata, '')
    const open = openAt ? prior.clockOf(timezone).map((_, ahead) => openAt(startMs + ahead * HOUR_MS)) : []
    const hoursOfClock = () =>
      prior
        .clockOf(timezone)
        .map(({ hour, weekday }, ahead) =>
          Object.assign({ open: open[ahead] ?? null }, typicalQuantiles(size, hour, weekday)),
        )
    const model = models.get(size) ?? 0
    const adjusted = adjustedSeries(request, {
      iata,
      terminal: '',
      version: builder.models[model]!.version,
      hours: hoursOfClock,
      start_ms: startMs,
      learned: learnedAssimilation().typical,
      own: NO_OWN_FACTORS,
      expectedAt: (hour_ms) => {
        const { hour, weekday } = localClock(timezone, [hour_ms])
        return typicalQuantiles(size, hour[0]!, weekday[0]!)
      },
    })
    const isOpeningKnown = open.some((probability) => probability !== null)
    const key = request.everywhere || isOpeningKnown ? iata : `${size}/${timezone}`
    const ownHours = adjusted?.hours ?? (isOpeningKnown ? hoursOfClock() : null)
    const span = ownHours
      ? builder.addValues(ownHours)
      : (spans.get(key) ?? builder.addEncoded(prior.sharedOf(size, timezone)))
    if (!ownHours) spans.set(key, span)
    builder.addSeries(iata, '', startMs, span, model, adjusted?.adjusted_to ?? null)
  }
}

/** An issued forecast of an airport or terminal, with what its adjustment needs. */
interface IssuedSeries {
  iata: string
  terminal: string
  version: string
  start_ms: number
  hours: IssuedHour[] | (() => IssuedHour[])
  learned: LearnedAdjustment
  own: OwnFactors
  /** What was forecast for the hour that starts at an instant. */
  expectedAt: (hour_ms: number) => HourForecast
}

/** The series adjusted to its newest wait, which is recorded; null where no newer wait is known. */
function adjustedSeries(
  { newestWaitOf, nowcastOf, record, now }: ForecastRequest,
  { iata, terminal, version, start_ms, hours, learned, own, expectedAt }: IssuedSeries,
): { hours: IssuedHour[]; adjusted_to: AdjustedTo } | null {
  const newest = newestWaitOf?.(iata, terminal)
  if (!newest) return null
  const { wait_minutes, observed_at, basis } = newest
  const expected = expectedAt(startOfHour(newest.observed_ms))
  const issued = typeof hours === 'function' ? hours() : hours
  const carried = assimilate(issued, start_ms, expected, newest, learned, own)
  // Nothing shows how far travellers' reports are to be trusted, so they only carry on.
  const source = basis === 'measured' ? nowcastOf?.(iata, terminal) : null
  const nowcastBasis = /^(prior|adapted):/.test(version) ? 'typical' : 'predicted'
  const known = source && isNowcastKnown(source.series, now, nowcastBasis) ? shownScan(source, newest) : null
  const adjusted = known ? withNowcast(carried, start_ms, now, nowcastBasis, known) : carried
  const first = Math.max(0, Math.floor((now - start_ms) / HOUR_MS))
  record?.push({
    kind: 'security',
    iata,
    terminal,
    adjusted_at: isoUtc(now),
    model: version,
    observed_at,
    source: newest.source,
    basis,
    wait_minutes,
    expected_p10: expected.p10,
    expected_p50: expected.p50,
    expected_p90: expected.p90,
    learned: assimilationVersion(),
    carry: own.carry,
    low_factor: own.low,
    high_factor: own.high,
    hours: known ? recordedHours(adjusted.slice(first, first + nowcastHours(nowcastBasis))) : null,
  })
  return {
    hours: adjusted.map((hour, ahead) => ({ ...hour, open: issued[ahead]?.open ?? null })),
    adjusted_to: {
      wait_minutes,
      observed_at,
      source: newest.source,
      basis,
      expected_minutes: Math.round(expected.p50),
    },
  }
}

/** The source with the wait that the snapshot shows as its newest scan, so that both start from the same wait. */
function shownScan(source: NowcastSource, { observed_ms, wait_minutes }: SourcedWait): NowcastSource {
  const { scans } = source.series
  const before = scans.observed_ms.findLastIndex((at) => at < observed_ms) + 1
  const withShown = (values: Float64Array, shown: number) => Float64Array.from([...values.subarray(0, before), shown])
  const series = withScans(source.series, {
    observed_ms: withShown(scans.observed_ms, observed_ms),
    available_ms: withShown(scans.available_ms, observed_ms),
    minutes: withShown(scans.minutes, wait_minutes),
  })
  return { series, own: source.own, shared: source.shared }
}

/** Look-up of what nowcasts are made from. */
async function nowcastSources(warehouse: Warehouse, airports: readonly Airport[], now: number) {
  const seriesOf = await readNowcastSeries(warehouse, airports, now)
  const ownOf = await warehouse.remembered('own nowcasts', [nowcasts], '', () => readOwnNowcasts(warehouse))
  const { shared } = learnedNowcast()
  return (iata: string, terminal: string): NowcastSource | null => {
    const series = seriesOf(iata, terminal)
    return series && { series, own: ownOf.get(iata) ?? null, shared }
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
  model: string
  trained_at: string
  served: 'model' | 'rule' | 'baseline' | 'prior'
  mae_minutes: number
  served_mae_minutes: number | null
  rule_mae_minutes: number | null
  baseline_mae_minutes: number
  coverage_80: number
  samples: number
}

type FactorsRow = Pick<
  AdjustmentFactors,
  'model' | 'carry' | 'low_factor' | 'high_factor' | 'samples' | 'mae_minutes' | 'issued_mae_minutes'
>

/** What is stored about the versions that forecasts name. */
export interface ServedModels {
  /** The card of a version without a stored backtest has no figures. */
  cardOf: (version: string) => ModelCard
  /** What the airport's own history says about the adjustment to a new reading. */
  factorsOf: (version: string) => OwnFactors
}

/** Look-ups by the version a forecast names, of all airports or of one. */
export async function servedModels(warehouse: Warehouse, iata?: string): Promise<ServedModels> {
  const ofAirport = iata === undefined ? '' : ' AND iata = $iata'
  const values: Record<string, string> = iata === undefined ? {} : { iata }
  const backtested = await warehouse.query<BacktestRow>(
    `SELECT model, trained_at, served, mae_minutes, served_mae_minutes, rule_mae_minutes, baseline_mae_minutes,
       coverage_80, samples FROM backtests
     WHERE kind = 'security'${ofAirport}`,
    values,
  )
  const learned = await warehouse.query<FactorsRow>(
    `SELECT model, carry, low_factor, high_factor, samples, mae_minutes, issued_mae_minutes FROM adjustment_factors
     WHERE kind = 'security'${ofAirport}`,
    values,
  )
  const factors = new Map(learned.map((row) => [row.model, row]))
  const cards = new Map(
    backtested.flatMap((row): [string, ModelCard][] => {
      const version = versionServed(row)
      const served: [string, ModelCard] = [version, cardOfBacktest(version, row, factors.get(version))]
      const fallback = fallbackCard(row)
      return fallback ? [served, [fallback.version, fallback]] : [served]
    }),
  )
  return {
    cardOf: (version) =>
      cards.get(version) ??
      adaptedPriorCard(version) ?? { version, trained_at: null, basis: 'predicted', backtest: NO_BACKTEST },
    factorsOf(version) {
      const own = factors.get(version)
      return own ? { carry: own.carry, low: own.low_factor, high: own.high_factor } : NO_OWN_FACTORS
    },
  }
}

/** A baseline that serves is named after the model it beat. */
const versionServed = ({ served, model }: BacktestRow) => model.replace(/^model:/, `${served}:`)

/** The prior that an airport's readings adapt has the figures of the prior until its own record shows better ones. */
function adaptedPriorCard(version: string): ModelCard | null {
  const iata = /^adapted:([A-Z]{3})@/.exec(version)?.[1]
  const airport = iata === undefined ? undefined : airportDirectory().byIata.get(iata)
  return airport ? Object.assign({}, typicalModel(airport.size), { version }) : null
}

/** The card of the rule that serves while the model of a backtest drifts; its coverage was not measured apart. */
function fallbackCard({ served, model, trained_at, rule_mae_minutes, ...row }: BacktestRow): ModelCard | null {
  if (served !== 'model' || rule_mae_minutes === null) return null
  const { baseline_mae_minutes, samples } = row
  return {
    version: model.replace(/^model:/, 'rule:'),
    trained_at,
    basis: 'predicted',
    backtest: { mae_minutes: rule_mae_minutes, baseline_mae_minutes, coverage_80: null, samples },
  }
}

function cardOfBacktest(version: string, row: BacktestRow, factors: FactorsRow | undefined): ModelCard {
  const card: ModelCard = {
    version,
    trained_at: row.trained_at,
    basis: 'predicted',
    backtest: {
      // Rows of earlier releases hold the figures of model and baseline only.
      mae_minutes: row.served_mae_minutes ?? (row.served === 'model' ? row.mae_minutes : row.baseline_mae_minutes),
      baseline_mae_minutes: row.baseline_mae_minutes,
      coverage_80: row.coverage_80,
      samples: row.samples,
    },
  }
  if (factors) {
    const { samples, mae_minutes, issued_mae_minutes } = factors
    const hours = 'the next three hours'
    card.adjustment = { version: assimilationVersion(), hours, mae_minutes, issued_mae_minutes, samples }
  }
  return card
}
