import { z } from 'zod'
import type { JsonSchema, OpenApiDocument, OpenApiOperation } from '../../api/rest/openapi-types.ts'
import { toolInput } from '../../api/tools/answer-size.ts'
import type { Addresses } from '../../config/addresses.ts'
import type { Tier } from '../../config/domain.ts'
import { TIERS } from '../../config/tiers.ts'
import { summaryOf } from './llms.ts'
import type { SiteCatalogue } from './site-catalogue.ts'
import { SKILLS, skillFile, skillParts } from './skills.ts'

/** The accepted values of a parameter in a few words: type, choices, bounds, default. */
function valuesOf({ type, format, enum: choices, minimum, maximum, default: fallback, ...schema }: JsonSchema): string {
  const kind = choices?.join(' | ') ?? [type ?? 'value', format].filter(Boolean).join(' ')
  const bounds = minimum === undefined && maximum === undefined ? '' : ` ${minimum ?? ''}–${maximum ?? ''}`
  const count = schema.maxItems === undefined ? '' : `, at most ${schema.maxItems}`
  return `${kind}${bounds}${count}${fallback === undefined ? '' : `, default ${fallback}`}`
}

/** Parameters of many tools. Their schemas have no description, to keep the listing of tools short. */
const SHARED_PARAMETERS: Record<string, string> = {
  detail: 'brief (default): what the question needs; full: all of it, in pages.',
  page: 'Page of a full answer, from 1.',
}

const parameterLine = (name: string, where: string, schema: JsonSchema, description = schema.description) =>
  `- \`${name}\` (${where}; ${valuesOf(schema)}): ${description ?? SHARED_PARAMETERS[name] ?? ''}`.trimEnd()

function fieldLines({ properties = {}, required = [] }: JsonSchema, prefix = ''): string[] {
  return Object.entries(properties).map(([name, schema]) =>
    parameterLine(name, prefix + (required.includes(name) ? 'required' : 'optional'), schema),
  )
}

const keyOf = (tier: Tier) =>
  tier === 'free' ? 'any key' : `a key of ${TIERS[tier].name}${tier === 'pro' ? ' or higher' : ''}`

/** One REST operation: purpose, parameters, errors, and an example request and answer. */
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
  const [status, success] = Object.entries(responses).find(([code]) => code.startsWith('2'))!
  const failures = Object.entries(responses).filter(([code]) => code >= '400')
  const types = Object.keys(success.content ?? {})
  const shape = success.content?.['application/json']?.schema
  const example = examples[shape?.$ref?.split('/').at(-1) ?? '']?.value

  const examplePath = parameters.reduce(
    (url, { name, example: value }) => url.replace(`{${name}}`, value ?? `{${name}}`),
    path,
  )
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const queryString = required.map(({ name, example: value = '' }) => `${name}=${encodeURIComponent(value)}`).join('&')
  const curl = [
    'curl',
    verb !== 'GET' && `-X ${verb}`,
    withKey && "-H 'Authorization: Bearer <key>'",
    body && `-H 'Content-Type: application/json' -d '${JSON.stringify(exampleBody(body))}'`,
    `'${site}${examplePath}${queryString && `?${queryString}`}'`,
  ]
  return [
    `### ${operationId}: ${summary}\n`,
    `${verb} ${site}${path} with ${query ? keyOf(query.tier) : withKey ? 'any key' : 'no key'}. ${description}`.trimEnd(),
    '',
    ...parameters.map(({ name, in: place, required, schema, description }) =>
      parameterLine(name, place + (required ? ', required' : ''), schema, description),
    ),
    ...(body ? fieldLines(body, 'body, ') : []),
    `- Answers ${status}${types.length > 0 ? ` with ${types.join(' or ')}` : ' without a body'}.`,
    `- Errors: ${failures.map(([code, response]) => `${code} ${codesOf(response.description).join(', ')}`).join('; ')}.\n`,
    `    ${curl.filter(Boolean).join(' ')}`,
    ...(example === undefined ? [] : [`\n    ${JSON.stringify(example)}`]),
  ].join('\n')
}

/** The error codes that the description of a failure begins with. */
const codesOf = (description: string) => [...description.matchAll(/`(\w+)`(?=[,:])/g)].map(([, code]) => code!)

/** The body of an example request. */
const exampleBody = (schema: JsonSchema | undefined) =>
  Object.fromEntries(
    Object.entries(schema?.properties ?? {}).flatMap(([name, { examples }]) => (examples ? [[name, examples[0]]] : [])),
  )

/** Every status and error code that the operations document, without duplicates. */
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
  return tools.map((tool) => {
    const { name, title, description, query } = tool
    const input = z.toJSONSchema(toolInput(tool), { io: 'input' }) as JsonSchema
    return `### ${name}: ${title}\n\nWith ${keyOf(query.tier)}. ${description}\n\n${fieldLines(input).join('\n')}`
  })
}

/** Everything that an agent needs in one text (llms-full.txt), made from the OpenAPI document, the tools, the tiers and the skills. */
export function llmsFullText(
  catalogue: SiteCatalogue,
  document: OpenApiDocument,
  addresses: Addresses,
  airports: number,
): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, OpenApiOperation] => [method, path, operation]),
  )
  return `${[
    `# Holdshort, complete documentation\n\n> ${summaryOf(airports)}`,
    document.info.description,
    `## Tiers\n\n${tierLines().join('\n')}`,
    ...SKILLS.map((name) =>
      skillParts(skillFile(name, addresses, catalogue))
        .body.replace(/^#/gm, '##')
        .trimEnd(),
    ),
    '## REST operations\n\nThe figures in the examples are not real.',
    ...operations.map((operation) =>
      operationText(catalogue.queries, addresses.site_url, document.components, operation),
    ),
    `## Errors\n\n${errorLines(document).join('\n')}`,
    '## MCP tools',
    ...toolTexts(catalogue.tools),
  ].join('\n\n')}\n`
}
