import type { Airport } from '../../../config/airports/directory.ts'
import { formerCodeNotices } from '../../../config/airports/resolve-code.ts'
import { countryName } from '../../../config/reference/countries.ts'
import { durationText } from '../../data/status/duration-text.ts'
import { STALE_AFTER_MS } from '../../data/status/overall.ts'
import { sentenceOf } from '../../data/tools/text.ts'
import { Section, Sign } from '../pages/elements.tsx'
import { Metadata } from '../pages/metadata.tsx'
import { airportData, breadcrumbs } from '../pages/schema-org.ts'
import type { Page } from '../pages/shell.tsx'
import { type AirportRequest, hasHours, type RecordAnswer, seesTerminals } from './answers.ts'
import { LeaveByAnswer, LeaveByForm, type SentForm } from './leave-by-form.tsx'
import type { PreparedAirport } from './prepare.ts'
import {
  BorderSection,
  DelaysText,
  type DrawnChart,
  Figure,
  HoursTable,
  Maybe,
  NearbySection,
  NotShown,
  NowSection,
  PlacesSection,
  RecordText,
  TerminalDaysTable,
  TerminalTable,
  WeatherText,
} from './sections.tsx'
import { localNow, sourceText, waitFigure, waitProvenance } from './words.ts'

interface AirportPageInput {
  request: AirportRequest
  prepared: PreparedAirport
  form: SentForm
  /** The curve of the sent form; null without one. */
  curve: DrawnChart | null
  site_url: string
}

