import { expectedBorder } from '../../answers/questions/expected-border.ts'
import { closedToAirlines } from '../../answers/statements/closure.ts'
import { timezoneOf } from '../../config/airports/directory.ts'
import type { QueueWait } from '../../config/answer-schemas.ts'
import { terminalNamed } from '../../config/terminal-name.ts'
import { HOUR_MS, isStandardLane } from '../../config/vocabulary.ts'
import type { BorderQueue } from '../../warehouse/publishing/read/border-forecasts.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { REPORT_RULES, type ReportedWait } from './report-rules.ts'

/** A known range of the wait, in minutes. */
interface KnownRange {
  basis: 'measured' | 'forecast'
  low: number
  high: number
}

const FAR = 'far from what is'

/** How many travellers must agree before a report counts that is held for a reason of `implausibleReason`. */
export const agreeingNeeded = (reason: string): number =>
  reason.startsWith(FAR) ? REPORT_RULES.agreeing_against_known : REPORT_RULES.agreeing_if_unknown

/**
 * Why a report is implausible; null when it is plausible. A report is held when it is far from all known figures:
 *
 * - Known figures are a measured wait under an hour old (of the terminal, else of the airport) and, for security and passport
 *   control, p10 to p90 of the hour's forecast. Other travellers' reports do not count: two wrong reports must not confirm a third.
 * - Far means over 30 minutes and under half of a known low, or over 30 minutes and over twice a known high. A report of a
 *   particular lane is never too short, because the known figures are for standard lanes.
 * - A report near any of them is plausible: the forecast may not know about the strike that the queue shows.
 * - Every wait is far where the airport has been closed to airlines for an hour, or a source has seen the queue closed since.
 * - If nothing is known, a wait over 120 minutes is held; over 60 if the account is younger than a day.
 *
 * A held report is accepted once enough travellers agree (see `confirming`): three, or two where nothing is known.
 */
export function implausibleReason(report: ReportedWait, snapshot: Snapshot, isEstablished: boolean): string | null {
  const { far_minutes, far_factor } = REPORT_RULES
  const { wait_minutes, lane } = report
  const closed = closedReason(report, snapshot)
  if (closed !== null) return closed
  const known = [measuredRange(report, snapshot), forecastRange(report, snapshot)].filter((range) => range !== null)
  if (known.length === 0) {
    const max = isEstablished ? REPORT_RULES.max_unknown_minutes : REPORT_RULES.max_unknown_minutes_of_new
    return wait_minutes > max ? `over ${max} minutes, and nothing else is known of this queue` : null
  }
  const isStandard = lane === null || isStandardLane(lane)
  const isNear = known.some(({ low, high }) => {
    const min = isStandard ? Math.min(low - far_minutes, low / far_factor) : 0
    return wait_minutes >= min && wait_minutes <= Math.max(high + far_minutes, high * far_factor)
  })
  // The message has no figures: forecasts are not for every tier, and the bounds would help to evade the rule.
  return isNear ? null : `${FAR} ${known.map(({ basis }) => basis).join(' and ')} for this queue`
}

/** Why there can be no wait: the airport or the queue is closed; null if neither is known to be. */
function closedReason(report: ReportedWait, snapshot: Snapshot): string | null {
  const { iata, observed_at } = report
  const { closures } = snapshot.delays(iata)
  // Those who landed before the closure may have queued since.
  if (closedToAirlines(closures, timezoneOf(iata), Date.parse(observed_at) - HOUR_MS))
    return `${FAR} known: the airport is closed`
  return wasSeenClosed(report, snapshot) ? `${FAR} measured for this queue: it is closed` : null
}

/** Whether a source saw the queue of the terminal, else of the airport, closed in the hour before the report, and no lane open. */
function wasSeenClosed({ iata, queue, terminal, observed_at }: ReportedWait, snapshot: Snapshot): boolean {
  const airport = snapshot.queue(iata, queue)
  const own = terminalOf(airport, terminal)
  const { status, status_basis, status_observed_at } = own ?? airport
  if (status !== 'closed' || status_basis !== 'measured' || status_observed_at === null) return false
  const since_ms = Date.parse(observed_at) - Date.parse(status_observed_at)
  const lanes = (own ? [own] : airport.terminals).flatMap(({ checkpoints }) => checkpoints)
  return since_ms >= 0 && since_ms < HOUR_MS && !lanes.some(({ open }) => open)
}

