import type { Airport, Directory } from '../../../config/airports/directory.ts'
import { resolveCode } from '../../../config/airports/resolve-code.ts'
import { HoldshortError } from '../../../config/errors.ts'
import type { Snapshot } from '../../../warehouse/publishing/snapshot/snapshot.ts'
import { findAirport } from '../../data/queries/find-airport.ts'
import { findAirports, meantAirport } from '../../data/search/find-airports.ts'
import { durationText } from '../../data/status/duration-text.ts'
import { type Comparison, compareAirportsTool } from '../../data/tools/compare-airports.ts'
import { listText } from '../../data/tools/text.ts'
import { type AirportRequest, ask, type BandAnswer, bandOf, hasHours } from '../airport/answers.ts'
import { drawComparison } from '../airport/drawn.ts'
import { Figure } from '../airport/figure.tsx'
import type { PastForecast } from '../airport/past-forecast.ts'
import { clockOn, sourceText } from '../airport/words.ts'
import { bandChart } from '../charts/band-chart.ts'
import type { Chart } from '../charts/chart.ts'
import { ChartSvg } from '../charts/frame.tsx'
import { chartToolkit } from '../charts/toolkit.ts'
import { airportAddress, Files, Moment, Sign, Table } from '../pages/elements.tsx'
import { Metadata } from '../pages/metadata.tsx'
import type { PageInput } from '../pages/open-answers.ts'
import type { Page } from '../pages/shell.tsx'
import type { Viewer } from '../pages/viewer.ts'

const MIN_AIRPORTS = 2
const MAX_AIRPORTS = 5

/** What a text names: the airports, each once, and what is wrong with it in sentences. */
export interface Choice {
  text: string
  airports: Airport[]
  faults: string[]
}

/** The names in a text: separated by commas, or codes separated by spaces. A name may have spaces between commas. */
function namesIn(text: string): string[] {
  const parts = text
    .toUpperCase()
    .split(/[,;+]/)
    .map((part) => part.trim())
  const isOfCodes = (part: string) => parts.length === 1 || /^[A-Z]{3}(\s+[A-Z]{3})*$/.test(part)
  return [...new Set(parts.flatMap((part) => (isOfCodes(part) ? part.split(/\s+/) : [part])).filter(Boolean))]
}

/** Reads codes, and names of which each means one airport without doubt. */
export function chosenAirports(text: string, directory: Directory): Choice {
  const codes = namesIn(text)
  const faults: string[] = []
  const airports: Airport[] = []
  for (const code of codes.slice(0, MAX_AIRPORTS + 1)) {
    const found = resolveCode(code, directory)?.airport ?? namedAirport(code, directory)
    if (found && airports.includes(found)) continue
    if (found) airports.push(found)
    else faults.push(unknownCode(code, directory))
  }
  if (codes.length > MAX_AIRPORTS)
    faults.push(`At most ${MAX_AIRPORTS} airports are compared; these are ${codes.length}.`)
  if (codes.length > 0 && faults.length === 0 && airports.length < MIN_AIRPORTS)
    faults.push('Name at least two airports.')
  return { text, airports, faults }
}

/** The one airport that a name means; a code of three letters is no name. */
const namedAirport = (name: string, directory: Directory) =>
  /^[A-Z]{3}$/.test(name) ? null : meantAirport(directory, name.slice(0, 60)).airport

/** Why a code is no airport, with what may be meant. */
function unknownCode(code: string, directory: Directory): string {
  const resolved = resolveCode(code, directory)
  if (resolved?.how === 'closed') return `${resolved.notice}.`
  if (!/^[A-Z]{3}$/.test(code)) {
    const [meant] = findAirports(directory, code.slice(0, 60))
    const hint = meant ? ` Is ${meant.airport.iata} meant, ${meant.airport.name}?` : ''
    return `“${code.slice(0, 40)}” is not the code of an airport, nor the name of one alone.${hint}`
  }
  try {
    findAirport(code, { directory })
    return ''
  } catch (error) {
    if (!(error instanceof HoldshortError)) throw error
    return `${error.message.slice(0, 1).toUpperCase()}${error.message.slice(1)}.`
  }
}

type CompareInput = PageInput & { directory: Directory; choice: Choice; site_url: string }

/** The airports of a comparison in an address; one canonical order, so that the same airports have one address. */
export const canonicalPath = (codes: readonly string[]) =>
  codes.length === 0 ? '/compare' : `/compare?airports=${codes.toSorted().join(',')}`

const EXAMPLES = ['EWR,JFK,LGA', 'SFO,OAK,SJC', 'LHR,LGW,STN', 'JFK,LGA']

const DESCRIPTION = 'Security waits, forecasts and delays of two to five airports side by side.'

