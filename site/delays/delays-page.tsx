import { type AirportInStorm, airportsInStorms } from '../../answers/questions/airports-in-storms.ts'
import { type FaaDelays, getFaaDelays } from '../../answers/questions/get-faa-delays.ts'
import { closureSentences } from '../../answers/statements/closure.ts'
import { programNews } from '../../answers/statements/delay-news.ts'
import {
  ASK_FIRST,
  AWAIT_CONFIRMATION,
  BE_ON_TIME,
  DELAY_GROUPS,
  NO_DELAY,
  TIMES_OF_LISTS,
} from '../../answers/statements/delay-text.ts'
import { NO_FIGURES_YET } from '../../answers/statements/no-figures.ts'
import { sentenceOf } from '../../answers/statements/text.ts'
import type { Directory } from '../../config/airports/directory.ts'
import { countText } from '../../config/count-text.ts'
import { groupBy } from '../../config/group-by.ts'
import type { DelayStatus } from '../../config/vocabulary.ts'
import { ownPrograms } from '../../warehouse/publishing/read/delays.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { LEGENDS } from '../map/map-colours.ts'
import { type MapEntry, mapEntries } from '../map/map-entries.ts'
import { statesMap } from '../map/world.ts'
import { backgroundsOf, Legend, PageMap } from '../map/world-picture.tsx'
import { airportAddress, Files, Moment, Notice, Sign } from '../pages/elements.tsx'
import type { PageInput } from '../pages/open-answers.ts'
import type { Page } from '../pages/shell.tsx'

type DelayedAirport = FaaDelays['airports'][number]
type GroupName = DelayStatus | 'later'

/** A great storm has alerts for some hundred airports. */
const MAX_STORMS = 20

const HELD =
  'If you fly to one of these, expect to leave late. If you fly from one, be on time: your flight may still leave as planned.'

/** The states of the list, the gravest first, with what they mean for a traveller. */
const GROUPS: { status: GroupName; title: string; advice: string }[] = [
  { status: 'closed', title: DELAY_GROUPS.closed, advice: sentenceOf(AWAIT_CONFIRMATION) },
  { status: 'ground_stop', title: DELAY_GROUPS.ground_stop, advice: HELD },
  { status: 'ground_delay', title: DELAY_GROUPS.ground_delay, advice: HELD },
  {
    status: 'minor_delay',
    title: DELAY_GROUPS.minor_delay,
    advice: BE_ON_TIME,
  },
  { status: 'later', title: 'Listed for later', advice: ASK_FIRST },
  {
    status: 'unknown',
    title: 'Flights from elsewhere held by the FAA',
    advice: 'Other delays at these airports are not known.',
  },
]

export interface DelaysDay {
  day: FaaDelays
  entries: MapEntry[]
  storms: AirportInStorm[]
}

/** The FAA's day: everything that it lists now, and every airport that it covers. */
export function delaysDay(snapshot: Snapshot, directory: Directory, now: number): DelaysDay {
  const { tier } = getFaaDelays
  return {
    day: getFaaDelays.run({}, { snapshot, directory, tier, now }) as FaaDelays,
    entries: mapEntries('delay', { snapshot, directory, currentTier: null, now }) ?? [],
    storms: airportsInStorms({ snapshot, directory, now }),
  }
}

interface DayInput {
  directory: Directory
  now: number
}

/** The page of the FAA's day, as a list and a map. */
export function delaysPage({ snapshot, now, directory }: PageInput & DayInput): Page {
  const found = snapshot && delaysDay(snapshot, directory, now)
  return {
    title: 'US flight delays now',
    description: 'Ground stops, ground delays, arrival and departure delays and closures of the FAA, in plain words.',
    scripts: ['map'],
    body: found ? <Day found={found} input={{ directory, now }} /> : <Notice kind="warning">{NO_FIGURES_YET}</Notice>,
  }
}