const terminalOf = ({ terminals }: QueueWait, terminal: string | null) =>
  terminal === null ? undefined : terminalNamed(terminals, terminal)

/** The measured wait of the terminal, else of the airport, if it is under an hour old. */
function measuredRange({ iata, queue, terminal }: ReportedWait, snapshot: Snapshot): KnownRange | null {
  const airport = snapshot.queue(iata, queue)
  const candidates = [{ ...airport, minutes: airport.average_wait_minutes }]
  const own = terminalOf(airport, terminal)
  if (own) candidates.unshift({ ...airport, ...own, minutes: own.wait_minutes })
  for (const { minutes, basis, freshness } of candidates)
    if (minutes !== null && basis === 'measured' && (freshness === 'live' || freshness === 'recent'))
      return { basis, low: minutes, high: minutes }
  return null
}

/** p10 to p90 of the hour of a report, predicted or typical; a wait before the first hour of a forecast is compared with that hour. */
function forecastRange(report: ReportedWait, snapshot: Snapshot): KnownRange | null {
  const ranges = report.queue === 'immigration' ? borderRanges(report, snapshot) : securityRanges(report, snapshot)
  if (ranges.length === 0) return null
  const low = Math.min(...ranges.map((range) => range.low))
  const high = Math.max(...ranges.map((range) => range.high))
  return { basis: 'forecast', low: Math.max(0, Math.round(low)), high: Math.round(high) }
}

const hourOf = (observed_at: string, start_ms: number) =>
  Math.max(0, Math.floor((Date.parse(observed_at) - start_ms) / HOUR_MS))

function securityRanges({ iata, queue, terminal, observed_at }: ReportedWait, snapshot: Snapshot) {
  if (queue !== 'security') return []
  const series = (terminal === null ? null : snapshot.forecast(iata, terminal)) ?? snapshot.forecast(iata)
  if (!series) return []
  const hour = hourOf(observed_at, series.start_ms)
  const [low, high] = [series.p10[hour], series.p90[hour]]
  return low === undefined || high === undefined ? [] : [{ low: low / 10, high: high / 10 }]
}

/** Ranges of passport control: of the terminal or the airport, and of both directions if it has them, because a report is of either. */
function borderRanges({ iata, terminal, observed_at }: ReportedWait, snapshot: Snapshot) {
  const expected = (queue: BorderQueue) => expectedBorder(snapshot, iata, queue, Date.parse(observed_at))
  const own = terminal === null ? null : expected({ terminal })
  const airportQueues = [{}, { direction: 'entry' }, { direction: 'exit' }] as const
  const forecasts = own ? [own] : airportQueues.map(expected)
  return forecasts.flatMap((forecast) => {
    const hour = forecast?.hours[hourOf(observed_at, forecast.start_ms)]
    return hour ? [{ low: hour.p10, high: hour.p90 }] : []
  })
}

/**
 * Whether two reports agree: the same airport, queue, terminal and lane, observed within half an hour of each other, with
 * waits that differ by at most 10 minutes or 40 % of the longer one.
 */
export function agrees(a: ReportedWait, b: ReportedWait): boolean {
  const { agree_ms, agree_minutes, agree_share } = REPORT_RULES
  const samePlace = a.iata === b.iata && a.queue === b.queue && a.terminal === b.terminal && a.lane === b.lane
  const timeBetween = Math.abs(Date.parse(a.observed_at) - Date.parse(b.observed_at))
  const maxDifference = Math.max(agree_minutes, agree_share * Math.max(a.wait_minutes, b.wait_minutes))
  return samePlace && timeBetween <= agree_ms && Math.abs(a.wait_minutes - b.wait_minutes) <= maxDifference
}
