import { type Comparison, compareAirports } from '../../answers/questions/compare-airports.ts'
import { findAirport } from '../../answers/questions/find-airport.ts'
import { findAirports, meantAirport } from '../../answers/search/find-airports.ts'
import { readAsText } from '../../answers/search/read-as.ts'
import { NO_FIGURES_YET } from '../../answers/statements/no-figures.ts'
import { listText, sentenceOf } from '../../answers/statements/text.ts'
import type { Airport, Directory } from '../../config/airports/directory.ts'
import { resolveCode } from '../../config/airports/resolve-code.ts'
import { HoldshortError } from '../../config/errors.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { type AirportRequest, ask, type BandAnswer, bandOf, hasHours } from '../airport/answers.ts'
import { cardOf } from '../airport/card.ts'
import { bandChart } from '../charts/band-chart.ts'
import type { Chart, LegendEntry } from '../charts/chart.ts'
import { ChartSvg, Keys } from '../charts/frame.tsx'
import { chartToolkit } from '../charts/toolkit.ts'
import { airportAddress, Files, Moment, Notice, Sign } from '../pages/elements.tsx'
import type { PageInput } from '../pages/open-answers.ts'
import type { Page } from '../pages/shell.tsx'
import type { Viewer } from '../pages/viewer.ts'
import { ComparisonTable } from './comparison-table.tsx'

/** Minimum number of airports for a comparison. */
export const MIN_AIRPORTS = 2
const MAX_AIRPORTS = 5

/** The airports that a text names, each once, and its faults in sentences. */
export interface Choice {
  text: string
  airports: Airport[]
  faults: string[]
  /** The meanings that names were given, if the airport's own name does not show it. */
  readings: string[]
}

/** The names in a text: separated by commas, or codes separated by spaces. A name may have spaces, and a state behind it: "Dublin, OH". */
function namesIn(text: string): string[] {
  const isOfCodes = (part: string) => /^[A-Z]{3}(\s+[A-Z]{3})*$/.test(part)
  const parts: string[] = []
  for (const part of text
    .toUpperCase()
    .split(/[,;+]/)
    .map((piece) => piece.trim())) {
    const place = parts.at(-1)
    if (/^[A-Z]{2}$/.test(part) && place !== undefined && !isOfCodes(place))
      parts[parts.length - 1] = `${place}, ${part}`
    else parts.push(part)
  }
  return [...new Set(parts.flatMap((part) => (isOfCodes(part) ? part.split(/\s+/) : [part])).filter(Boolean))]
}

/** Reads codes, and names that each mean one airport without doubt. */
export function chosenAirports(text: string, directory: Directory): Choice {
  const codes = namesIn(text)
  const faults: string[] = []
  const readings: string[] = []
  const airports: Airport[] = []
  for (const code of codes.slice(0, MAX_AIRPORTS + 1)) {
    const codeAirport = resolveCode(code, directory)?.airport
    const { airport, reading } = codeAirport ? { airport: codeAirport, reading: null } : namedAirport(code, directory)
    if (reading !== null) readings.push(reading)
    if (airport && airports.includes(airport)) continue
    if (airport) airports.push(airport)
    else faults.push(unknownCode(code, directory))
  }
  if (codes.length > MAX_AIRPORTS)
    faults.push(`At most ${MAX_AIRPORTS} airports are compared; these are ${codes.length}.`)
  return { text, airports, faults, readings }
}

/** The one airport that a name means, and as what it was read; a code of three letters is no name. */
function namedAirport(name: string, directory: Directory): { airport: Airport | null; reading: string | null } {
  if (/^[A-Z]{3}$/.test(name)) return { airport: null, reading: null }
  const { airport, choices } = meantAirport(directory, name.slice(0, 60))
  return { airport, reading: airport && readAsText(choices[0]!) }
}

/** The fault of a code that is no airport, with suggestions. */
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

type CompareInput = PageInput & { directory: Directory; choice: Choice }

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
  const { snapshot, choice, viewer } = input
  const codes = choice.airports.map(({ iata }) => iata)
  const isOpen = mayCompare(viewer)
  const isComparison = codes.length >= MIN_AIRPORTS
  const title = isComparison ? `${codes.join(', ')} compared` : 'Compare airports'
  const names = choice.airports.map(({ iata, name }) => `${name} (${iata})`)
  const description = !isComparison ? DESCRIPTION : `Security waits, forecasts and delays of ${listText(names)}.`
  return {
    title,
    description,
    about: { path: canonicalPath(codes) },
    body: (
      <>
        <ChoiceForm choice={choice} />
        {choice.readings.map((reading) => (
          <Notice>{reading}</Notice>
        ))}
        {codes.length === 0 && <Examples directory={input.directory} />}
        {codes.length === 1 && <p class="quiet">Add one more to compare it with.</p>}
        {isComparison && !snapshot && <Notice kind="warning">{NO_FIGURES_YET}</Notice>}
        {isComparison && snapshot && !isOpen && (
          <p class="notice">
            The operator shows waits only to people who have <a href="/sign-in">signed in</a>.
          </p>
        )}
        {isComparison && snapshot && isOpen && (await compared(snapshot, input))}
      </>
    ),
  }
}

