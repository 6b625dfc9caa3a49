import type { BusyDays } from '../../answers/departure/get-busy-days.ts'
import type { AviationWeather } from '../../answers/questions/get-aviation-weather.ts'
import type { Delays } from '../../answers/questions/get-delays.ts'
import type { BorderWaits } from '../../answers/questions/get-ees-wait-times.ts'
import type { Immigration } from '../../answers/questions/get-immigration.ts'
import { type AlertNews, alertNews } from '../../answers/statements/alert-news.ts'
import { closureSentences } from '../../answers/statements/closure.ts'
import { programNews } from '../../answers/statements/delay-news.ts'
import { NO_DELAY } from '../../answers/statements/delay-text.ts'
import { clockOn, spanText } from '../../answers/statements/local-clock.ts'
import { rangeFigure } from '../../answers/statements/terminal-state.ts'
import { sentenceOf, sourceText } from '../../answers/statements/text.ts'
import type { WaitStatement } from '../../answers/statements/wait.ts'
import { hazardsOf, isOldReport, skyText, worstPeriod, worstText } from '../../answers/statements/weather-text.ts'
import { MIN_JUDGED_HOURS } from '../../answers/statements/words.ts'
import { borderWaitsText } from '../../answers/texts/border-waits-text.ts'
import { busyDayText, pastBusyText, schoolHolidaysText, screenedText } from '../../answers/texts/busy-days-text.ts'
import type { Airport } from '../../config/airports/directory.ts'
import { distanceKm } from '../../config/airports/distance.ts'
import { servedNear } from '../../config/airports/served-near.ts'
import { airportsWithoutFlights } from '../../config/airports/without-flights.ts'
import type { Chart } from '../charts/chart.ts'
import { number, Table } from '../pages/elements.tsx'
import { type AirportRequest, type BandAnswer, hasHours, type RecordAnswer } from './answers.ts'
import { cardOf } from './card.ts'
import { Figure, From } from './figure.tsx'

interface BandProps {
  band: BandAnswer
  chart: Chart | null
  request: AirportRequest
  /** The address of the chart's files; null if they are not offered. */
  address: string | null
}

/** The hours behind and ahead, as a chart and as a table. */
export function Band({ band, chart, request, address }: BandProps) {
  const { airport, now } = request
  const isNew = band.past.every(({ observed_minutes }) => observed_minutes === null)
  return (
    <>
      {band.unavailable_reason !== null && <p>{sentenceOf(band.unavailable_reason)}</p>}
      {isNew && band.current_minutes !== null && <p class="quiet">Our record here begins today.</p>}
      {chart && hasHours(band) && (
        <Figure id="band" chart={chart} address={address}>
          {band.observed_sources.length > 0 && (
            <small class="from">Observed: {sourceText(band.observed_sources.join('+'))}</small>
          )}
        </Figure>
      )}
      {hasHours(band) && <HoursTable band={band} timezone={airport.timezone} now={now} />}
    </>
  )
}

/** The hours of the band as a table, for people who do not see the picture. */
function HoursTable({ band, timezone, now }: { band: BandAnswer; timezone: string; now: number }) {
  const minutes = (value: number | null) => (value === null ? '–' : String(value))
  return (
    <details>
      <summary>The hours as a table</summary>
      <Table
        label="Hours"
        narrow="fit"
        columns={['Local hour', number('Observed'), number('Expected'), number('8 of 10 waits')]}
        rows={rowsOf(band).map((hour) => [
          clockOn(hour.time, timezone, now),
          minutes(hour.observed_minutes),
          hour.status === 'closed' ? 'closed' : minutes(hour.wait_minutes),
          hour.low === null || hour.high === null ? (
            '–'
          ) : (
            <b class="whole">{rangeFigure({ low: hour.low, high: hour.high })}</b>
          ),
        ])}
      />
    </details>
  )
}

/** The ended hours, without a forecast, and then those ahead. */
const rowsOf = ({ past, ahead }: BandAnswer) => [
  ...past.map((hour) => ({ ...hour, status: null, wait_minutes: null, low: null, high: null })),
  ...ahead.map((hour) => ({ ...hour, observed_minutes: null })),
]

