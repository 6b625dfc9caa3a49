import { sourceText } from '../../answers/statements/text.ts'
import { airportsWithoutFlights } from '../../config/airports/without-flights.ts'
import type { Chart } from '../charts/chart.ts'
import { AirportLink, Section } from '../pages/elements.tsx'
import type { AirportRequest, RecordAnswer } from './answers.ts'
import { bandConclusion, historyConclusion, usualConclusion } from './conclusions.ts'
import { Figure, Maybe } from './figure.tsx'
import { LeaveByAnswer, LeaveByForm, type SentForm } from './leave-by-form.tsx'
import type { PreparedAirport } from './prepare.ts'
import {
  Band,
  BorderSection,
  BusyDaysSection,
  FlightsText,
  hasBorder,
  hasFlightNews,
  measuredNear,
  type Neighbour,
  RecordText,
  servedInstead,
} from './sections.tsx'
import { hasLanes, LaneTable, PlacesSection, TerminalDaysTable } from './terminals.tsx'
import { RowWait, ScaleLegend } from './wait-card.tsx'

/** What stands below the wait now: by whether the waits are measured here, and whether airlines fly. */

export interface AirportPageInput {
  request: AirportRequest
  prepared: PreparedAirport
  form: SentForm
  /** The curve of the sent form; null without one. */
  curve: Chart | null
  /** The meaning that the searched text was given; null if the name of the airport shows it. */
  reading: string | null
  site_url: string
}

/** Passengers of this airport may also use an airport this far away. */
const NEARBY_KM = 200
/** Further away is no help to anybody. */
const FAR_KM = 300

/** An airport from which no passengers fly: from where they do, and what is known besides. */
export function WithoutFlights({ request, prepared }: AirportPageInput) {
  const { airport } = request
  const near = servedInstead(request)
  const isReplaced = near.length > 0 && (airportsWithoutFlights().get(airport.iata)?.instead.length ?? 0) > 0
  return (
    <>
      <p>
        {isReplaced && 'Airlines fly instead from:'}
        {!isReplaced && near.length > 0 && 'The nearest airports with flights:'}
        {near.length === 0 && 'No airport with flights is known nearby.'}
      </p>
      <NearList near={near} />
      <details id="delays">
        <summary>Delays and weather</summary>
        <FlightsText delays={prepared.answers.delays} weather={prepared.answers.weather} request={request} />
      </details>
    </>
  )
}

/** An airport whose queue was not measured for a day: why, where the nearest measured ones are, and what is known besides. */
export function WithoutSource(input: AirportPageInput) {
  const { request, prepared, form } = input
  const near = measuredNear(request, FAR_KM)
  const nearest = near.length === 1 ? 'airport with a measured wait' : 'airports with measured waits'
  return (
    <>
      <p>
        {request.snapshot.whyNoWait(request.airport.iata, 'security')}
        {near.length > 0 && ` The nearest ${nearest}:`}
      </p>
      <NearList near={near} />
      <details open={form.answer !== null || Object.keys(form.faults).length > 0} id="leave-by">
        <summary>When to leave for a flight from here</summary>
        <Departure {...input} />
      </details>
      <BusyDaysSection busyDays={prepared.answers.busyDays} />
      <details id="delays">
        <summary>Delays and weather</summary>
        <FlightsText delays={prepared.answers.delays} weather={prepared.answers.weather} request={request} />
      </details>
    </>
  )
}

const NearList = ({ near }: { near: readonly Neighbour[] }) => (
  <ul class="hits">
    {near.map(({ airport, km, card }) => (
      <li>
        <AirportLink airport={airport} about={<small>{Math.round(km)} km away</small>}>
          <RowWait card={card} />
        </AirportLink>
      </li>
    ))}
  </ul>
)

/** The form about leaving for a flight, and its answer. */
const Departure = ({ request, form, curve }: AirportPageInput) => (
  <>
    <LeaveByForm request={request} form={form} />
    {form.answer && <LeaveByAnswer answer={form.answer} chart={curve} values={form.values} />}
  </>
)

const Observed = ({ by }: { by: readonly string[] }) => <small class="from">Observed: {sourceText(by.join('+'))}</small>

