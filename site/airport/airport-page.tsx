import { isPlannable } from '../../answers/departure/security-wait.ts'
import { inClocksOf } from '../../answers/statements/clock-style.ts'
import { closureSentences } from '../../answers/statements/closure.ts'
import { sourceFiguresText } from '../../answers/statements/source-figures.ts'
import { sentenceOf } from '../../answers/statements/text.ts'
import { newsLine, newsOf, type WaitStatement } from '../../answers/statements/wait.ts'
import { localNow } from '../../answers/statements/words.ts'
import type { Airport } from '../../config/airports/directory.ts'
import { formerCodeNotices } from '../../config/airports/resolve-code.ts'
import { countryName } from '../../config/reference/countries.ts'
import { Listing, Notice, OldFigures, Sign } from '../pages/elements.tsx'
import { airportData, breadcrumbs } from '../pages/schema-org.ts'
import type { Page } from '../pages/shell.tsx'
import type { AirportRequest } from './answers.ts'
import { cardOf } from './card.ts'
import { NotShown } from './figure.tsx'
import { type AirportPageInput, Measured, WithoutFlights, WithoutSource } from './page-bodies.tsx'
import type { PreparedAirport } from './prepare.ts'
import { Card } from './wait-card.tsx'

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
  const { iata, name, country } = request.airport
  const card = cardOf(request).shown
  if (!card) return `Delays, weather and when to leave for ${name} (${iata}).`
  const more = isPlannable(request.snapshot, request.airport) ? 'Next 24 hours, weather and when to leave.' : ''
  const news = newsOf(card).map(newsLine)
  const parts = [`Security at ${name} (${iata}): ${card.line}`, ...card.closures, ...news, card.known, more]
  return inClocksOf(country, parts.filter(Boolean).map(sentenceOf).join(' '))
}
