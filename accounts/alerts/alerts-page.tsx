import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { meantAirport } from '../../answers/search/find-airports.ts'
import { choiceText, readingOf } from '../../answers/search/read-as.ts'
import { agoText, airportPlace } from '../../answers/statements/text.ts'
import type { AlertRow, PushSubscriptionRow } from '../../api/state/tables.ts'
import type { Airport, Directory } from '../../config/airports/directory.ts'
import { resolveCode } from '../../config/airports/resolve-code.ts'
import { ERROR_CODES, HoldshortError, ParameterError } from '../../config/errors.ts'
import type { Settings } from '../../config/settings.ts'
import { Moment, Table } from '../../site/pages/elements.tsx'
import { ButtonForm, Form, sendPage } from '../../site/pages/frame.tsx'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { assertAllowedAddress } from '../egress/guarded-fetch.ts'
import { browserName } from '../people/browser-name.ts'
import { ownerActor, ownerOf, requireSignIn } from '../people/signed-in.ts'
import { AlertFields, type AlertForm, NewAlertForm, orderOf } from './alert-form.tsx'
import {
  connectBrowser,
  disconnectBrowser,
  listBrowsers,
  MAX_BROWSERS,
  refusedBrowsers,
  renewBrowser,
} from './connected-browsers.ts'
import { createAlert, listAlerts, removeAlert } from './create-alert.ts'
import { returnLevel } from './decide-alert.ts'
import { comparedText, observedWait, unobservedText } from './observed-wait.ts'
import { parseSubscription } from './push-subscription.ts'
import { sendTestMessage } from './send-test-message.ts'
import { vapidKeys } from './vapid.ts'

/** Confirmations by the value of `?said=`. */
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
const redirectTo = (reply: FastifyReply, notice: Notice, more: Record<string, string> = {}) =>
  reply.redirect(`/alerts?${new URLSearchParams({ said: notice, ...more })}`, 303)

/** Adds `/alerts`, where an owner manages alerts and the browsers that receive them, and the paths of its forms. */
export function addAlertPages(pages: FastifyInstance, dependencies: AccountDependencies): void {
  const { state, directory, holder, settings, clock = Date.now } = dependencies
  const ownerOnly = { preHandler: requireSignIn }
  const alertContext = () => ({ state, directory, snapshot: holder.current()?.asOf(clock()) ?? null })

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    notice: string | null,
    refused: AlertForm | null,
  ) => {
    const account_id = ownerOf(request).account_id
    const now = clock()
    const { publicKey } = await vapidKeys(state, now)
    const browsers = await listBrowsers(state.db, account_id)
    const body = (
      <AlertsPage
        alerts={await listAlerts(state, account_id, now)}
        browsers={browsers}
        refusedBrowsers={await refusedBrowsers(state.db, account_id)}
        publicKey={publicKey}
        shown={{ directory, snapshot: alertContext().snapshot, now }}
        notice={notice}
        refused={refused}
        fields={AlertFields.parse(request.query)}
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
    const { said: notice, iata, read } = request.query as Record<string, unknown>
    if (!isNotice(notice)) return show(request, reply, null, null)
    const reading = typeof iata === 'string' ? readingOf(directory, read, iata) : null
    return show(request, reply, [NOTICES[notice], reading].filter(Boolean).join(' '), null)
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
      const { iata } = order
      const isRead = readingOf(directory, fields.airport, iata) !== null
      const notice = created.connected_browsers === 0 ? 'created_unheard' : 'created'
      return redirectTo(reply, notice, isRead ? { iata, read: fields.airport } : {})
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
      const subscription = await allowedSubscription(request, settings)
      const label = subscription.label || browserName(request.headers['user-agent'] ?? '')
      await connectBrowser(state, ownerOf(request).account_id, { ...subscription, label }, ownerActor(request), clock())
      return reply.send({ label })
    } catch (error) {
      return sendRefusal(reply, error)
    }
  })
  addRenewal(pages, dependencies)
}

