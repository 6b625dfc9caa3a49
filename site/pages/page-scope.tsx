import fastifyCookie from '@fastify/cookie'
import fastifyCsrf from '@fastify/csrf-protection'
import fastifyFormbody from '@fastify/formbody'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { refuseHiddenText } from '../../answers/questions/parameter-faults.ts'
import type { AppDependencies } from '../../api/dependencies.ts'
import type { Gate } from '../../api/gate/admission.ts'
import { SourceLimit } from '../../api/gate/source-limit.ts'
import { asHoldshortError, problemOf } from '../../api/rest/problem.ts'
import { derivedKey } from '../../api/state/secrets.ts'
import { addresses } from '../../config/addresses.ts'
import { HoldshortError, RateLimitedError } from '../../config/errors.ts'
import { errorPage, namesPages, takesPage } from './error-page.tsx'
import { csrfSubject, sendPage } from './frame.tsx'
import { OpenAnswers } from './open-answers.ts'
import { cookieOf } from './visitor.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The page shows the fault of a text at its field, so its form is not refused as a whole. */
    checksOwnTexts?: true
    /** The page is open to people without an account; their requests are limited by the network they come from. */
    isOpenPage?: true
    /** A script without a page posts it, and proves itself by what it sends; the headers of the browser must agree all the same. */
    hasNoForm?: true
    /** The route answers programs: an error is problem+json, not a page. */
    answersPrograms?: true
  }
}

/** Adds the routes of one group of pages. The gate holds usage that is not yet written to the state. */
export type AddPages = (pages: FastifyInstance, dependencies: AppDependencies, gate: Gate) => void | Promise<void>

/** Adds the hook that finds the signed-in visitor of each request. */
export type ReadVisitors = (pages: FastifyInstance, dependencies: AppDependencies, site_url: string) => void

/**
 * Adds the pages for people in a Fastify scope of their own, with cookies, forms, the signed-in visitor and errors shown as
 * pages. A POST must come from one of our pages: the browser's headers (Sec-Fetch-Site, Origin) and the form's token must agree.
 */
export async function addPageScope(
  app: FastifyInstance,
  readVisitors: ReadVisitors,
  groups: readonly AddPages[],
  dependencies: AppDependencies,
  gate: Gate,
): Promise<void> {
  const { settings, state, logger } = dependencies
  const { site_url } = addresses(settings)
  await app.register(async (pages) => {
    await pages.register(fastifyCookie)
    await pages.register(fastifyFormbody)
    const { name, attributes } = cookieOf(site_url, 'csrf')
    await pages.register(fastifyCsrf, {
      cookieKey: name,
      cookieOpts: attributes,
      // The oldest pepper, so that processes that learn of a rotation at different times agree on open forms.
      csrfOpts: { hmacKey: derivedKey(state.peppers.all.at(-1) ?? state.pepper, 'csrf').toString('base64url') },
      getUserInfo: (request) => csrfSubject(request),
    })
    readVisitors(pages, dependencies, site_url)
    pages.decorate('openAnswers', new OpenAnswers(dependencies))
    limitStrangers(pages, dependencies)
    pages.addHook('onRequest', async ({ method, headers }) => {
      const origin = headers.origin ?? site_url
      const site = headers['sec-fetch-site'] ?? 'same-origin'
      if (method === 'POST' && (origin !== new URL(site_url).origin || !['same-origin', 'none'].includes(site)))
        throw formRefused()
    })
    pages.addHook('preValidation', async ({ query, body, routeOptions }) => {
      refuseHiddenText(query)
      if (routeOptions.config.checksOwnTexts) return
      refuseHiddenText(withoutPasswords(body))
    })
    pages.addHook('preHandler', (request, reply, done) => {
      if (request.method === 'POST' && !request.routeOptions.config.hasNoForm)
        pages.csrfProtection(request, reply, done)
      else done()
    })
    pages.setErrorHandler((thrown: FastifyError, request, reply) => {
      const error = thrown.code?.startsWith('FST_CSRF') ? formRefused() : pageError(thrown)
      // The handler of the whole app answers it in JSON.
      if (!isPage(request)) throw error
      if (error.code === 'INTERNAL') logger?.error({ err: thrown, request_id: request.id }, 'a page failed')
      const problem = problemOf(error, { request_id: request.id, path: request.url.split('?')[0]!, site_url })
      reply.headers(problem.headers)
      return sendPage(request, reply, errorPage(error, request))
    })
    for (const addGroup of groups) await addGroup(pages, dependencies, gate)
  })
}

/** Whether an error is shown as a page. An operation of the API that is a page too is one only for callers who name pages. */
const isPage = (request: FastifyRequest) =>
  takesPage(request) && (request.routeOptions.schema?.tags === undefined || namesPages(request))

/** Limits the requests to open pages of people without an account. @throws RateLimitedError (`address`) */
function limitStrangers(pages: FastifyInstance, { settings, clock = Date.now }: AppDependencies): void {
  const { open_pages_per_minute } = settings
  if (open_pages_per_minute === 0) return
  const limit = new SourceLimit(open_pages_per_minute)
  pages.addHook('onRequest', ({ visitor, ip, routeOptions }, _reply, done) => {
    const wait = visitor || !routeOptions.config.isOpenPage ? 0 : limit.take(ip, clock())
    if (wait === 0) return done()
    const message = `more than ${open_pages_per_minute} pages and pictures in a minute without an account from one address`
    done(new RateLimitedError('address', wait, message))
  })
}

/** A form without its passwords, which may have any characters and are never shown. */
const withoutPasswords = (body: unknown) =>
  typeof body === 'object' && body !== null
    ? Object.fromEntries(Object.entries(body).filter(([name]) => !name.includes('password')))
    : null

const formRefused = () =>
  new HoldshortError(
    'FORM_REFUSED',
    'the form was not sent from this site’s own page, or the page is old; load it again',
  )

/** Pages show our own errors with their messages; any other error is shown without details. */
const pageError = (thrown: Error) => (thrown instanceof HoldshortError ? thrown : asHoldshortError(thrown))
