import { type AirportAccuracy, getAirportAccuracy } from '../../answers/accuracy/get-airport-accuracy.ts'
import { type BusyDays, getBusyDays } from '../../answers/departure/get-busy-days.ts'
import type { Query, QueryContext } from '../../answers/questions/define.ts'
import { type AviationWeather, getAviationWeather } from '../../answers/questions/get-aviation-weather.ts'
import { type Delays, getDelays } from '../../answers/questions/get-delays.ts'
import { type BorderWaits, getEesWaitTimes } from '../../answers/questions/get-ees-wait-times.ts'
import { getHistorical, type History } from '../../answers/questions/get-historical.ts'
import { getImmigration, type Immigration } from '../../answers/questions/get-immigration.ts'
import { getLounges, type Lounges } from '../../answers/questions/get-lounges.ts'
import { getPredictions, type Predictions } from '../../answers/questions/get-predictions.ts'
import { getTerminals, type Terminals } from '../../answers/questions/get-terminals.ts'
import { getWaitTimes, type WaitTimes } from '../../answers/questions/get-wait-times.ts'
import { withProvenanceEverywhere } from '../../answers/questions/shown-queue-wait.ts'
import { closedToAirlines } from '../../answers/statements/closure.ts'
import { localTime } from '../../answers/statements/local-time.ts'
import { terminalName } from '../../answers/statements/text.ts'
import type { Airport, Directory } from '../../config/airports/directory.ts'
import { groupBy } from '../../config/group-by.ts'
import { compareNames } from '../../config/terminal-name.ts'
import { TIERS, tierCovers } from '../../config/tiers.ts'
import { localClock } from '../../config/time-zones/local-time.ts'
import { DAY_MS, HOUR_MS, isoUtc, startOfHour, type Tier, utcDayOf } from '../../config/vocabulary.ts'
import { quantile } from '../../forecasting/statistics/statistics.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import type { BandData, ForecastHour, PastHour } from '../charts/band-chart.ts'
import type { UsualData } from '../charts/heatmap-chart.ts'
import type { HistoryData, HistoryDay } from '../charts/history-chart.ts'
import type { RecordData } from '../charts/record-chart.ts'
import type { TerminalsData } from '../charts/terminals-chart.ts'
import type { Viewer } from '../pages/viewer.ts'

/** One airport, who looks at it, and when. */
export interface AirportRequest {
  airport: Airport
  viewer: Viewer
  snapshot: Snapshot
  directory: Directory
  /** Epoch milliseconds. */
  now: number
}

/** Figures that a visitor sees, or why not. */
export type Shown<T> = { shown: T; withheld: null } | { shown: null; withheld: Withheld }
export interface Withheld {
  /** A sentence without a full stop. */
  reason: string
  /** The lowest tier that sees the figures; null when any account does. */
  tier: Tier | null
}

const shown = <T>(value: T): Shown<T> => ({ shown: value, withheld: null })
const withheld = (reason: string, tier: Tier | null): { shown: null; withheld: Withheld } => ({
  shown: null,
  withheld: { reason, tier },
})

export const contextOf = ({ snapshot, directory, now }: AirportRequest, tier: Tier): QueryContext => ({
  snapshot,
  directory,
  tier,
  now,
})

/** Runs a query of the API as an account of a tier; it throws where that tier may not ask. */
export function ask<Answer>(query: Query, input: object, request: AirportRequest, tier: Tier): Answer {
  return query.run(input, contextOf(request, tier)) as Answer
}

const OPERATOR_CLOSED = 'the operator of this site shows current waits to signed-in accounts of Pro or higher'

/** The current answer at the tier at which the viewer sees it; withheld if the operator shows it to accounts alone. */
const whereOpen = <T>({ viewer: { currentTier } }: AirportRequest, answer: (tier: Tier) => T): Shown<T> =>
  currentTier === null ? withheld(OPERATOR_CLOSED, 'pro') : shown(answer(currentTier))

/** The current waits, with all fields at every level. */
export type PageWaits = ReturnType<typeof askWaits>

function askWaits(request: AirportRequest, tier: Tier) {
  const waits = ask<WaitTimes>(getWaitTimes, { iata: request.airport.iata }, request, tier)
  return {
    ...waits,
    security: withProvenanceEverywhere(waits.security),
    check_in: withProvenanceEverywhere(waits.check_in),
    immigration: withProvenanceEverywhere(waits.immigration),
  }
}

/** The current waits; with terminals and checkpoints for those who see them. */
export function waitsOf(request: AirportRequest): Shown<PageWaits> {
  return whereOpen(request, (tier) => askWaits(request, tier))
}

/** The next 24 hours. */
export function predictionsOf(request: AirportRequest): Shown<Predictions> {
  return whereOpen(request, (tier) => ask(getPredictions, { iata: request.airport.iata }, request, tier))
}

/** Passport control in the next 24 hours. */
function immigrationOf(request: AirportRequest): Shown<Immigration> {
  return whereOpen(request, (tier) => ask(getImmigration, { iata: request.airport.iata }, request, tier))
}

