import type { Airport, Directory } from '../../../config/airports/directory.ts'
import type { QueueWait } from '../../../config/facts.ts'
import { TIERS, type TierTerms } from '../../../config/tiers.ts'
import type { Snapshot } from '../../../warehouse/serving/snapshot/snapshot.ts'
import { clockOf, localTime } from '../../data/queries/local-time.ts'
import { durationText } from '../../data/status/duration-text.ts'
import { STALE_AFTER_MS } from '../../data/status/overall.ts'
import { type Column, grouped, Moment, Table } from '../pages/elements.tsx'
import type { Page } from '../pages/shell.tsx'
import { forecastOfNextDay, Sparkline, sparklineScale } from './sparkline.tsx'

interface StartPageInput {
  snapshot: Snapshot | null
  directory: Directory
  site_url: string
  mcp_url: string
  /** Epoch milliseconds. */
  now: number
}

/** The start page: what the service is, how to get a key, current waits, sources and tiers. */
export function startPage({ snapshot, directory, site_url, mcp_url, now }: StartPageInput): Page {
  return {
    title: 'Holdshort',
    documentTitle: 'Holdshort: airport waits and delays',
    description: 'Airport security waits, FAA delays and hourly forecasts over REST and MCP.',
    body: (
      <>
        <p class="lead">
          Airport security waits, FAA delays, hourly forecasts and history for {grouped(directory.all.length)} airports,
          over REST and MCP.
        </p>
        <p>Every figure comes with its source and its age. A value that is not known is left empty, with the reason.</p>
        <section id="key" aria-labelledby="key-title">
          <h2 id="key-title">Get a key</h2>
          <GetKey site_url={site_url} mcp_url={mcp_url} />
        </section>
        <section id="waits" aria-labelledby="waits-title">
          <h2 id="waits-title">Current security waits</h2>
          {snapshot ? <CurrentWaits snapshot={snapshot} directory={directory} now={now} /> : <NoSnapshot />}
        </section>
        <section id="sources" aria-labelledby="sources-title">
          <h2 id="sources-title">Sources</h2>
          {snapshot ? <HealthySources snapshot={snapshot} /> : <NoSnapshot />}
        </section>
        <section id="tiers" aria-labelledby="tiers-title">
          <h2 id="tiers-title">Tiers</h2>
          <TierTable />
        </section>
      </>
    ),
  }
}

function GetKey({ site_url, mcp_url }: { site_url: string; mcp_url: string }) {
  const { requests_per_minute, calls_per_month } = TIERS.free
  return (
    <>
      <p>One call, no sign-up. Paste this:</p>
      <pre role="group" tabindex={0} aria-label="Commands to get a key and use it">
        <code>{firstCommands(site_url)}</code>
      </pre>
      <p>
        The key is shown only once, so store it. It allows {requests_per_minute} requests a minute and{' '}
        {grouped(calls_per_month)} calls a month. MCP clients connect to <code>{mcp_url}/mcp</code> with the same key as
        a bearer token.
      </p>
    </>
  )
}

/** Shell commands that register a key and make one call with it. They work as pasted in any POSIX shell with curl. */
export const firstCommands = (
  site_url: string,
) => `KEY=$(curl -s -X POST ${site_url}/api/agent/register | grep -o 'hs_agent_[0-9A-Za-z]*')
echo $KEY
curl -H "Authorization: Bearer $KEY" ${site_url}/api/v1/airports/JFK/delays`

const NoSnapshot = () => <p>No snapshot has been published yet. The first one follows the first collection.</p>

/** An airport with its security wait from the snapshot. */
interface CurrentWait {
  airport: Airport
  /** Null when security is closed. */
  minutes: number | null
  wait: QueueWait
}

/**
 * Airports whose security wait or closure is observed, or predicted by a model of that airport: observed ones first, then by code.
 * Typical waits are excluded, because every airport has one.
 */
function currentWaits(snapshot: Snapshot, directory: Directory): CurrentWait[] {
  const waits: CurrentWait[] = []
  for (const airport of directory.all) {
    const wait = snapshot.queue(airport.iata, 'security')
    const { average_wait_minutes, basis, freshness } = wait
    if (average_wait_minutes === null && wait.status !== 'closed') continue
    if (basis === 'typical' || freshness === 'expired') continue
    const minutes = average_wait_minutes === null ? null : Math.round(average_wait_minutes)
    waits.push({ airport, minutes, wait })
  }
  const unobserved = ({ wait }: CurrentWait) => Number(wait.freshness === null)
  return waits.sort((a, b) => unobserved(a) - unobserved(b) || (a.airport.iata < b.airport.iata ? -1 : 1))
}

