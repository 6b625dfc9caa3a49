import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERROR_CODES, HoldshortError, ParameterError } from '../../../../config/errors.ts'
import { sendPage } from '../../../site/pages/frame.ts'
import type { Actor } from '../../../state/actor.ts'
import type { AccountDependencies } from '../../dependencies.ts'
import { assertAllowedAddress } from '../../egress/guarded-fetch.ts'
import { mustBeSignedIn } from '../../people/visitor.ts'
import { createAlert, removeAlert } from '../create-alert.ts'
import { namedAirport } from '../named-airport.ts'
import { browserLabel, readSubscription } from '../subscription-shape.ts'
import { connectBrowser, disconnectBrowser } from '../subscriptions.ts'
import { sendTest } from '../test-message.ts'
import { AlertFields, orderOf } from './alert-fields.ts'
import { type AlertsPageParts, alertsPage } from './alerts-page.ts'
import { isSaid, type Said } from './said.ts'

const owner = (request: FastifyRequest): Actor => ({ actor: 'owner', source: request.ip })
const accountOf = (request: FastifyRequest) => request.visitor!.account_id
const idOf = (request: FastifyRequest) => String((request.body as Record<string, unknown> | null)?.['id'] ?? '')
const done = (reply: FastifyReply, said: Said) => reply.redirect(`/alerts?said=${said}`, 303)

/** `/alerts`: what is watched for an account and which browsers are told. Each form on it posts to a path below it. */
export function addAlertPages(pages: FastifyInstance, dependencies: AccountDependencies): void {
  const { state, directory, holder, settings, clock = Date.now } = dependencies
  const own = { preHandler: mustBeSignedIn, schema: { hide: true } }
  const world = () => ({ state, directory, snapshot: holder.current()?.asOf(clock()) ?? null })

  const show = async (request: FastifyRequest, reply: FastifyReply, more: Partial<AlertsPageParts> = {}) => {
    const parts = { ...world(), account_id: accountOf(request), now: clock(), ...more }
    return sendPage(request, reply, await alertsPage(request, reply, parts))
  }

  pages.get('/alerts', own, (request, reply) => {
    const { said } = request.query as { said?: unknown }
    return show(request, reply, isSaid(said) ? { said } : {})
  })

  pages.post('/alerts/create', own, async (request, reply) => {
    const fields = AlertFields.parse(request.body ?? {})
    try {
      const order = { ...orderOf(fields, clock()), iata: namedAirport(directory, fields.airport).iata }
      const created = await createAlert(world(), accountOf(request), order, owner(request), clock())
      return done(reply, created.connected_browsers === 0 ? 'created_unheard' : 'created')
    } catch (error) {
      if (!(error instanceof ParameterError)) throw error
      return show(request, reply, { fields, faults: error.faults })
    }
  })

  pages.post('/alerts/remove', own, async (request, reply) => {
    await removeAlert(state, accountOf(request), idOf(request), owner(request), clock())
    return done(reply, 'removed')
  })

  pages.post('/alerts/browsers/disconnect', own, async (request, reply) => {
    await disconnectBrowser(state, accountOf(request), idOf(request), owner(request), clock())
    return done(reply, 'disconnected')
  })

  pages.post('/alerts/browsers/test', own, async (request, reply) => {
    const outcome = await sendTest(dependencies, accountOf(request), idOf(request), clock())
    return done(reply, `test_${outcome}`)
  })

  // From the page's script alone, with the token in a header: JSON in, JSON out.
  pages.post('/alerts/browsers/connect', own, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      const given = readSubscription(request.body)
      await assertAllowedAddress(given.endpoint, settings.outward_allow).catch((refusal: HoldshortError) => {
        throw new ParameterError([{ parameter: 'endpoint', message: refusal.message }])
      })
      const label = given.label || browserLabel(request.headers['user-agent'] ?? '')
      await connectBrowser(state, accountOf(request), { ...given, label }, owner(request), clock())
      return reply.send({ label })
    } catch (error) {
      if (!(error instanceof HoldshortError)) throw error
      return reply.code(ERROR_CODES[error.code].status).send({ code: error.code, message: error.message })
    }
  })
}
