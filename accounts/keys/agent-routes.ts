import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { z } from 'zod'
import { parameterFaults, refuseHiddenText } from '../../answers/questions/parameter-faults.ts'
import { type Admission, flushForReading, type Gate } from '../../api/gate/admission.ts'
import { monthOf, overageOf } from '../../api/gate/billing-month.ts'
import { usageByEndpoint } from '../../api/gate/usage.ts'
import { requireKey } from '../../api/rest/require-key.ts'
import { COMMON_STATUSES, KEY_STATUSES, problemResponses, skipValidation } from '../../api/rest/route-schema.ts'
import type { State } from '../../api/state/state.ts'
import { Instant } from '../../config/answer-schemas.ts'
import { HoldshortError, ParameterError } from '../../config/errors.ts'
import { shortText } from '../../config/short-text.ts'
import { withCleanTexts, withoutMarkup } from '../../config/untrusted-text.ts'
import { Tier } from '../../config/vocabulary.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { Email, normaliseEmail } from '../people/email.ts'
import { revokeKey } from './keys.ts'
import { registerAgent } from './registration.ts'

const RegistrationRequest = z.strictObject({
  agent_name: shortText()
    .min(1)
    .optional()
    .describe('Name of the agent.')
    .meta({ examples: ['gate-watcher'] }),
  contact_email: z
    .preprocess(
      (typed) => (typeof typed === 'string' ? (normaliseEmail(typed) ?? typed) : typed),
      Email.meta({ examples: ['agents@example.org'] }),
    )
    .optional()
    .describe('Used only to reach the operator about abuse or deprecation; never verified.'),
})

const RegistrationResult = z
  .strictObject({
    success: z.literal(true),
    agent_id: z.string().describe('Id of the new account.'),
    api_key: z.string().describe('Shown only once; it cannot be recovered.'),
    tier: z.literal('free'),
  })
  .meta({ id: 'Registration' })

const count = z.int().min(0)

const Overview = z
  .strictObject({
    account: z.strictObject({ id: z.string(), name: z.string().nullable(), created_at: Instant }),
    key: z.strictObject({ id: z.string(), prefix: z.string(), last_four: z.string(), created_at: Instant }),
    tier: Tier,
    limits: z.strictObject({ requests_per_minute: count, calls_per_month: count }),
    usage: z.strictObject({
      month: z.string().describe('Calendar month in UTC, YYYY-MM.'),
      calls: count.describe('Billed calls of the account, with all its keys.'),
      remaining: count.describe('Calls left of the monthly limit.'),
      overage_calls: count.describe('Calls beyond the monthly limit, metered on paid tiers.'),
      by_endpoint: z.record(z.string(), count).describe('By operation id or tool name.'),
    }),
    features: z.array(z.string()),
  })
  .meta({ id: 'AccountOverview' })

const ACCOUNT = { tags: ['account'] }
const WITH_KEY = { security: [{ bearer: [] }, { api_key: [] }] }
const json = (description: string, schema: z.ZodType) => ({ description, content: { 'application/json': { schema } } })

