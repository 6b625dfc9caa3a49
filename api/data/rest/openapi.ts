import fastifySwagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { TIERS } from '../../../config/tiers.ts'
import type { Query } from '../queries/define.ts'
import { addExamples } from './openapi-examples.ts'
import type { OpenApiDocument } from './openapi-types.ts'

const DESCRIPTION = `Security waits, delays, hourly predictions and history of airports. Every figure says where it comes
from (\`basis\`, \`source\`), when it was observed and how old it is; what is not known is null, with the reason.

A key goes in \`Authorization: Bearer\` or in \`X-API-Key\`, never in both. An agent gets a free key from
\`POST /api/agent/register\`. Free: \`/airports\`, \`/delays\`, \`/coverage\` and the free MCP tools, ${TIERS.free.requests_per_minute} requests a minute,
${TIERS.free.calls_per_month} calls a month; Pro and Enterprise calls beyond the month's are metered, not refused.

Every answered call counts against the minute (a sliding one; a 429 takes no place). Only 200 answers of data endpoints
with a body count against the calendar month (UTC): not 304, not HEAD, no errors, and not the account endpoints.
\`X-RateLimit-Reset\` and the \`t\` of \`RateLimit\` are seconds from now. Tier is checked before parameters.`

/** Makes the app collect its routes into an OpenAPI 3.1 document. To be called before any route is added. */
export async function collectOpenApi(app: FastifyInstance, contact: string, queries: readonly Query[]): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Holdshort airport wait-time and delay API',
        version: '1.0.0',
        description: DESCRIPTION,
        contact: contactOf(contact),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      // Relative to where the document is served, so that it is the same for every installation.
      servers: [{ url: '/' }],
      tags: [
        { name: 'airports', description: 'Waits, predictions, delays and history.' },
        { name: 'account', description: 'Registration, usage and keys.' },
        { name: 'service', description: 'The service itself.' },
      ],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <key>' },
          api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: (document) =>
      finish(jsonSchemaTransformObject(document) as unknown as OpenApiDocument, queries) as never,
  })
}

/** The operator, as the document names it: by address of mail or web where the contact is one. */
function contactOf(contact: string): { name: string; email?: string; url?: string } {
  if (z.email().safeParse(contact).success) return { name: 'The operator', email: contact }
  return URL.canParse(contact) ? { name: 'The operator', url: contact } : { name: contact }
}

const text = (description: string) => ({ description, schema: { type: 'string' } })
const whole = (description: string) => ({ description, schema: { type: 'integer' } })

/** Operations that answer in pages. */
const PAGED = new Set(['listAirports', 'getCoverage'])

const REQUEST_ID = { 'X-Request-Id': text('The id of the request, the caller’s own if it sent a usable one.') }
const RATE = {
  'RateLimit-Policy': text('The limits (IETF draft, structured field).'),
  RateLimit: text('What is left of them, and seconds until more.'),
  'X-RateLimit-Limit': whole('Requests a minute.'),
  'X-RateLimit-Remaining': whole('Requests left in the sliding minute.'),
  'X-RateLimit-Reset': whole('Seconds until a place comes free.'),
}
const CACHING = {
  ETag: text('Changes with the snapshot; send it in If-None-Match.'),
  'Cache-Control': text('private, until the next snapshot is due.'),
}

/** Adds what the route schemas cannot say: response headers; and drops component schemas that nothing refers to. */
function finish(document: OpenApiDocument, queries: readonly Query[]): OpenApiDocument {
  for (const operations of Object.values(document.paths)) {
    for (const operation of Object.values(operations)) {
      operation.security ??= []
      const withKey = operation.security.length > 0
      if (operation.operationId === 'registerAgent' && operation.requestBody) operation.requestBody.required = false
      for (const [status, response] of Object.entries(operation.responses)) {
        response.headers = {
          ...REQUEST_ID,
          // 401 is of no account, and 405 comes before a key is looked at.
          ...(withKey && !['401', '405'].includes(status) && RATE),
          ...(withKey && '304' in operation.responses && ['200', '304'].includes(status) && CACHING),
          ...(['429', '503'].includes(status) && { 'Retry-After': whole('Seconds to wait.') }),
          ...(status === '401' && { 'WWW-Authenticate': text('Bearer, with resource_metadata.') }),
          ...(status === '405' && { Allow: text('Methods of this address.') }),
          ...(PAGED.has(operation.operationId ?? '') && status === '200' && { Link: text('RFC 8288 page links.') }),
        }
      }
    }
  }
  addExamples(document, queries)
  dropUnused(document)
  return document
}

function dropUnused(document: OpenApiDocument): void {
  const { schemas } = document.components
  for (;;) {
    const written = JSON.stringify(document)
    const unused = Object.keys(schemas).filter((name) => !written.includes(`"#/components/schemas/${name}"`))
    if (unused.length === 0) return
    for (const name of unused) delete schemas[name]
  }
}
