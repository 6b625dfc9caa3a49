import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Gate } from '../../api/gate/admission.ts'
import { overageCents } from '../../api/gate/billing-month.ts'
import type { ConnectionRow } from '../../api/state/tables.ts'
import { addresses } from '../../config/addresses.ts'
import type { Settings } from '../../config/settings.ts'
import { TIERS, type TierTerms } from '../../config/tiers.ts'
import { grouped, LinkButton, Notice, Section } from '../../site/pages/elements.tsx'
import { Form, sendPage } from '../../site/pages/frame.tsx'
import { SubscriptionState } from '../billing/subscription-state.tsx'
import type { AccountDependencies } from '../dependencies.ts'
import { ownerOf } from '../people/signed-in.ts'
import { ChosenName, Day, dollars, FirstSteps, Line, Lines, OWNER_ONLY } from './dashboard-parts.tsx'
import {
  addClientPages,
  addKeyPages,
  hostOf,
  KeyInBrief,
  KeyName,
  MAX_KEY_NAME_LENGTH,
  type RefusedKeyName,
  writingPath,
} from './key-pages.tsx'
import { monthAfter, monthInWords } from './months.ts'
import { type Overview, type OwnKey, readOverview } from './overview.ts'
import { addUsageFiles, type Usage, UsageSection, usageOf } from './usage.tsx'

interface DashboardQuery {
  month?: unknown
  done?: unknown
}

/** Adds the dashboard of the signed-in person: plan, keys, usage and connected clients. */
export function addDashboardPages(pages: FastifyInstance, dependencies: AccountDependencies, gate: Gate): void {
  const { settings, state, clock = Date.now } = dependencies

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { month, done }: DashboardQuery,
    refused: RefusedKeyName | null = null,
  ) => {
    const overview = await readOverview(state, gate, ownerOf(request), month, clock())
    const usage = await usageOf(overview)
    const body = <Dashboard overview={overview} usage={usage} settings={settings} refused={refused} done={done} />
    return sendPage(request, reply, { title: 'Dashboard', body, status: refused ? 400 : 200 })
  }

  pages.get<{ Querystring: DashboardQuery }>('/dashboard', OWNER_ONLY, (request, reply) =>
    show(request, reply, request.query),
  )
  addUsageFiles(pages, dependencies, gate)
  addKeyPages(pages, dependencies, (request, reply, refused) => show(request, reply, {}, refused))
  addClientPages(pages, dependencies)
}

/** Confirmations by the value of `?done=`. */
const NOTICES: Record<string, string> = {
  bought: 'Thank you. Your plan has begun: all your keys and clients have it.',
  paying: 'Stripe has not confirmed the payment yet. Your plan begins as soon as it does.',
  key_revoked: 'The key is revoked. Calls with it are refused from now on.',
  client_disconnected: 'The client is disconnected. Its calls are refused from now on.',
  writing_allowed: 'The client may file wait reports and set alerts in your name from now on.',
  writing_ended: 'The client may only read from now on.',
}

interface DashboardProps {
  overview: Overview
  usage: Usage
  settings: Settings
  /** The form for a new key, if it was refused. */
  refused: RefusedKeyName | null
  done: unknown
}

function Dashboard({ overview, usage, settings, refused, done }: DashboardProps) {
  const { account, called, connections, email } = overview
  const plansForSale = settings.stripe_secret_key !== undefined
  const notice = typeof done === 'string' && Object.hasOwn(NOTICES, done) ? NOTICES[done] : undefined
  const steps = <FirstSteps addresses={addresses(settings)} tier={account.tier} />
  return (
    <>
      <p class="hint">Signed in as {email}</p>
      {notice !== undefined && <Notice>{notice}</Notice>}
      <PlanSection overview={overview} plansForSale={plansForSale} />
      <KeysSection overview={overview} refused={refused} />
      {!called && (
        <Section id="first-steps" title="First steps">
          {steps}
        </Section>
      )}
      <UsageSection overview={overview} usage={usage} />
      <ClientsSection connections={connections} />
      {called && (
        <details class="steps">
          <summary>How to make a call</summary>
          {steps}
        </details>
      )}
    </>
  )
}

