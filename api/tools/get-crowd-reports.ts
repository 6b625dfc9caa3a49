import { z } from 'zod'
import { findAirport } from '../../answers/questions/find-airport.ts'
import { iata } from '../../answers/questions/shared-fields.ts'
import { CrowdReportsAnswer, crowdReportsText } from '../../answers/texts/crowd-reports-text.ts'
import { CROWD_SOURCE } from '../../config/publishers.ts'
import { ageOf, QueueKind } from '../../config/vocabulary.ts'
import { defineAsyncQuery } from '../async-question.ts'
import { recentReports } from '../reports/recent-reports.ts'
import { reportWeight } from '../reports/weight.ts'
import { defineTool } from './define.ts'

const MAX_LIMIT = 50

const query = defineAsyncQuery({
  name: 'getCrowdReports',
  input: z.strictObject({
    iata,
    queue: QueueKind.optional().describe('Only reports of this queue.'),
    limit: z.int().min(1).max(MAX_LIMIT).default(20).describe('Maximum number.'),
  }),
  output: CrowdReportsAnswer,
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
        return {
          queue: report.queue,
          terminal: report.terminal,
          lane: report.lane,
          wait_minutes: report.wait_minutes,
          basis: 'reported' as const,
          source: CROWD_SOURCE,
          observed_at: report.observed_at,
          ...ageOf(report.observed_at, now),
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

export const getCrowdReportsTool = defineTool<CrowdReportsAnswer>({
  name: 'get_crowd_reports',
  title: 'What travellers reported',
  description:
    'What travellers reported about an airport’s queues in the last 24 hours, newest first, with the weight of each in the current figure. Use it where no source measures a queue (baggage, lounges, EES kiosks, small airports) or to see what a `reported` figure is based on. Unverified. An empty list means no report, not no queue.',
  topics: ['crowd'],
  example: { iata: 'JFK' },
  query,
  limits: { reports: 6 },
  text: crowdReportsText,
})
