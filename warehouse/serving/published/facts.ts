import { EXPIRY_SECONDS, HOUR_MS, isoUtc } from '../../../config/domain.ts'
import type { QueueWait } from '../../../config/facts.ts'
import type { Source } from '../../../config/sources.ts'
import type { DelayState } from './delays.ts'
import type { ForecastSeries } from './forecasts.ts'
import type { HistorySeries } from './history.ts'
import type { SourceHealth } from './source-health.ts'
import type { WeatherReport } from './weather.ts'

/** What can be asked of an airport. */
export const FACTS = [
  'security',
  'check_in',
  'immigration',
  'customs',
  'delays',
  'weather',
  'predictions',
  'history',
] as const
export type Fact = (typeof FACTS)[number]

/**
 * `live`: a source tells of it now. `modelled`: a forecast or the worldwide prior does. `unavailable`: nothing does.
 * Decided so: a queue is live until its newest wait has expired (six hours), then `security` alone is modelled where there is a forecast.
 * `delays` are live where the FAA has answered in six hours, a quiet answer included; `weather` where the station has reported in six.
 * `predictions` are modelled by nature, never live. `history` is live where observed security hours of the last 90 days are served.
 */
export interface FactCoverage {
  fact: Fact
  state: 'live' | 'modelled' | 'unavailable'
  /**
   * When it came into this state (ISO UTC): as seen at publishing, for airports that have a source; the expiry itself, where nothing newer
   * has been published since; the day of the prior, for what it models. Null when it has never been seen in another.
   */
  since: string | null
  /** Active sources of the fact, those that gave it first; the version of the model for what is modelled. */
  sources: string[]
  /** Why it is unavailable or modelled only; null when it is live. */
  reason: string | null
}

const HISTORY_MS = 90 * 24 * HOUR_MS

/** What a snapshot knows of an airport, as published; nothing of it is withdrawn yet. */
export interface AirportFacts {
  queue: (kind: 'security' | 'immigration' | 'checkin' | 'customs') => QueueWait | null
  forecast: ForecastSeries | null
  history: HistorySeries | null
  delays: DelayState
  weather: WeatherReport | null
  /** Every source of the catalogue that names the airport, active or not. */
  sources: readonly Source[]
  health: (source: string) => SourceHealth | undefined
  /** When a fact was last seen to change (ISO UTC). */
  since: Partial<Record<Fact, string>>
}

/** One thing that can be said of a fact, and how long it holds (epoch milliseconds). */
interface Stage extends Omit<FactCoverage, 'fact' | 'since'> {
  until: number
  /** When it came about, where that is known without having been seen. */
  since?: string | null
}

const never = (reason: string, sources: string[] = []): Stage => ({
  state: 'unavailable',
  sources,
  reason,
  until: Number.POSITIVE_INFINITY,
})

type Aged = { age_seconds: number | null }

/** A figure that its source gave, until it expires. */
const liveStage = (figure: Aged, sources: string[], generatedMs: number): Stage => ({
  state: 'live',
  sources: [...new Set(sources)],
  reason: null,
  until: generatedMs + (EXPIRY_SECONDS - (figure.age_seconds ?? 0)) * 1_000,
})

const ids = (sources: readonly Source[]) => sources.map(({ id }) => id)
const list = (names: string[]) => names.join(', ')

const QUEUES = { security: 'security', check_in: 'checkin', immigration: 'immigration', customs: 'customs' } as const
const WORDS = { security: 'security', check_in: 'check-in', immigration: 'immigration', customs: 'customs' } as const
type QueueFact = keyof typeof QUEUES

