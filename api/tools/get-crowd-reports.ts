import { z } from 'zod'
import { findAirport } from '../../answers/questions/find-airport.ts'
import { iata, notice, simulated } from '../../answers/questions/shared-fields.ts'
import { ageText, countText, queueName, sentenceOf } from '../../answers/statements/text.ts'
import { fraction, Instant, minutes } from '../../config/answers.ts'
import { Freshness, freshnessOf, Lane, QueueKind } from '../../config/domain.ts'
import { laneText } from '../../config/lanes.ts'
import { CROWD_SOURCE, CROWD_WINDOW_MS } from '../../config/publishers.ts'
import { median } from '../../forecasting/statistics/statistics.ts'
import { defineAsyncQuery } from '../async-question.ts'
import { recentReports } from '../reports/recent-reports.ts'
import { NOT_YET, reportWeight } from '../reports/weight.ts'
import { defineTool } from './define.ts'

const MAX_LIMIT = 50

const output = z.strictObject({
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
          'Share of this report in the current figure of its queue: 1/(n × k) if it is one of k reports of one of the n open standard lanes, else 0. A fresh measured wait outweighs any report.',
        ),
        weight_reason: z.string(),
      }),
    )
    .describe(
      'Accepted reports of the last 24 hours, newest first: of each traveller and network one an hour and lane.',
    ),
  held_reports: z
    .int()
    .min(0)
    .describe('Reports of these 24 hours that are held, as implausible or of an unknown terminal; they are not shown.'),
  notice,
  simulated,
})
type Answer = z.output<typeof output>

const query = defineAsyncQuery({
  name: 'getCrowdReports',
  input: z.strictObject({
    iata,
    queue: QueueKind.optional().describe('Only reports of this queue.'),
    limit: z
      .int()
      .min(1, 'must be 1 or more')
      .max(MAX_LIMIT, `must be at most ${MAX_LIMIT}`)
      .default(20)
      .describe('Maximum number.'),
  }),
  output,
  async answer({ iata, queue = null, limit }, context) {
    findAirport(iata, context)
    const { state, snapshot, now } = context
    const { reports, held } = await recentReports(state, { iata, queue, limit }, { snapshot, now })
    return {
      airport: iata,
      queue,
      asked_at: new Date(now).toISOString(),
      reports: reports.map((report) => {
        const { weight, reason } = reportWeight(report, snapshot)
        const age_seconds = Math.max(0, Math.round((now - Date.parse(report.observed_at)) / 1_000))
        return {
          queue: report.queue,
          terminal: report.terminal,
          lane: report.lane,
          wait_minutes: report.wait_minutes,
          basis: 'reported' as const,
          source: CROWD_SOURCE,
          observed_at: report.observed_at,
          age_seconds,
          freshness: freshnessOf(age_seconds),
          status: 'accepted' as const,
          weight,
          weight_reason: reason,
        }
      }),
      held_reports: held,
      simulated: snapshot.simulated,
    }
  },
})

type Report = Answer['reports'][number]

const WINDOW_SECONDS = CROWD_WINDOW_MS / 1_000

const placeOf = ({ queue, terminal, lane }: Report) =>
  [queueName(queue), terminal && `terminal ${terminal}`, lane && laneText(lane)].filter(Boolean).join(', ')

/** Queues of which no tool gives a wait for now. */
const NO_FIGURE: ReadonlySet<QueueKind> = new Set(['lounge', 'baggage', 'ees_kiosk'])

/** Whether the report is in the figure that the other tools give. */
const useText = ({ queue, weight, weight_reason }: Report) => {
  if (NO_FIGURE.has(queue)) return 'no tool gives a wait for now there'
  if (weight > 0) return 'the wait given for now counts it'
  return `the wait given for now does not count it${weight_reason === NOT_YET ? ' yet' : ` (${weight_reason})`}`
}

const reportText = (report: Report) =>
  `${placeOf(report)}: ${report.wait_minutes} min, ${ageText(report.age_seconds)} ago`

/** The newest report, and the median of those of its lane within the hour before it. */
function newestText(reports: Answer['reports']): string {
  const [newest] = reports as [Report]
  const near = reports.filter(
    (report) => placeOf(report) === placeOf(newest) && report.age_seconds - newest.age_seconds < WINDOW_SECONDS,
  )
  const waits = near.map(({ wait_minutes }) => wait_minutes)
  const range =
    near.length > 1
      ? ` ${near.length} travellers within an hour: median ${Math.round(median(waits))} min, ${Math.min(...waits)} to ${Math.max(...waits)} min.`
      : ''
  const old = newest.age_seconds > WINDOW_SECONDS ? ' Too old to tell how it is now.' : ''
  return `${sentenceOf(`${placeOf(newest)}: ${newest.wait_minutes} min, reported by a traveller ${ageText(newest.age_seconds)} ago, unverified`)}${range}${old} ${sentenceOf(useText(newest))}`
}

function answerText({ airport, queue, reports, held_reports }: Answer, whole: Answer): string {
  const held =
    held_reports > 0
      ? `${countText(held_reports, 'report')} held as implausible or of an unknown terminal, not shown.`
      : ''
  const wait = queue === null ? 'a wait' : `a wait at ${queueName(queue)}`
  if (whole.reports.length === 0)
    return `Nobody reported ${wait} at ${airport} in the last 24 hours, which says nothing about the queue.${held === '' ? '' : ` ${held}`}`
  const others = reports.slice(1)
  return [newestText(whole.reports), ...(others.length > 0 ? ['Before it:', ...others.map(reportText)] : []), held]
    .filter((line) => line !== '')
    .join('\n')
}

export const getCrowdReportsTool = defineTool<Answer>({
  name: 'get_crowd_reports',
  title: 'What travellers reported',
  description:
    'What travellers reported about an airport’s queues in the last 24 hours, newest first, with the weight of each in the current figure. Use it where no source measures a queue (baggage, lounges, EES kiosks, small airports) or to see what a `reported` figure is based on. Unverified. An empty list means no report, not no queue.',
  example: { iata: 'JFK' },
  query,
  limits: { reports: 6 },
  text: answerText,
})
