import type { AdjustedTo, ModelCard } from '../../../config/answer-schemas.ts'
import { HOUR_MS } from '../../../config/vocabulary.ts'
import { boundByClosures } from './airport-closures.ts'
import { arrowColumns, readArrowFile, viewsOf } from './arrow.ts'
import { definePublished } from './define-published.ts'
import type { DelaysIndex } from './delays.ts'

export const VALUE_COLUMNS = ['p10', 'p50', 'p90', 'confidence', 'open'] as const

/** The values of hours as a block holds them. */
export interface EncodedHours {
  /** Tenths of a minute. */
  p10: Int16Array
  p50: Int16Array
  p90: Int16Array
  /** Percent: probability of being within 5 minutes of p50. */
  confidence: Uint8Array
  /** Percent: probability that the queue is open in the hour; `UNKNOWN_OPEN` where nothing is known. */
  open: Uint8Array
}

/** 168 hourly quantiles of one airport or terminal. Arrays are views of equal length; index 0 is the hour `start_ms`. */
export interface ForecastSeries extends EncodedHours {
  iata: string
  /** Empty for the airport as a whole. */
  terminal: string
  start_ms: number
  model: ModelCard
  /** The newest wait that the next hours were adjusted to; null if there is none. */
  adjusted_to: AdjustedTo | null
}

/** All series laid end to end in shared arrays. Airports on the prior share the values of their size and time zone. */
export interface ForecastBlock extends EncodedHours {
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
}

export interface ForecastsContent {
  forecasts: ForecastBlock
}

export interface ForecastsIndex {
  forecastOf: (iata: string, terminal?: string) => ForecastSeries | null
  forecastTerminalsOf: (iata: string) => string[]
  /** Airports whose forecast is their own, not the typical one of their size. */
  airportsWithOwnForecast: ReadonlySet<string>
  /** When the last hour of all own forecasts is over (epoch ms); null without any. */
  ownForecastsEnd: number | null
}

export const forecasts = definePublished({
  async decode(files) {
    const { models, series, adjustments } = await files.json<ForecastsFile>('forecasts.json')
    const table = readArrowFile(await files.bytes('forecasts.arrow'))
    return { forecasts: { models, series, adjustments, ...arrowColumns<EncodedHours>(table, VALUE_COLUMNS) } }
  },
  index: ({ forecasts: block }: ForecastsContent) => forecastsIndex(block),
  read: (
    { forecastOf, forecastTerminalsOf, ownForecastsEnd, currentDelayState }: ForecastsIndex & DelaysIndex,
    time,
  ) => ({
    /** Security forecast, closed while airlines are shut out; null when not even a typical value may be claimed. */
    forecast(iata: string, terminal = ''): ForecastSeries | null {
      const series = forecastOf(iata, terminal)
      if (series === null) return null
      const end_ms = series.start_ms + series.open.length * HOUR_MS
      return boundByClosures(series, currentDelayState(iata, time, end_ms - time.atMs).closures)
    },
    ownForecastsEnd,
    /** Terminals that have a forecast of their own. */
    terminals: forecastTerminalsOf,
  }),
})

type ForecastsFile = Pick<ForecastBlock, 'models' | 'series' | 'adjustments'>

/** Look-ups over a block; the series it gives are views, nothing is copied. */
function forecastsIndex(block: ForecastBlock): ForecastsIndex {
  const { models, series } = block
  const adjusted = new Map(block.adjustments.map((adjustment) => [adjustment.series, adjustment.adjusted_to]))
  const positions = new Map<string, number>()
  const terminals = new Map<string, string[]>()
  const airportsWithOwnForecast = new Set<string>()
  let ownForecastsEnd: number | null = null
  series.iata.forEach((iata, position) => {
    const terminal = series.terminal[position] ?? ''
    if (models[series.model[position] ?? -1]?.basis !== 'typical') {
      airportsWithOwnForecast.add(iata)
      const end = (series.start_ms[position] ?? 0) + (series.length[position] ?? 0) * HOUR_MS
      ownForecastsEnd = Math.max(ownForecastsEnd ?? end, end)
    }
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
        ...viewsOf<EncodedHours>(block, VALUE_COLUMNS, start, end),
        model,
        adjusted_to: adjusted.get(position) ?? null,
      }
    },
    forecastTerminalsOf: (iata) => terminals.get(iata) ?? [],
    airportsWithOwnForecast,
    ownForecastsEnd,
  }
}
