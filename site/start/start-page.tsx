import { NO_FIGURES_YET, noWaitsText } from '../../answers/statements/no-figures.ts'
import { ageText, agoText, sourceText } from '../../answers/statements/text.ts'
import { addresses } from '../../config/addresses.ts'
import type { Directory } from '../../config/airports/directory.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import type { AirportRequest } from '../airport/answers.ts'
import { cardOf } from '../airport/card.ts'
import { RowWait } from '../airport/wait-card.tsx'
import { COLOUR_TITLES, COLOURS, type Colour, colourOf, LEGENDS } from '../map/map-colours.ts'
import { type MapEntry, mapEntries } from '../map/map-entries.ts'
import { worldMap } from '../map/world.ts'
import { backgroundsOf, Legend, PageMap } from '../map/world-picture.tsx'
import {
  AirportLink,
  airportAddress,
  type Column,
  Files,
  grouped,
  Moment,
  Notice,
  noted,
  OldFigures,
  Section,
  Table,
} from '../pages/elements.tsx'
import { OPEN_ROUTE, type PageInput } from '../pages/open-answers.ts'
import { sendOpenPage } from '../pages/open-page.tsx'
import type { AddPages } from '../pages/page-scope.tsx'
import { websiteData } from '../pages/schema-org.ts'
import { AirportSearch, type Page } from '../pages/shell.tsx'
import { Trust } from './trust.tsx'
import { UsDelays } from './us-delays.tsx'

interface StartPageInput extends PageInput {
  directory: Directory
  mcp_url: string
  colour: Colour
}

/** The start page: the search, the map, what is worst now, why to trust it, and how developers begin. */
function startPage(input: StartPageInput): Page {
  const { snapshot, directory, now, viewer, mcp_url } = input
  const waits = snapshot && mapEntries('wait', { snapshot, directory, now, currentTier: viewer.currentTier })
  const description = `Security waits now and in the next hours. ${measuredText(waits)} Each figure has its source and its age.`
  return {
    title: 'Holdshort',
    documentTitle: 'Holdshort: airport waits and delays',
    description,
    about: {
      path: '/',
      title: 'Airport waits and delays',
      image: { path: '/map.png', alt: 'Map of the airports, coloured by their waits' },
      data: [websiteData],
    },
    ownHeading: true,
    search: null,
    scripts: ['map'],
    body: (
      <>
        <section class="hero">
          <h1>How long is the wait at the airport?</h1>
          <AirportSearch />
          <p class="lead">
            {snapshot ? measuredText(waits) : 'Every figure says where it comes from and how old it is.'}
          </p>
        </section>
        {snapshot ? <Now input={input} snapshot={snapshot} waits={waits} /> : <NoSnapshot />}
        <p class="small quiet" id="developers">
          For developers and agents: <a href="/docs/start">one call gives a key</a>, MCP clients connect to{' '}
          <code>{mcp_url}/mcp</code>, and <a href="/plans">plans</a> say what is free. An account is free too:{' '}
          <a href="/signup">sign up</a>.
        </p>
      </>
    ),
  }
}

const NoSnapshot = () => (
  <section>
    <Notice kind="warning">{NO_FIGURES_YET}</Notice>
  </section>
)

/** `67 airports measured now.`: how many waits a source has given within the hour. */
function measuredText(waits: MapEntry[] | null): string {
  if (!waits) return 'Every figure says where it comes from and how old it is.'
  const measured = waits.filter(
    ({ freshness, range }) => range !== null && (freshness === 'live' || freshness === 'recent'),
  ).length
  if (measured === 0) return 'No airport is measured now.'
  return measured === 1 ? '1 airport measured now.' : `${grouped(measured)} airports measured now.`
}

interface NowProps {
  input: StartPageInput
  snapshot: Snapshot
  /** The airports with a wait; null if the viewer does not see waits. */
  waits: MapEntry[] | null
}

