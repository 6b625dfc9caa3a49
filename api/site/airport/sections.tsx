import type { ComponentChildren } from 'preact'
import type { Airport } from '../../../config/airports/directory.ts'
import type { CheckpointWait, QueueWait, TerminalWait } from '../../../config/facts.ts'
import { quoted } from '../../../config/outside-text.ts'
import { WHOLE_AIRPORT } from '../../../config/terminal-name.ts'
import { TIERS } from '../../../config/tiers.ts'
import { quantile } from '../../../forecasting/statistics/quantile.ts'
import type { Delays } from '../../data/queries/get-delays.ts'
import type { Immigration } from '../../data/queries/get-immigration.ts'
import { delayLines } from '../../data/tools/delay-text.ts'
import type { AviationWeather } from '../../data/tools/get-aviation-weather.ts'
import { type BorderWaits, getEesWaitTimesTool } from '../../data/tools/get-ees-wait-times.ts'
import type { Lounges } from '../../data/tools/get-lounges.ts'
import type { Terminals } from '../../data/tools/get-terminals.ts'
import { datedText } from '../../data/tools/text.ts'
import { CATEGORY_MEANINGS, skyText, worstPeriod } from '../../data/tools/weather-text.ts'
import type { Chart } from '../charts/chart.ts'
import { ChartPair } from '../charts/frame.tsx'
import { airportAddress, Files, Table } from '../pages/elements.tsx'
import type { Viewer } from '../pages/viewer.ts'
import type {
  AirportAnswers,
  AirportRequest,
  BandAnswer,
  PageWaits,
  RecordAnswer,
  Shown,
  TerminalHistory,
  Withheld,
} from './answers.ts'
import {
  ageText,
  clockOn,
  reopeningText,
  sentence,
  sourceText,
  terminalName,
  waitFigure,
  waitProvenance,
} from './words.ts'

/** A chart in the two sizes in which it is drawn. */
export interface DrawnChart {
  narrow: Chart
  wide: Chart
}

/** Where a sentence comes from. */
const From = ({ source, age }: { source: string | null; age?: number | null }) => (
  <small class="from">
    Source: {sourceText(source)}
    {age === null || age === undefined ? '' : `, ${ageText(age)} ago`}
  </small>
)

/** Why figures are not shown, and how to see them. */
export function NotShown({ withheld, viewer, next }: { withheld: Withheld; viewer: Viewer; next: string }) {
  const { reason, tier } = withheld
  const back = encodeURIComponent(next)
  const signIn = `/sign-in?next=${back}`
  const signUp = `/signup?next=${back}`
  return (
    <p class="withheld">
      {`Not shown here: ${reason}. `}
      {viewer.isSignedIn ? (
        tier !== null && (
          <>
            Your account is {TIERS[viewer.tier].name}: see <a href="/plans">the plans</a>.
          </>
        )
      ) : (
        <>
          <a href={signIn}>Sign in</a>
          {' or '}
          <a href={signUp}>sign up</a> to see it.
        </>
      )}
    </p>
  )
}

interface FigureProps {
  id: string
  chart: DrawnChart
  /** The address of the picture without its ending. */
  address: string
  /** The parameters of that address, with their question mark. */
  query?: string
  /** Said under the picture; by default its own words. */
  children?: ComponentChildren
}

/** A chart with its words and the addresses of its files. */
export const Figure = ({ id, chart, address, query, children }: FigureProps) => (
  <figure class="picture">
    <ChartPair narrow={chart.narrow} wide={chart.wide} id={id} />
    <figcaption>
      {children ?? chart.wide.caption} <Files address={address} query={query} />
    </figcaption>
  </figure>
)

