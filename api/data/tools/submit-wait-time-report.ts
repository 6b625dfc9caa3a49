import { z } from 'zod'
import type { Airport } from '../../../config/airports/directory.ts'
import { CLOCK_AHEAD_MS, Lane, QueueKind, UtcInstant } from '../../../config/domain.ts'
import { ParameterError } from '../../../config/errors.ts'
import { Instant, minutes } from '../../../config/facts.ts'
import { outsideSchengen } from '../../../config/reference/schengen-airports.ts'
import { defineAsyncQuery } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { iata, simulated } from '../queries/shared-fields.ts'
import { fileReport } from '../reports/file-report.ts'
import { handOverReports } from '../reports/hand-over.ts'
import { REPORT_RULES } from '../reports/report-rules.ts'
import { terminalOf } from '../reports/terminal-of.ts'
import { defineTool } from './define.ts'
import { queueName } from './text.ts'

const { most_minutes, longest_terminal, oldest_ms, per_hour, per_airport_hour } = REPORT_RULES

/** A name and nothing else: what is kept here is read by other people's agents. */
const TERMINAL = /^[\p{L}\p{N}][\p{L}\p{N} .&/-]*$/u

const output = z.strictObject({
  report_id: z.string(),
  airport: iata,
  queue: QueueKind,
  terminal: z.string().nullable().describe('As the feeds name it, where they know it.'),
  lane: Lane.nullable(),
  wait_minutes: minutes,
  observed_at: Instant,
  status: z
    .enum(['accepted', 'held'])
    .describe('held: kept back until another account reports the like within half an hour.'),
  held_reason: z.string().nullable().describe('Why it is held; null when accepted.'),
  replaced_reports: z
    .int()
    .min(0)
    .describe('Your own reports of this lane within ten minutes, which this one replaces.'),
  agreeing_reports: z.int().min(0).describe('Reports of other accounts that agree with it.'),
  message: z.string(),
  simulated,
})
type Output = z.output<typeof output>

const description = `File what a traveller has just seen: how long a queue took, in whole minutes. Call it only when a person says so of a queue they stood in within the last two hours, never with an estimate, a forecast or a figure of another tool. A later report of the same lane within ten minutes replaces the earlier. Far from everything known, it is held until another account agrees. At most ${per_airport_hour} an hour at one airport and ${per_hour} in all (rate_limited, scopes reports_airport and reports_account). It is shown to others without your account (get_crowd_reports), counts as \`reported\` where no fresh measured wait is, and models learn from it.`

const query = defineAsyncQuery({
  name: 'submitWaitTimeReport',
  summary: 'File a traveller’s report of a wait',
  description,
  tier: 'free',
  rest: null,
  input: z.strictObject({
    iata,
    queue: QueueKind.describe('Which queue.'),
    wait_minutes: z
      .int('must be a whole number of minutes')
      .min(0, 'must be 0 or more')
      .max(most_minutes, `must be at most ${most_minutes}`)
      .describe(`Minutes from joining the queue to leaving it, 0 to ${most_minutes}.`),
    terminal: z
      .string()
      .trim()
      .max(longest_terminal, `must be at most ${longest_terminal} characters`)
      .regex(TERMINAL, 'must be the name of a terminal: letters, digits, spaces and . & / -')
      .optional()
      .describe('Terminal, like 4 or North; leave it out where there is one, or it is not known.'),
    lane: Lane.optional().describe('Lane; leave it out where the queue has no lanes, or it is not known.'),
    observed_at: UtcInstant.optional().describe(
      'When the queue was left (UTC, within the last two hours); now unless given.',
    ),
  }),
  output,
  async answer(input, context) {
    refuseNoKiosk(input.queue, findAirport(input.iata, context))
    const { state, snapshot, now, caller, pipelineClient } = context
    const { queue, wait_minutes, lane = null } = input
    const terminal = terminalOf(input.terminal ?? null, input.iata, queue, snapshot)
    const observed_at = observedAt(input.observed_at ?? null, now)
    const said = { iata: input.iata, queue, terminal, lane, wait_minutes, observed_at }
    const { report, replaced, agreeing } = await fileReport(state, said, caller.account_id, { snapshot, now })
    // It is on the disk; if this does not come through, the chore brings it.
    if (pipelineClient && report.status === 'accepted')
      handOverReports(state, pipelineClient, now).catch(() => undefined)
    const accepted = report.status === 'accepted'
    return {
      report_id: report.id,
      airport: input.iata,
      queue,
      terminal,
      lane,
      wait_minutes,
      observed_at: report.observed_at,
      status: accepted ? ('accepted' as const) : ('held' as const),
      held_reason: report.reason,
      replaced_reports: replaced,
      agreeing_reports: agreeing,
      message: messageOf(report.reason, replaced, agreeing),
      simulated: snapshot.simulated,
    }
  },
})

/** @throws ParameterError for a kiosk of the Entry/Exit System where that is not used */
function refuseNoKiosk(queue: QueueKind, place: Airport): void {
  const outside = queue === 'ees_kiosk' ? outsideSchengen(place) : null
  if (outside !== null)
    throw new ParameterError([
      { parameter: 'queue', message: `there is no Entry/Exit System kiosk at ${place.iata}: ${outside}` },
    ])
}

/** @throws ParameterError when it is ahead of our clock or older than two hours */
function observedAt(given: string | null, now: number): string {
  const ms = given === null ? now : Date.parse(given)
  const fault = (message: string) => new ParameterError([{ parameter: 'observed_at', message }])
  // Clocks differ: what is a little ahead of ours is now.
  if (ms > now + CLOCK_AHEAD_MS) throw fault('must not be in the future')
  if (ms < now - oldest_ms) throw fault('must be within the last two hours')
  return new Date(Math.min(ms, now)).toISOString()
}

function messageOf(held: string | null, replaced: number, agreeing: number): string {
  const instead = replaced > 0 ? ' It replaces what you said of this lane within the last ten minutes.' : ''
  const others = agreeing > 0 ? ` ${agreeing} other ${agreeing === 1 ? 'report agrees' : 'reports agree'}.` : ''
  if (held === null) return `Thank you; the report is accepted.${instead}${others}`
  return `The report is kept but held: ${held}. It counts as soon as another account reports the like within half an hour.${instead}`
}

export const submitWaitTimeReportTool = defineTool<Output>({
  name: 'submit_wait_time_report',
  title: 'File a traveller’s report of a wait',
  description,
  // It writes, destroys nothing, and each call takes one of the hour's places.
  annotations: { readOnlyHint: false, openWorldHint: false, idempotentHint: false, destructiveHint: false },
  example: { iata: 'JFK', queue: 'security', wait_minutes: 20, terminal: '4', lane: 'standard' },
  query,
  text: ({ airport, queue, terminal, wait_minutes, message }) =>
    `${airport} ${queueName(queue)}${terminal ? `, terminal ${terminal}` : ''}: ${wait_minutes} min as reported. ${message}`,
})