function PlanSection({ overview, plansForSale }: { overview: Overview; plansForSale: boolean }) {
  const { account, calls, months, subscription } = overview
  const { name, price_usd_per_month, calls_per_month } = TIERS[account.tier]
  const month = monthInWords(months.latest)
  return (
    <Section id="plan" title="Plan">
      {subscription && plansForSale && <SubscriptionState subscription={subscription} />}
      <p class="tier">
        <strong>{name}</strong> <span>{dollars(price_usd_per_month * 100)} a month</span>
      </p>
      <Meter calls={calls} included={calls_per_month} />
      <p>
        {calls > calls_per_month ? (
          <>
            <b>{grouped(calls)}</b> calls in {month}; the plan includes {grouped(calls_per_month)}.
          </>
        ) : (
          <>
            <b>{grouped(calls)}</b> of {grouped(calls_per_month)} calls of {month} used,{' '}
            {grouped(calls_per_month - calls)} left.
          </>
        )}{' '}
        <Overage overview={overview} />
      </p>
      <ul class="terms">
        {limitsOf(TIERS[account.tier]).map((limit) => (
          <li>{limit}</li>
        ))}
      </ul>
      {plansForSale ? (
        <p>
          <LinkButton href="/plans" text={subscription ? 'Plan, invoices and cards' : 'Change plan'} isSecond />
        </p>
      ) : (
        <p class="hint">
          Plans are granted by the operator of this installation. Your account is <code>{account.id}</code>.
        </p>
      )}
    </Section>
  )
}

function Overage({ overview: { account, overage_calls, months } }: { overview: Overview }) {
  const terms = TIERS[account.tier]
  if (terms.overage_usd_per_1000 === null)
    return <>Further calls are refused until 1 {monthInWords(monthAfter(months.latest, 1))}.</>
  return (
    <>
      Overage so far: <b>{grouped(overage_calls)}</b> {overage_calls === 1 ? 'call' : 'calls'},{' '}
      <b>{dollars(overageCents(terms, overage_calls))}</b>.
    </>
  )
}

function limitsOf(terms: TierTerms): string[] {
  const { requests_per_minute, calls_per_month, overage_usd_per_1000: overagePrice, max_keys } = terms
  const { prediction_hours, history_days, granularity, bulk_airports } = terms
  const limits = [
    `${grouped(requests_per_minute)} requests a minute for each key`,
    `${grouped(calls_per_month)} calls a month${overagePrice === null ? '' : `, then ${overagePrice} USD per 1,000`}`,
  ]
  if (prediction_hours > 0)
    limits.push(`predictions for ${prediction_hours === 24 ? '24 hours' : `${prediction_hours / 24} days`}`)
  if (history_days > 0) limits.push(`history of ${history_days} days`)
  limits.push(granularity === 'none' ? 'airports, delays and the free MCP tools' : `figures by ${granularity}`)
  if (bulk_airports > 0) limits.push(`up to ${bulk_airports} airports in one bulk call`)
  limits.push(max_keys === 1 ? 'one key' : `up to ${max_keys} keys`)
  return limits
}

/** A bar of the calls used and of the overage. Screen readers skip it, because the sentence below it says the same. */
function Meter({ calls, included }: { calls: number; included: number }) {
  const percent = (part: number) => `${Math.round((part / Math.max(calls, included)) * 1_000) / 10}%`
  const within = percent(Math.min(calls, included))
  const nearLimit = calls >= included * 0.8 && calls <= included
  return (
    <svg class="meter" aria-hidden="true" width="100%" height="12">
      <rect class="track" width="100%" height="12" />
      <rect class={nearLimit ? 'near' : 'used'} width={within} height="12" />
      {calls > included && <rect class="near" x={within} width={percent(calls - included)} height="12" />}
    </svg>
  )
}

const MAX_REVOKED_KEYS = 20