const HOURS = 24

/** The hours of the band chart: what was observed in the last 24, and the forecast of the next 24. */
export interface BandAnswer extends BandData {
  source: string | null
  /** Sources of the observed hours. */
  observed_sources: string[]
  basis: 'measured' | 'reported' | 'predicted' | 'typical' | null
  unavailable_reason: string | null
}

export const bandOf = (request: AirportRequest): Shown<BandAnswer> =>
  whereOpen(request, (tier) => askBand(request, tier))

/** Whether airlines may not fly now: then nobody waits, whatever a feed still measures. */
export const isShutOut = ({ airport, snapshot, now }: AirportRequest) =>
  closedToAirlines(snapshot.delays(airport.iata).closures, airport.timezone, now) !== null

function askBand(request: AirportRequest, tier: Tier): BandAnswer {
  const { airport, now, snapshot } = request
  const predictions = ask<Predictions>(getPredictions, { iata: airport.iata }, request, tier)
  const { security } = askWaits(request, tier)
  // The last 24 hours of the airport as a whole are shown beside the next 24 to whoever sees these.
  const history = ask<History>(getHistorical, { iata: airport.iata, days: 1 }, request, tier)
  const airportHours = history.hours.filter(({ terminal }) => terminal === null)
  const observed = new Map(airportHours.map((hour) => [hour.time, hour]))
  const thisHour = startOfHour(now)
  const past = Array.from({ length: HOURS }, (_, k): PastHour => {
    const time = isoUtc(thisHour - (HOURS - k) * HOUR_MS)
    return { time, observed_minutes: observed.get(time)?.mean ?? null }
  })
  const isObserved = security.basis === 'measured' || security.basis === 'reported'
  return {
    place: airport.iata,
    timezone: airport.timezone,
    now,
    current_minutes: isObserved && !isShutOut(request) ? security.average_wait_minutes : null,
    past,
    ahead: predictions.hours
      .slice(0, HOURS)
      .map(({ time, wait_minutes, low, high, status }): ForecastHour => ({ time, wait_minutes, low, high, status })),
    source: predictions.model?.version ?? null,
    observed_sources: [...new Set(airportHours.flatMap(({ source }) => source.split('+')))],
    basis: predictions.model?.basis ?? null,
    unavailable_reason: predictions.hours.length === 0 ? predictions.unavailable_reason : null,
    simulated: snapshot.simulated,
  } as BandAnswer
}

/** Whether any hour of a band has something to draw. */
export const hasHours = ({ ahead, past }: BandAnswer) =>
  ahead.length > 0 || past.some(({ observed_minutes }) => observed_minutes !== null)

/** The history that the tier of a visitor reaches back to; null when it has none. */
function historyAnswer(request: AirportRequest): { days: number; history: History } | null {
  const { viewer, airport } = request
  const days = TIERS[viewer.tier].history_days
  if (days === 0) return null
  return { days, history: ask(getHistorical, { iata: airport.iata, days }, request, viewer.tier) }
}

const HISTORY_NEEDS = `history needs an account of ${TIERS.pro.name} (${TIERS.pro.history_days} days) or ${TIERS.enterprise.name} (${TIERS.enterprise.history_days} days)`

export interface UsualAnswer extends UsualData {
  sources: string[]
}

/** The usual waits at each hour of the week, from as many days as the tier has. */
function usualOf(request: AirportRequest): Shown<UsualAnswer> {
  const answer = historyAnswer(request)
  if (!answer) return withheld(`what is usual is taken from history, and ${HISTORY_NEEDS}`, 'pro')
  const { airport, now } = request
  const clock = localClock(airport.timezone, [now])
  return shown({
    place: airport.iata,
    days: answer.days,
    hours: answer.history.pattern,
    now: { day_of_week: clock.weekday[0]!, hour: clock.hour[0]! },
    sources: sourcesOf(answer.history),
  })
}

export interface HistoryAnswer extends HistoryData {
  /** Days that the tier reaches back. */
  period: number
  sources: string[]
  coverage: number
}

/** The history that a tier has with the local dates of its first and last whole day. */
function historyDays(request: AirportRequest) {
  const answer = historyAnswer(request)
  if (!answer) return null
  const { timezone } = request.airport
  const { history, days: period } = answer
  const dateAt = (instant: number) => localTime(instant, timezone).slice(0, 10)
  const start = Date.parse(history.from)
  // A day that the period begins in the middle of would look quieter or busier than it was.
  const from = dateAt(dateAt(start) === dateAt(start - 1) ? start + DAY_MS : start)
  const to = dateAt(Date.parse(history.to) - 1)
  const daysFrom = (terminal: string | null) => daysOf(history, timezone, terminal).filter(({ date }) => date >= from)
  return { history, period, from, to, daysFrom }
}

