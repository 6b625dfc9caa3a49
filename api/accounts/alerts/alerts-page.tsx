import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { InputHTMLAttributes } from 'preact'
import { z } from 'zod'
import type { Directory } from '../../../config/airports/directory.ts'
import { DAY_MS, isoUtc } from '../../../config/domain.ts'
import { ERROR_CODES, HoldshortError, ParameterError, type ParameterFault } from '../../../config/errors.ts'
import type { Snapshot } from '../../../warehouse/publishing/snapshot/snapshot.ts'
import { durationText } from '../../data/status/duration-text.ts'
import { Moment, Table } from '../../site/pages/elements.tsx'
import { Form, sendPage } from '../../site/pages/frame.tsx'
import type { AlertRow, PushSubscriptionRow } from '../../state/tables.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { assertAllowedAddress } from '../egress/guarded-fetch.ts'
import { browserName } from '../people/browser-name.ts'
import { ownerActor, ownerOf, requireSignIn } from '../people/signed-in.ts'
import { airportFromText } from './airport-from-text.ts'
import { type AlertRequest, DEFAULT_DAYS, MAX_DAYS, THRESHOLD } from './alert-request.ts'
import { connectBrowser, disconnectBrowser, listBrowsers, MAX_BROWSERS } from './connected-browsers.ts'
import { createAlert, listAlerts, MAX_ALERTS, removeAlert } from './create-alert.ts'
import { returnLevel } from './decide-alert.ts'
import { isClosed, observedWait } from './observed-wait.ts'
import { parseSubscription } from './push-subscription.ts'
import { sendTestMessage } from './send-test-message.ts'
import { vapidKeys } from './vapid.ts'

/** What was just done, by the value of `?said=`. */
const NOTICES = {
  created: 'The alert is armed.',
  created_unheard: 'The alert is armed, but no browser is connected yet: connect one below to receive its messages.',
  removed: 'The alert is removed.',
  connected: 'The browser is connected. Send a test to see that it works.',
  disconnected: 'The browser is disconnected.',
  test_sent: 'The push service has accepted the test. It should appear within a minute.',
  test_waiting: 'The push service could not be reached, or is busy. The test will be sent again automatically.',
  test_dropped: 'The push service refused the test. Disconnect the browser and connect it again.',
  test_gone: 'That browser is no longer reachable and was disconnected. Connect it again.',
} as const
type Notice = keyof typeof NOTICES

const isNotice = (name: unknown): name is Notice => typeof name === 'string' && Object.hasOwn(NOTICES, name)

const postedId = (request: FastifyRequest) => String((request.body as Record<string, unknown> | null)?.['id'] ?? '')
const redirectTo = (reply: FastifyReply, notice: Notice) => reply.redirect(`/alerts?said=${notice}`, 303)