/** Whether a viewer sees the waits of airports. */
export const mayCompare = ({ currentTier, isSignedIn }: Viewer) => currentTier !== null || isSignedIn

/** The page that says what is wrong with a choice of airports. */
export const faultyComparison = (choice: Choice, directory: Directory): Page => ({
  title: 'Compare airports',
  description: DESCRIPTION,
  status: 400,
  body: (
    <>
      <ChoiceForm choice={choice} />
      <div id="airports-fault" class="warning" role="alert">
        {choice.faults.map((fault) => (
          <p class="fault">{fault}</p>
        ))}
      </div>
      <Examples directory={directory} />
    </>
  ),
})

/** The page that compares airports; a form with examples where none is named. */
export async function comparePage(input: CompareInput): Promise<Page> {
  const { snapshot, choice, viewer, site_url } = input
  const codes = choice.airports.map(({ iata }) => iata)
  const isOpen = mayCompare(viewer)
  const title = codes.length === 0 ? 'Compare airports' : `${codes.join(', ')} compared`
  const names = choice.airports.map(({ iata, name }) => `${name} (${iata})`)
  const description = codes.length === 0 ? DESCRIPTION : `Security waits, forecasts and delays of ${listText(names)}.`
  return {
    title,
    description,
    head: (
      <Metadata
        site_url={site_url}
        path={canonicalPath(codes)}
        title={title}
        description={description}
        image={
          codes.length > 0 && isOpen
            ? {
                path: `/compare.png?airports=${codes.toSorted().join(',')}`,
                alt: `Security waits at ${listText(codes)}`,
              }
            : undefined
        }
        isSimulated={snapshot?.simulated === true}
      />
    ),
    body: (
      <>
        <ChoiceForm choice={choice} />
        {codes.length === 0 && <Examples directory={input.directory} />}
        {codes.length > 0 && !snapshot && (
          <p class="warning" role="status">
            No snapshot has been published yet, so nothing is known about these airports.
          </p>
        )}
        {codes.length > 0 && snapshot && !isOpen && (
          <p class="notice">
            The operator shows waits only to people who have <a href="/sign-in">signed in</a>.
          </p>
        )}
        {codes.length > 0 && snapshot && isOpen && (await compared(snapshot, input))}
      </>
    ),
  }
}

const ChoiceForm = ({ choice: { text, faults } }: { choice: Choice }) => (
  <form class="compare-form" method="get" action="/compare">
    <label for="airports">Two to five airports, by code or name</label>
    <div class="beside">
      <input
        id="airports"
        name="airports"
        value={text}
        placeholder="EWR, JFK, LGA"
        autocomplete="off"
        spellcheck={false}
        maxLength={200}
        required
        aria-invalid={faults.length > 0 ? 'true' : undefined}
        aria-describedby={faults.length > 0 ? 'airports-fault' : undefined}
      />
      <button>Compare</button>
    </div>
  </form>
)

const Examples = ({ directory }: { directory: Directory }) => (
  <p class="quiet">
    For example{' '}
    {EXAMPLES.filter((codes) => chosenAirports(codes, directory).faults.length === 0).map((codes, index) => (
      <>
        {index > 0 && ' · '}
        <a href={`/compare?airports=${codes}`}>{codes.replaceAll(',', ', ')}</a>
      </>
    ))}
  </p>
)

/** Airports side by side, as the first of the requests sees them. */
export const comparisonOf = (requests: readonly AirportRequest[]): Comparison =>
  ask(
    compareAirportsTool.query,
    { airports: requests.map(({ airport }) => airport.iata) },
    requests[0]!,
    requests[0]!.viewer.tier,
  )

async function compared(snapshot: Snapshot, input: CompareInput) {
  const { choice, viewer, directory, now } = input
  const requests = choice.airports.map((airport): AirportRequest => ({ airport, viewer, snapshot, directory, now }))
  const codes = choice.airports.map(({ iata }) => iata)
  const comparison = comparisonOf(requests)
  const chart = await drawComparison(comparison)
  const bands = requests.map((request) => bandOf(request, NO_PAST).shown)
  const charts = await bandCharts(bands)
  return (
    <>
      <p class="lead">{comparison.recommendation}</p>
      <p class="small quiet">
        As of <Moment at={comparison.timestamp} />. Times are each airport’s own.
      </p>
      <Figure id="compare-chart" chart={chart} address="/compare" query={`?airports=${codes}`} />
      <div class="side-by-side">
        <ComparisonTable comparison={comparison} now={now} />
      </div>
      <div class="bands">
        {choice.airports.map((airport, index) => (
          <Band airport={airport} band={bands[index] ?? null} chart={charts[index] ?? null} />
        ))}
      </div>
    </>
  )
}

