import type { Directory } from '../../../config/airports/directory.ts'
import { DelayStatus } from '../../../config/domain.ts'
import type { Snapshot } from '../../../warehouse/publishing/snapshot/snapshot.ts'
import { durationText } from '../../data/status/duration-text.ts'
import { delayLines, programText } from '../../data/tools/delay-text.ts'
import { type FaaDelays, getFaaDelays } from '../../data/tools/get-faa-delays.ts'
import { sourceText } from '../airport/words.ts'
import { LEGENDS } from '../map/map-colours.ts'
import { type MapEntry, mapEntries } from '../map/map-entries.ts'
import { statesMap } from '../map/world.ts'
import { backgroundsOf, Legend, PageMap } from '../map/world-picture.tsx'
import { airportAddress, Files, grouped, Moment, Sign } from '../pages/elements.tsx'
import type { PageInput } from '../pages/open-answers.ts'
import type { Page } from '../pages/shell.tsx'

type DelayedAirport = FaaDelays['airports'][number]

/** The states of the list, the gravest first, with what they mean. */
const GROUPS: Record<DelayStatus, string> = {
  closed: 'Closed to airlines',
  ground_stop: 'Ground stops',
  ground_delay: 'Ground delay programs',
  minor_delay: 'Arrival and departure delays',
  normal: 'Closures that do not shut out airlines now',
  unknown: 'Not known',
}

export interface DelaysDay {
  day: FaaDelays
  entries: MapEntry[]
}

/** The FAA's day: everything that it lists now, and every airport that it covers. */
export function delaysDay(snapshot: Snapshot, directory: Directory, now: number): DelaysDay {
  const { tier } = getFaaDelays
  return {
    day: getFaaDelays.run({}, { snapshot, directory, tier, now }) as FaaDelays,
    entries: mapEntries('delay', { snapshot, directory, currentTier: null, now }) ?? [],
  }
}

/** The page of the FAA's day, as a map and a list. */
export function delaysPage({ snapshot, now, directory }: PageInput & { directory: Directory }): Page {
  const found = snapshot && delaysDay(snapshot, directory, now)
  return {
    title: 'FAA delays now',
    description:
      'Ground stops, ground delay programs, arrival and departure delays and closures of the FAA, on a map and in plain words.',
    scripts: ['map'],
    body: found ? (
      <Day found={found} directory={directory} />
    ) : (
      <p class="warning" role="status">
        No snapshot has been published yet, so nothing is known about delays.
      </p>
    ),
  }
}

function Day({ found: { day, entries }, directory }: { found: DelaysDay; directory: Directory }) {
  const { known, airports, summary, observed_at, age_seconds, source, flow_programs, timestamp } = day
  const covered = entries.filter(({ status }) => status !== 'unknown').length
  return (
    <>
      <p class={known ? 'lead' : 'warning'} role={known ? undefined : 'status'}>
        {summary}
        {!known && ' That does not mean that there is no delay.'}
        {known &&
          airports.length > 0 &&
          airports.every(({ status }) => status === 'normal') &&
          ' None delays airlines now.'}
      </p>
      {observed_at !== null && age_seconds !== null && (
        <p class="quiet">
          As the FAA had it at <Moment at={observed_at} />, read {durationText(age_seconds * 1_000)} ago ({source}
          ). {grouped(covered)} airports are covered.
        </p>
      )}
      <PageMap
        base={statesMap()}
        background={backgroundsOf(directory).states}
        label="Map of the United States: FAA delays now"
        entries={entries}
        after="list"
      />
      <Legend styles={LEGENDS.delay} />
      <p class="small quiet">
        This day as <Files address="/delays" name="This day" /> Borders: U.S. Census Bureau.
      </p>
      <div id="list" tabindex={-1}>
        {DelayStatus.options
          .toSorted((a, b) => Object.keys(GROUPS).indexOf(a) - Object.keys(GROUPS).indexOf(b))
          .map((status) => (
            <Group status={status} airports={airports.filter((one) => one.status === status)} now={timestamp} />
          ))}
        <FlowPrograms programs={flow_programs} now={timestamp} />
      </div>
      <section aria-labelledby="not-here-title">
        <h2 id="not-here-title">What this page does not know</h2>
        <p>
          The FAA’s programs are about the airspace. An airline’s own delays and cancellations are not among them: ask
          the airline. Outside the United States no delay source is known; a program that holds departures from a
          Canadian airport is told on the page of that airport. The source is {sourceText(source)}.
        </p>
      </section>
    </>
  )
}

function Group({ status, airports, now }: { status: DelayStatus; airports: DelayedAirport[]; now: string }) {
  if (airports.length === 0) return null
  const list = (
    <ul class="delays">
      {airports.map((one) => (
        <Delayed airport={one} now={now} />
      ))}
    </ul>
  )
  return (
    <section>
      <h2>
        {GROUPS[status]} <span class="quiet">{airports.length}</span>
      </h2>
      {status === 'normal' ? (
        <details>
          <summary>Show them: {airports.map((one) => one.airport).join(', ')}</summary>
          {list}
        </details>
      ) : (
        list
      )}
    </section>
  )
}

function Delayed({ airport, now }: { airport: DelayedAirport; now: string }) {
  const [advice, ...lines] = delayLines(airport, now)
  return (
    <li id={airport.airport}>
      <h3>
        <a href={airportAddress(airport.airport)}>
          <Sign code={airport.airport} /> <bdi>{airport.name}</bdi>
        </a>{' '}
        <b class={`state ${airport.status}`}>{airport.status.replaceAll('_', ' ')}</b>
      </h3>
      <p>{advice}</p>
      <ul>
        {lines.map((line) => (
          <li>{line}</li>
        ))}
      </ul>
    </li>
  )
}

function FlowPrograms({ programs, now }: { programs: FaaDelays['flow_programs']; now: string }) {
  if (programs.length === 0) return null
  return (
    <section>
      <h2>
        Airspace flow programs <span class="quiet">{programs.length}</span>
      </h2>
      <p class="quiet">They meter flights through a part of the airspace and belong to no airport.</p>
      <ul class="delays">
        {programs.map((program) => (
          <li>
            <h3>{program.faa_id}</h3>
            <p>{programText(program, program.faa_id, now)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
