import type { FastifyReply, FastifyRequest } from 'fastify'
import { negotiateType } from '../../api/rest/negotiate.ts'
import { ERROR_CODES, type HoldshortError, ParameterError, RateLimitedError } from '../../config/errors.ts'
import { pageHeaders, renderDocument } from './document.tsx'
import { type Page, Shell } from './shell.tsx'
import { viewOf } from './view.ts'

/** Whether an address is not a picture, a file or a route of programs, and the caller takes a page. */
export const takesPage = ({ url, headers, routeOptions }: FastifyRequest) =>
  !routeOptions?.config?.answersPrograms &&
  !/\.(json|csv|svg|png)(\?|$)/.test(url) &&
  negotiateType(headers.accept, ['text/html', 'application/problem+json']) === 'text/html'

/** Whether the caller asks for HTML by name, and not only for any type. */
export const namesPages = ({ headers }: FastifyRequest) => /\btext\/html\b/i.test(headers.accept ?? '')

/** Whether an error is answered as a page: the caller asks for HTML by name, at an address that is not one of the API. */
export const wantsErrorPage = (request: FastifyRequest) =>
  !/^\/(api|mcp|data|\.well-known|assets)([/?]|$)/.test(request.url) && namesPages(request) && takesPage(request)

/** An error as a page. */
export function errorPage(error: HoldshortError, { id, url }: Pick<FastifyRequest, 'id' | 'url'>): Page {
  const { status, title } = ERROR_CODES[error.code]
  /** People type the code or the city behind the name of the site. */
  const typed = error.code === 'NOT_FOUND' ? /^\/([a-z]{3,30})$/i.exec(url)?.[1] : undefined
  const body = (
    <>
      <p class="lead">{sentenceOf(error)}</p>
      {typed !== undefined && (
        <p>
          Is an airport meant? <a href={`/search?q=${typed}`}>Look for “{typed}”</a>.
        </p>
      )}
      {status === 404 && (
        <p>
          Look for an airport by its name or city in the field above, or see <a href="/">all airports on the map</a>,{' '}
          <a href="/delays">flight delays</a> or <a href="/docs">the documentation</a>.
        </p>
      )}
      {status !== 404 && (
        <p class="none small">
          {error.code}, request {id}
        </p>
      )}
    </>
  )
  return { title, body, status }
}

/** The message as a sentence; the name of a parameter stays as it is. */
function sentenceOf(error: HoldshortError): string {
  const { message } = error
  const first = error instanceof ParameterError ? message.slice(0, 1) : message.slice(0, 1).toUpperCase()
  return `${first}${message.slice(1)}.`
}

/** Sends an error as a page outside the scope of pages, where nobody is known to be signed in. */
export function sendErrorPage(error: HoldshortError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof RateLimitedError) reply.header('retry-after', String(error.retryAfterSeconds))
  const page = errorPage(error, request)
  return reply
    .code(page.status!)
    .headers({ ...pageHeaders(), 'cache-control': 'no-store', 'x-request-id': request.id })
    .type('text/html; charset=utf-8')
    .send(renderDocument(<Shell view={viewOf(request)} page={page} />))
}