/** What is usual by weekday and hour, and the days before. */
function PastWaits({ request, prepared: { answers, charts } }: AirportPageInput) {
  const { usual, history, terminalHistory } = answers
  const address = `/airports/${request.airport.iata}`
  return (
    <>
      {usual.shown && charts.usual && usual.shown.hours.length > 0 && (
        <Section id="usual" title={usualConclusion(usual.shown)}>
          <Figure id="usual-chart" chart={charts.usual} address={`${address}/usual`}>
            <Observed by={usual.shown.sources} />
          </Figure>
        </Section>
      )}
      {history.shown && charts.history && history.shown.days.length > 0 && (
        <Section id="history" title={historyConclusion(history.shown)}>
          <Figure id="history-chart" chart={charts.history} address={`${address}/history`}>
            <Observed by={history.shown.sources} />
          </Figure>
          {terminalHistory.shown && charts.terminals && (
            <>
              <h3>By terminal</h3>
              <Figure id="terminals-chart" chart={charts.terminals} address={`${address}/terminals`}>
                <Observed by={terminalHistory.shown.sources} />
              </Figure>
              <TerminalDaysTable history={terminalHistory.shown} />
            </>
          )}
        </Section>
      )}
    </>
  )
}

/** The sections of an airport with waits of its own, in the order of a traveller's questions. */
export function Measured(input: AirportPageInput) {
  const { request, prepared } = input
  const { airport, viewer, now } = request
  const { answers, charts } = prepared
  const address = `/airports/${airport.iata}`
  const security = answers.waits.shown?.security ?? null
  const terminals = security?.terminals ?? []
  const near = measuredNear(request, NEARBY_KM)
  const { immigration } = answers
  const withLanes = hasLanes(terminals)
  const isColoured = terminals.some((terminal) =>
    [terminal, ...terminal.checkpoints].some(({ wait_minutes }) => wait_minutes !== null),
  )
  const flights = hasFlightNews(answers.delays, answers.weather) && (
    <Section id="delays" title="Delays and weather">
      <FlightsText delays={answers.delays} weather={answers.weather} request={request} />
    </Section>
  )
  return (
    <>
      {isColoured && <ScaleLegend />}
      <div class="airport-grid">
        <Section id="next" title={answers.band.shown ? bandConclusion(answers.band.shown) : 'The next 24 hours'}>
          <Maybe value={answers.band} viewer={viewer} next={address}>
            {(band) => <Band band={band} chart={charts.band} request={request} address={`${address}/forecast`} />}
          </Maybe>
        </Section>
        <div>
          {security && withLanes ? (
            <Section id="terminals" title={terminals.length > 1 ? 'Terminals now' : 'Lanes now'}>
              <LaneTable terminals={terminals} security={security} request={request} />
            </Section>
          ) : (
            flights
          )}
        </div>
        <Section id="leave-by" title="When to leave">
          <Departure {...input} />
        </Section>
        {withLanes && flights}
      </div>
      <div class="airport-halves">
        <PastWaits {...input} />
      </div>
      <div class="airport-halves">
        <div>
          {immigration.shown && hasBorder(immigration.shown, answers.border) && (
            <Section id="border" title="Passport control">
              <BorderSection immigration={immigration.shown} border={answers.border} airport={airport} now={now} />
            </Section>
          )}
          <BusyDaysSection busyDays={answers.busyDays} />
        </div>
        {near.length > 0 && (
          <Section id="nearby" title="Measured nearby">
            <NearList near={near} />
            <p>
              <a
                href={`/compare?airports=${[airport, ...near.map((nearby) => nearby.airport)].map(({ iata }) => iata).join(',')}`}
              >
                Compare them
              </a>
            </p>
          </Section>
        )}
      </div>
      {(answers.terminals.known || answers.lounges.known) && (
        <details id="places">
          <summary>Airlines by terminal, and lounges</summary>
          <PlacesSection terminals={answers.terminals} lounges={answers.lounges} />
        </details>
      )}
      <EndLines {...input} />
    </>
  )
}

/** Missing facts, the accuracy of the forecasts, and the place of the history: one line each. */
function EndLines({ request, prepared: { answers, charts } }: AirportPageInput) {
  const unknown = [
    !answers.terminals.known && !hasLanes(answers.waits.shown?.security.terminals ?? []) && 'terminals',
    !answers.lounges.known && 'lounges',
    answers.immigration.shown && !hasBorder(answers.immigration.shown, answers.border) && 'passport control',
    !answers.delays.supported && 'delays',
    !answers.weather.metar && 'weather',
  ].filter((name) => typeof name === 'string')
  return (
    <div class="end-lines">
      <RecordText record={answers.record} />
      {hasRecord(answers.record) && (
        <details id="record">
          <summary>How good the forecasts were here</summary>
          <Figure id="record-chart" chart={charts.record} address={`/airports/${request.airport.iata}/record`} />
        </details>
      )}
      {unknown.length > 0 && <p>Not known here: {unknown.join(', ')}.</p>}
      {answers.history.withheld && (
        <p>
          The week and the history by day are in the <a href="/data">open data</a> and on <a href="/plans">plans</a>.
        </p>
      )}
    </div>
  )
}

const hasRecord = ({ rows }: RecordAnswer) =>
  rows.some((row) => row.live_mae_minutes !== null || row.backtest_mae_minutes !== null)
