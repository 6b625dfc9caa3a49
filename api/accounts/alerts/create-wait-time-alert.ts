import { z } from 'zod'
import { Instant, minutes } from '../../../config/facts.ts'
import { defineAsyncQuery } from '../../data/queries/define.ts'
import { iata, simulated } from '../../data/queries/shared-fields.ts'
import { defineTool } from '../../data/tools/define.ts'
import { AlertRequest, DEFAULT_DAYS, MAX_DAYS, THRESHOLD } from './alert-request.ts'
import { createAlert } from './create-alert.ts'

const output = z.strictObject({
  alert_id: z.string(),
  airport: iata,
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
  message: z.string(),
  simulated,
})
type Output = z.output<typeof output>

const description = `Alert a person by push when the security wait of an airport rises above or falls below so many minutes (${THRESHOLD.min} to ${THRESHOLD.max}). Use it for a person who wants a notification instead of asking again. Fires once for each crossing, on an observed wait only, never on a forecast; at once if it is already crossed. Delivered by mobile or desktop push alone: \`connected_browsers: 0\` means that nobody is notified until the person connects one at \`connect_url\`; tell them so. Ends after ${DEFAULT_DAYS} days or at \`expires_at\` (at most ${MAX_DAYS} days). Quiet hours are local times of the airport. At most 50 alerts an account.`

const query = defineAsyncQuery({
  name: 'createWaitTimeAlert',
  summary: 'Alert when a security wait crosses a threshold, by push',
  description,
  tier: 'free',
  rest: null,
  input: AlertRequest,
  output,
  async answer(order, context) {
    const { caller, by, now, snapshot, site_url } = context
    const created = await createAlert(context, caller.account_id, order, by, now)
    const { alert, connected_browsers, connectable, observed_now } = created
    const { id, iata: airport, terminal, direction, threshold_minutes, expires_at, quiet_from, quiet_to } = alert
    return {
      alert_id: id,
      airport,
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
      message: messageOf(created, `${site_url}/alerts`),
      simulated: snapshot.simulated,
    }
  },
})

/** To whom the alert is sent, in one sentence for the person. */
function messageOf(
  { connected_browsers, connectable }: Awaited<ReturnType<typeof createAlert>>,
  connect_url: string,
): string {
  if (connected_browsers > 0) return `It goes to ${connected_browsers} connected phone(s) or desktop(s)`
  return connectable
    ? `No phone or desktop is connected yet: open ${connect_url} on one and connect it, or nothing can be sent`
    : 'Nobody can be notified: this account was registered by an agent and nobody can sign in to it. Sign up as a person and use a key of that account'
}

export const createWaitTimeAlertTool = defineTool<Output>({
  name: 'create_wait_time_alert',
  title: 'Alert when a security wait crosses a threshold, by push',
  description,
  annotations: { readOnlyHint: false, openWorldHint: false, idempotentHint: false, destructiveHint: false },
  example: { iata: 'JFK', direction: 'above', threshold_minutes: 30, quiet_from: '22:00', quiet_to: '06:00' },
  query,
  text: ({ airport, terminal, direction, threshold_minutes, expires_at, observed_now, message }) =>
    [
      `Alert created: security at ${airport}${terminal ? ` ${terminal}` : ''} ${direction} ${threshold_minutes} min, until ${expires_at.slice(0, 10)}.`,
      `${message}.`,
      observed_now ? '' : 'No wait is observed there now; it waits until one is.',
    ]
      .filter(Boolean)
      .join('\n'),
})