/** The wait now, or that it is closed or not known, with where that is from. */
export function NowSection({ request, waits, band }: { request: AirportRequest; waits: PageWaits; band: BandAnswer }) {
  const { airport, now } = request
  const { security, predictions } = waits
  const { timezone } = airport
  const current = band.ahead[0]
  const isExpected = security.basis === 'predicted' || security.basis === 'typical'
  return (
    <div
      class={`now now-${security.average_wait_minutes === null ? security.status : (security.freshness ?? 'expected')}`}
    >
      <p class="now-figure">
        {waitFigure(security)}
        {security.average_wait_minutes !== null && <span> at security</span>}
      </p>
      {security.status === 'closed' && <p class="now-opens">{reopeningText(security, timezone, now)}</p>}
      <p>
        {waitProvenance(security)}
        {security.freshness === 'stale' && ' That is old: the queue may have changed.'}
        {isExpected &&
          current?.low !== undefined &&
          current?.low !== null &&
          ` 8 of 10 waits at this hour are from ${current.low} to ${current.high} min.`}
      </p>
      {predictions.next_hour !== null && predictions.valid_at !== null && isOpenBy(predictions.valid_at, security) && (
        <p>
          In the hour from {clockOn(predictions.valid_at, timezone, now)}: about {predictions.next_hour} min; 8 of 10
          waits from {predictions.low} to {predictions.high} min.
          {predictions.confidence !== null && ` ${Math.floor(predictions.confidence * 100)} % are within 5 min of it.`}{' '}
          <From source={predictions.source} />
        </p>
      )}
      {predictions.status === 'closed' && predictions.valid_at !== null && security.status !== 'closed' && (
        <p>From {clockOn(predictions.valid_at, timezone, now)} security is expected to be closed.</p>
      )}
      {predictions.note !== null && <p class="small quiet">{sentence(predictions.note)}</p>}
      <OtherQueue name="Check-in" wait={waits.check_in} />
      <OtherQueue name="Passport control" wait={waits.immigration} />
    </div>
  )
}

/** Whether a queue is open at an instant, as far as is known: a closed one is not before it opens. */
const isOpenBy = (instant: string, { status, reopens_at }: QueueWait) =>
  status !== 'closed' || (reopens_at !== null && Date.parse(instant) >= Date.parse(reopens_at))

/** Another queue that is measured here; nothing where it is not. */
function OtherQueue({ name, wait }: { name: string; wait: QueueWait }) {
  if (wait.average_wait_minutes === null && wait.status !== 'closed') return null
  return (
    <p>
      {name}: {waitFigure(wait).toLowerCase()}. {waitProvenance(wait)}
    </p>
  )
}

const LANES: Partial<Record<CheckpointWait['lane'], string>> = {
  precheck: 'PreCheck',
  clear: 'CLEAR',
  all: 'all lanes',
}

const stateText = (wait: Pick<TerminalWait, 'wait_minutes' | 'status' | 'unavailable_reason'>) => {
  if (wait.status === 'closed') return 'closed'
  return wait.wait_minutes === null
    ? `not known: ${wait.unavailable_reason ?? 'no reason is given'}`
    : `${wait.wait_minutes} min`
}

const ageCell = ({ basis, age_seconds }: { basis: string | null; age_seconds: number | null }) =>
  age_seconds === null ? (basis ?? '') : `${basis}, ${ageText(age_seconds)} ago`

/** How a wait is known, and its source where it is another than `shown`. */
function KnownHow({ wait, shown = null }: { wait: TerminalWait | CheckpointWait; shown?: string | null }) {
  return (
    <td>
      {ageCell(wait)}
      {wait.source !== null && wait.source !== shown && <span>{sourceText(wait.source)}</span>}
    </td>
  )
}

/** Each terminal with its checkpoints and lanes. */
export function TerminalTable({ terminals }: { terminals: readonly TerminalWait[] }) {
  if (terminals.length === 0) return <p>No source tells the terminals apart at the moment.</p>
  return (
    <Table label="Waits by terminal and checkpoint" columns={['Terminal, checkpoint', { number: 'Wait' }, 'Known how']}>
      {terminals.map((terminal) => (
        <>
          <tr class="terminal">
            <th scope="row">
              <bdi>{terminalName(terminal.terminal)}</bdi>
            </th>
            <td class="number">{stateText(terminal)}</td>
            <KnownHow wait={terminal} />
          </tr>
          {terminal.checkpoints.map((checkpoint) => (
            <tr class="checkpoint">
              <th scope="row">
                <bdi>{checkpoint.checkpoint === WHOLE_AIRPORT ? 'All checkpoints' : checkpoint.checkpoint}</bdi>{' '}
                <span>{LANES[checkpoint.lane] ?? checkpoint.lane}</span>
              </th>
              <td class="number">
                {stateText(checkpoint)}
                {checkpoint.range && <span>{rangeText(checkpoint.range)}</span>}
              </td>
              <KnownHow wait={checkpoint} shown={terminal.source} />
            </tr>
          ))}
        </>
      ))}
    </Table>
  )
}