/** How good the forecasts were, in one line. */
export function RecordText({ record: { accuracy } }: { record: RecordAnswer }) {
  const live = accuracy.security.horizons[0]?.live ?? null
  return (
    <>
      {live && (
        <p>
          {live.samples < MIN_JUDGED_HOURS
            ? `How good the forecasts were here is shown from ${MIN_JUDGED_HOURS} observed hours on; so far ${live.samples === 1 ? 'there is' : 'there are'} ${live.samples}.`
            : `One hour ahead our forecasts were off by ${live.mae_minutes.toFixed(1)} min here in the last ${accuracy.days} days; ${Math.round(live.coverage_80 * 100)} % of the waits fell inside the range.`}{' '}
          <a href="/accuracy">The record of all airports</a>
        </p>
      )}
      {accuracy.drift.state !== 'steady' && (
        <p class="warning">{sentenceOf(accuracy.drift.reason ?? 'forecasts have been worse than usual lately')}</p>
      )}
    </>
  )
}

interface FlightsTextProps {
  delays: Delays
  weather: AviationWeather
  request: AirportRequest
}

/** Whether there is anything to say of flights. */
export const hasFlightNews = ({ status, programs }: Delays, { metar, taf, weather_alerts }: AviationWeather) =>
  status !== 'unknown' || programs.length > 0 || metar !== null || taf !== null || !!weather_alerts?.alerts.length

/** Causes that stop or delay flights, the gravest first: closures to airlines and programs of the FAA, thunderstorms, low cloud and poor visibility, now and ahead. */
export function FlightsText({ delays, weather, request: { airport, now } }: FlightsTextProps) {
  const { timezone } = airport
  const { metar, taf } = weather
  const programs = programNews(delays, airport, now)
  const alerts = weather.weather_alerts
  const news = (alerts?.alerts ?? []).map((alert) => alertNews(alert, airport, now))
  const closures = closureSentences(
    delays.closures.filter(({ closed_to_airlines }) => closed_to_airlines !== false),
    timezone,
    now,
  )
  const closed = [...closures.now, ...closures.later]
  return (
    <ul class="news">
      {closed.map((sentence) => (
        <li>
          {sentence} <From source={delays.source} age={delays.age_seconds} />
        </li>
      ))}
      <Alerts news={news.filter(({ is_grave }) => is_grave)} alerts={alerts} />
      {programs.map(({ title, line }) => (
        <li>
          {title}: {line}. <From source={delays.source} age={delays.age_seconds} />
        </li>
      ))}
      {programs.length === 0 && closed.length === 0 && delays.status === 'normal' && (
        <li>
          {NO_DELAY} <From source={delays.source} age={delays.age_seconds} />
        </li>
      )}
      <Alerts news={news.filter(({ is_grave }) => !is_grave)} alerts={alerts} />
      {metar && (
        <li>
          {(isOldReport(metar) ? [] : hazardsOf(metar)).map((hazard) => `${sentenceOf(hazard)} `).join('')}
          <small class="from">{skyText(metar)}</small> <From source={metar.source} age={metar.age_seconds} />
        </li>
      )}
      {taf && (
        <li>
          <Ahead taf={taf} timezone={timezone} now={now} />
        </li>
      )}
    </ul>
  )
}

/** Weather alerts, each with where it is from. */
const Alerts = ({ news, alerts: list }: { news: readonly AlertNews[]; alerts: AviationWeather['weather_alerts'] }) => (
  <>
    {news.map(({ text }) => (
      <li>
        {text} <From source={list?.source ?? null} age={list?.age_seconds ?? null} />
      </li>
    ))}
  </>
)

/** The worst weather of the forecast; where all of it is good, until when it reaches. */
function Ahead({ taf, timezone, now }: { taf: AviationWeather['taf']; timezone: string; now: number }) {
  const worst = worstPeriod(taf?.periods ?? [])
  if (!taf || !worst) return <>No forecast of the weather is known now; smaller airports have none at all.</>
  const hazard = worstText(worst)
  const end = taf.periods.map(({ to }) => to).reduce((last, to) => (to > last ? to : last))
  const chance = worst.probability === null ? '' : ` with ${worst.probability} %`
  const ahead =
    hazard === null
      ? `No weather that delays flights is forecast until ${clockOn(end, timezone, now)}.`
      : `At worst ahead, from ${spanText(worst.from, worst.to, timezone, now)}${chance}: ${hazard}.`
  return (
    <>
      {ahead} <From source={taf.source} />
    </>
  )
}

interface BorderSectionProps {
  immigration: Immigration | null
  border: BorderWaits | null
  airport: Airport
  now: number
}

/** Passport control hour by hour, and the Entry/Exit System where it applies. */
export function BorderSection({ immigration, border, airport, now }: BorderSectionProps) {
  const queues = immigration?.queues ?? []
  const text = border ? borderWaitsText(border, border).split('\n') : []
  const [first, ...others] = queues
  return (
    <>
      {first && <BorderQueue queue={first} timezone={airport.timezone} now={now} />}
      {(others.length > 0 || text.length > 0) && (
        <details>
          <summary>More of passport control</summary>
          {others.map((queue) => (
            <BorderQueue queue={queue} timezone={airport.timezone} now={now} />
          ))}
          <BorderNotes queues={queues} />
          {text.map((line) => (
            <p>{line}</p>
          ))}
        </details>
      )}
    </>
  )
}