/** Adds the path that the service worker of a connected browser calls when its push subscription was replaced. It needs no sign-in. */
function addRenewal(pages: FastifyInstance, { state, settings, clock = Date.now }: AccountDependencies): void {
  const config = { hasNoForm: true, isOpenPage: true } as const
  pages.post('/alerts/browsers/renew', { config }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      const former = (request.body as { former_endpoint?: unknown } | null)?.former_endpoint
      if (typeof former !== 'string')
        throw ParameterError.of('former_endpoint', 'must be the address of the former subscription')
      await renewBrowser(state, former, await allowedSubscription(request, settings), clock())
      return reply.code(204).send()
    } catch (error) {
      return sendRefusal(reply, error)
    }
  })
}

/** The push subscription that a request holds. @throws ParameterError that names each faulty field */
async function allowedSubscription({ body }: FastifyRequest, { outward_allow }: Pick<Settings, 'outward_allow'>) {
  const subscription = parseSubscription(body)
  await assertAllowedAddress(subscription.endpoint, outward_allow).catch((refusal: HoldshortError) => {
    throw ParameterError.of('endpoint', refusal.message)
  })
  return subscription
}

/** Answers a script with what was wrong. @throws any other error */
function sendRefusal(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof HoldshortError)) throw error
  return reply.code(ERROR_CODES[error.code].status).send({ code: error.code, message: error.message })
}

interface Shown {
  directory: Directory
  snapshot: Snapshot | null
  now: number
}

interface AlertsPageProps {
  alerts: AlertRow[]
  browsers: PushSubscriptionRow[]
  /** Ids of browsers whose push services refuse messages. */
  refusedBrowsers: ReadonlySet<string>
  publicKey: string
  shown: Shown
  /** The confirmation of the last action. */
  notice: string | null
  /** The form as it was sent, if it was refused. */
  refused: AlertForm | null
  /** The initial values of a new form. */
  fields: AlertFields
}

function AlertsPage({ alerts, browsers, refusedBrowsers, publicKey, shown, notice, refused, fields }: AlertsPageProps) {
  return (
    <>
      {notice && (
        <p class="lead" role="status">
          {notice}
        </p>
      )}
      {shown.snapshot?.simulated && (
        <p class="warning">
          <strong>SIMULATED world.</strong> Every wait here is invented; alerts say so too.
        </p>
      )}
      <p>
        Your phone or computer shows a message when a wait that was measured less than an hour ago goes under, or over,
        a number of minutes. Forecasts never trigger an alert.
      </p>
      {refused && (
        <p class="fault" role="alert">
          The alert was not created: see below what must change.
        </p>
      )}
      <NewAlertForm form={refused ?? { fields, faults: [] }} />
      {alerts.length > 0 && (
        <>
          <h2 id="alerts">Your alerts</h2>
          <AlertTable alerts={alerts} shown={shown} />
        </>
      )}
      <h2 id="browsers">Where messages appear</h2>
      {browsers.length === 0 ? (
        <p>No browser is connected yet: until one is, no alert can reach you.</p>
      ) : (
        <BrowserTable browsers={browsers} refusedBrowsers={refusedBrowsers} />
      )}
      {browsers.length >= MAX_BROWSERS ? (
        <p class="none">No more than {MAX_BROWSERS} browsers can be connected: disconnect one first.</p>
      ) : (
        <ConnectBrowser publicKey={publicKey} />
      )}
    </>
  )
}