/** `closed, opens 04:00` in the airport's local time. */
function closedText({ reopens_at }: QueueWait, timezone: string): string {
  return reopens_at === null ? 'closed' : `closed, opens ${clockOf(localTime(Date.parse(reopens_at), timezone))}`
}

const WAIT_COLUMNS: Column[] = [
  'Airport',
  { number: 'Wait now' },
  'How we know',
  'Freshness',
  'Next 24 hours',
  'Source',
]

function CurrentWaits({ snapshot, directory, now }: { snapshot: Snapshot; directory: Directory; now: number }) {
  const waits = currentWaits(snapshot, directory)
  const forecasts = waits.map(({ airport }) => forecastOfNextDay(snapshot, airport.iata))
  const top = sparklineScale(forecasts)
  const observed = waits.filter(({ wait }) => wait.freshness !== null).length
  const age = now - snapshot.generated_ms
  return (
    <>
      {age >= STALE_AFTER_MS && (
        <p class="warning" role="status">
          These figures are {durationText(age)} old: nothing newer has been published since.
        </p>
      )}
      {waits.length === 0 ? (
        <p>No source has published a reading in the last six hours, and no airport has a forecast of its own.</p>
      ) : (
        <>
          <p>
            As of <Moment at={snapshot.generated_at} />: {observed} of {waits.length} airports observed in the last six
            hours. Line: expected wait; band: 8 of 10 waits; top of each chart: {top} min. Other airports return a
            typical wait where enough is known to give one, and label it as typical.
          </p>
          <Table label="Current security waits" columns={WAIT_COLUMNS}>
            {waits.map(({ airport, minutes, wait }, place) => (
              <tr>
                <th scope="row">
                  {airport.iata} <span>{airport.name}</span>
                </th>
                <td class="number">{minutes === null ? closedText(wait, airport.timezone) : `${minutes} min`}</td>
                <td>{wait.basis}</td>
                <td class={wait.freshness ?? 'none'}>
                  {wait.freshness ?? 'not observed now'}
                  {wait.age_seconds !== null && <span>{durationText(wait.age_seconds * 1_000)} old</span>}
                </td>
                <td class="chart">
                  <Sparkline forecast={forecasts[place]!} top={top} timezone={airport.timezone} />
                </td>
                <td>{wait.source}</td>
              </tr>
            ))}
          </Table>
        </>
      )}
    </>
  )
}

function HealthySources({ snapshot }: { snapshot: Snapshot }) {
  const requested = snapshot.sourceHealth().filter(({ state }) => state !== 'off' && state !== 'not_asked')
  const healthy = requested.filter(({ state }) => state === 'healthy').length
  const statusPage = <a href="/status">status page</a>
  if (requested.length === 0) return <p>No source has been requested yet. The {statusPage} lists them.</p>
  return (
    <p>
      <strong>
        {healthy} of {requested.length} sources
      </strong>{' '}
      are healthy. The {statusPage} shows each one with its publisher, state and uptime, failing sources first.
    </p>
  )
}

const TIER_COLUMNS: Column[] = [
  'Tier',
  { number: 'USD a month' },
  { number: 'Requests a minute' },
  { number: 'Calls a month' },
  { number: 'Prediction hours' },
  { number: 'History days' },
  'Bulk',
]

const TierTable = () => (
  <>
    <Table label="Tiers" columns={TIER_COLUMNS}>
      {Object.values(TIERS).map((tier) => (
        <TierRow tier={tier} />
      ))}
    </Table>
    <p>
      The free tier needs no account: <a href="#key">one call gives you a key</a>. With an account, which is free too,
      you see your usage and can connect MCP clients. For a paid tier <a href="/signup">sign up</a>, then choose it
      under <a href="/plans">Plans</a>.
    </p>
  </>
)

function TierRow({ tier }: { tier: TierTerms }) {
  const { name, price_usd_per_month, requests_per_minute, calls_per_month, prediction_hours, history_days } = tier
  const figures = [price_usd_per_month, requests_per_minute, calls_per_month, prediction_hours, history_days]
  return (
    <tr>
      <th scope="row">{name}</th>
      {figures.map((figure) => (
        <td class="number">{grouped(figure)}</td>
      ))}
      <td>{tier.bulk_airports > 0 ? `up to ${tier.bulk_airports} airports` : 'no'}</td>
    </tr>
  )
}
