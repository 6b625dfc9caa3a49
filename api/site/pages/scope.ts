import fastifyCookie from '@fastify/cookie'
import fastifyCsrf from '@fastify/csrf-protection'
import fastifyFormbody from '@fastify/formbody'
import type { FastifyError, FastifyInstance } from 'fastify'
import { ERROR_CODES, HoldshortError } from '../../../config/errors.ts'
import { addresses } from '../../../config/settings.ts'
import type { AppDependencies } from '../../data/dependencies.ts'
import type { Gate } from '../../data/gate/admission.ts'
import { asHoldshortError } from '../../data/rest/problem.ts'
import { derivedKey } from '../../state/secrets.ts'
import type { AddPages } from './add-pages.ts'
import { sendPage, subjectOf } from './frame.ts'
import { escaped } from './html.ts'
import { cookieOf } from './visitor.ts'

/** Adds the hook that finds out who is signed in, before any page is built. */
export type ReadVisitors = (pages: FastifyInstance, dependencies: AppDependencies, site_url: string) => void

/**
 * The pages for people, in a scope of their own: cookies, forms, who is signed in, faults as pages. A POST must come from a
 * page of ours: by the browser's own word (Sec-Fetch-Site, Origin) and by the token in its form.
 */
export async function addPages(
  app: FastifyInstance,
  readVisitors: ReadVisitors,
  pagesToAdd: readonly AddPages[],
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
      csrfOpts: { hmacKey: derivedKey(state.pepper, 'csrf').toString('base64url') },
      getUserInfo: (request) => subjectOf(request),
    })
    readVisitors(pages, dependencies, site_url)
    pages.addHook('onRequest', async ({ method, headers }) => {
      const origin = headers.origin ?? site_url
      const site = headers['sec-fetch-site'] ?? 'same-origin'
      if (method === 'POST' && (origin !== new URL(site_url).origin || !['same-origin', 'none'].includes(site)))
        throw formRefused()
    })
    pages.addHook('preHandler', (request, reply, done) => {
      if (request.method === 'POST') pages.csrfProtection(request, reply, done)
      else done()
    })
    pages.setErrorHandler((thrown: FastifyError, request, reply) => {
      const error = thrown.code?.startsWith('FST_CSRF') ? formRefused() : pageError(thrown)
      if (error.code === 'INTERNAL') logger?.error({ err: thrown, request_id: request.id }, 'a page failed')
      const { status, title } = ERROR_CODES[error.code]
      const body = `<p>${escaped(error.message)}.</p>\n<p class="none">${error.code}, request ${escaped(request.id)}</p>`
      return sendPage(request, reply, { title, body, status })
    })
    for (const add of pagesToAdd) await add(pages, dependencies, gate)
  })
}

const formRefused = () =>
  new HoldshortError(
    'FORM_REFUSED',
    'the form was not sent from this site’s own page, or the page is old; load it again',
  )

/** Pages may show any of our errors; what is not ours says nothing of our insides. */
const pageError = (thrown: Error) => (thrown instanceof HoldshortError ? thrown : asHoldshortError(thrown))
