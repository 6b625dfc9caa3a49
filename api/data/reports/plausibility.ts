import { HOUR_MS, type Lane, type QueueKind } from '../../../config/domain.ts'
import { normalizeTerminalName } from '../../../config/terminal-name.ts'
import type { Snapshot } from '../../../warehouse/serving/snapshot/snapshot.ts'
import { REPORT_RULES } from './report-rules.ts'

/** What a report says of a queue. */
export interface SaidWait {
  iata: string
  queue: QueueKind
  terminal: string | null
  lane: Lane | null
  wait_minutes: number
  observed_at: string
}

/** What else is known of the queue, in minutes. */
interface Known {
  what: 'measured' | 'forecast'
  low: number
  high: number
}

/**
 * Why a report is held back; null when it is plausible. Held is what lies far from everything that is known of the queue:
 *
 * - known are a measured wait under an hour old (of the terminal, else of the airport) and, for security, the p10–p90 of the
 *   hour's forecast. What other travellers said is not known: two wrong reports must not vouch for a third;
 * - far is below a known low by over 30 minutes and under half of it, or above a known high by over 30 minutes and over
 *   twice it. A lane of its own may be as quick as it likes, since what is known is of standard lanes;
 * - near to any of them is plausible: the forecast may not know of the strike that the queue shows;
 * - where nothing is known, a wait over 120 minutes is held.
 *
 * A held report is let go by another account's that agrees (see `agrees`).
 */
export function implausible(report: SaidWait, snapshot: Snapshot): string | null {
  const { far_minutes, far_factor, unknown_most_minutes } = REPORT_RULES
  const { wait_minutes, lane } = report
  const known = [measured(report, snapshot), forecast(report, snapshot)].filter((one) => one !== null)
  if (known.length === 0)
    return wait_minutes > unknown_most_minutes
      ? `over ${unknown_most_minutes} minutes, and nothing else is known of this queue`
      : null
  const ofStandard = lane === null || lane === 'standard' || lane === 'all'
  const near = known.some(({ low, high }) => {
    const least = ofStandard ? Math.min(low - far_minutes, low / far_factor) : 0
    return wait_minutes >= least && wait_minutes <= Math.max(high + far_minutes, high * far_factor)
  })
  // Without the figures: forecasts are not for every tier, and the bounds not for whoever would skirt them.
  return near ? null : `far from what is ${known.map(({ what }) => what).join(' and ')} for this queue`
}

function measured({ iata, queue, terminal }: SaidWait, snapshot: Snapshot): Known | null {
  const airport = snapshot.queue(iata, queue)
  const own = airport.terminals.find(
    (one) => terminal !== null && normalizeTerminalName(one.terminal) === normalizeTerminalName(terminal),
  )
  for (const { minutes, basis, freshness } of [
    ...(own ? [{ ...own, minutes: own.wait_minutes }] : []),
    { ...airport, minutes: airport.average_wait_minutes },
  ])
    if (minutes !== null && basis === 'measured' && (freshness === 'live' || freshness === 'recent'))
      return { what: 'measured', low: minutes, high: minutes }
  return null
}

function forecast({ iata, queue, terminal, observed_at }: SaidWait, snapshot: Snapshot): Known | null {
  if (queue !== 'security') return null
  const series = (terminal === null ? null : snapshot.forecast(iata, terminal)) ?? snapshot.forecast(iata)
  if (!series) return null
  // A wait of an hour before the forecast begins is judged by its first.
  const index = Math.max(0, Math.floor((Date.parse(observed_at) - series.start_ms) / HOUR_MS))
  const [low, high] = [series.p10[index], series.p90[index]]
  if (low === undefined || high === undefined) return null
  return { what: 'forecast', low: Math.max(0, Math.round(low / 10)), high: Math.round(high / 10) }
}

/**
 * Whether two reports tell of the same queue alike: one airport, queue, terminal and lane, seen within half an hour of each
 * other, and waits that differ by at most 10 minutes or 40 % of the longer one. Only reports of different accounts count.
 */
export function agrees(one: SaidWait, other: SaidWait): boolean {
  const { agree_ms, agree_minutes, agree_share } = REPORT_RULES
  const samePlace =
    one.iata === other.iata && one.queue === other.queue && one.terminal === other.terminal && one.lane === other.lane
  const apart = Math.abs(Date.parse(one.observed_at) - Date.parse(other.observed_at))
  const within = Math.max(agree_minutes, agree_share * Math.max(one.wait_minutes, other.wait_minutes))
  return samePlace && apart <= agree_ms && Math.abs(one.wait_minutes - other.wait_minutes) <= within
}