/** Each local day of the history that the tier has. */
function historyOf(request: AirportRequest): Shown<HistoryAnswer> {
  const found = historyDays(request)
  if (!found) return withheld(HISTORY_NEEDS, 'pro')
  const { history, period, from, to, daysFrom } = found
  return shown({
    place: request.airport.iata,
    from,
    to,
    days: daysFrom(null),
    period,
    sources: sourcesOf(history),
    coverage: history.coverage,
  })
}

export interface TerminalHistory extends TerminalsData {
  sources: string[]
}

/** Each local day of each terminal, which only the highest tier sees. */
function terminalHistoryOf(request: AirportRequest): Shown<TerminalHistory> {
  const found = tierCovers(request.viewer.tier, 'enterprise') ? historyDays(request) : null
  if (!found) return withheld(`the history of terminals needs an account of ${TIERS.enterprise.name}`, 'enterprise')
  const { history, from, to, daysFrom } = found
  const names = [...new Set(history.hours.flatMap(({ terminal }) => terminal ?? []))]
  return shown({
    place: request.airport.iata,
    from,
    to,
    terminals: names
      .map((terminal) => ({ terminal: terminalName(terminal), days: daysFrom(terminal) }))
      .filter(({ days }) => days.length > 0)
      .sort((a, b) => compareNames(a.terminal, b.terminal)),
    sources: sourcesOf(history),
  })
}

/** Why a visitor gets no plan of when to leave; null if he does. */
export const planWithheld = ({ viewer }: AirportRequest): Withheld | null =>
  viewer.currentTier === null && !viewer.isSignedIn ? { reason: OPERATOR_CLOSED, tier: 'pro' } : null

const sourcesOf = ({ hours }: History) => [...new Set(hours.flatMap(({ source }) => source.split('+')))].sort()

/** The observed days of the airport as a whole, or of a terminal. */
function daysOf({ hours }: History, timezone: string, shownTerminal: string | null): HistoryDay[] {
  const chosen = hours.filter(({ terminal }) => terminal === shownTerminal)
  const { day: days } = localClock(
    timezone,
    chosen.map(({ time }) => Date.parse(time)),
  )
  return [...groupBy(chosen.keys(), (index) => days[index]!)]
    .sort(([a], [b]) => a - b)
    .map(([day, indexes]) => {
      const ascending = indexes.map((index) => chosen[index]!.mean).sort((a, b) => a - b)
      return {
        date: utcDayOf(day * DAY_MS),
        hours: ascending.length,
        p10: Math.round(quantile(ascending, 0.1)),
        p50: Math.round(quantile(ascending, 0.5)),
        p90: Math.round(quantile(ascending, 0.9)),
      }
    })
}

const RECORD_PERIOD = 30

export interface RecordAnswer extends RecordData {
  accuracy: AirportAccuracy
}

/** How good the forecasts of the airport were: open to everybody, like the page of all airports. */
function recordOf(request: AirportRequest): RecordAnswer {
  const { airport, viewer } = request
  const input = { iata: airport.iata, days: RECORD_PERIOD }
  const accuracy = ask<AirportAccuracy>(getAirportAccuracy, input, request, viewer.tier)
  return {
    place: airport.iata,
    accuracy,
    rows: accuracy.security.horizons.map(({ horizon, live, backtest }) => ({
      horizon,
      live_mae_minutes: live?.mae_minutes ?? null,
      backtest_mae_minutes: backtest?.mae_minutes ?? null,
      rule_mae_minutes: (live ?? backtest)?.baseline_mae_minutes ?? null,
    })),
  }
}

/** Everything that the page of an airport shows. */
export interface AirportAnswers {
  waits: Shown<PageWaits>
  band: Shown<BandAnswer>
  usual: Shown<UsualAnswer>
  history: Shown<HistoryAnswer>
  terminalHistory: Shown<TerminalHistory>
  immigration: Shown<Immigration>
  record: RecordAnswer
  delays: Delays
  weather: AviationWeather
  terminals: Terminals
  lounges: Lounges
  busyDays: BusyDays
  border: BorderWaits | null
}

export function answersFor(request: AirportRequest): AirportAnswers {
  const { airport, viewer } = request
  const { tier } = viewer
  const { iata } = airport
  const input = { iata }
  return {
    waits: waitsOf(request),
    band: bandOf(request),
    usual: usualOf(request),
    history: historyOf(request),
    terminalHistory: terminalHistoryOf(request),
    immigration: immigrationOf(request),
    record: recordOf(request),
    delays: ask(getDelays, input, request, tier),
    weather: ask(getAviationWeather, input, request, tier),
    terminals: ask(getTerminals, input, request, tier),
    lounges: ask(getLounges, input, request, tier),
    busyDays: ask(getBusyDays, input, request, tier),
    border: borderOf(request),
  }
}

function borderOf(request: AirportRequest): BorderWaits | null {
  const answer = ask<BorderWaits>(getEesWaitTimes, { iata: request.airport.iata }, request, request.viewer.tier)
  const [row] = answer.airports
  return row?.member || row?.entry || row?.exit || row?.unknown_direction ? answer : null
}
