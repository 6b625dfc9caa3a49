import fastifySwagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { Query } from '../../answers/questions/define.ts'
import { contactUri } from '../../config/contact.ts'
import { TIERS } from '../../config/tiers.ts'
import { addExamples } from './openapi-examples.ts'
import { makePlain } from './openapi-plain.ts'
import type { OpenApiDocument } from './openapi-types.ts'

const DESCRIPTION = `Security waits, delays, hourly predictions and history of airports. Every figure states its origin
(\`basis\`, \`source\`), when it was observed and how old it is; an unknown figure is null, with the reason.

Send a key in \`Authorization: Bearer\` or in \`X-API-Key\`, never in both. An agent gets a free key from
\`POST /api/agent/register\`. Free: \`/airports\`, \`/delays\`, \`/leave-by\`, \`/coverage\`, \`/accuracy\` and the free MCP tools, ${TIERS.free.requests_per_minute} requests a minute,
${TIERS.free.calls_per_month} calls a month. On Pro and Enterprise, calls beyond the monthly limit are metered, not refused.

Every answered call counts against the limit per sliding minute, except 429. Only 200 answers of data endpoints with a body
count against the limit per calendar month (UTC): not 304, HEAD, errors or the account endpoints.
\`X-RateLimit-Reset\` and the \`t\` of \`RateLimit\` are seconds from now. The tier is checked before the parameters.`

/** Makes the app collect its routes into an OpenAPI 3.1 document. Call it before any route is added. */
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
      // Relative to the address of the document, so that it is the same for every installation.
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
    hideUntagged: true,
    transform: jsonSchemaTransform,
    transformObject: (document) =>
      finish(jsonSchemaTransformObject(document) as unknown as OpenApiDocument, queries) as never,
  })
}

/** The contact object: with an email where the setting is one, otherwise with its URL. */
const contactOf = (contact: string) => {
  const uri = contactUri(contact)
  return { name: 'The operator', ...(uri === `mailto:${contact}` ? { email: contact } : { url: uri }) }
}

const stringHeader = (description: string) => ({ description, schema: { type: 'string' } })
const integerHeader = (description: string) => ({ description, schema: { type: 'integer' } })

/** Operations with paged answers. */
const PAGED = new Set(['listAirports', 'listAirportsCsv', 'getCoverage', 'getCoverageCsv'])

const REQUEST_ID = { 'X-Request-Id': stringHeader('The id of the request; the caller’s own if it sent a valid one.') }
const RATE = {
  'RateLimit-Policy': stringHeader('The limits (IETF draft, structured field).'),
  RateLimit: stringHeader('The remaining calls, and seconds until more are available.'),
  'X-RateLimit-Limit': integerHeader('Requests a minute; in a 429, the limit that `scope` names.'),
  'X-RateLimit-Remaining': integerHeader('Requests left of that limit.'),
  'X-RateLimit-Reset': integerHeader('Seconds until one more request is possible; in a 429 the same as Retry-After.'),
}
const CACHING = {
  ETag: stringHeader('Changes with the snapshot; send it in If-None-Match.'),
  'Cache-Control': stringHeader('private, until the next snapshot is due.'),
}

/** Adds response headers, which route schemas cannot describe, and examples; removes unused component schemas and sorts the others. */
function finish(document: OpenApiDocument, queries: readonly Query[]): OpenApiDocument {
  for (const operations of Object.values(document.paths)) {
    for (const operation of Object.values(operations)) {
      operation.security ??= []
      const withKey = operation.security.length > 0
      if (operation.operationId === 'registerAgent' && operation.requestBody) operation.requestBody.required = false
      for (const [status, response] of Object.entries(operation.responses)) {
        response.headers = {
          ...REQUEST_ID,
          // A 401 belongs to no account, and a 405 is answered before the key is checked.
          ...(withKey && !['401', '405'].includes(status) && RATE),
          ...(withKey && '304' in operation.responses && ['200', '304'].includes(status) && CACHING),
          ...(['429', '503'].includes(status) && { 'Retry-After': integerHeader('Seconds to wait.') }),
          ...(status === '401' && { 'WWW-Authenticate': stringHeader('Bearer, with resource_metadata.') }),
          ...(status === '405' && { Allow: stringHeader('Methods of this address.') }),
          ...(PAGED.has(operation.operationId ?? '') &&
            status === '200' && { Link: stringHeader('RFC 8288 page links.') }),
        }
      }
    }
  }
  addExamples(document, queries)
  dropUnused(document)
  // By name, for the order in which modules are loaded is another in the program than in its tests.
  document.components.schemas = Object.fromEntries(
    Object.entries(document.components.schemas).sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  makePlain(document)
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
