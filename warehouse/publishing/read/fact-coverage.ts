import { z } from 'zod'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { CLOSED_REASON, Instant, type QueueWait } from '../../../config/answer-schemas.ts'
import { getOrCreate } from '../../../config/once.ts'
import type { Source } from '../../../config/sources.ts'
import { EXPIRY_SECONDS, HOUR_MS, isoUtc } from '../../../config/vocabulary.ts'
import { definePublished } from './define-published.ts'
import { type DelaysIndex, NO_FAA_ANSWER } from './delays.ts'
import type { ForecastSeries, ForecastsIndex } from './forecasts.ts'
import type { HistoryIndex } from './history.ts'
import { isOfQueue, noWaitText, sourcesByAirport } from './no-wait.ts'
import type { SourceHealthIndex } from './source-health.ts'
import type { WaitsIndex } from './waits.ts'
import type { WeatherIndex } from './weather.ts'

/** The facts that an airport can have. */
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

export const FACT_STATES = ['live', 'modelled', 'unavailable'] as const

/**
 * `live`: a source reports it now. `modelled`: a forecast or the worldwide prior stands in. `unavailable`: neither.
 * A queue is live until its newest wait or closure has expired (six hours); a source that answers without a figure does not
 * make it live, and the reason says so. Then `security` alone is modelled where there is a
 * forecast. `delays` are live when the FAA has answered within six hours, also with no delay; `weather` when the station
 * has reported within six hours. `predictions` are modelled, never live. `history` is live where observed security hours
 * of the last 90 days are served.
 */
export const FactCoverage = z.strictObject({
  fact: z.enum(FACTS),
  state: z
    .enum(FACT_STATES)
    .describe(
      'live: a source reports it now; modelled: it comes from a forecast or the worldwide prior; unavailable: neither.',
    ),
  /**
   * The time of publication for airports that have a source; the time of expiry when nothing newer has been published
   * since; the day of the prior for what it models.
   */
  since: Instant.nullable().describe('When it came into this state; null when it was never in another.'),
  /** The sources that the figure comes from are first. */
  sources: z.array(z.string()).describe('Ids of its active sources; for a modelled fact, the model version.'),
  reason: z
    .string()
    .nullable()
    .describe(
      'Why it is only modelled or unavailable; `closed` for a queue that a source reports as closed; else null.',
    ),
})
export type FactCoverage = z.infer<typeof FactCoverage>

export interface FactsContent {
  /** The start of a fact's present state, by airport and fact. The state itself follows from the other content. */
  facts: Record<string, Partial<Record<Fact, string>>>
}

type FactIndexes = WaitsIndex & ForecastsIndex & HistoryIndex & DelaysIndex & WeatherIndex & SourceHealthIndex

export const facts = definePublished({
  index: ({ facts: publishedSince }: FactsContent) => ({ publishedSince }),
  read: (indexes: FactIndexes & { publishedSince: FactsContent['facts'] }, { generatedMs, atMs }) => ({
    /** The state of each fact of an airport. Airports may share the list, so it must not be changed. */
    facts: factsLookup(indexes, indexes.publishedSince, generatedMs, atMs),
  }),
})

/**
 * Returns the look-up of an airport's facts at `atMs`. Most airports have no fact of their own, only a forecast that many share
 * and the FAA's state; these get one shared list.
 */
export function factsLookup(
  indexes: FactIndexes,
  since: FactsContent['facts'],
  generatedMs: number,
  atMs: number,
): (iata: string) => FactCoverage[] {
  const namedSources = sourcesByAirport(indexes.healthBySource)
  const airportsWithWaits = new Set([...indexes.publishedWaits.keys()].map((key) => key.slice(0, 3)))
  const lists = new Map<string, FactCoverage[]>()
  const listOf = (iata: string): FactCoverage[] => {
    const airport = airportFacts(iata, indexes, namedSources, since)
    const hasOwnFacts =
      airport.sources.length > 0 ||
      airport.history !== null ||
      airport.weather !== null ||
      airportsWithWaits.has(iata) ||
      indexes.publishedDelays.delays[iata] !== undefined ||
      since[iata] !== undefined
    const key = hasOwnFacts ? iata : `${airport.forecast?.model.version} ${airport.delays.supported}`
    return getOrCreate(lists, key, () => factsAt(airport, generatedMs, atMs))
  }
  const known = new Map<string, FactCoverage[]>()
  return (iata) => getOrCreate(known, iata, () => listOf(iata))
}