/** Adds `/alerts`, where an owner manages alerts and the browsers that receive them, and the paths of its forms. */
export function addAlertPages(pages: FastifyInstance, dependencies: AccountDependencies): void {
  const { state, directory, holder, settings, clock = Date.now } = dependencies
  const ownerOnly = { preHandler: requireSignIn, schema: { hide: true } }
  const alertContext = () => ({ state, directory, snapshot: holder.current()?.asOf(clock()) ?? null })

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    notice: Notice | null,
    refused: AlertForm | null,
  ) => {
    const account_id = ownerOf(request).account_id
    const now = clock()
    const { publicKey } = await vapidKeys(state, now)
    const body = (
      <AlertsPage
        alerts={await listAlerts(state, account_id, now)}
        browsers={await listBrowsers(state.db, account_id)}
        publicKey={publicKey}
        shown={{ directory, snapshot: alertContext().snapshot, now }}
        notice={notice}
        refused={refused}
      />
    )
    return sendPage(request, reply, {
      title: 'Alerts',
      description: 'Push messages when the security wait of an airport crosses a threshold.',
      status: refused ? 400 : 200,
      scripts: ['alerts'],
      body,
    })
  }

  pages.get('/alerts', ownerOnly, (request, reply) => {
    const { said } = request.query as { said?: unknown }
    return show(request, reply, isNotice(said) ? said : null, null)
  })

  pages.post('/alerts/create', { ...ownerOnly, config: { checksOwnTexts: true } }, async (request, reply) => {
    const fields = AlertFields.parse(request.body ?? {})
    try {
      const order = { ...orderOf(fields, clock()), iata: airportFromText(directory, fields.airport).iata }
      const created = await createAlert(
        alertContext(),
        ownerOf(request).account_id,
        order,
        ownerActor(request),
        clock(),
      )
      return redirectTo(reply, created.connected_browsers === 0 ? 'created_unheard' : 'created')
    } catch (error) {
      if (!(error instanceof ParameterError)) throw error
      return show(request, reply, null, { fields, faults: error.faults })
    }
  })

  pages.post('/alerts/remove', ownerOnly, async (request, reply) => {
    await removeAlert(state, ownerOf(request).account_id, postedId(request), ownerActor(request), clock())
    return redirectTo(reply, 'removed')
  })

  pages.post('/alerts/browsers/disconnect', ownerOnly, async (request, reply) => {
    await disconnectBrowser(state, ownerOf(request).account_id, postedId(request), ownerActor(request), clock())
    return redirectTo(reply, 'disconnected')
  })

  pages.post('/alerts/browsers/test', ownerOnly, async (request, reply) => {
    const outcome = await sendTestMessage(dependencies, ownerOf(request).account_id, postedId(request), clock())
    return redirectTo(reply, `test_${outcome}`)
  })

  // Only the page's script calls this, with the CSRF token in a header. Request and answer are JSON.
  pages.post('/alerts/browsers/connect', ownerOnly, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      const subscription = parseSubscription(request.body)
      await assertAllowedAddress(subscription.endpoint, settings.outward_allow).catch((refusal: HoldshortError) => {
        throw new ParameterError([{ parameter: 'endpoint', message: refusal.message }])
      })
      const label = subscription.label || browserName(request.headers['user-agent'] ?? '')
      await connectBrowser(state, ownerOf(request).account_id, { ...subscription, label }, ownerActor(request), clock())
      return reply.send({ label })
    } catch (error) {
      if (!(error instanceof HoldshortError)) throw error
      return reply.code(ERROR_CODES[error.code].status).send({ code: error.code, message: error.message })
    }
  })
}

/** The form for a new alert: the fields as typed, and what is wrong with them. */
interface AlertForm {
  fields: AlertFields
  faults: ParameterFault[]
}

/** What the state of an alert is shown with. */
interface Shown {
  directory: Directory
  snapshot: Snapshot | null
  now: number
}

interface AlertsPageProps {
  alerts: AlertRow[]
  browsers: PushSubscriptionRow[]
  /** The VAPID key that browsers subscribe with. */
  publicKey: string
  shown: Shown
  notice: Notice | null
  /** The form as it was sent, if it was refused. */
  refused: AlertForm | null
}

function AlertsPage({ alerts, browsers, publicKey, shown, notice, refused }: AlertsPageProps) {
  return (
    <>
      {notice && (
        <p class="lead" role="status">
          {NOTICES[notice]}
        </p>
      )}
      {shown.snapshot?.simulated && (
        <p class="warning">
          <strong>SIMULATED world.</strong> Every wait here is invented; alerts say so too.
        </p>
      )}
      <p>
        Your phone or computer shows a message when the security wait of an airport goes above, or below, a number of
        minutes. Only a wait that was measured or reported less than an hour ago counts; a prediction never triggers an
        alert.
      </p>
      <h2 id="browsers">Connected browsers</h2>
      {browsers.length === 0 ? (
        <p>None yet: until one is connected, no alert can reach you.</p>
      ) : (
        <BrowserTable browsers={browsers} />
      )}
      {browsers.length >= MAX_BROWSERS ? (
        <p class="none">No more than {MAX_BROWSERS} browsers can be connected: disconnect one first.</p>
      ) : (
        <ConnectBrowser publicKey={publicKey} />
      )}
      <h2 id="alerts">Your alerts</h2>
      {alerts.length === 0 ? <p>None yet.</p> : <AlertTable alerts={alerts} shown={shown} />}
      <h2 id="new">New alert</h2>
      <p>
        If the wait is already beyond the threshold, you get a message at once. You get the next one only after the wait
        has come back and crosses the threshold again. Up to {MAX_ALERTS} alerts.
      </p>
      {refused && (
        <p class="fault" role="alert">
          The alert was not created: see below what must change.
        </p>
      )}
      <NewAlertForm form={refused ?? { fields: AlertFields.parse({}), faults: [] }} />
    </>
  )
}

