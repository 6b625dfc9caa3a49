import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { OpenApiDocument } from '../../api/rest/openapi-types.ts'
import { addCachedText } from '../pages/cached-text.ts'
import { type DocPage, found } from './doc-page.ts'

/** Path of the reference of the REST API; Scalar draws it from `/openapi.json`. */
export const REST_REFERENCE = '/docs/rest'

/** Scalar for browsers, whole. It lies beside the plugin for Fastify of the same package, which is not used: its page is none of ours. */
const SCALAR_FILE = join(
  dirname(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')),
  'js',
  'standalone.js',
)

/** The page of the reference. Its sections are the operations, by the anchors that Scalar gives them. */
export function restReferencePage({ paths }: OpenApiDocument): DocPage {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId = '', tags = [], summary = '', description = '' }]) =>
      found(
        `tag/${tags[0]}/${operationId}`,
        `${operationId}: ${summary}`,
        `${method.toUpperCase()} ${path} ${description}`,
      ),
    ),
  )
  return {
    path: REST_REFERENCE,
    title: 'REST reference',
    description:
      'Every operation of the REST API with parameters, answers, errors and examples; each can be tried with a key of yours.',
    group: 'Reference',
    sections: operations,
    body: (
      <>
        <div id="reference" />
        <noscript>
          <p>
            This page is drawn by a script. Without it, the same is in <a href="/openapi.json">OpenAPI 3.1</a>; the
            manual has <a href="/docs/use/rest">REST</a> and <a href="/docs/use/mcp">MCP</a> in words.
          </p>
        </noscript>
      </>
    ),
  }
}

/** Serves Scalar, read when it is first requested: 3.5 MB, 1 MB compressed. */
export function addScalar(pages: FastifyInstance): void {
  const route = { url: '/assets/scalar.js', type: 'text/javascript; charset=utf-8', maxAge: 86_400 }
  addCachedText(
    pages,
    route,
    () => 'scalar',
    () => readFileSync(SCALAR_FILE, 'utf8'),
  )
}

/** Leads from the addresses of the former reference, one page an operation and a tool, to what replaced them. */
export function redirectFormerReference(pages: FastifyInstance, reference: () => DocPage): void {
  pages.get(`${REST_REFERENCE}/:operation`, ({ params }, reply) => {
    const { operation } = params as { operation: string }
    const section = reference().sections.find(({ id }) => id.endsWith(`/${operation}`))
    return reply.redirect(section ? `${REST_REFERENCE}#${section.id}` : REST_REFERENCE, 301)
  })
  pages.get('/docs/mcp', (_request, reply) => reply.redirect('/docs/use/mcp', 301))
  pages.get('/docs/mcp/:tool', (_request, reply) => reply.redirect('/docs/use/mcp#tools', 301))
}