type QueueFact = 'security' | 'check_in' | 'immigration' | 'customs'
const QUEUE_KINDS = {
  security: 'security',
  check_in: 'checkin',
  immigration: 'immigration',
  customs: 'customs',
} as const satisfies Record<QueueFact, string>

/** All published content about one airport, before anything expires. */
interface AirportFacts {
  iata: string
  waitOf: (fact: QueueFact) => QueueWait | null
  forecast: ForecastSeries | null
  history: ReturnType<HistoryIndex['historyByPlace']['get']> | null
  delays: ReturnType<DelaysIndex['publishedDelayState']>
  weather: ReturnType<WeatherIndex['weatherByStation']['get']> | null
  /** Every source of the catalogue that names the airport, active or not. */
  sources: readonly Source[]
  healthBySource: SourceHealthIndex['healthBySource']
  since: Partial<Record<Fact, string>>
}

function airportFacts(
  iata: string,
  indexes: FactIndexes,
  namedSources: ReadonlyMap<string, Source[]>,
  since: FactsContent['facts'],
): AirportFacts {
  const icao = airportDirectory().byIata.get(iata)?.icao
  return {
    iata,
    waitOf: (fact) => indexes.publishedWaits.get(`${iata}/${QUEUE_KINDS[fact]}`) ?? null,
    forecast: indexes.forecastOf(iata),
    history: indexes.historyByPlace.get(`${iata}/`) ?? null,
    delays: indexes.publishedDelayState(iata),
    weather: (icao && indexes.weatherByStation.get(icao)) || null,
    sources: namedSources.get(iata) ?? [],
    healthBySource: indexes.healthBySource,
    since: since[iata] ?? {},
  }
}

/** A state that a fact can have, and when it ends (epoch milliseconds). */
interface Stage extends Omit<FactCoverage, 'fact' | 'since'> {
  until: number
  /** When it began, where that is known without a record. */
  since?: string | null
}

/** The state of each fact at `atMs`: the first stage that has not ended. When an earlier stage ended since publication, `since` is its end. */
function factsAt(airport: AirportFacts, generatedMs: number, atMs: number): FactCoverage[] {
  return FACTS.map((fact) => {
    const stages = stagesOf(fact, airport, generatedMs)
    const position = stages.findIndex(({ until }) => atMs < until)
    const stage = stages[position] ?? unavailable('Nothing is known.')
    const ended = stages
      .slice(0, position)
      .map(({ until }) => until)
      .filter((until) => until > generatedMs)
    const { state, sources, reason } = stage
    const since = ended.length > 0 ? isoUtc(Math.max(...ended)) : (airport.since[fact] ?? stage.since ?? null)
    return { fact, state, since, sources, reason }
  })
}

/** The stages of a fact, best first; the last one never ends. */
function stagesOf(fact: Fact, airport: AirportFacts, generatedMs: number): Stage[] {
  switch (fact) {
    case 'delays':
      return delayStages(airport, generatedMs)
    case 'weather':
      return weatherStages(airport, generatedMs)
    case 'predictions':
      return predictionStages(airport)
    case 'history':
      return historyStages(airport)
    default:
      return queueStages(fact, airport, generatedMs)
  }
}

const unavailable = (reason: string | null, sources: string[] = []): Stage => ({
  state: 'unavailable',
  sources,
  reason,
  until: Number.POSITIVE_INFINITY,
})

/** A source's figure, until it expires. */
const live = (figure: { age_seconds: number | null }, sources: string[], generatedMs: number): Stage => ({
  state: 'live',
  sources: [...new Set(sources)],
  reason: null,
  until: generatedMs + (EXPIRY_SECONDS - (figure.age_seconds ?? 0)) * 1_000,
})

const idsOf = (sources: readonly Source[]) => sources.map(({ id }) => id)

