import type { Availability } from '../../api/status/availability.ts'
import { durationText } from '../../api/status/duration-text.ts'
import { OVERALL_RULE, type OverallState, requestedSourceCount } from '../../api/status/overall.ts'
import type { StatusReport } from '../../api/status/status-report.ts'
import type { SourceState } from '../../warehouse/publishing/read/source-health.ts'
import { dayText, Moment, Section } from '../pages/elements.tsx'
import type { Page } from '../pages/shell.tsx'
import { BriefEntry, dayBefore, percent, SourceEntry, USABLE_SHARE } from './source-entry.tsx'

const HEADLINES: Record<OverallState, string> = {
  ok: 'Working as usual',
  degraded: 'Degraded',
  down: 'Down',
  starting: 'Starting',
}

interface StateSection {
  state: SourceState
  title: string
}

/** The states that somebody must look at, the worst first, and those below them on the page. */
const TROUBLED: readonly StateSection[] = [
  { state: 'open_circuit', title: 'Paused after failures' },
  { state: 'failing', title: 'Failing' },
  { state: 'degraded', title: 'Degraded' },
]
const UNTROUBLED: readonly StateSection[] = [
  { state: 'healthy', title: 'Healthy' },
  { state: 'not_asked', title: 'Not requested yet' },
  { state: 'off', title: 'Switched off' },
]

/** Sources in these states take two short lines each: there is nothing to explain about them. */
const IN_BRIEF: ReadonlySet<SourceState> = new Set(['not_asked', 'healthy'])

/** The status page: the whole service first, then the sources by state. */
export function statusPage(report: StatusReport): Page {
  const { status, reason, counts, snapshot, checked_at } = report
  return {
    title: 'Status',
    documentTitle: `${HEADLINES[status]}: Holdshort status`,
    description: 'How Holdshort and each of its sources are doing.',
    body: (
      <>
        <div class={`overall ${status}`} role="status">
          <p>
            <strong>{HEADLINES[status]}</strong>{' '}
            <span>
              {reason ?? `${counts.healthy} of ${requestedSourceCount(counts)} sources requested so far are healthy.`}
            </span>
          </p>
        </div>
        <p>
          As of <Moment instant={checked_at} />
          {snapshot && (
            <>
              : the newest snapshot is <strong>{durationText(snapshot.age_seconds * 1_000)} old</strong>
            </>
          )}
          .
        </p>
        <WarehouseHeld holder={report.warehouse_held_by} />
        <AvailabilityLine {...report.availability} />
        {report.weather_alert_zones !== null && (
          <p>
            Weather alerts: zones known for {report.weather_alert_zones.known} of {report.weather_alert_zones.of} US
            airports.
          </p>
        )}
        {report.time_zone_rules.is_outdated && (
          <p>
            This server’s Node.js has newer time zone rules ({report.time_zone_rules.runtime_version}) than those in use
            ({report.time_zone_rules.version}): times may be wrong where clocks changed since.
          </p>
        )}
        <Tally report={report} />
        {TROUBLED.map((section) => (
          <SourcesInState report={report} {...section} />
        ))}
        <Incidents report={report} />
        <Section id="how" title="How to read this">
          <HowToRead rules={report.time_zone_rules.version} />
        </Section>
        {UNTROUBLED.map((section) => (
          <SourcesInState report={report} {...section} />
        ))}
      </>
    ),
  }
}

function WarehouseHeld({ holder }: { holder: StatusReport['warehouse_held_by'] }) {
  if (holder === null) return null
  return (
    <p>
      What is collected waits: <strong>{holder.name}</strong>
      {holder.pid !== null && ` (process ${holder.pid})`} holds the warehouse
      {holder.since !== null && (
        <>
          ; it runs since <Moment instant={holder.since} />
        </>
      )}
      . Nothing is lost; the rows are stored when it ends.
    </p>
  )
}

function HowToRead({ rules }: { rules: string }) {
  return (
    <>
      <p>
        {OVERALL_RULE[0]!.toUpperCase()}
        {OVERALL_RULE.slice(1)}
      </p>
      <p>
        <b>Answered</b>: share of the runs whose answer could be read. <b>Fresh</b>: share of the time in which a
        reading less than an hour old was available. Both count from the first request to the source and are rounded
        down. A square is a day in UTC, today last: full from 99 %, paler from 90 %, red below. States of sources are as
        of the snapshot. Local times follow time zone rules {rules}.
      </p>
      <p>
        The same for machines: <code>GET /status</code> with <code>Accept: application/json</code>. What is live,
        modelled or unavailable at each airport, and since when: <code>GET /api/v1/coverage</code>, described in{' '}
        <a href="/openapi.json">OpenAPI 3.1</a>.
      </p>
    </>
  )
}

function Tally({ report: { counts } }: { report: StatusReport }) {
  const sections = [...TROUBLED, ...UNTROUBLED].filter(({ state }) => counts[state] > 0)
  if (sections.length === 0) return null
  return (
    <nav aria-label="Sources by state">
      <ul class="tally">
        {sections.map(({ state, title }) => (
          <li class={state}>
            <a href={`#${state}`}>
              <b>{counts[state]}</b> {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface SectionProps extends StateSection {
  report: StatusReport
}

function SourcesInState({ report: { sources, checked_at }, state, title }: SectionProps) {
  const members = sources.filter((source) => source.state === state)
  if (members.length === 0) return null
  return (
    <Section id={state} title={[title, ' ', <span class="quiet">{members.length}</span>]}>
      {IN_BRIEF.has(state) ? (
        <ul class="sources brief">
          {members.map((source) => (
            <BriefEntry source={source} />
          ))}
        </ul>
      ) : (
        <ul class="sources">
          {members.map((source) => (
            <SourceEntry source={source} today={checked_at} />
          ))}
        </ul>
      )}
    </Section>
  )
}

const MAX_INCIDENTS = 5

/** The availability, as promised and as measured. */
function AvailabilityLine({ promised_percent, measured_percent, measured_since }: Availability) {
  if (promised_percent === null && measured_percent === null) return null
  return (
    <p>
      Availability: {promised_percent !== null && `${promised_percent} % promised to Enterprise; `}
      {measured_percent === null || measured_since === null ? (
        'not measured yet'
      ) : (
        <>
          {measured_percent} % measured since <Moment instant={measured_since} />
        </>
      )}
      .
    </p>
  )
}

/** The newest days on which a source answered less often than it should. */
function Incidents({ report: { sources, checked_at } }: { report: StatusReport }) {
  const incidents = sources
    .flatMap(({ name, days }) =>
      days.flatMap((share, place) =>
        share !== null && share < USABLE_SHARE ? [{ name, share, ago: days.length - 1 - place }] : [],
      ),
    )
    .sort((a, b) => a.ago - b.ago || a.share - b.share)
  if (incidents.length === 0) return null
  return (
    <Section id="incidents" title="Last incidents">
      <ul>
        {incidents.slice(0, MAX_INCIDENTS).map(({ name, share, ago }) => (
          <li>
            {ago === 0 ? 'Today' : dayText(dayBefore(checked_at, ago))}: {name} answered {percent(share)} of the
            requests
          </li>
        ))}
      </ul>
      {incidents.length > MAX_INCIDENTS && (
        <p class="quiet">{incidents.length - MAX_INCIDENTS} more in 30 days; the squares show them.</p>
      )}
    </Section>
  )
}