/** Refuses any query parameter: account operations have none, and a parameter must not be ignored silently. */
function noQueryString(request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void {
  const names = Object.keys(request.query as object)
  const faults = names.map((parameter) => ({ parameter, message: 'is not known here' }))
  done(faults.length > 0 ? new ParameterError(faults) : undefined)
}

/** Refuses JSON null, which is a body but no object. After validation Fastify has null for a missing body, too. */
function noNullBody({ body }: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void {
  done(body === null ? ParameterError.of('body', 'must be an object') : undefined)
}

/** Adds registration, account overview and revocation. Their calls do not count against the month. */
export function addAgentRoutes(app: FastifyInstance, dependencies: AccountDependencies, gate: Gate): void {
  addRegistrationRoute(app, dependencies)
  addOverviewRoute(app, dependencies, gate)
  addRevocationRoute(app, dependencies, gate)
}

function addRegistrationRoute(app: FastifyInstance, { state, settings, clock = Date.now }: AccountDependencies): void {
  app.post(
    '/api/agent/register',
    {
      schema: {
        ...ACCOUNT,
        operationId: 'registerAgent',
        summary: 'Register an agent and get a free key',
        description: `Creates an isolated account with a free key. At most ${settings.registrations_per_minute} a minute and ${settings.registrations_per_day} a day from one address (IPv6: one /64). Both fields and the body itself are optional.`,
        body: RegistrationRequest.optional(),
        response: {
          201: json('The account and its key.', RegistrationResult),
          ...problemResponses([400, 413, 415, 429, 503, ...COMMON_STATUSES]),
        },
      },
      validatorCompiler: skipValidation,
      preValidation: noNullBody,
      preHandler: noQueryString,
    },
    async (request, reply) => {
      refuseHiddenText(request.body)
      const parsed = RegistrationRequest.safeParse(request.body ?? {})
      if (!parsed.success) throw new ParameterError(parameterFaults(parsed.error, RegistrationRequest))
      const agent_name = parsed.data.agent_name && withoutMarkup(parsed.data.agent_name)
      const issued = await registerAgent(state, settings, { ...parsed.data, agent_name, address: request.ip }, clock())
      const { account_id: agent_id, key: api_key, tier } = issued
      return reply.code(201).header('cache-control', 'no-store').send({ success: true, agent_id, api_key, tier })
    },
  )
}

function addOverviewRoute(app: FastifyInstance, { state, clock = Date.now }: AccountDependencies, gate: Gate): void {
  app.get(
    '/api/agent/me',
    {
      schema: {
        ...ACCOUNT,
        ...WITH_KEY,
        operationId: 'getAccount',
        summary: 'Account, tier and usage of the calling key',
        description:
          'Usage is that of the account in the current calendar month (UTC). This call itself is not billed.',
        response: { 200: json('The overview.', Overview), ...problemResponses([400, ...KEY_STATUSES]) },
      },
      onRequest: requireKey(gate, clock, false),
      preHandler: noQueryString,
    },
    async (request, reply) => {
      const overview = await accountOverview(state, gate, request.admission!, clock())
      return reply.header('cache-control', 'no-store').send(overview)
    },
  )
}

function addRevocationRoute(app: FastifyInstance, { state, clock = Date.now }: AccountDependencies, gate: Gate): void {
  app.delete(
    '/api/keys/:keyId',
    {
      schema: {
        ...ACCOUNT,
        ...WITH_KEY,
        operationId: 'revokeKey',
        summary: 'Revoke a key',
        description:
          'The next call with the key is refused; there is no grace period. Revoking a revoked key again has no effect. Keys of other accounts are answered as unknown.',
        params: z.strictObject({
          keyId: z
            .string()
            .describe('Id of the key, as in `GET /api/agent/me`.')
            .meta({ examples: ['key_5b0c7a3e-9f0f-4c53-8f53-0c3c7d0c9a21'] }),
        }),
        response: {
          204: z.null().describe('Revoked.'),
          ...problemResponses([404, 413, 415, 400, ...KEY_STATUSES]),
        },
      },
      validatorCompiler: skipValidation,
      onRequest: requireKey(gate, clock, false),
      preHandler: noQueryString,
    },
    async (request, reply) => {
      const { keyId } = request.params as { keyId: string }
      const { account_id } = request.admission!.caller
      const by = { actor: 'owner', source: request.ip } as const
      if (!(await revokeKey(state, keyId, clock(), account_id, by)))
        throw new HoldshortError('NOT_FOUND', 'your account has no key with this id')
      return reply.code(204).send()
    },
  )
}

/** Account, key, tier, limits, usage and features of the caller. Usage is flushed first, so it includes every call so far. */
async function accountOverview(state: State, gate: Gate, { caller, terms }: Admission, now: number) {
  await flushForReading(gate, now)
  const month = monthOf(now)
  const account = await state.db
    .selectFrom('accounts')
    .select(['id', 'name', 'created_at'])
    .where('id', '=', caller.account_id)
    .executeTakeFirstOrThrow()
  const key = await state.db
    .selectFrom('keys')
    .select(['id', 'prefix', 'last_four', 'created_at'])
    .where('id', '=', caller.id)
    .executeTakeFirstOrThrow()
  const usage = await usageByEndpoint(state.db, caller.account_id, month)
  const calls = usage.reduce((sum, { calls }) => sum + calls, 0)
  const { requests_per_minute, calls_per_month, features } = terms
  return {
    account: withCleanTexts(account),
    key,
    tier: caller.tier,
    limits: { requests_per_minute, calls_per_month },
    usage: {
      month,
      calls,
      remaining: Math.max(0, calls_per_month - calls),
      overage_calls: overageOf(calls, terms).overage_calls,
      by_endpoint: Object.fromEntries(usage.map(({ endpoint, calls }) => [endpoint, calls])),
    },
    features,
  }
}
