import { isPlannable } from '../../answers/departure/security-wait.ts'
import { closureSentences } from '../../answers/statements/closure.ts'
import { sourceFiguresText } from '../../answers/statements/source-figures.ts'
import { sourceText } from '../../answers/statements/text.ts'
import type { WaitStatement } from '../../answers/statements/wait.ts'
import { localNow } from '../../answers/statements/words.ts'
import type { Airport } from '../../config/airports/directory.ts'
import { formerCodeNotices } from '../../config/airports/resolve-code.ts'
import { airportsWithoutFlights } from '../../config/airports/without-flights.ts'
import { countryName } from '../../config/reference/countries.ts'
import type { Chart } from '../charts/chart.ts'
import { AirportLink, Listing, Notice, OldFigures, Section, Sign } from '../pages/elements.tsx'
import { airportData, breadcrumbs } from '../pages/schema-org.ts'
import type { Page } from '../pages/shell.tsx'
import type { AirportRequest, RecordAnswer } from './answers.ts'
import { cardOf } from './card.ts'
import { bandConclusion, historyConclusion, usualConclusion } from './conclusions.ts'
import { Figure, Maybe, NotShown } from './figure.tsx'
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
import { Card, RowWait, ScaleLegend } from './wait-card.tsx'

interface AirportPageInput {
  request: AirportRequest
  prepared: PreparedAirport
  form: SentForm
  /** The curve of the sent form; null without one. */
  curve: Chart | null
  /** The meaning that the searched text was given; null if the name of the airport shows it. */
  reading: string | null
  site_url: string
}

/** The page of an airport: the wait now first, then a traveller's next questions. */
export function airportPage(input: AirportPageInput): Page {
  const { request, prepared, reading, site_url } = input
  const { airport, snapshot, viewer, now } = request
  const { iata, name } = airport
  const address = `/airports/${iata}`
  const summary = summaryOf(request)
  const card = cardOf(request)
  return {
    title: `${name} (${iata})`,
    documentTitle: `${iata} security wait now · ${name} · Holdshort`,
    description: summary,
    ownHeading: true,
    about: {
      path: address,
      title: `${iata}: security wait now`,
      image: { path: `${address}/share.png`, alt: summary, width: 1_200, height: 630 },
      alternates: [
        { type: 'text/csv', path: `${address}/forecast.csv`, title: 'The last and the next 24 hours' },
        { type: 'application/json', path: `${address}/forecast.json`, title: 'The last and the next 24 hours' },
      ],
      data: [
        airportData(airport),
        breadcrumbs([
          ['/', 'Holdshort'],
          [address, name],
        ]),
      ],
    },
    body: (
      <div class="airport">
        <Heading {...request} />
        {reading !== null && <Notice>{reading}</Notice>}
        <OldFigures age_ms={now - snapshot.generated_ms} />
        <section id="now" aria-label="The wait now">
          {card.shown ? (
            <>
              <Card card={card.shown} />
              <BySource {...prepared} />
              {laterClosures(prepared, request).map((line) => (
                <p>{line}</p>
              ))}
              {card.shown.kind === 'measured' && <AlertLink iata={iata} range={card.shown.range} />}
            </>
          ) : (
            <NotShown withheld={card.withheld} viewer={viewer} next={address} />
          )}
        </section>
        {isPlannable(snapshot, airport) ? (
          <>
            {isWithoutSource(request, prepared) ? <WithoutSource {...input} /> : <Measured {...input} />}
            <Elsewhere address={`${site_url}${address}`} iata={iata} />
          </>
        ) : (
          <WithoutFlights {...input} />
        )}
      </div>
    ),
  }
}

/** The figure of each of several sources, and a note if they differ more than usual. */
function BySource({ answers: { waits } }: PreparedAirport) {
  const text = waits.shown && sourceFiguresText(waits.shown.security_by_source)
  if (!text) return null
  return (
    <p class="small">
      By source: {text.figures} {text.notice !== null && <strong>{text.notice}</strong>}
    </p>
  )
}

/** Closures that shut airlines out at other times than now, such as at night. The card has those that are in force. */
const laterClosures = ({ answers }: PreparedAirport, { airport, now }: AirportRequest): string[] =>
  closureSentences(
    answers.delays.closures.filter(({ closed_to_airlines }) => closed_to_airlines === true),
    airport.timezone,
    now,
  ).later

/** Whether nothing was observed here in the last day and nothing is expected to be. */
function isWithoutSource({ snapshot, airport }: AirportRequest, { answers }: PreparedAirport): boolean {
  const { waits, band } = answers
  if (!waits.shown || snapshot.coverage(airport.iata).live) return false
  const { basis, status } = waits.shown.security
  const isObserved = basis === 'measured' || basis === 'reported' || status === 'closed'
  const past = band.shown?.past ?? []
  return !isObserved && past.every(({ observed_minutes }) => observed_minutes === null)
}

/** The initial limit of an alert, which its form can change. */
const ALERT_MINUTES = 15

/** Leads to an alert for what is not so already. */
function AlertLink({ iata, range }: { iata: string; range: WaitStatement['range'] }) {
  const [direction, word] = range && range.high < ALERT_MINUTES ? ['above', 'over'] : ['below', 'under']
  return (
    <p class="small">
      <a href={`/alerts?airport=${iata}&direction=${direction}`}>
        Tell me when it is {word} {ALERT_MINUTES} min
      </a>
    </p>
  )
}

