import { airportDirectory } from '../../../config/airports/directory.ts'
import { freshnessOf, HOUR_MS, type QueueKind } from '../../../config/domain.ts'
import type { Provenance, QueueWait } from '../../../config/facts.ts'
import { allSources, type Source } from '../../../config/sources.ts'
import type { DelayState } from '../published/delays.ts'
import type { FactCoverage } from '../published/facts.ts'
import { type AirportFacts, factsOf } from '../published/facts.ts'
import type { ForecastSeries } from '../published/forecasts.ts'
import type { HistorySeries } from '../published/history.ts'
import type { AirportMap } from '../published/maps.ts'
import type { SourceHealth } from '../published/source-health.ts'
import type { SnapshotContent } from './content.ts'
import type { Snapshot } from './snapshot.ts'

const NO_PROVENANCE: Provenance = { basis: null, observed_at: null, age_seconds: null, source: null, freshness: null }
const NOTHING = { ...NO_PROVENANCE, terminals: [] }

/** Why an airport has no figure, in words a client may show. */
const NO_FIGURE = {
  security:
    'No source covers this airport, and it has no scheduled service from which a typical wait could be claimed.',
  immigration: 'No live source of immigration waits covers this airport.',
  checkin: 'No source of check-in waits covers this airport.',
  customs: 'No live source of customs waits covers this airport.',
  baggage: 'Only travellers report waits for baggage; none did lately.',
  lounge: 'Only travellers report waits at lounges; none did lately.',
  ees_kiosk: 'Only travellers report waits at EES kiosks; none did lately.',
} as const satisfies Record<QueueKind, string>

const UNSUPPORTED: DelayState = {
  supported: false,
  status: 'unknown',
  summary: 'The FAA does not cover this airport; no delay source is known for it.',
  programs: [],
  closures: [],
  ...NO_PROVENANCE,
}

/** The wait that a forecast expects in the hour of `atMs`, where no fresh measurement is. */
function expectedNow(airport: ForecastSeries | null, terminals: ForecastSeries[], atMs: number): QueueWait | null {
  if (!airport) return null
  const at = (series: ForecastSeries) => series.p50[Math.floor((atMs - series.start_ms) / HOUR_MS)]
  const wait = at(airport)
  if (wait === undefined) return null
  return {
    ...NOTHING,
    average_wait_minutes: Math.max(0, Math.round(wait / 10)),
    unavailable_reason: null,
    basis: airport.model.basis,
    source: airport.model.version,
    terminals: terminals.flatMap((series) => {
      const own = at(series)
      return own === undefined
        ? []
        : [
            {
              ...NO_PROVENANCE,
              terminal: series.terminal,
              wait_minutes: Math.max(0, Math.round(own / 10)),
              basis: series.model.basis,
              source: series.model.version,
              unavailable_reason: null,
              checkpoints: [],
            },
          ]
    }),
  }
}

/** A pipeline at work publishes far more often than this; beyond it, ages no longer stand still at the snapshot's. */
const SELDOM_MS = 300_000

type Aged = Pick<Provenance, 'observed_at' | 'age_seconds' | 'freshness'>

/** A figure with its age as of `atMs`; it keeps the age that it was published with until time has passed. */
function agedTo<P extends Aged>(figure: P, atMs: number, generatedMs: number): P {
  if (atMs <= generatedMs || figure.age_seconds === null || figure.observed_at === null) return figure
  const age_seconds = Math.max(0, Math.round((atMs - Date.parse(figure.observed_at)) / 1_000))
  return { ...figure, age_seconds, freshness: freshnessOf(age_seconds) }
}

/** The figure, unless it has expired. */
const unexpired = <P extends Aged>(figure: P): P | undefined => (figure.freshness === 'expired' ? undefined : figure)

/** What the FAA said over six hours ago says nothing about now. */
function agedDelays(state: DelayState): DelayState {
  if (state.freshness !== 'expired') return state
  const summary = 'The FAA has not answered in the last six hours.'
  return { ...NO_PROVENANCE, supported: true, status: 'unknown', summary, programs: [], closures: [] }
}

/** The sources of an installation by the airports that they name; which of them are on is as it was published. */
function sourcesByAirport(health: ReadonlyMap<string, SourceHealth>): Map<string, Source[]> {
  const named = new Map<string, Source[]>()
  for (const source of allSources()) {
    const own = health.get(source.id)
    if (!own) continue
    const entry = { ...source, active: own.state !== 'off' }
    for (const iata of source.airports) named.set(iata, [...(named.get(iata) ?? []), entry])
  }
  return named
}