function Day({ found: { day, entries, storms }, input }: { found: DelaysDay; input: DayInput }) {
  const { known, airports, summary, observed_at, flow_programs } = day
  const byGroup = groupBy(
    airports,
    ({ status, programs }): GroupName =>
      status === 'normal' && ownPrograms(programs, input.now).later.length > 0 ? 'later' : status,
  )
  const delayed = airports.filter(({ status }) => status !== 'normal' && status !== 'unknown')
  return (
    <>
      {known ? (
        <>
          <p class="lead">
            {delayed.length === 0 ? NO_DELAY : `FAA delays or closures at ${countText(delayed.length, 'airport')}.`}
          </p>
          {observed_at !== null && (
            <p class="from">
              As the FAA had it at <Moment instant={observed_at} />. {TIMES_OF_LISTS}
            </p>
          )}
        </>
      ) : (
        <Notice kind="warning">{summary} That does not mean that there is no delay.</Notice>
      )}
      <div class="delays-and-map">
        <div id="list" tabindex={-1}>
          {GROUPS.map((group) => (
            <>
              {group.status === 'ground_delay' && <Storms storms={storms} />}
              <Group group={group} airports={byGroup.get(group.status) ?? []} input={input} />
            </>
          ))}
          <Quiet airports={byGroup.get('normal') ?? []} input={input} />
          <FlowLimits limits={flow_programs} now={input.now} />
          <p class="small quiet">
            An airline’s own delays and cancellations are not among them: ask the airline. Outside the United States no
            delays are known here.
          </p>
        </div>
        <div>
          <PageMap
            base={statesMap()}
            background={backgroundsOf(input.directory).states}
            label="Map of the United States: flight delays now"
            entries={entries}
            after="list"
          />
          <Legend styles={LEGENDS.delay} />
          <p class="small quiet">
            This day as <Files address="/delays" name="This day" /> Borders: U.S. Census Bureau.
          </p>
        </div>
      </div>
    </>
  )
}

interface GroupProps {
  group: (typeof GROUPS)[number]
  airports: DelayedAirport[]
  input: DayInput
}

function Group({ group: { status, title, advice }, airports, input }: GroupProps) {
  if (airports.length === 0) return null
  return (
    <section>
      <h2>
        <b class={`state ${status}`}>{title}</b> <span class="quiet">{airports.length}</span>
      </h2>
      <p class="small quiet">{advice}</p>
      <AirportList airports={airports} input={input} />
    </section>
  )
}

/** Airports for which the FAA may list nothing yet. */
function Storms({ storms }: { storms: AirportInStorm[] }) {
  if (storms.length === 0) return null
  return (
    <section>
      <h2>
        Weather that may stop flights <span class="quiet">{storms.length}</span>
      </h2>
      <p class="small quiet">{sentenceOf(AWAIT_CONFIRMATION)}</p>
      <ul class="delays">
        {storms.slice(0, MAX_STORMS).map(({ airport, news }) => (
          <ListedAirport code={airport.iata} name={airport.name} lines={[news.text]} />
        ))}
      </ul>
      {storms.length > MAX_STORMS && <p class="small quiet">{storms.length - MAX_STORMS} more.</p>}
    </section>
  )
}

/** Closures that shut out no airline now: nobody waits for them. */
function Quiet({ airports, input }: { airports: DelayedAirport[]; input: DayInput }) {
  if (airports.length === 0) return null
  return (
    <details>
      <summary>Closures that do not shut out airlines now: {airports.map((entry) => entry.airport).join(', ')}</summary>
      <AirportList airports={airports} input={input} />
    </details>
  )
}

const AirportList = ({ airports, input }: { airports: DelayedAirport[]; input: DayInput }) => (
  <ul class="delays">
    {airports.map((entry) => (
      <ListedAirport id={entry.airport} code={entry.airport} name={entry.name} lines={linesOf(entry, input)} />
    ))}
  </ul>
)

interface ListedAirportProps {
  /** The anchor to which the map leads; an airport may be in two lists. */
  id?: string
  code: string
  name: string
  lines: string[]
}

const ListedAirport = ({ id, code, name, lines }: ListedAirportProps) => (
  <li id={id}>
    <h3>
      <a href={airportAddress(code)}>
        <Sign code={code} /> <bdi>{name}</bdi>
      </a>
    </h3>
    {lines.map((line) => (
      <p>{line}</p>
    ))}
  </li>
)

/** Each delay and each closure of an airport as one sentence. */
function linesOf(delayed: DelayedAirport, { directory, now }: DayInput): string[] {
  const airport = directory.byIata.get(delayed.airport)
  if (!airport) return [delayed.summary]
  const delays = programNews(delayed, airport, now).map(({ line }) => sentenceOf(line))
  const closures = closureSentences(delayed.closures, airport.timezone, now)
  return [...closures.now, ...closures.later, ...delays]
}

function FlowLimits({ limits, now }: { limits: FaaDelays['flow_programs']; now: number }) {
  if (limits.length === 0) return null
  return (
    <details>
      <summary>Limits in the airspace, of no airport: {limits.length}</summary>
      <ul class="delays">
        {limits.map((limit) => (
          <li>
            <b>{limit.faa_id}</b>:{' '}
            {programNews({ programs: [limit] }, { iata: limit.faa_id, timezone: 'UTC' }, now)[0]!.line}
          </li>
        ))}
      </ul>
      <p class="small quiet">Times in UTC.</p>
    </details>
  )
}