/** Why nobody tells of a queue now. */
function silence(fact: QueueFact, { queue, sources, health, since }: AirportFacts): Stage {
  const own = sources.filter(({ kind }) => kind === QUEUES[fact])
  const active = own.filter((source) => source.active)
  const live = active.filter(({ timeliness }) => timeliness === 'live')
  const stated = live.map(({ id }) => {
    const state = health(id)?.state ?? 'healthy'
    return state === 'healthy' ? id : `${id} (${state})`
  })
  if (live.length > 0) return never(`${list(stated)} gave no wait in the last six hours.`, ids(active))
  if (active.length > 0)
    return never(`${list(ids(active))} publishes days late, so nothing is known of now.`, ids(active))
  if (own.length > 0) return never(`${list(ids(own))} tells of it, but is switched off.`)
  // A source of one queue may tell of another besides, which the catalogue does not say.
  if (queue(QUEUES[fact]) || since[fact]) return never('No source has told of it in the last six hours.')
  return never(`No source of ${WORDS[fact]} waits covers this airport.`)
}

function forecastStage(forecast: ForecastSeries): Stage & { reason: string } {
  const typical = forecast.model.basis === 'typical'
  return {
    state: 'modelled',
    sources: [forecast.model.version],
    reason: typical
      ? 'The forecast is what is typical of airports of its size.'
      : 'The forecast is made from its own history.',
    until: forecast.start_ms + forecast.p50.length * HOUR_MS,
    // The prior has been there since it was made; a model is made anew each day.
    since: typical ? forecast.model.trained_at : null,
  }
}

function queueStages(fact: QueueFact, airport: AirportFacts, generatedMs: number): Stage[] {
  const wait = airport.queue(QUEUES[fact])
  const quiet = silence(fact, airport)
  const telling = airport.sources.filter(
    ({ kind, active, timeliness }) => kind === QUEUES[fact] && active && timeliness === 'live',
  )
  const live = wait ? [liveStage(wait, [...(wait.source ? [wait.source] : []), ...ids(telling)], generatedMs)] : []
  if (fact !== 'security' || !airport.forecast) return [...live, quiet]
  const modelled = forecastStage(airport.forecast)
  return [...live, { ...modelled, reason: `${quiet.reason} ${modelled.reason}` }, quiet]
}

function stagesOf(fact: Fact, airport: AirportFacts, generatedMs: number): Stage[] {
  const { delays, weather, forecast, history } = airport
  if (fact === 'delays') {
    if (!delays.supported) return [never(delays.summary)]
    const quiet = never('The FAA has not answered in the last six hours.')
    return delays.source === null ? [quiet] : [liveStage(delays, [delays.source], generatedMs), quiet]
  }
  if (fact === 'weather') {
    const metar = airport.sources.filter(({ kind, active }) => kind === 'metar' && active)
    const quiet =
      metar.length > 0
        ? never('Its station has sent no METAR in the last six hours.', ids(metar))
        : never('No source of weather covers this airport.')
    return weather ? [liveStage(weather, [weather.source], generatedMs), quiet] : [quiet]
  }
  if (fact === 'predictions') {
    const quiet = never('It has no source and no scheduled service from which even a typical wait could be claimed.')
    return forecast ? [forecastStage(forecast), quiet] : [quiet]
  }
  if (fact === 'history') {
    const quiet = never('No security wait was observed here in the last 90 days.')
    const newest = history?.hour.at(-1)
    if (newest === undefined) return [quiet]
    const telling = airport.sources.filter(({ kind, active }) => kind === 'security' && active)
    return [{ state: 'live', sources: ids(telling), reason: null, until: newest * HOUR_MS + HISTORY_MS }, quiet]
  }
  return queueStages(fact, airport, generatedMs)
}

/**
 * What is live, modelled or unavailable at an airport at `atMs`, one entry a fact. What has expired since the snapshot was
 * made falls to what is left, and says since when.
 */
export function factsOf(airport: AirportFacts, generatedMs: number, atMs: number): FactCoverage[] {
  return FACTS.map((fact) => {
    const stages = stagesOf(fact, airport, generatedMs)
    const at = stages.findIndex(({ until }) => atMs < until)
    const stage = stages[at] ?? never('Nothing is known.')
    const fallen = stages
      .slice(0, at)
      .map(({ until }) => until)
      .filter((until) => until > generatedMs)
    const { state, sources, reason } = stage
    const since = fallen.length > 0 ? isoUtc(Math.max(...fallen)) : (airport.since[fact] ?? stage.since ?? null)
    return { fact, state, since, sources, reason }
  })
}