/** Indexes a snapshot's content for the api. Look-ups are by Map; series are views, nothing is copied. */
export function snapshotReader(id: string, content: SnapshotContent): Snapshot {
  const { forecasts } = content
  const generatedMs = Date.parse(content.generated_at)
  const queues = new Map(content.queues.map(({ iata, kind, wait }) => [`${iata}/${kind}`, wait]))
  const places = new Map<string, number>()
  const forecastTerminals = new Map<string, string[]>()
  forecasts.series.iata.forEach((iata, index) => {
    const terminal = forecasts.series.terminal[index] ?? ''
    places.set(`${iata}/${terminal}`, index)
    if (terminal) forecastTerminals.set(iata, [...(forecastTerminals.get(iata) ?? []), terminal])
  })
  const history = new Map<string, HistorySeries>(
    content.history.map((series) => [`${series.iata}/${series.terminal}`, series]),
  )
  const borderForecasts = new Map(content.border_forecasts.map((one) => [`${one.iata}/${one.direction}`, one]))
  const weather = new Map(content.weather.map((view) => [view.icao, view]))
  const tafs = new Map(content.tafs.map((view) => [view.icao, view]))
  const faaAirports = new Set(content.faa_airports)
  const historyTerminals = new Map<string, string[]>()
  for (const { iata, terminal } of content.history)
    if (terminal) historyTerminals.set(iata, [...(historyTerminals.get(iata) ?? []), terminal])

  const health = new Map(content.health.map((one) => [one.source, one]))
  const named = sourcesByAirport(health)

  const forecast = (iata: string, terminal = ''): ForecastSeries | null => {
    const index = places.get(`${iata}/${terminal}`)
    const model = index === undefined ? undefined : forecasts.models[forecasts.series.model[index] ?? -1]
    if (index === undefined || !model) return null
    const from = forecasts.series.offset[index] ?? 0
    const to = from + (forecasts.series.length[index] ?? 0)
    return {
      iata,
      terminal,
      start_ms: forecasts.series.start_ms[index] ?? 0,
      p10: forecasts.p10.subarray(from, to),
      p50: forecasts.p50.subarray(from, to),
      p90: forecasts.p90.subarray(from, to),
      confidence: forecasts.confidence.subarray(from, to),
      model,
    }
  }
  const terminals = (iata: string) => forecastTerminals.get(iata) ?? []
  const expected = (iata: string, atMs: number) =>
    expectedNow(
      forecast(iata),
      terminals(iata).flatMap((name) => forecast(iata, name) ?? []),
      atMs,
    )

  const listedDelays = (iata: string) => content.delays[iata] ?? (faaAirports.has(iata) ? content.quiet : UNSUPPORTED)
  const airportFacts = (iata: string): AirportFacts => {
    const { icao } = airportDirectory().byIata.get(iata) ?? { icao: null }
    return {
      queue: (kind) => queues.get(`${iata}/${kind}`) ?? null,
      forecast: forecast(iata),
      history: history.get(`${iata}/`) ?? null,
      delays: listedDelays(iata),
      weather: (icao && weather.get(icao)) || null,
      sources: named.get(iata) ?? [],
      health: (source) => health.get(source),
      since: content.facts[iata] ?? {},
    }
  }
  const queued = new Set(content.queues.map(({ iata }) => iata))
  /** Whether anything but the forecast and the FAA's silence is of this airport alone; most share all their facts. */
  const ownFacts = (iata: string, { sources, history, weather }: AirportFacts) =>
    sources.length > 0 || history || weather || queued.has(iata) || content.delays[iata] || content.facts[iata]

  /** The snapshot as its figures stand at an instant. */
  const at = (atMs: number): Snapshot => {
    const aged = <P extends Aged>(figure: P): P => agedTo(figure, atMs, generatedMs)
    const agedAll = <P extends Aged>(figures: P[]): P[] => figures.flatMap((figure) => unexpired(aged(figure)) ?? [])
    const measured = (iata: string, kind: string): QueueWait | undefined => {
      const published = queues.get(`${iata}/${kind}`)
      const wait = published && unexpired(aged(published))
      if (!wait || wait === published) return wait
      const terminals = agedAll(wait.terminals)
      return {
        ...wait,
        terminals: terminals.map((one) => ({ ...one, checkpoints: agedAll(one.checkpoints) })),
      }
    }
    const quiet = agedDelays(aged(content.quiet))
    const facts = new Map<string, FactCoverage[]>()
    return {
      id,
      generated_at: content.generated_at,
      generated_ms: generatedMs,
      simulated: content.simulated,
      asOf,
      queue: (iata, kind) =>
        measured(iata, kind) ??
        (kind === 'security' ? expected(iata, atMs) : null) ?? {
          ...NOTHING,
          average_wait_minutes: null,
          unavailable_reason: NO_FIGURE[kind],
        },
      forecast,
      terminals,
      history: (iata, terminal = '') => history.get(`${iata}/${terminal}`) ?? null,
      historyTerminals: (iata) => historyTerminals.get(iata) ?? [],
      borderForecast: (iata, direction) => borderForecasts.get(`${iata}/${direction}`) ?? null,
      delays: (iata) => {
        const listed = listedDelays(iata)
        return listed === content.quiet ? quiet : agedDelays(aged(listed))
      },
      flowPrograms: () => (quiet.status === 'unknown' ? [] : content.flow_programs),
      delayedAirports: () => (quiet.status === 'unknown' ? [] : Object.keys(content.delays)),
      weather: (icao) => {
        const view = icao ? weather.get(icao) : undefined
        return view ? (unexpired(aged(view)) ?? null) : null
      },
      taf: (icao) => {
        const view = icao ? tafs.get(icao) : undefined
        return view && atMs < Date.parse(view.valid_to) ? view : null
      },
      map(iata) {
        const text = content.maps.get(iata)
        return text === undefined ? null : (JSON.parse(text) as AirportMap)
      },
      sourceHealth: () => content.health,
      coverage: (iata) => content.coverage[iata] ?? { live: false, sources: [] },
      facts: (iata) => {
        const airport = airportFacts(iata)
        const key = ownFacts(iata, airport) ? iata : `${airport.forecast?.model.version} ${airport.delays.supported}`
        const told = facts.get(key) ?? factsOf(airport, generatedMs, atMs)
        facts.set(key, told)
        return told
      },
    }
  }
  let grown: { minute: number; snapshot: Snapshot } | null = null
  const asOf = (now: number): Snapshot => {
    if (now - generatedMs < SELDOM_MS) return fresh
    const minute = Math.floor(now / 60_000)
    if (grown?.minute !== minute) grown = { minute, snapshot: at(minute * 60_000) }
    return grown.snapshot
  }
  const fresh = at(generatedMs)
  return fresh
}