/** `data-browser` lets the script find its own browser in the table without sending the push endpoint to the page. */
function BrowserTable({ browsers }: { browsers: PushSubscriptionRow[] }) {
  return (
    <Table label="Connected browsers" columns={['Browser', 'Test', 'Disconnect']}>
      {browsers.map(({ id, label, endpoint, created_at, delivered_at }) => (
        <tr data-browser={createHash('sha256').update(endpoint).digest('base64url')}>
          <th scope="row">
            {label}
            <span>
              connected <Moment at={created_at} />
            </span>
            <span>
              {delivered_at ? (
                <>
                  last message <Moment at={delivered_at} />
                </>
              ) : (
                'no message yet'
              )}
            </span>
          </th>
          <td>
            <Form action="/alerts/browsers/test">
              <input type="hidden" name="id" value={id} />
              <button class="second" aria-label={`Send a test to ${label}`}>
                Test
              </button>
            </Form>
          </td>
          <td>
            <Form action="/alerts/browsers/disconnect">
              <input type="hidden" name="id" value={id} />
              <button class="danger" aria-label={`Disconnect ${label}`}>
                Disconnect
              </button>
            </Form>
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** Hidden until the script shows it; without the script the page says what is missing. */
function ConnectBrowser({ publicKey }: { publicKey: string }) {
  return (
    <>
      <div id="connect" data-key={publicKey} hidden>
        <Form action="/alerts/browsers/connect">
          <label for="browser-label">Name of this browser</label>
          <input id="browser-label" maxlength={60} autocomplete="off" aria-describedby="browser-label-hint" />
          <p class="hint" id="browser-label-hint">
            A name that you will recognise. It may be left empty.
          </p>
          <button>Connect this browser</button>
        </Form>
      </div>
      <p id="connect-state" role="status" />
      <noscript>
        <p class="warning">Connecting a browser needs JavaScript. Everything else on this page works without it.</p>
      </noscript>
    </>
  )
}

function AlertTable({ alerts, shown }: { alerts: AlertRow[]; shown: Shown }) {
  return (
    <Table label="Your alerts" columns={['Security wait of', 'State', 'Remove']}>
      {alerts.map((alert) => {
        const { id, iata, direction, threshold_minutes, terminal, expires_at } = alert
        const condition = `${terminal === null ? iata : `${iata} ${terminal}`} ${direction} ${threshold_minutes} min`
        const airport = shown.directory.byIata.get(iata)
        return (
          <tr>
            <th scope="row">
              {condition}
              <span>{airport?.name ?? 'no longer in the directory'}</span>
              <span>
                {quietHours(alert, airport?.timezone ?? '')}until <Moment at={expires_at} />
              </span>
            </th>
            <td>
              <AlertState alert={alert} />
              <span>{currentWait(alert, shown)}</span>
            </td>
            <td>
              <Form action="/alerts/remove">
                <input type="hidden" name="id" value={id} />
                <button class="danger" aria-label={`Remove ${condition}`}>
                  Remove
                </button>
              </Form>
            </td>
          </tr>
        )
      })}
    </Table>
  )
}

function AlertState({ alert }: { alert: AlertRow }) {
  const { state, fired_at, direction } = alert
  if (state === 'armed')
    return (
      <>
        armed
        {fired_at && (
          <span>
            last fired <Moment at={fired_at} />
          </span>
        )}
      </>
    )
  return (
    <>
      fired
      <span>
        {fired_at && <Moment at={fired_at} />}
        {`; armed again at ${returnLevel(alert)} min or ${direction === 'above' ? 'less' : 'more'}`}
      </span>
    </>
  )
}

function currentWait({ iata, terminal }: AlertRow, { snapshot, now }: Shown): string {
  const wait = snapshot && observedWait(snapshot, iata, terminal)
  if (!wait && snapshot && isClosed(snapshot, iata, terminal))
    return 'closed now: a closed queue has no wait, so the alert waits until it opens'
  if (!wait) return 'not observed now: the alert waits for the next reading'
  return `now ${wait.wait_minutes} min, ${wait.basis} ${durationText(now - Date.parse(wait.observed_at))} ago`
}

function quietHours({ quiet_from, quiet_to }: AlertRow, timezone: string): string {
  if (quiet_from === null || quiet_to === null) return ''
  return `quiet ${quiet_from} to ${quiet_to} (${timezone}), `
}

const field = (start = '') => z.string().max(200).catch(start).default(start)

/** The fields of the form for a new alert, as texts. */
const AlertFields = z.object({
  airport: field(),
  terminal: field(),
  direction: field('above'),
  threshold_minutes: field('30'),
  days: field(String(DEFAULT_DAYS)),
  quiet_from: field(),
  quiet_to: field(),
})
type AlertFields = z.output<typeof AlertFields>

/** The alert that the fields describe, without its airport. Values that cannot be read are left for `createAlert` to refuse. */
function orderOf(fields: AlertFields, now: number): Omit<AlertRequest, 'iata'> {
  const days = wholeNumber(fields.days)
  // Days that are not a valid number become one day too many, which is refused as too long.
  const validDays = days >= 1 && days <= MAX_DAYS ? days : MAX_DAYS + 1
  return {
    terminal: fields.terminal.trim() || null,
    direction: fields.direction === 'below' ? 'below' : 'above',
    threshold_minutes: wholeNumber(fields.threshold_minutes),
    expires_at: isoUtc(now + validDays * DAY_MS),
    quiet_from: fields.quiet_from || null,
    quiet_to: fields.quiet_to || null,
  }
}

const wholeNumber = (text: string) => (/^\s*\d{1,4}\s*$/.test(text) ? Number(text) : Number.NaN)

/** Names of alert parameters whose form field has another name. */
const FIELD_OF_PARAMETER: Record<string, keyof AlertFields> = { iata: 'airport', expires_at: 'days' }
const fieldOf = ({ parameter }: ParameterFault) => FIELD_OF_PARAMETER[parameter] ?? parameter

const DAYS_RULE = `must be a whole number, 1 to ${MAX_DAYS}`

const WHOLE_NUMBER = { type: 'number', inputmode: 'numeric', step: 1, required: true }

function NewAlertForm({ form }: { form: AlertForm }) {
  const { min, max } = THRESHOLD
  return (
    <Form action="/alerts/create">
      <AlertInput
        form={form}
        name="airport"
        label="Airport"
        hint="Code or name, like JFK."
        input={{ required: true, maxlength: 100, autocomplete: 'off' }}
      />
      <AlertInput
        form={form}
        name="terminal"
        label="Terminal"
        hint="Leave it empty for the whole airport."
        input={{ maxlength: 40, autocomplete: 'off' }}
      />
      <label for="direction">Alert me when the security wait is</label>
      <select id="direction" name="direction">
        <option value="above" selected={form.fields.direction === 'above'}>
          above
        </option>
        <option value="below" selected={form.fields.direction === 'below'}>
          below
        </option>
      </select>
      <AlertInput
        form={form}
        name="threshold_minutes"
        label="Minutes"
        hint={`${min} to ${max}.`}
        input={{ ...WHOLE_NUMBER, min, max }}
      />
      <AlertInput
        form={form}
        name="days"
        label="Valid for days"
        hint={`1 to ${MAX_DAYS}; then it is removed.`}
        input={{ ...WHOLE_NUMBER, min: 1, max: MAX_DAYS }}
      />
      <AlertInput
        form={form}
        name="quiet_from"
        label="Quiet from"
        hint="Local time of the airport; leave both empty for no quiet hours."
        input={{ type: 'time' }}
      />
      <AlertInput
        form={form}
        name="quiet_to"
        label="Quiet to"
        hint="If the wait is still beyond the threshold then, you get the message then."
        input={{ type: 'time' }}
      />
      <button>Create alert</button>
    </Form>
  )
}

interface AlertInputProps {
  form: AlertForm
  name: keyof AlertFields
  label: string
  hint: string
  /** Further attributes of the input element. */
  input: Record<string, string | number | boolean>
}

function AlertInput({ form: { fields, faults }, name, label, hint, input }: AlertInputProps) {
  const fault = faults.find((each) => fieldOf(each) === name)
  const message = fault && (name === 'days' ? DAYS_RULE : fault.message)
  // The types have one shape for each kind of input, and cannot see that these attributes suit all of ours.
  const attributes = {
    id: name,
    name,
    value: fields[name],
    ...input,
    'aria-describedby': `${name}-hint`,
    'aria-invalid': fault ? 'true' : undefined,
    autofocus: fault !== undefined && fault === faults[0],
  }
  return (
    <>
      <label for={name}>{label}</label>
      <input {...(attributes as InputHTMLAttributes)} />
      <p class="hint" id={`${name}-hint`}>
        {message && (
          <>
            <span class="fault" role="alert">
              {label}: {message}.
            </span>{' '}
          </>
        )}
        {hint}
      </p>
    </>
  )
}
