import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ParameterFault } from '../../../../config/errors.ts'
import { form, type PageParts } from '../../../site/pages/frame.ts'
import { listBrowsers, MAX_BROWSERS } from '../connected-browsers.ts'
import { type AlertContext, listAlerts, MAX_ALERTS } from '../create-alert.ts'
import { vapidKeys } from '../vapid.ts'
import { AlertFields, alertFields } from './alert-fields.ts'
import { alertTable } from './alert-table.ts'
import { browserTable } from './browser-table.ts'
import { type Said, saidLine } from './said.ts'

export interface AlertsPageParts extends AlertContext {
  account_id: string
  now: number
  /** What was just done. */
  said?: Said
  /** A form that was refused, with why. */
  fields?: AlertFields
  faults?: ParameterFault[]
}

/** The page `/alerts` of an account. */
export async function alertsPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { state, directory, snapshot, account_id, now, said, fields, faults = [] }: AlertsPageParts,
): Promise<PageParts> {
  const alerts = await listAlerts(state, account_id, now)
  const browsers = await listBrowsers(state.db, account_id)
  const { publicKey } = await vapidKeys(state, now)
  const post = (action: string, inner: string) => form(request, reply, action, inner)
  const invalid = faults.length > 0
  const create = invalid
    ? `<p class="fault" role="alert">The alert was not created: see below what must change.</p>`
    : ''
  const simulated = `<p class="warning"><strong>SIMULATED world.</strong> Every wait here is invented; alerts say so too.</p>`
  return {
    title: 'Alerts',
    description: 'Push messages when the security wait of an airport crosses a threshold.',
    status: invalid ? 400 : 200,
    scripts: ['alerts'],
    body: `${said ? saidLine(said) : ''}
${snapshot?.simulated ? simulated : ''}
<p>Your phone or computer is told when the security wait of an airport goes above, or below, so many minutes. Only a wait that was
measured or reported less than an hour ago counts; a prediction never sets an alert off.</p>
<h2 id="browsers">Browsers that are told</h2>
${browserTable(browsers, post)}
${connecting(publicKey, post, browsers.length >= MAX_BROWSERS)}
<h2 id="alerts">Your alerts</h2>
${alertTable(alerts, { directory, snapshot, now }, post)}
<h2 id="new">New alert</h2>
<p>If the wait is beyond the threshold already, you are told at once. After that you are told again only when the wait has come back
and crosses the threshold anew. Up to ${MAX_ALERTS} alerts.</p>
${create}
${post('/alerts/create', alertFields(fields ?? AlertFields.parse({}), faults))}`,
  }
}

/** The part that the script brings to life; without it, it says what is missing. */
function connecting(publicKey: string, post: (action: string, inner: string) => string, full: boolean): string {
  if (full) return `<p class="none">No more than ${MAX_BROWSERS} browsers can be connected: disconnect one first.</p>`
  const inner = `<label for="browser-label">Name of this browser</label>
<input id="browser-label" maxlength="60" autocomplete="off" aria-describedby="browser-label-hint">
<p class="hint" id="browser-label-hint">What you will know it by. It may be left empty.</p>
<button>Connect this browser</button>`
  return `<div id="connect" data-key="${publicKey}" hidden>
${post('/alerts/browsers/connect', inner)}
</div>
<p id="connect-state" role="status"></p>
<noscript><p class="warning">Connecting a browser needs JavaScript. Everything else on this page works without.</p></noscript>`
}