function delayStages({ delays: state }: AirportFacts, generatedMs: number): Stage[] {
  if (!state.supported) return [unavailable(state.unavailable_reason)]
  const noAnswer = unavailable(NO_FAA_ANSWER)
  return state.source === null ? [noAnswer] : [live(state, [state.source], generatedMs), noAnswer]
}

function weatherStages({ weather: report, sources }: AirportFacts, generatedMs: number): Stage[] {
  const metarSources = sources.filter(({ kind, active }) => kind === 'metar' && active)
  const noReport =
    metarSources.length > 0
      ? unavailable('Its station has sent no METAR in the last six hours.', idsOf(metarSources))
      : unavailable('No source of weather covers this airport.')
  return report ? [live(report, [report.source], generatedMs), noReport] : [noReport]
}

function predictionStages(airport: AirportFacts): Stage[] {
  const { forecast } = airport
  const noForecast = unavailable(noWaitStage('security', airport).reason)
  return forecast ? [forecastStage(forecast), noForecast] : [noForecast]
}

const HISTORY_MS = 90 * 24 * HOUR_MS

function historyStages({ history: series, sources }: AirportFacts): Stage[] {
  const noHistory = unavailable('No security wait was observed here in the last 90 days.')
  const newest = series?.hour.at(-1)
  if (newest === undefined) return [noHistory]
  const securitySources = sources.filter(({ kind, active }) => kind === 'security' && active)
  return [
    { state: 'live', sources: idsOf(securitySources), reason: null, until: newest * HOUR_MS + HISTORY_MS },
    noHistory,
  ]
}

function queueStages(fact: QueueFact, airport: AirportFacts, generatedMs: number): Stage[] {
  const published = airport.waitOf(fact)
  const wait = published && hasFigure(published) ? published : null
  const noWait = noWaitStage(fact, airport)
  const stages: Stage[] = []
  if (wait) {
    const liveSources = airport.sources.filter(
      (source) => isOfQueue(source, QUEUE_KINDS[fact]) && source.active && source.timeliness === 'live',
    )
    const ids = wait.source ? [wait.source, ...idsOf(liveSources)] : idsOf(liveSources)
    const reason = wait.status === 'closed' ? (wait.unavailable_reason ?? CLOSED_REASON) : null
    stages.push({ ...live(wait, ids, generatedMs), reason })
  }
  if (fact === 'security' && airport.forecast) {
    const modelled = forecastStage(airport.forecast)
    stages.push({ ...modelled, reason: `${noWait.reason} ${modelled.reason}` })
  }
  return [...stages, noWait]
}

/** Whether a source says something of the queue: minutes, or that it is closed. */
const hasFigure = ({ average_wait_minutes, status }: QueueWait) => average_wait_minutes !== null || status === 'closed'

/** The stage without a wait; its reason says which sources there are and why they give none. */
function noWaitStage(fact: QueueFact, { iata, sources, waitOf, healthBySource, since }: AirportFacts): Stage {
  const queue = QUEUE_KINDS[fact]
  const active = idsOf(sources.filter((source) => source.active && isOfQueue(source, queue)))
  const published = waitOf(fact)
  if (published && !hasFigure(published) && active.length > 0)
    return unavailable(`${active.join(', ')} answered, but gave no figure in the last six hours.`, active)
  const hadWait = published !== null || since[fact] !== undefined
  const reason = noWaitText({ iata, queue, sources, hadWait }, ({ id }) => {
    const state = healthBySource.get(id)?.state ?? 'healthy'
    return state === 'healthy' || state === 'off' ? id : `${id} (${state})`
  })
  return unavailable(reason, active)
}

function forecastStage(forecast: ForecastSeries): Stage & { reason: string } {
  const isTypical = forecast.model.basis === 'typical'
  return {
    state: 'modelled',
    sources: [forecast.model.version],
    reason: isTypical
      ? 'The forecast is typical of airports of its size.'
      : 'The forecast is made from its own history.',
    until: forecast.start_ms + forecast.p50.length * HOUR_MS,
    // The prior exists since it was made; a model is trained again each day.
    since: isTypical ? forecast.model.trained_at : null,
  }
}