/** The page of an airport: the wait now first, then what a traveller asks next. */
export function airportPage({ request, prepared, form, curve, site_url }: AirportPageInput): Page {
  const { airport, snapshot, viewer, now } = request
  const { answers, charts } = prepared
  const { iata, name } = airport
  const address = `/airports/${iata}`
  const age = now - snapshot.generated_ms
  const gate = { viewer, next: address }
  const summary = summaryOf(airport, prepared)
  return {
    title: `${name} (${iata})`,
    documentTitle: `${iata} security wait now · ${name} · Holdshort`,
    description: summary,
    ownHeading: true,
    head: (
      <Metadata
        site_url={site_url}
        path={address}
        title={`${iata}: security wait now`}
        description={summary}
        image={{ path: `${address}/share.png`, alt: summary, width: 1_200, height: 630 }}
        isSimulated={snapshot.simulated}
        alternates={[
          { type: 'text/csv', path: `${address}/forecast.csv`, title: 'The last and the next 24 hours' },
          { type: 'application/json', path: `${address}/forecast.json`, title: 'The last and the next 24 hours' },
        ]}
        data={[
          airportData(airport, site_url),
          breadcrumbs(site_url, [
            ['/', 'Holdshort'],
            [address, name],
          ]),
        ]}
      />
    ),
    body: (
      <div class="airport">
        <Heading {...request} />
        {age >= STALE_AFTER_MS && (
          <p class="warning" role="status">
            These figures are {durationText(age)} old: nothing newer has been published since.
          </p>
        )}
        <section id="now" aria-label="The wait now">
          {answers.waits.shown && answers.band.shown ? (
            <NowSection request={request} waits={answers.waits.shown} band={answers.band.shown} />
          ) : (
            answers.waits.withheld && <NotShown withheld={answers.waits.withheld} viewer={viewer} next={address} />
          )}
        </section>
        <Contents />
        <Section id="next" title="The last and the next 24 hours">
          <Maybe value={answers.band} {...gate}>
            {(band) => (
              <>
                {band.unavailable_reason !== null && <p>{sentenceOf(band.unavailable_reason)}</p>}
                {charts.band && hasHours(band) ? (
                  <Figure id="band" chart={charts.band} address={`${address}/forecast`}>
                    {charts.band.wide.caption}{' '}
                    <small class="from">
                      {band.source !== null && `Forecast: ${sourceText(band.source)}. `}
                      {band.observed_sources.length > 0 && `Observed: ${sourceText(band.observed_sources.join('+'))}. `}
                      {band.past_forecast_missing !== null &&
                        `What was forecast the day before is not shown: ${band.past_forecast_missing}.`}
                    </small>
                  </Figure>
                ) : (
                  <p>
                    {band.current_minutes === null
                      ? 'Nothing was observed here in the last 24 hours either.'
                      : 'No whole hour was observed here in the last 24 hours.'}
                  </p>
                )}
                {hasHours(band) && <HoursTable band={band} timezone={airport.timezone} now={now} />}
              </>
            )}
          </Maybe>
        </Section>
        <Section id="terminals" title="By terminal and checkpoint">
          {seesTerminals(viewer) ? (
            <Maybe value={answers.waits} {...gate}>
              {({ security }) => <TerminalTable terminals={security.terminals} />}
            </Maybe>
          ) : (
            <NotShown
              withheld={{ reason: 'terminals and checkpoints need an account of Enterprise', tier: 'enterprise' }}
              viewer={viewer}
              next={address}
            />
          )}
        </Section>
        <Section id="leave-by" title="When to leave">
          <LeaveByForm request={request} form={form} />
          {form.answer && <LeaveByAnswer answer={form.answer} chart={curve} values={form.values} />}
        </Section>
        <Section id="delays" title="Delays and weather">
          <DelaysText delays={answers.delays} />
          <WeatherText weather={answers.weather} timezone={airport.timezone} now={now} />
        </Section>
        <Section id="usual" title="What is usual">
          <Maybe value={answers.usual} {...gate}>
            {(usual) =>
              charts.usual && usual.hours.length > 0 ? (
                <Figure id="usual-chart" chart={charts.usual} address={`${address}/usual`}>
                  {charts.usual.wide.caption}{' '}
                  <small class="from">Observed: {sourceText(usual.sources.join('+'))}</small>
                </Figure>
              ) : (
                <p>No wait was observed here in the last {usual.days} days, so nothing usual is known.</p>
              )
            }
          </Maybe>
        </Section>
        <Section id="history" title={`The last ${answers.history.shown?.period ?? 90} days`}>
          <Maybe value={answers.history} {...gate}>
            {(history) =>
              charts.history && history.days.length > 0 ? (
                <Figure id="history-chart" chart={charts.history} address={`${address}/history`}>
                  {charts.history.wide.caption}{' '}
                  <small class="from">Observed: {sourceText(history.sources.join('+'))}</small>
                </Figure>
              ) : (
                <p>No wait was observed here in the last {history.period} days.</p>
              )
            }
          </Maybe>
          {answers.terminalHistory.shown && charts.terminals && (
            <>
              <h3>By terminal</h3>
              <Figure id="terminals-chart" chart={charts.terminals} address={`${address}/terminals`}>
                A cell is the median of a local day. Days without a reading stay empty.{' '}
                <small class="from">Observed: {sourceText(answers.terminalHistory.shown.sources.join('+'))}</small>
              </Figure>
              <TerminalDaysTable history={answers.terminalHistory.shown} />
            </>
          )}
        </Section>
        <Section id="record" title="How good the forecasts were">
          <RecordText record={answers.record} />
          {hasRecord(answers.record) && (
            <Figure id="record-chart" chart={charts.record} address={`${address}/record`} />
          )}
          <p>
            <a href="/accuracy">The record of all airports, and how it is kept</a>
          </p>
        </Section>
        <Section id="border" title="Passport control">
          <Maybe value={answers.immigration} {...gate}>
            {(immigration) => (
              <BorderSection immigration={immigration} border={answers.border} airport={airport} now={now} />
            )}
          </Maybe>
        </Section>
        <Section id="places" title="Terminals and lounges">
          <PlacesSection terminals={answers.terminals} lounges={answers.lounges} />
        </Section>
        <Section id="nearby" title="Airports nearby">
          {charts.nearby ? (
            <NearbySection answers={answers} chart={charts.nearby} />
          ) : (
            <p>No larger airport with scheduled flights lies within 200 km.</p>
          )}
        </Section>
        <Section id="use" title="Show this elsewhere">
          <Elsewhere address={`${site_url}${address}`} iata={iata} />
        </Section>
      </div>
    ),
  }
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

function Heading({ airport, directory, now }: Pick<AirportRequest, 'airport' | 'directory' | 'now'>) {
  const notices = formerCodeNotices(airport, directory)
  const { clock, day, zone } = localNow(now, airport.timezone)
  return (
    <header class="airport-head">
      <h1>
        <Sign code={airport.iata} /> <bdi>{airport.name}</bdi>
      </h1>
      <p class="quiet">
        <Place airport={airport} />. It is {clock} there on {day} ({zone}).
      </p>
      {notices.length > 0 && <p class="quiet">{notices.join(' ')}</p>}
    </header>
  )
}

const CONTENTS = {
  next: 'Next 24 hours',
  terminals: 'Terminals',
  'leave-by': 'When to leave',
  delays: 'Delays and weather',
  usual: 'What is usual',
  history: 'History',
  record: 'How good forecasts were',
  border: 'Passport control',
  places: 'Lounges',
  nearby: 'Nearby',
}

const Contents = () => (
  <nav class="contents" aria-label="On this page">
    <ul>
      {Object.entries(CONTENTS).map(([id, text]) => (
        <li>
          <a href={`#${id}`}>{text}</a>
        </li>
      ))}
    </ul>
  </nav>
)

/** How others show the wait: a badge, a frame, and the data. */
const Elsewhere = ({ address, iata }: { address: string; iata: string }) => (
  <>
    <p>
      <img src={`/airports/${iata}/badge.svg`} alt={`The badge of ${iata}`} height="20" loading="lazy" /> A badge that
      stays current, and a frame with the next 24 hours:
    </p>
    <pre role="group" tabindex={0} aria-label="Markup of the badge and the frame">
      <code>
        {`<a href="${address}"><img src="${address}/badge.svg" alt="Security wait at ${iata}"></a>
<iframe src="${address}/embed" title="Security wait at ${iata}" width="400" height="420"></iframe>`}
      </code>
    </pre>
    <p>
      Programs read <a href={`/airports/${iata}/forecast.json`}>JSON</a> or{' '}
      <a href={`/airports/${iata}/forecast.csv`}>CSV</a>, or the <a href="/openapi.json">API</a> with a key.
    </p>
  </>
)

/** The page in one sentence, for search engines and previews. */
export function summaryOf({ iata, name }: Airport, { answers }: PreparedAirport): string {
  const { waits } = answers
  if (!waits.shown) return `Delays, weather and when to leave for ${name} (${iata}).`
  const { security } = waits.shown
  const wait =
    security.average_wait_minutes === null && security.status !== 'closed'
      ? 'Security wait not known'
      : `Security: ${waitFigure(security).toLowerCase()}`
  return `${wait} at ${name} (${iata}). ${waitProvenance(security)} Next 24 hours, delays, weather and when to leave.`
}