const NO_PAST: PastForecast = { hours: [], issued_at: null, unavailable_reason: 'not shown here' }

/** The last and the next 24 hours of each airport, all on one scale so that they can be compared. */
async function bandCharts(bands: (BandAnswer | null)[]): Promise<(Chart | null)[]> {
  const toolkit = await chartToolkit()
  const highest = Math.max(0, ...bands.flatMap((band) => (band ? highestOf(band) : [])))
  return bands.map((band) =>
    band && hasHours(band) ? bandChart(toolkit, Object.assign({}, band, { highest }), 'narrow') : null,
  )
}

const highestOf = ({ ahead, past, current_minutes }: BandAnswer) => [
  current_minutes ?? 0,
  ...ahead.map(({ high }) => high ?? 0),
  ...past.flatMap(({ high, observed_minutes }) => [high ?? 0, observed_minutes ?? 0]),
]

function Band({ airport, band, chart }: { airport: Airport; band: BandAnswer | null; chart: Chart | null }) {
  return (
    <section aria-labelledby={`band-${airport.iata}`}>
      <h2 id={`band-${airport.iata}`}>
        <a href={airportAddress(airport.iata)}>
          <Sign code={airport.iata} /> <bdi>{airport.name}</bdi>
        </a>
      </h2>
      {chart && band ? (
        <>
          <ChartSvg chart={chart} id={`chart-${airport.iata}`} />
          <p class="small quiet">
            {band.source !== null && `Forecast: ${sourceText(band.source)}. `}
            <Files address={`${airportAddress(airport.iata)}/forecast`} name={`The 48 hours of ${airport.iata}`} />
          </p>
        </>
      ) : (
        <p class="quiet">No forecast: {band?.unavailable_reason ?? 'it is not shown here'}.</p>
      )}
    </section>
  )
}

/**
 * What an airport has before the others, where that is a reason to prefer it: not for a minute or two, nor where its flights
 * are held. Why is the sentence above the table.
 */
function distinction(airport: string, { shortest_wait, recommended }: Comparison) {
  return airport === shortest_wait && airport === recommended ? <b class="better">shortest wait</b> : null
}

type ComparedRow = Comparison['airports'][number]

/** Flight categories for who does not fly the aircraft. */
const WEATHER_WORDS: Record<NonNullable<ComparedRow['flight_category']>, string> = {
  VFR: 'good visibility',
  MVFR: 'some low cloud or haze',
  IFR: 'low cloud or fog',
  LIFR: 'very low cloud or dense fog',
}

function ComparisonTable({ comparison, now }: { comparison: Comparison; now: number }) {
  return (
    <Table
      label="Airports side by side"
      columns={['Airport', { number: 'Security now' }, 'How we know', 'Delays', 'Weather']}
    >
      {comparison.airports.map((row) => (
        <tr>
          <th scope="row">
            <a href={airportAddress(row.airport)}>
              <Sign code={row.airport} />
            </a>{' '}
            {distinction(row.airport, comparison)}
            <span>
              <bdi>{row.name}</bdi>
            </span>
          </th>
          <td class="number">
            <WaitNow row={row} now={now} />
          </td>
          <td>
            <HowKnown row={row} />
          </td>
          <td>
            <b class={`state ${row.delays.status}`}>{row.delays.status.replaceAll('_', ' ')}</b>
            <span>{row.delays.supported ? row.delays.summary : 'The FAA does not cover it.'}</span>
          </td>
          <td>
            {row.flight_category === null ? 'not known' : WEATHER_WORDS[row.flight_category]}
            {row.flight_category_at !== null && (
              <span>
                {row.flight_category}, at{' '}
                <time datetime={row.flight_category_at}>{clockOn(row.flight_category_at, row.timezone, now)}</time>
              </span>
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}

function WaitNow({ row: { security, timezone }, now }: { row: ComparedRow; now: number }) {
  const { status, reopens_at, wait_minutes, low, high } = security
  if (status === 'closed')
    return (
      <>
        closed
        {reopens_at !== null && <span>opens about {clockOn(reopens_at, timezone, now)}</span>}
      </>
    )
  if (wait_minutes === null) return <span>not known</span>
  return (
    <>
      {wait_minutes} min
      {low !== null && high !== null && (
        <span>
          {low} to {high}
        </span>
      )}
    </>
  )
}

function HowKnown({ row: { security } }: { row: ComparedRow }) {
  const { basis, age_seconds, source, unavailable_reason } = security
  if (basis === null) return <span>{unavailable_reason ?? 'nothing is known'}</span>
  return (
    <>
      {basis}
      {age_seconds !== null && `, ${durationText(age_seconds * 1_000)} old`}
      <span>{sourceText(source)}</span>
    </>
  )
}