/** `data-browser` lets the script find its own browser in the table without sending the push endpoint to the page. */
function BrowserTable({ browsers, refusedBrowsers }: Pick<AlertsPageProps, 'browsers' | 'refusedBrowsers'>) {
  return (
    <Table
      label="Connected browsers"
      columns={['Browser', 'Test', 'Disconnect']}
      rows={browsers.map(({ id, label, endpoint, created_at, delivered_at }) => ({
        attributes: { 'data-browser': createHash('sha256').update(endpoint).digest('base64url') },
        cells: [
          <>
            {label}
            <span>
              connected <Moment instant={created_at} />
            </span>
            <span>{delivered_at ? ['last message ', <Moment instant={delivered_at} />] : 'no message yet'}</span>
            {refusedBrowsers.has(id) && (
              <span class="fault">Its push service refuses our messages: disconnect it, and connect it again.</span>
            )}
          </>,
          <ButtonForm action="/alerts/browsers/test" field={{ id }} label={`Send a test to ${label}`} text="Test" />,
          <ButtonForm
            action="/alerts/browsers/disconnect"
            field={{ id }}
            kind="danger"
            label={`Disconnect ${label}`}
            text="Disconnect"
          />,
        ],
      }))}
    />
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
    <Table
      label="Your alerts"
      columns={['Security wait of', 'State', 'Remove']}
      rows={alerts.map((alert) => {
        const { id, iata, direction, threshold_minutes, terminal, expires_at } = alert
        const condition = `${airportPlace(iata, terminal)} ${direction === 'below' ? 'under' : 'over'} ${threshold_minutes} min`
        const airport = shown.directory.byIata.get(iata)
        return [
          <>
            {condition}
            <span>{airport?.name ?? 'no longer in the directory'}</span>
            <span>
              {quietHours(alert, airport?.timezone ?? '')}until <Moment instant={expires_at} />
            </span>
          </>,
          <>
            <AlertState alert={alert} />
            <span>{currentWait(alert, shown)}</span>
          </>,
          <ButtonForm
            action="/alerts/remove"
            field={{ id }}
            kind="danger"
            label={`Remove ${condition}`}
            text="Remove"
          />,
        ]
      })}
    />
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
            last fired <Moment instant={fired_at} />
          </span>
        )}
      </>
    )
  return (
    <>
      fired
      <span>
        {fired_at && <Moment instant={fired_at} />}
        {`; armed again at ${returnLevel(alert)} min or ${direction === 'above' ? 'less' : 'more'}`}
      </span>
    </>
  )
}

function currentWait(alert: AlertRow, { snapshot, now }: Shown): string {
  const wait = snapshot && observedWait(snapshot, alert, now)
  if (!wait) return snapshot ? unobservedText(snapshot, alert, now) : 'not known now'
  return `now ${comparedText(snapshot, alert, wait.wait_minutes, now)}, ${wait.basis}${agoText((now - Date.parse(wait.observed_at)) / 1_000)}`
}

function quietHours({ quiet_from, quiet_to }: AlertRow, timezone: string): string {
  if (quiet_from === null || quiet_to === null) return ''
  return `quiet ${quiet_from} to ${quiet_to} (${timezone}), `
}

const MAX_CANDIDATES = 6

/**
 * The airport that a person names by a code (of today or before, in any case) or its name.
 * @throws ParameterError on `iata` when no airport matches, or several match and none is meant without doubt
 */
export function airportFromText(directory: Directory, text: string): Airport {
  const resolved = resolveCode(text, directory)
  if (resolved?.airport) return resolved.airport
  if (resolved) throw fault(`${resolved.notice}${resolved.successor ? '; name that airport instead' : ''}`)
  const { airport, choices } = meantAirport(directory, text)
  // A guess stores nothing.
  if (airport && choices[0]?.corrected === false) return airport
  if (airport) throw fault(`use the code if this is meant: ${choiceText(choices[0]!)}`)
  if (choices.length === 0) throw fault('no airport has this code or name')
  const candidates = choices.slice(0, MAX_CANDIDATES).map(choiceText)
  throw fault(`several airports may be meant; use a code: ${candidates.join(', ')}`)
}

const fault = (message: string) => ParameterError.of('iata', message)
