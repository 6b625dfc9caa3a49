import { z } from 'zod'
import type { Tier } from '../../../config/domain.ts'
import type { Addresses } from '../../../config/settings.ts'
import { TIERS } from '../../../config/tiers.ts'
import type { OpenApiDocument, OpenApiOperation, OpenApiSchema } from '../../data/rest/openapi-types.ts'
import { summaryOf } from './llms.ts'
import type { SiteCatalogue } from './site-catalogue.ts'

/** What a value must be, in a few words: type, choices, bounds, default. */
function kindOf({
  type,
  format,
  enum: choices,
  minimum,
  maximum,
  default: fallback,
  ...schema
}: OpenApiSchema): string {
  const kind = choices?.join(' | ') ?? [type ?? 'value', format].filter(Boolean).join(' ')
  const bounds = minimum === undefined && maximum === undefined ? '' : ` ${minimum ?? ''}–${maximum ?? ''}`
  const count = schema.maxItems === undefined ? '' : `, at most ${schema.maxItems}`
  return `${kind}${bounds}${count}${fallback === undefined ? '' : `, default ${fallback}`}`
}

const argumentLine = (name: string, where: string, schema: OpenApiSchema, description = schema.description) =>
  `- \`${name}\` (${where}; ${kindOf(schema)}): ${description}`

/** The fields of an object as arguments. */
function fieldLines({ properties = {}, required = [] }: OpenApiSchema, place = ''): string[] {
  return Object.entries(properties).map(([name, schema]) =>
    argumentLine(name, place + (required.includes(name) ? 'required' : 'optional'), schema),
  )
}

const keyOf = (tier: Tier) =>
  tier === 'free' ? 'any key' : `a key of ${TIERS[tier].name}${tier === 'pro' ? ' or higher' : ''}`

/** One operation: what it is for, what it takes, how it fails, and an example of asking and answering. */
function operationText(
  queries: SiteCatalogue['queries'],
  site: string,
  { examples = {} }: OpenApiDocument['components'],
  [method, path, operation]: [string, string, OpenApiOperation],
): string {
  const { operationId = '', summary, description = '', parameters = [], requestBody, responses } = operation
  const query = queries.find(({ name }) => name === operationId)
  const withKey = (operation.security ?? []).length > 0
  const verb = method.toUpperCase()
  const body = requestBody?.content['application/json']?.schema
  const [status, answered] = Object.entries(responses).find(([code]) => code.startsWith('2'))!
  const refused = Object.entries(responses).filter(([code]) => code >= '400')
  const types = Object.keys(answered.content ?? {})
  const shape = answered.content?.['application/json']?.schema
  const example = examples[shape?.$ref?.split('/').at(-1) ?? '']?.value

  const asked = parameters.reduce((url, { name, example: one }) => url.replace(`{${name}}`, one ?? `{${name}}`), path)
  const fields = Object.entries(body?.properties ?? {}).flatMap(([name, { examples: some }]) =>
    some ? [[name, some[0]]] : [],
  )
  const curl = [
    'curl',
    verb !== 'GET' && `-X ${verb}`,
    withKey && "-H 'Authorization: Bearer <key>'",
    body && `-H 'Content-Type: application/json' -d '${JSON.stringify(Object.fromEntries(fields))}'`,
    `'${site}${asked}'`,
  ]
  return [
    `### ${operationId}: ${summary}\n`,
    `${verb} ${site}${path} with ${query ? keyOf(query.tier) : withKey ? 'any key' : 'no key'}. ${description}`.trimEnd(),
    '',
    ...parameters.map((one) =>
      argumentLine(one.name, one.in + (one.required ? ', required' : ''), one.schema, one.description),
    ),
    ...(body ? fieldLines(body, 'body, ') : []),
    `- Answers ${status}${types.length > 0 ? ` with ${types.join(' or ')}` : ' without a body'}.`,
    `- Errors: ${refused.map(([code, response]) => `${code} ${codesOf(response.description).join(', ')}`).join('; ')}.\n`,
    `    ${curl.filter(Boolean).join(' ')}`,
    ...(example === undefined ? [] : [`\n    ${JSON.stringify(example)}`]),
  ].join('\n')
}

const codesOf = (description: string) => [...description.matchAll(/`(\w+)`(?=[,:])/g)].map(([, code]) => code)

/** Every status and code that an operation documents, once. */
function errorLines({ paths }: OpenApiDocument): string[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const lines = operations.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { description }]) =>
      status >= '400' ? [`- ${status} ${description}`] : [],
    ),
  )
  return [...new Set(lines)].sort()
}

function tierLines(): string[] {
  return Object.values(TIERS).map(
    (tier) =>
      `- ${tier.name}, ${tier.price_usd_per_month} USD a month: ${tier.requests_per_minute} requests a minute, ${tier.calls_per_month} calls a month${tier.overage_usd_per_1000 === null ? '' : ` (then ${tier.overage_usd_per_1000} USD per 1000)`}, ${tier.prediction_hours} hours of predictions, ${tier.history_days} days of history, ${tier.bulk_airports} airports in bulk.`,
  )
}

function toolTexts(tools: SiteCatalogue['tools']): string[] {
  return tools.map(({ name, title, description, query }) => {
    const input = z.toJSONSchema(query.input, { io: 'input' }) as OpenApiSchema
    return `### ${name}: ${title}\n\nWith ${keyOf(query.tier)}. ${description}\n\n${fieldLines(input).join('\n')}`
  })
}

/** All that an agent needs in one text, made from the OpenAPI document, the tools, the tiers and the skills. */
export function llmsFullText(
  catalogue: SiteCatalogue,
  document: OpenApiDocument,
  places: Addresses,
  airports: number,
): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, OpenApiOperation] => [method, path, operation]),
  )
  return `${[
    `# Holdshort, the whole of it\n\n> ${summaryOf(airports)}`,
    document.info.description,
    `## Tiers\n\n${tierLines().join('\n')}`,
    ...catalogue.skills.map(({ body }) => body(places, catalogue).replace(/^#/gm, '##').trimEnd()),
    '## REST operations\n\nThe figures of the examples are not real.',
    ...operations.map((operation) => operationText(catalogue.queries, places.site_url, document.components, operation)),
    `## Errors\n\n${errorLines(document).join('\n')}`,
    '## MCP tools',
    ...toolTexts(catalogue.tools),
  ].join('\n\n')}\n`
}