const MAX_NEAR = 3
/** Passengers of this airport may also use an airport this far away. */
const NEARBY_KM = 200
/** Further away is no help to anybody. */
const FAR_KM = 300

/** An airport from which no passengers fly: from where they do, and what is known besides. */
function WithoutFlights({ request, prepared }: AirportPageInput) {
  const { airport } = request
  const near = servedInstead(request, MAX_NEAR)
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
function WithoutSource({ request, prepared, form, curve }: AirportPageInput) {
  const near = measuredNear(request, FAR_KM, MAX_NEAR)
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
        <LeaveByForm request={request} form={form} />
        {form.answer && <LeaveByAnswer answer={form.answer} chart={curve} values={form.values} />}
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

/** The sections of an airport with waits of its own, in the order of a traveller's questions. */
function Measured(input: AirportPageInput) {
  const { request, prepared, form, curve } = input
  const { airport, viewer, now } = request
  const { answers, charts } = prepared
  const address = `/airports/${airport.iata}`
  const security = answers.waits.shown?.security ?? null
  const terminals = security?.terminals ?? []
  const near = measuredNear(request, NEARBY_KM, MAX_NEAR)
  const { usual, history, immigration } = answers
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
          <LeaveByForm request={request} form={form} />
          {form.answer && <LeaveByAnswer answer={form.answer} chart={curve} values={form.values} />}
        </Section>
        {withLanes && flights}
      </div>
      <div class="airport-halves">
        {usual.shown && charts.usual && usual.shown.hours.length > 0 && (
          <Section id="usual" title={usualConclusion(usual.shown)}>
            <Figure id="usual-chart" chart={charts.usual} address={`${address}/usual`}>
              <small class="from">Observed: {sourceText(usual.shown.sources.join('+'))}</small>
            </Figure>
          </Section>
        )}
        {history.shown && charts.history && history.shown.days.length > 0 && (
          <Section id="history" title={historyConclusion(history.shown)}>
            <Figure id="history-chart" chart={charts.history} address={`${address}/history`}>
              <small class="from">Observed: {sourceText(history.shown.sources.join('+'))}</small>
            </Figure>
            {answers.terminalHistory.shown && charts.terminals && (
              <>
                <h3>By terminal</h3>
                <Figure id="terminals-chart" chart={charts.terminals} address={`${address}/terminals`}>
                  <small class="from">Observed: {sourceText(answers.terminalHistory.shown.sources.join('+'))}</small>
                </Figure>
                <TerminalDaysTable history={answers.terminalHistory.shown} />
              </>
            )}
          </Section>
        )}
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

/** City and country, each in its own direction of writing. */
const Place = ({ airport: { city, country } }: { airport: Airport }) => (
  <>
    {city !== null && (
      <>
        <bdi>{city}</bdi>,{' '}
      </>
    )}
    {countryName(country)}
  </>
)

/** The sign, the name, the local time and the place of an airport. */
export function Heading({ airport, directory, now }: Pick<AirportRequest, 'airport' | 'directory' | 'now'>) {
  const notices = formerCodeNotices(airport, directory)
  const { clock, shortDay, zone } = localNow(now, airport.timezone)
  return (
    <header class="airport-head">
      <h1>
        <Sign code={airport.iata} /> <bdi>{airport.name}</bdi>
      </h1>
      <p class="quiet small">
        <abbr title={zone}>{clock}</abbr> {shortDay} · <Place airport={airport} />
      </p>
      {notices.length > 0 && <p class="quiet">{notices.join(' ')}</p>}
    </header>
  )
}

/** How others show the wait: a badge, a frame, and the data. */
const Elsewhere = ({ address, iata }: { address: string; iata: string }) => (
  <details id="use">
    <summary>Show this wait on your site</summary>
    <p>
      <img src={`/airports/${iata}/badge.svg`} alt={`The badge of ${iata}`} height="20" loading="lazy" /> A badge that
      stays current, and a frame with the next 24 hours:
    </p>
    <Listing
      label="Markup of the badge and the frame"
      text={`<a href="${address}"><img src="${address}/badge.svg" alt="Security wait at ${iata}"></a>
<iframe src="${address}/embed" title="Security wait at ${iata}" width="400" height="500"></iframe>`}
    />
    <p>
      Software reads <a href={`/airports/${iata}/forecast.json`}>JSON</a> or{' '}
      <a href={`/airports/${iata}/forecast.csv`}>CSV</a>, or the <a href="/openapi.json">API</a> with a key.
    </p>
  </details>
)

/** The page in one sentence, for search engines and previews. */
function summaryOf(request: AirportRequest): string {
  const { iata, name } = request.airport
  const card = cardOf(request).shown
  if (!card) return `Delays, weather and when to leave for ${name} (${iata}).`
  const closures = card.closures.map((line) => `${line}. `).join('')
  const delay = card.delay ? `${card.delay.title}: ${card.delay.line}. ` : ''
  const alert = card.alert ? `${card.alert.title} ${card.alert.period}. ` : ''
  const more = isPlannable(request.snapshot, request.airport) ? ' Next 24 hours, weather and when to leave.' : ''
  return `Security at ${name} (${iata}): ${card.line}. ${closures}${alert}${delay}${card.known}${more}`.trim()
}
