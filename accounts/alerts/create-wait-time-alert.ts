import { z } from 'zod'
import { findAirport } from '../../answers/questions/find-airport.ts'
import { iata, notice, simulated } from '../../answers/questions/shared-fields.ts'
import { dayText } from '../../answers/statements/local-clock.ts'
import { clockOf, localTime } from '../../answers/statements/local-time.ts'
import { airportPlace } from '../../answers/statements/text.ts'
import { defineAsyncQuery } from '../../api/async-question.ts'
import { defineTool } from '../../api/tools/define.ts'
import { Instant, minutes } from '../../config/answer-schemas.ts'
import { countText } from '../../config/count-text.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { AlertRequest, THRESHOLD } from './alert-request.ts'
import { createAlert } from './create-alert.ts'
import { returnLevel } from './decide-alert.ts'
import { comparedText, unobservedText } from './observed-wait.ts'

const output = z.strictObject({
  alert_id: z.string(),
  airport: iata,
  timezone: z.string(),
  terminal: z.string().nullable().describe('Null for the average of the airport.'),
  direction: z.enum(['above', 'below']),
  threshold_minutes: minutes,
  expires_at: Instant,
  quiet_from: z.string().nullable().describe('Local time of the airport, HH:MM.'),
  quiet_to: z.string().nullable(),
  connected_browsers: z.int().min(0).describe('Phones and desktops that it will be sent to.'),
  connectable: z
    .boolean()
    .describe(
      'Whether a person can sign in to this account to connect one; an account that an agent registered has none.',
    ),
  connect_url: z.string().describe('Where the person connects a phone or desktop.'),
  observed_now: z.boolean().describe('Whether the wait is observed now; if not, the alert waits until it is.'),
  stored: z.literal(true).describe('The alert exists from now on, whether or not somebody can be notified.'),
  message: z.string(),
  next_steps: z.array(z.string()).describe('What the person does to be notified; empty when a browser is connected.'),
  notice,
  simulated,
})
type Output = z.output<typeof output>

const query = defineAsyncQuery({
  name: 'createWaitTimeAlert',
  writes: true,
  input: AlertRequest,
  output,
  async answer(order, context) {
    const { caller, by, now, snapshot, site_url } = context
    const { timezone } = findAirport(order.iata, context)
    const created = await createAlert(context, caller.account_id, order, by, now)
    const { alert, connected_browsers, connectable, observed_now } = created
    const { id, iata: airport, terminal, direction, threshold_minutes, expires_at, quiet_from, quiet_to } = alert
    return {
      alert_id: id,
      airport,
      timezone,
      terminal,
      direction,
      threshold_minutes,
      expires_at,
      quiet_from,
      quiet_to,
      connected_browsers,
      connectable,
      connect_url: `${site_url}/alerts`,
      observed_now,
      stored: true as const,
      message: messageOf(created, snapshot, now),
      next_steps: nextSteps(created, site_url),
      simulated: snapshot.simulated,
    }
  },
})

/** Whether notifications will be sent, and whether anything observes the queue. */
function messageOf(
  {
    alert,
    connected_browsers,
    connectable,
    observed_now,
    crossed_now,
    is_quiet_now,
  }: Awaited<ReturnType<typeof createAlert>>,
  snapshot: Snapshot,
  now: number,
) {
  const { iata: airport, terminal, direction, threshold_minutes } = alert
  const queue = `security at ${airportPlace(airport, terminal)}`
  const event = `${queue} ${direction === 'above' ? 'takes more' : 'takes less'} than ${threshold_minutes} min`
  const returned = `${returnLevel(alert)} min or ${direction === 'above' ? 'less' : 'more'}`
  if (alert.state === 'fired' && connected_browsers > 0)
    return `The alert for ${queue} exists and has just fired. It fires again after the wait was ${returned} in between.`
  const present = observed_now ? 'The queue is observed now.' : `${unobservedText(snapshot, alert, now)}.`
  const when = connected_browsers > 0 ? '' : ' when a phone or computer is connected'
  const fires = is_quiet_now ? `after the quiet hours, at ${alert.quiet_to}, if it is so then` : `at once${when}`
  const observed =
    crossed_now === null
      ? present
      : `That is so now, ${comparedText(snapshot, alert, crossed_now, now)}: it fires ${fires}.`
  if (connected_browsers > 0)
    return `You will be notified on ${countText(connected_browsers, 'phone or computer', 'phones or computers')} when ${event}. ${observed}`
  return connectable
    ? `No notifications will be sent yet when ${event}: no phone or computer is connected to this account. ${observed}`
    : `No notifications will be sent when ${event}: an agent registered this account, so that no person can sign in to it. ${observed}`
}

/** The steps that a person must take to be notified, in order; empty once a browser is connected. */
function nextSteps(
  { connected_browsers, connectable }: Awaited<ReturnType<typeof createAlert>>,
  site_url: string,
): string[] {
  if (connected_browsers > 0) return []
  const connect = `On each phone or computer that is to be notified: open ${site_url}/alerts, sign in, connect that browser and allow notifications.`
  if (connectable) return [connect]
  return [
    `The person signs up at ${site_url}/signup.`,
    connect,
    `The person creates a key at ${site_url}/dashboard/keys and gives it to this agent, which creates the alert again; or creates the alert on ${site_url}/alerts without an agent.`,
  ]
}

export const createWaitTimeAlertTool = defineTool<Output>({
  name: 'create_wait_time_alert',
  title: 'Alert when a security wait crosses a threshold, by push',
  description: `Alert a person by push when the security wait of an airport rises above or falls below so many minutes (${THRESHOLD.min} to ${THRESHOLD.max}). Fires once for each crossing, on an observed wait only, never on a forecast; at once if it is already crossed. By push alone: \`connected_browsers: 0\` means that nobody is notified until the person has done the \`next_steps\`; tell them so. At most 50 alerts an account.`,
  annotations: { readOnlyHint: false, openWorldHint: false, idempotentHint: true, destructiveHint: false },
  topics: ['alert', 'notification'],
  example: { iata: 'JFK', direction: 'above', threshold_minutes: 30, quiet_from: '22:00', quiet_to: '06:00' },
  query,
  text: ({ airport, expires_at, timezone, message, next_steps }) =>
    [
      message,
      next_steps.length > 0 && 'To be notified:',
      ...next_steps.map((step, index) => `${index + 1}. ${step}`),
      `The alert for ${airport} is stored until ${clockOf(localTime(Date.parse(expires_at), timezone))} on ${dayText(localTime(Date.parse(expires_at), timezone))} there.`,
    ]
      .filter(Boolean)
      .join('\n'),
})