/** What was observed at each terminal, for who does not see the picture. */
export const TerminalDaysTable = ({ history: { terminals } }: { history: TerminalHistory }) => (
  <details>
    <summary>The same as a table</summary>
    <Table
      label="Observed waits by terminal"
      columns={['Terminal', { number: 'Days' }, { number: 'Median of the days' }, { number: 'Longest day' }]}
    >
      {terminals.map(({ terminal, days }) => {
        const longest = days.reduce((most, day) => (day.p90 > most.p90 ? day : most))
        const medians = days.map(({ p50 }) => p50).sort((a, b) => a - b)
        return (
          <tr>
            <th scope="row">
              <bdi>{terminal}</bdi>
            </th>
            <td class="number">{days.length}</td>
            <td class="number">{Math.round(quantile(medians, 0.5))} min</td>
            <td class="number">
              {longest.p90} min <span>{longest.date}, one hour in ten</span>
            </td>
          </tr>
        )
      })}
    </Table>
  </details>
)

function rangeText({ low, high }: { low: number | null; high: number | null }): string {
  if (low !== null && high !== null) return `posted ${low}–${high}`
  return low === null ? `posted up to ${high}` : `posted ${low} or more`
}

/** The hours of the band as a table, for who does not see the picture. */
export function HoursTable({ band, timezone, now }: { band: BandAnswer; timezone: string; now: number }) {
  const minutes = (value: number | null) => (value === null ? '–' : String(value))
  return (
    <details>
      <summary>The same 48 hours as a table</summary>
      <Table
        label="Hours"
        narrow="fit"
        columns={[
          'Local hour',
          { number: 'Observed' },
          { number: 'Expected' },
          { number: '8 of 10 from' },
          { number: 'to' },
        ]}
      >
        {[...band.past, ...band.ahead.map((hour) => Object.assign({ observed_minutes: null }, hour))].map((hour) => (
          <tr>
            <th scope="row">{clockOn(hour.time, timezone, now)}</th>
            <td class="number">{minutes(hour.observed_minutes)}</td>
            <td class="number">
              {'status' in hour && hour.status === 'closed' ? 'closed' : minutes(hour.wait_minutes)}
            </td>
            <td class="number">{minutes(hour.low)}</td>
            <td class="number">{minutes(hour.high)}</td>
          </tr>
        ))}
      </Table>
    </details>
  )
}