function Now({ input, snapshot, waits }: NowProps) {
  const { directory, colour, now, viewer } = input
  const mapped = { snapshot, directory, now, currentTier: viewer.currentTier }
  const entries = colour === 'wait' ? waits : mapEntries(colour, mapped)
  return (
    <>
      <OldFigures age_ms={now - snapshot.generated_ms} />
      <div class="columns">
        <LongestWaits waits={waits} request={{ snapshot, directory, now, viewer }} />
        <UsDelays input={mapped} />
      </div>
      <section id="map" aria-labelledby="map-title">
        <div class="map-head">
          <h2 id="map-title">{COLOUR_TITLES[colour]}</h2>
          <nav aria-label="Colour of the map">
            <ul class="choice">
              {COLOURS.map((choice) => (
                <li>
                  <a
                    href={choice === 'wait' ? '/' : `/?colour=${choice}`}
                    aria-current={choice === colour ? 'page' : undefined}
                  >
                    {CHOICES[choice]}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        <WorldMap colour={colour} entries={entries} directory={directory} />
        <p class="small quiet" id="after-map">
          As of <Moment instant={snapshot.generated_at} />. This map as{' '}
          <Files address="/map" query={colour === 'wait' ? '' : `?colour=${colour}`} name="This map" />
        </p>
      </section>
      <AllWaits waits={waits} />
      <Trust snapshot={snapshot} />
    </>
  )
}

const CHOICES: Record<Colour, string> = { wait: 'Waits', delay: 'Delays' }

interface WorldMapProps {
  colour: Colour
  entries: MapEntry[] | null
  directory: Directory
}

function WorldMap({ colour, entries, directory }: WorldMapProps) {
  if (!entries) return <Closed />
  return (
    <>
      <PageMap
        base={worldMap()}
        background={backgroundsOf(directory).world}
        label={`World map: ${COLOUR_TITLES[colour]}`}
        entries={entries}
        after="after-map"
        dots={backgroundsOf(directory).dots}
        fitted
      />
      <Legend styles={LEGENDS[colour]} />
    </>
  )
}

const Closed = () => (
  <p class="notice">
    The operator shows waits only to people who have <a href="/sign-in">signed in</a> with a Pro account. Delays are
    open: <a href="/?colour=delay">see them on the map</a>.
  </p>
)

const MAX_LISTED = 6

function LongestWaits({ waits, request }: { waits: MapEntry[] | null; request: Omit<AirportRequest, 'airport'> }) {
  const observed = (waits ?? [])
    .filter(({ freshness, range }) => freshness !== null && range !== null)
    // Sorted by the shown figure: the longest wait of a range.
    .sort((a, b) => b.range!.high - a.range!.high || b.wait_minutes! - a.wait_minutes!)
    .slice(0, MAX_LISTED)
  return (
    <Section id="longest" title="Longest waits now">
      {observed.length === 0 && (
        <p class="quiet">
          {waits ? noWaitsText(waits.filter(({ range }) => range === null).length) : 'Not available to visitors here.'}
        </p>
      )}
      <ol class="worst">
        {observed.map(({ airport, age_seconds, freshness }) => (
          <li>
            <AirportLink
              airport={airport}
              about={freshness !== 'stale' && <small>{agoText(age_seconds).trim()}</small>}
            >
              <RowWait card={cardOf({ ...request, airport }).shown} />
            </AirportLink>
          </li>
        ))}
      </ol>
    </Section>
  )
}

const WAIT_COLUMNS: Column[] = ['Airport', { number: 'Security wait' }, 'How we know', 'Source']

const listTitle = (count: number) =>
  count === 1
    ? 'The one airport with a wait of its own, as a table'
    : `All ${count} airports with a wait of their own, as a table`

function AllWaits({ waits }: { waits: MapEntry[] | null }) {
  if (!waits || waits.length === 0) return null
  const rank = ({ freshness }: MapEntry) => Number(freshness === null)
  const sorted = waits.toSorted((a, b) => rank(a) - rank(b) || (a.airport.iata < b.airport.iata ? -1 : 1))
  return (
    <section id="waits" class="all-waits" aria-label="All current security waits">
      <details>
        <summary>{listTitle(waits.length)}</summary>
        <Table
          label="Current security waits"
          columns={WAIT_COLUMNS}
          rows={sorted.map(({ airport, figure, basis, freshness, age_seconds, source }) => [
            noted(<a href={airportAddress(airport.iata)}>{airport.iata}</a>, airport.name),
            figure,
            <td class={freshness ?? 'none'}>
              {basis}
              <span>{age_seconds === null ? 'not observed now' : `${freshness}, ${ageText(age_seconds)} old`}</span>
            </td>,
            sourceText(source),
          ])}
        />
      </details>
    </section>
  )
}

/** Adds the start page. */
export const addStartPage: AddPages = (pages, { directory, settings }) => {
  const { mcp_url } = addresses(settings)
  pages.preparations.push(() => backgroundsOf(directory))
  pages.get('/', OPEN_ROUTE, (request, reply) => {
    const colour = colourOf(request.query)
    return sendOpenPage(request, reply, `/?colour=${colour}`, (input) =>
      startPage({ ...input, directory, mcp_url, colour }),
    )
  })
}
