import { z } from 'zod'
import { fraction, Instant, minutes } from '../../config/answer-schemas.ts'
import { countText } from '../../config/count-text.ts'
import { laneText } from '../../config/lanes.ts'
import { CROWD_SOURCE, CROWD_WINDOW_MS } from '../../config/publishers.ts'
import { Freshness, Lane, QueueKind, queueName } from '../../config/vocabulary.ts'
import { median } from '../../forecasting/statistics/statistics.ts'
import { iata, no_flights, notice, simulated } from '../questions/shared-fields.ts'
import { agoText, placeText, sentenceOf, terminalName } from '../statements/text.ts'

/** Travellers' reports: the answer, and the same as a text. */

/** Why a report that no snapshot has seen has no weight. */
export const NOT_YET = 'not yet in the current figure'

export const CrowdReportsAnswer = z.strictObject({
  airport: iata,
  queue: QueueKind.nullable().describe('The requested queue; null: all.'),
  asked_at: Instant.describe('Ages are as of this instant (UTC).'),
  reports: z
    .array(
      z.strictObject({
        queue: QueueKind,
        terminal: z.string().nullable(),
        lane: Lane.nullable(),
        wait_minutes: minutes,
        basis: z.literal('reported'),
        source: z.literal(CROWD_SOURCE),
        observed_at: Instant,
        age_seconds: z.int().min(0),
        freshness: Freshness,
        status: z.literal('accepted'),
        weight: fraction.describe(
          'Share of this report in the current figure of its queue: 1/k if it is one of the k reports of open standard lanes; 1/(n × k) if it is one of k of one of n lanes that have other sources too; else 0. A fresh measured wait outweighs any report.',
        ),
        weight_reason: z.string(),
      }),
    )
    .describe(
      'Accepted reports of the last 24 hours, newest first: of each traveller one an hour and queue, of each network one an hour and terminal.',
    ),
  held_reports: z
    .int()
    .min(0)
    .describe('Reports of these 24 hours that are held, as implausible or of an unknown terminal; they are not shown.'),
  notice,
  no_flights,
  simulated,
})
export type CrowdReportsAnswer = z.output<typeof CrowdReportsAnswer>

type Report = CrowdReportsAnswer['reports'][number]

const WINDOW_SECONDS = CROWD_WINDOW_MS / 1_000

/** The queue, terminal and lane of a report: `security, Terminal 4, standard lane`. */
export const reportedPlaceText = ({ queue, terminal, lane }: ReportedPlace) =>
  [queueName(queue), terminal && placeText(terminalName(terminal)), lane && laneText(lane)].filter(Boolean).join(', ')
export type ReportedPlace = Pick<Report, 'queue' | 'terminal' | 'lane'>

/** The place of a queue whose name alone is no place. */
const AT_QUEUE: Partial<Record<QueueKind, string>> = { lounge: 'at a lounge', baggage: 'for baggage' }

/** Queues without a tool that gives their present wait. */
const NO_FIGURE: ReadonlySet<QueueKind> = new Set(['lounge', 'baggage', 'ees_kiosk'])

/** Whether the report is in the figure that the other tools give. */
const useText = ({ queue, weight, weight_reason }: Report) => {
  if (NO_FIGURE.has(queue)) return 'no tool gives a wait for now there'
  if (weight > 0) return 'the wait given for now counts it'
  return `the wait given for now does not count it${weight_reason === NOT_YET ? ' yet' : ` (${weight_reason})`}`
}

const reportText = (report: Report) =>
  `${reportedPlaceText(report)}: ${report.wait_minutes} min,${agoText(report.age_seconds)}`

/** The newest report, and the median of those of its lane within the hour before it. */
function newestText(reports: CrowdReportsAnswer['reports']): string {
  const [newest] = reports as [Report]
  const near = reports.filter(
    (report) =>
      reportedPlaceText(report) === reportedPlaceText(newest) &&
      report.age_seconds - newest.age_seconds < WINDOW_SECONDS,
  )
  const waits = near.map(({ wait_minutes }) => wait_minutes)
  const range =
    near.length > 1
      ? ` ${near.length} travellers within an hour: median ${Math.round(median(waits))} min, ${Math.min(...waits)} to ${Math.max(...waits)} min.`
      : ''
  const old = newest.age_seconds > WINDOW_SECONDS ? ' Too old to tell how it is now.' : ''
  return `${sentenceOf(`${reportedPlaceText(newest)}: ${newest.wait_minutes} min, reported by a traveller${agoText(newest.age_seconds)}, unverified`)}${range}${old} ${sentenceOf(useText(newest))}`
}

export function crowdReportsText(
  { airport, queue, reports, held_reports }: CrowdReportsAnswer,
  whole: CrowdReportsAnswer,
): string {
  const held =
    held_reports > 0
      ? `${countText(held_reports, 'report')} held as implausible or of an unknown terminal, not shown.`
      : ''
  const wait = queue === null ? 'a wait' : `a wait ${AT_QUEUE[queue] ?? `at ${queueName(queue)}`}`
  if (whole.reports.length === 0 && whole.no_flights !== undefined) return sentenceOf(whole.no_flights)
  if (whole.reports.length === 0)
    return `Nobody reported ${wait} at ${airport} in the last 24 hours, which says nothing about the queue.${held === '' ? '' : ` ${held}`}`
  const others = reports.slice(1).map(reportText)
  return [newestText(whole.reports), others.length > 0 ? 'Before it:' : '', ...others, held]
    .filter((line) => line !== '')
    .join('\n')
}