/** The airports of the choice as chips that remove them, and a field that adds one; the script suggests while one types. */
function ChoiceForm({ choice: { airports, faults, text } }: { choice: Choice }) {
  const codes = airports.map(({ iata }) => iata)
  const chosen = faults.length === 0 ? codes : []
  return (
    <form
      class="compare-form find"
      method="get"
      action="/compare"
      data-find
      data-to={`/compare?airports=${[...chosen, ''].join(',')}`}
    >
      {chosen.length > 0 && (
        <ul class="chips" aria-label="Airports that are compared">
          {airports.map(({ iata, name }) => (
            <li>
              <a
                href={canonicalPath(codes.filter((code) => code !== iata))}
                aria-label={`Remove ${iata}, ${name}`}
                title={name}
              >
                {iata} <span aria-hidden="true">×</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {chosen.length > 0 && <input type="hidden" name="airports" value={codes.join(',')} />}
      {chosen.length < MAX_AIRPORTS && (
        <>
          <label for="airports">{chosen.length === 0 ? 'Airports, by code, name or city' : 'Add an airport'}</label>
          <div class="beside">
            <input
              id="airports"
              name={chosen.length > 0 ? 'add' : 'airports'}
              type="search"
              value={faults.length > 0 ? text : ''}
              placeholder="JFK, or New York"
              autocomplete="off"
              spellcheck={false}
              maxLength={200}
              required
              aria-invalid={faults.length > 0 ? 'true' : undefined}
              aria-describedby={faults.length > 0 ? 'airports-fault' : undefined}
            />
            <button>{chosen.length === 0 ? 'Compare' : 'Add'}</button>
          </div>
        </>
      )}
    </form>
  )
}

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
    compareAirports,
    { airports: requests.map(({ airport }) => airport.iata) },
    requests[0]!,
    requests[0]!.viewer.tier,
  )

async function compared(snapshot: Snapshot, input: CompareInput) {
  const { choice, viewer, directory, now } = input
  const requests = choice.airports.map((airport): AirportRequest => ({ airport, viewer, snapshot, directory, now }))
  const codes = choice.airports.map(({ iata }) => iata)
  const comparison = comparisonOf(requests)
  const cards = requests.flatMap((request) => {
    const card = cardOf(request).shown
    return card ? [{ request, card }] : []
  })
  const bands = requests.map((request) => bandOf(request).shown)
  const charts = await bandCharts(bands)
  return (
    <>
      <ComparisonTable cards={cards} comparison={comparison} />
      <p class="small quiet">
        As of <Moment instant={comparison.timestamp} />. Times are each airport’s own.
      </p>
      <p class="small quiet">
        This comparison as <Files address="/compare" query={`?airports=${codes}`} name="This comparison" />
      </p>
      <Keys legend={sharedLegend(charts)} />
      <div class="bands">
        {choice.airports.map((airport, index) => (
          <Band airport={airport} band={bands[index] ?? null} chart={charts[index] ?? null} />
        ))}
      </div>
    </>
  )
}

/** The entries of the legends of several charts, each once. */
const sharedLegend = (charts: readonly (Chart | null)[]): LegendEntry[] => [
  ...new Map(charts.flatMap((chart) => chart?.legend ?? []).map((entry) => [entry.text, entry])).values(),
]

/** The last and the next 24 hours of each airport, all on one scale so that they can be compared. */
async function bandCharts(bands: (BandAnswer | null)[]): Promise<(Chart | null)[]> {
  const toolkit = await chartToolkit()
  const highest = Math.max(0, ...bands.flatMap((band) => (band ? highestOf(band) : [])))
  return bands.map((band) => (band && hasHours(band) ? bandChart(toolkit, { ...band, highest }) : null))
}

const highestOf = ({ ahead, past, current_minutes }: BandAnswer) => [
  current_minutes ?? 0,
  ...ahead.map(({ high }) => high ?? 0),
  ...past.map(({ observed_minutes }) => observed_minutes ?? 0),
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
        <ChartSvg chart={chart} id={`chart-${airport.iata}`} sharesKeys />
      ) : (
        <p class="quiet">{sentenceOf(band?.unavailable_reason ?? 'no forecast is shown here')}</p>
      )}
    </section>
  )
}