function KeysSection({ overview, refused }: { overview: Overview; refused: RefusedKeyName | null }) {
  const { max_keys, name } = TIERS[overview.account.tier]
  const active = overview.keys.filter(({ revoked_at }) => revoked_at === null)
  const revoked = overview.keys.filter(({ revoked_at }) => revoked_at !== null)
  // After a change to a smaller plan there can be more keys than it allows.
  const excess = active.length - max_keys + 1
  const title = (
    <>
      Keys{' '}
      <span class="tally-of">
        {active.length} of {max_keys} in use
      </span>
    </>
  )
  return (
    <Section id="keys" title={title}>
      {active.length === 0 ? (
        <p>No key yet. Software sends one with each call.</p>
      ) : (
        <Lines>
          {active.map((key) => (
            <Line
              name={<KeyName ownKey={key} />}
              about={
                <>
                  <KeyInBrief ownKey={key} /> active, created <Day date={key.created_at} />
                </>
              }
              action={
                <a
                  class="button danger small"
                  href={`/dashboard/keys/${key.id}/revoke`}
                  aria-label={`Revoke key ${key.name ?? 'Unnamed'}`}
                >
                  Revoke
                </a>
              }
            />
          ))}
        </Lines>
      )}
      {active.length >= max_keys ? (
        <p>
          The {name} plan has {max_keys === 1 ? 'one key' : `up to ${max_keys} keys`}. Revoke{' '}
          {excess === 1 ? 'one' : excess} to issue another.
        </p>
      ) : (
        <NewKeyForm refused={refused} />
      )}
      {revoked.length > 0 && <RevokedKeys keys={revoked} />}
    </Section>
  )
}

function NewKeyForm({ refused }: { refused: RefusedKeyName | null }) {
  return (
    <Form action="/dashboard/keys">
      <label for="name">Name of a new key</label>
      <p class="hint" id="name-hint">
        A name that you will recognise: up to {MAX_KEY_NAME_LENGTH} characters.
      </p>
      {refused && (
        <p class="fault" id="name-fault">
          {refused.fault}
        </p>
      )}
      <div class="beside">
        <input
          id="name"
          name="name"
          required
          maxlength={MAX_KEY_NAME_LENGTH}
          autocomplete="off"
          value={refused?.name ?? ''}
          aria-describedby={refused ? 'name-fault name-hint' : 'name-hint'}
          aria-invalid={refused ? 'true' : undefined}
          autofocus={refused !== null}
        />
        <button>Issue key</button>
      </div>
    </Form>
  )
}

function RevokedKeys({ keys }: { keys: OwnKey[] }) {
  const newest = keys.toSorted((a, b) => (a.revoked_at! < b.revoked_at! ? 1 : -1)).slice(0, MAX_REVOKED_KEYS)
  const more = keys.length > newest.length ? `, the last ${newest.length} of them listed` : ''
  return (
    <details>
      <summary>{`${keys.length} revoked${more}`}</summary>
      <Lines>
        {newest.map((key) => (
          <Line
            name={<KeyName ownKey={key} />}
            about={
              <>
                <KeyInBrief ownKey={key} /> created <Day date={key.created_at} />, revoked{' '}
                <Day date={key.revoked_at!} />
              </>
            }
          />
        ))}
      </Lines>
    </details>
  )
}

const ALLOW_WRITING = 'Allow reports and alerts'
const STOP_WRITING = 'Let it only read'

function ClientsSection({ connections }: { connections: ConnectionRow[] }) {
  return (
    <Section id="clients" title="Connected clients">
      {connections.length === 0 ? (
        <p>None. An MCP client asks for your consent when you connect it. You can then disconnect it here.</p>
      ) : (
        <Lines>
          {connections.map(({ grant_id, client_name, redirect_uri, created_at, used_at, may_write }) => (
            <Line
              name={<ChosenName name={client_name} />}
              about={
                <>
                  <code>{hostOf(redirect_uri)}</code> connected <Day date={created_at} />,{' '}
                  {used_at === null ? (
                    'not used yet'
                  ) : (
                    <>
                      last used <Day date={used_at} />
                    </>
                  )}
                  ; {may_write === 1 ? 'may file wait reports and set alerts in your name' : 'may only read'}
                </>
              }
              action={
                <>
                  <Form action={writingPath(grant_id)}>
                    <button
                      class="second small"
                      name="may_write"
                      value={may_write === 1 ? 'no' : 'yes'}
                      aria-label={`${may_write === 1 ? STOP_WRITING : ALLOW_WRITING}: ${client_name}`}
                    >
                      {may_write === 1 ? STOP_WRITING : ALLOW_WRITING}
                    </button>
                  </Form>
                  <a
                    class="button danger small"
                    href={`/dashboard/clients/${encodeURIComponent(grant_id)}/disconnect`}
                    aria-label={`Disconnect ${client_name}`}
                  >
                    Disconnect
                  </a>
                </>
              }
            />
          ))}
        </Lines>
      )}
    </Section>
  )
}