/** The FAA's programs in plain words; each sentence is from the source named below it. */
export function DelaysText({ delays }: { delays: Delays }) {
  const [advice, ...programs] = delayLines(delays, delays.timestamp)
  return (
    <>
      <h3>Delays</h3>
      <p>
        {advice?.replace(/^[A-Z0-9]{3}: /, '').replace(/^./, (letter) => letter.toUpperCase())}{' '}
        {delays.source !== null && <From source={delays.source} age={delays.age_seconds} />}
      </p>
      {programs.length > 0 && (
        <ul>
          {programs.map((line) => (
            <li>
              {line} <From source={delays.source} age={delays.age_seconds} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The worst weather of the forecast; where all of it is good, until when it reaches. */
function Ahead({ taf, timezone, now }: { taf: AviationWeather['taf']; timezone: string; now: number }) {
  const worst = worstPeriod(taf?.periods ?? [])
  if (!taf || worst?.flight_category == null)
    return <>No forecast of the weather is known now; smaller airports have none at all.</>
  const category = worst.flight_category
  const end = taf.periods.map(({ to }) => to).reduce((last, to) => (to > last ? to : last))
  const chance = worst.probability === null ? '' : ` with ${worst.probability} %`
  const ahead =
    category === 'VFR'
      ? `No low cloud or poor visibility is forecast until ${clockOn(end, timezone, now)} (VFR).`
      : `At worst ahead, from ${clockOn(worst.from, timezone, now)} to ${clockOn(worst.to, timezone, now)}${chance}: ${CATEGORY_MEANINGS[category]} (${category}).`
  return (
    <>
      {ahead} <From source={taf.source} />
    </>
  )
}

/** What the weather means for flights, now and at its worst ahead, and the report behind it. */
export function WeatherText({ weather, timezone, now }: { weather: AviationWeather; timezone: string; now: number }) {
  const { metar, taf } = weather
  const category = metar?.flight_category ?? null
  return (
    <>
      <h3>Weather</h3>
      <p>
        {category === null
          ? `The weather now is ${metar ? 'known only in part' : 'not known'}, which does not mean that it is fine.`
          : `Now ${CATEGORY_MEANINGS[category]} (${category}).`}{' '}
        {metar && <From source={metar.source} age={metar.age_seconds} />}
      </p>
      {metar?.weather?.includes('TS') && (
        <p>
          Thunderstorm at or near the airport: ramps and departures may stop.{' '}
          <From source={metar.source} age={metar.age_seconds} />
        </p>
      )}
      {metar && (
        <p>
          Reported: {skyText(metar)}. <From source={metar.source} age={metar.age_seconds} />
        </p>
      )}
      <p>
        <Ahead taf={taf} timezone={timezone} now={now} />
      </p>
    </>
  )
}

/** How good the forecasts were, in one or two sentences. */
export function RecordText({ record }: { record: RecordAnswer }) {
  const { accuracy } = record
  const live = accuracy.security.horizons.find((one) => one.live !== null)?.live ?? null
  return (
    <>
      {accuracy.note !== null && <p>{sentence(accuracy.note)}</p>}
      {live && (
        <p>
          In the last {accuracy.days} days {live.samples} forecasts for the hour of their issue came true:{' '}
          {Math.round(live.within_5 * 100)} % of the waits were within 5 min of the expected one, and{' '}
          {Math.round(live.coverage_80 * 100)} % inside the range (80 % would be right).
        </p>
      )}
      {accuracy.drift.state !== 'steady' && (
        <p class="warning">{sentence(accuracy.drift.reason ?? 'forecasts have been worse than usual lately')}</p>
      )}
    </>
  )
}

/** Passport control hour by hour, and the Entry/Exit System where it applies. */
export function BorderSection({
  immigration,
  border,
  airport,
  now,
}: {
  immigration: Immigration | null
  border: BorderWaits | null
  airport: Airport
  now: number
}) {
  const queues = immigration?.queues ?? []
  const text = border ? (getEesWaitTimesTool.text(border as never, border as never) as string).split('\n') : []
  return (
    <>
      {queues.map((queue) => (
        <BorderQueue queue={queue} timezone={airport.timezone} now={now} />
      ))}
      <BorderNotes queues={queues} />
      {text.map((line) => (
        <p>{line}</p>
      ))}
      {queues.length === 0 && text.length === 0 && <p>{immigration?.unavailable_reason}</p>}
    </>
  )
}

const DIRECTIONS = {
  entry: 'Entering the Schengen area',
  exit: 'Leaving the Schengen area',
  unknown: 'Border control',
} as const

function BorderQueue({
  queue,
  timezone,
  now,
}: {
  queue: Immigration['queues'][number]
  timezone: string
  now: number
}) {
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
      : about {first.wait_minutes} min {isFlat ? 'at all hours' : `at ${clockOn(first.time, timezone, now)}`} (8 of 10
      waits from {first.low} to {first.high})
      {isFlat ? '' : `, longest at ${clockOn(busiest.time, timezone, now)} with about ${busiest.wait_minutes} min`}.{' '}
      {basis === 'typical' ? 'Typical, not measured here. ' : ''}
      <From source={source} />
    </p>
  )
}

/** What is said of each queue's figures, once where it is the same of several. */
function BorderNotes({ queues }: { queues: Immigration['queues'] }) {
  const notes = [...new Set(queues.flatMap(({ note }) => note ?? []))]
  if (notes.length === 0) return null
  return (
    <details>
      <summary>How these figures are made</summary>
      {notes.map((note) => (
        <p>{sentence(note)}</p>
      ))}
    </details>
  )
}

/** Terminals and lounges as pages and the map name them. */
export function PlacesSection({ terminals, lounges }: { terminals: Terminals; lounges: Lounges }) {
  const credits = new Set([
    ...terminals.terminals.flatMap(({ credit }) => credit ?? []),
    ...lounges.lounges.flatMap(({ credit }) => credit ?? []),
    ...(lounges.map_lounges ? [lounges.map_lounges.credit] : []),
  ])
  const mapped = lounges.map_lounges?.places ?? []
  return (
    <>
      <h3>Terminals</h3>
      {terminals.known ? (
        <ul class="places">
          {terminals.terminals.map(({ terminal, airlines, told_by, checkpoints, ...dated }) => (
            <li>
              <strong>
                <bdi>{told_by.includes('facts') ? terminal : quoted(terminal)}</bdi>
              </strong>
              {airlines.length > 0 && `: ${airlines.join(', ')} and others`}
              {checkpoints.length > 0 && (
                <>
                  . <bdi>{checkpointsText(terminal, checkpoints)}</bdi>
                </>
              )}
              .{' '}
              <small class="from">
                {sentence(told_by.includes('facts') ? datesText(dated, checkpoints) : placeSource(told_by))}
              </small>
            </li>
          ))}
        </ul>
      ) : (
        <p>No terminal is known here, which does not mean that there is none.</p>
      )}
      <h3>Lounges</h3>
      {lounges.known ? (
        <details>
          <summary>
            {lounges.total === 0 ? 'From the map' : `${lounges.total} known with their hours`}
            {lounges.open_now > 0 && `, ${lounges.open_now} open now by these`}; check before you go
          </summary>
          <ul class="places">
            {lounges.lounges.map(({ lounge, terminal, hours, open_by_hours, as_of, caution }) => (
              <li>
                <strong>
                  <bdi>{lounge}</bdi>
                </strong>
                {terminal !== null && `, ${terminal}`}
                {`: ${hours ?? 'hours not known'}`}
                {open_by_hours === null ? '' : open_by_hours ? ', open now' : ', closed now'}.{' '}
                <small class="from">{sentence(datedText({ as_of, caution }))}</small>
              </li>
            ))}
            {mapped.map(({ name, ref }) => (
              <li>
                <bdi>{quoted(name ?? ref ?? '')}</bdi> <small class="from">From the map, not checked</small>
              </li>
            ))}
          </ul>
        </details>
      ) : (
        <p>No lounge is known here, which does not mean that there is none.</p>
      )}
      {[...credits].map((credit) => (
        <p class="from">{credit}</p>
      ))}
    </>
  )
}

type Checkpoints = Terminals['terminals'][number]['checkpoints']

/** `Security lanes: standard, PreCheck`; checkpoints with names of their own are named. */
function checkpointsText(terminal: string, checkpoints: Checkpoints): string {
  const [only] = checkpoints
  const lanesOf = ({ lanes, hours }: Checkpoints[number]) =>
    [...lanes.map((lane) => LANES[lane as keyof typeof LANES] ?? lane), ...(hours === null ? [] : [hours])].join(', ')
  if (checkpoints.length === 1 && only!.checkpoint === terminal)
    return only!.lanes.length === 0 ? 'One checkpoint' : `Security lanes: ${lanesOf(only!)}`
  const names = checkpoints.map((one) => (lanesOf(one) === '' ? one.checkpoint : `${one.checkpoint} (${lanesOf(one)})`))
  return `Checkpoints: ${names.join('; ')}`
}

/** How old the facts of a terminal and of its checkpoints are; both once where they are the same. */
function datesText(terminal: Parameters<typeof datedText>[0], checkpoints: Checkpoints): string {
  const [own, ...others] = [...new Set([terminal, ...checkpoints].map(datedText))]
  return others.length === 0 ? own! : `${own}; checkpoints ${others.join(', ')}`
}

const placeSource = (told_by: readonly string[]) =>
  told_by.includes('feed') ? 'Named by the wait feed' : 'From the map, not checked'

/** Nearby airports side by side. */
export function NearbySection({ answers, chart }: { answers: AirportAnswers; chart: DrawnChart }) {
  const { compared, distances } = answers.nearby
  if (!compared) return <p>No larger airport with scheduled flights lies within 200 km.</p>
  const codes = compared.airports.map(({ airport }) => airport)
  return (
    <>
      <p>{compared.recommendation}</p>
      <Figure id="nearby-chart" chart={chart} address={`${airportAddress(codes[0]!)}/nearby`} />
      <ul class="nearby">
        {compared.airports.slice(1).map(({ airport, name }) => (
          <li>
            <a href={airportAddress(airport)}>
              {airport} <bdi>{name}</bdi>
            </a>
            , {Math.round(distances.get(airport) ?? 0)} km
          </li>
        ))}
      </ul>
      <p>
        <a href={`/compare?airports=${codes.join(',')}`}>Compare them in full</a>
      </p>
    </>
  )
}

/** A part of the page that a visitor may or may not see. */
export function Maybe<T>({
  value,
  viewer,
  next,
  children,
}: {
  value: Shown<T>
  viewer: Viewer
  next: string
  children: (shown: T) => ComponentChildren
}) {
  if (value.withheld) return <NotShown withheld={value.withheld} viewer={viewer} next={next} />
  return <>{children(value.shown)}</>
}