/** Whether anything is known of passport control. */
export const hasBorder = (immigration: Immigration | null, border: BorderWaits | null) =>
  border !== null || (immigration?.queues.length ?? 0) > 0

const DIRECTIONS = {
  entry: 'Entering the Schengen area',
  exit: 'Leaving the Schengen area',
  unknown: 'Border control',
} as const

interface BorderQueueProps {
  queue: Immigration['queues'][number]
  timezone: string
  now: number
}

function BorderQueue({ queue, timezone, now }: BorderQueueProps) {
  const { hours, direction, terminal, basis, source } = queue
  const name = direction === null ? 'Arrivals' : DIRECTIONS[direction]
  const place = terminal === null ? '' : `, ${terminal}`
  if (hours.length === 0) return <p>{`${name}${place}: no passengers are expected in the hours shown.`}</p>
  const busiest = hours.reduce((most, hour) => (hour.wait_minutes > most.wait_minutes ? hour : most))
  const first = hours[0]!
  const isFlat = hours.every(({ wait_minutes }) => wait_minutes === first.wait_minutes)
  return (
    <p>
      <strong>
        <bdi>{`${name}${place}`}</bdi>
      </strong>
      : about {first.wait_minutes} min {isFlat ? 'at all hours' : `at ${clockOn(first.time, timezone, now)}`} (
      {first.low}–{first.high})
      {isFlat ? '' : `, longest at ${clockOn(busiest.time, timezone, now)} with about ${busiest.wait_minutes} min`}.{' '}
      {basis === 'typical' ? 'An estimate, not measured here. ' : ''}
      <From source={source} />
    </p>
  )
}

/** The notes on each queue's figures, once if several have the same. */
function BorderNotes({ queues }: { queues: Immigration['queues'] }) {
  const notes = [...new Set(queues.flatMap(({ note }) => note ?? []))]
  return (
    <>
      {notes.map((note) => (
        <p>{sentenceOf(note)}</p>
      ))}
    </>
  )
}

const MAX_NEAR = 3

/** Another airport, how far it is, and its wait where that may be shown. */
export interface Neighbour {
  airport: Airport
  km: number
  card: WaitStatement | null
}

/** The replacement of an airport without flights, or the nearest airports with some. */
export function servedInstead(request: AirportRequest): Neighbour[] {
  const { airport, directory } = request
  const instead = (airportsWithoutFlights().get(airport.iata)?.instead ?? [])
    .flatMap((code) => directory.byIata.get(code) ?? [])
    .map((other) => ({ airport: other, km: distanceKm(airport, other) }))
  return (instead.length > 0 ? instead : servedNear(airport, directory.all).slice(0, MAX_NEAR)).map((nearby) => ({
    ...nearby,
    card: cardOf({ ...request, airport: nearby.airport }).shown,
  }))
}

/** The nearest airports with a measured wait, nearest first. */
export function measuredNear(request: AirportRequest, maxKm: number): Neighbour[] {
  const { airport, directory, snapshot } = request
  const candidates = directory.all
    .filter(({ iata }) => iata !== airport.iata && snapshot.mayHaveOwnWait(iata, 'security'))
    .map((other) => ({ airport: other, km: distanceKm(airport, other) }))
    .filter(({ km }) => km <= maxKm)
    .sort((a, b) => a.km - b.km)
  const near: Neighbour[] = []
  for (const candidate of candidates) {
    if (near.length === MAX_NEAR) break
    const card = cardOf({ ...request, airport: candidate.airport }).shown
    if (card?.kind === 'measured' || card?.kind === 'closed') near.push({ ...candidate, card })
  }
  return near
}

/** The busier days and holidays of the next month; nothing if none is known. */
export function BusyDaysSection({ busyDays }: { busyDays: BusyDays }) {
  const lines = busyDays.days.flatMap((day) => busyDayText(day) ?? [])
  if (lines.length === 0) return null
  const past = pastBusyText(busyDays)
  const screened = screenedText(busyDays)
  return (
    <details id="busy-days">
      <summary>Busy days of the next month</summary>
      <ul>
        {lines.map((line) => (
          <li>{line}</li>
        ))}
      </ul>
      <p class="quiet">
        {past !== null && `${past} `}
        {schoolHolidaysText(busyDays)}
        {screened !== null && ` ${screened}`}
      </p>
    </details>
  )
}
