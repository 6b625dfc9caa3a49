import { z } from 'zod'
import { nation } from '../../answers/departure/trip.ts'
import { refuseClosedTerminal } from '../../answers/questions/airport-terminals.ts'
import { findServedAirport } from '../../answers/questions/find-airport.ts'
import { iata, notice, simulated } from '../../answers/questions/shared-fields.ts'
import { filedText, reportReceiptText, unknownTerminalText } from '../../answers/texts/report-receipt-text.ts'
import type { Airport } from '../../config/airports/directory.ts'
import { Instant, minutes } from '../../config/answer-schemas.ts'
import { ParameterError } from '../../config/errors.ts'
import { laneText } from '../../config/lanes.ts'
import { outsideSchengen } from '../../config/reference/schengen-airports.ts'
import { shortText } from '../../config/short-text.ts'
import { CLOCK_AHEAD_MS, Lane, QueueKind, SentInstant } from '../../config/vocabulary.ts'
import { defineAsyncQuery } from '../async-question.ts'
import { type FiledReport, fileReport } from '../reports/file-report.ts'
import { handOverReports } from '../reports/hand-over.ts'
import { agreeingNeeded } from '../reports/plausibility.ts'
import { REPORT_RULES } from '../reports/report-rules.ts'
import { knownTerminals, matchTerminal } from '../reports/terminal-name.ts'
import { defineTool } from './define.ts'

const { max_minutes, max_terminal_length, max_age_ms, per_hour, per_airport_hour } = REPORT_RULES

const output = z.strictObject({
  report_id: z.string(),
  airport: iata,
  queue: QueueKind,
  terminal: z.string().nullable().describe('The known name of the terminal; null: none was named, or it is not known.'),
  lane: Lane.nullable(),
  wait_minutes: minutes,
  observed_at: Instant,
  status: z
    .enum(['accepted', 'held'])
    .describe('held: not used and never shown to others; `held_reason` says whether it may still count.'),
  held_reason: z.string().nullable().describe('Why it is held; null when accepted.'),
  replaced_reports: z
    .int()
    .min(0)
    .describe('Your own reports of this lane within ten minutes, which this one replaces.'),
  agreeing_reports: z
    .int()
    .min(0)
    .describe('Other travellers whose reports agree with it: one voice for each account and network.'),
  message: z.string(),
  notice,
  simulated,
})
type Answer = z.output<typeof output>

const query = defineAsyncQuery({
  name: 'submitWaitTimeReport',
  writes: true,
  input: z.strictObject({
    iata,
    queue: QueueKind.describe('Which queue.'),
    wait_minutes: z
      .int()
      .min(0)
      .max(max_minutes)
      .describe(`Minutes from joining the queue to leaving it, 0 to ${max_minutes}.`),
    terminal: shortText(max_terminal_length).optional().describe('Terminal, like 4 or North.'),
    lane: Lane.optional().describe('Lane, if known.'),
    observed_at: SentInstant.optional().describe('When they left the queue (UTC); default: now.'),
  }),
  output,
  async answer(input, context) {
    refuseMissing(input, findServedAirport(input.iata, context))
    const { state, snapshot, now, caller, by, pipelineClient } = context
    const { iata, queue, wait_minutes, lane = null } = input
    const named = input.terminal || null
    if (named !== null) refuseClosedTerminal(iata, named, snapshot)
    const terminal = named === null ? null : matchTerminal(named, iata, snapshot)
    const observed_at = parseObservedAt(input.observed_at ?? null, now)
    const reported = { iata, queue, terminal, lane, wait_minutes, observed_at }
    const unmatched_terminal = terminal === null ? named : null
    const filing = { snapshot, now, address: by.source }
    const filed = await fileReport(state, { ...reported, unmatched_terminal }, caller.account_id, filing)
    const { report, replaced, agreeing } = filed
    const accepted = report.status === 'accepted' || report.status === 'superseded'
    // The report is stored; if this hand-over fails, the periodic task repeats it.
    if (pipelineClient && accepted) handOverReports(state, pipelineClient, now).catch(() => undefined)
    return {
      report_id: report.id,
      airport: iata,
      queue,
      terminal,
      lane,
      wait_minutes,
      observed_at: report.observed_at,
      status: accepted ? ('accepted' as const) : ('held' as const),
      held_reason: accepted ? null : report.reason,
      replaced_reports: replaced,
      agreeing_reports: agreeing,
      message:
        unmatched_terminal === null ? messageOf(filed) : unknownTerminalText(iata, knownTerminals(iata, snapshot)),
      simulated: snapshot.simulated,
    }
  },
})

/** @throws ParameterError for a kiosk of the Entry/Exit System or a lane that does not exist there */
function refuseMissing({ queue, lane }: { queue: QueueKind; lane?: Lane | undefined }, airport: Airport): void {
  const notSchengen = queue === 'ees_kiosk' ? outsideSchengen(airport) : null
  if (notSchengen !== null)
    throw ParameterError.of('queue', `there is no Entry/Exit System kiosk at ${airport.iata}: ${notSchengen}`)
  if (lane !== 'precheck' && lane !== 'clear') return
  const error = (why: string) => ParameterError.of('lane', `there is no ${laneText(lane)} ${why}`)
  if (nation(airport) !== 'US') throw error(`at ${airport.iata}: it exists at US airports only`)
  if (queue !== 'security')
    throw error(
      'in this queue: it is one of security, and lanes of the border, as of Global Entry, are not told apart here',
    )
}

/** @throws ParameterError when the time is in the future or older than two hours */
function parseObservedAt(text: string | null, now: number): string {
  const instant = text === null ? now : Date.parse(text)
  const error = (message: string) => ParameterError.of('observed_at', message)
  // Clocks differ: a time slightly ahead of ours counts as now.
  if (instant > now + CLOCK_AHEAD_MS) throw error('must not be in the future')
  if (instant < now - max_age_ms) throw error('must be within the last two hours')
  return new Date(Math.min(instant, now)).toISOString()
}

const messageOf = ({ report: { status, reason }, replaced, agreeing }: FiledReport) =>
  filedText({
    status,
    held: status === 'held' && reason !== null ? { reason, others_needed: agreeingNeeded(reason) - 1 } : null,
    replaced,
    agreeing,
  })

export const submitWaitTimeReportTool = defineTool<Answer>({
  name: 'submit_wait_time_report',
  title: 'File a traveller’s report of a wait',
  description: `File what a traveller has just seen: how long a queue took. Call it only when a person says so about a queue of the last two hours, never with an estimate or a figure of another tool. A report far from all known figures, or of an unknown terminal, is held. At most ${per_airport_hour} an hour at one airport and ${per_hour} in all (rate_limited). Shown without your account, never as a measurement.`,
  // It writes, destroys nothing, and every call counts towards the hourly limit.
  annotations: { readOnlyHint: false, openWorldHint: false, idempotentHint: false, destructiveHint: false },
  topics: ['report'],
  example: { iata: 'JFK', queue: 'security', wait_minutes: 20, terminal: '4', lane: 'standard' },
  query,
  text: reportReceiptText,
})
