import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { WIRE_CODES } from '../../api/rest/problem.ts'
import { openApiDocument } from '../../bin/service/openapi-document.ts'
import { QUERIES } from '../../bin/service/registry.ts'
import { ERROR_CODES, type ErrorCode } from '../../config/errors.ts'
import { openHarness } from './harness.ts'

const document = await openApiDocument()

test('the document is OpenAPI 3.1, version 1.0.0, with the operations of the specification', async () => {
  expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } })
  const ids = Object.values(document.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
  expect(new Set(ids).size).toBe(ids.length)
  for (const { name } of QUERIES) expect(ids).toContain(name)
  expect(document.paths['/api/agent/register']!.post!.requestBody).toMatchObject({ required: false })
})

// OpenAPI Generator names both of them alike in Rust, whose client then does not compile.
test('no schema has a property of its own name with values of its own', () => {
  for (const [name, { properties = {} }] of Object.entries(document.components.schemas))
    for (const [property, { enum: values }] of Object.entries(properties))
      if (values) expect(property.replaceAll('_', ''), name).not.toBe(name.toLowerCase())
})

/** Every object under a key `schema` and every component, with its path. */
function schemasIn(part: unknown, path = '#'): [string, object][] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
    const here = `${path}/${key}`
    const isSchema = key === 'schema' || path === '#/components/schemas'
    return isSchema ? [[here, value as object]] : schemasIn(value, here)
  })
}

test('every schema, also of parameters and headers, is valid JSON Schema 2020-12; every path parameter is described', async () => {
  const ajv = new Ajv2020({ strict: false })
  const schemas = schemasIn(document)
  expect(schemas.length).toBeGreaterThan(100)
  for (const [place, schema] of schemas) expect(ajv.validateSchema(schema) ? [] : ajv.errors, place).toEqual([])
  for (const [path, operations] of Object.entries(document.paths)) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    for (const { parameters = [] } of Object.values(operations))
      expect(
        parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
        path,
      ).toEqual(named)
  }
})

test('every answer has one media type, and CSV has addresses of its own', async () => {
  const { paths } = document
  const types = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.entries(responses).map(([status, { content = {} }]) => ({
        place: `${method} ${path} ${status}`,
        types: Object.keys(content),
      })),
    ),
  )
  expect(types.filter(({ types: listed }) => listed.length > 1)).toEqual([])
  const asCsv = types.filter(({ types: [type] }) => type === 'text/csv').map(({ place }) => place)
  const withCsv = QUERIES.flatMap(({ rest }) => (rest?.csv ? [rest] : []))
  expect(asCsv.sort()).toEqual(
    withCsv.map(({ path }) => `get /api/v1${path.replace(/:(\w+)/g, '{$1}')}.csv 200`).sort(),
  )
})

test('the served document equals the generated one', async () => {
  const { call } = await openHarness()
  expect((await call(null, '/openapi.json')).json()).toEqual(document)
})

test('each error code is documented at its status and at no other', async () => {
  const documented = new Map<string, Set<string>>()
  for (const operations of Object.values(document.paths)) {
    for (const { responses } of Object.values(operations)) {
      for (const [status, { description, content }] of Object.entries(responses)) {
        if (!content?.['application/problem+json']) continue
        for (const [, code] of description.matchAll(/`(\w+)`(?=[,:])/g))
          documented.set(code!, (documented.get(code!) ?? new Set()).add(status))
      }
    }
  }
  // An unknown path belongs to no operation; NOT_FOUND is documented where a key is not found.
  expect([...documented.keys()].sort()).toEqual([...WIRE_CODES].sort())
  for (const [code, statuses] of documented)
    expect([...statuses], code).toEqual([String(ERROR_CODES[code as ErrorCode].status)])
})

test('generated clients can read it: no two statements of one thing, one type beside null, no unusual constant, no default of a union', () => {
  const wrong: string[] = []
  const look = (part: unknown, path: string) => {
    if (typeof part !== 'object' || part === null) return
    const schema = part as Record<string, unknown>
    if ('format' in schema && 'pattern' in schema) wrong.push(`${path}: format and pattern`)
    const types = [schema['type'] ?? []].flat().filter((type) => type !== 'null')
    if (types.length > 1) wrong.push(`${path}: ${types.length} types`)
    if ('const' in schema) wrong.push(`${path}: const`)
    if ('anyOf' in schema && 'default' in schema) wrong.push(`${path}: default of a union`)
    for (const [key, inner] of Object.entries(schema))
      if (!['example', 'examples', 'properties'].includes(key)) look(inner, `${path}/${key}`)
    for (const [name, inner] of Object.entries((schema['properties'] ?? {}) as object)) look(inner, `${path}/${name}`)
  }
  look(document, '#')
  expect(wrong).toEqual([])
  expect(JSON.stringify(document)).toContain('"format":"date-time"')
})

test('the address of a CSV answers CSV, whatever type a generated client names', async () => {
  const { call } = await openHarness()
  for (const accept of ['application/problem+json', 'application/json', 'text/csv', '*/*']) {
    const answer = await call('enterprise', '/api/v1/airports/JFK/predictions.csv', { headers: { accept } })
    expect([answer.statusCode, answer.headers['content-type']], accept).toEqual([
      200,
      expect.stringMatching(/^text\/csv/),
    ])
  }
})

test('the examples of an operation, all together and on any day, are a request that is answered', async () => {
  const harness = await openHarness()
  const asked: string[] = []
  for (const [path, { get }] of Object.entries(document.paths)) {
    if (get === undefined || !path.startsWith('/api/v1')) continue
    const examples = (get.parameters ?? []).filter(({ example }) => example !== undefined)
    for (const { name, example } of examples) expect(String(example), `${path} ${name}`).not.toMatch(/^\d{4}-\d\d/)
    const query = new URLSearchParams(
      examples.filter((one) => one.in === 'query').map((one) => [one.name, String(one.example)]),
    )
    const url = `${path.replace('{iata}', 'JFK')}?${query}`
    const answer = await harness.call('enterprise', url)
    expect(answer.statusCode, `${url}: ${answer.body.slice(0, 300)}`).toBe(200)
    asked.push(url)
  }
  expect(asked.length).toBeGreaterThan(15)
})
