import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { ANSWER_EXAMPLES, TEXT_EXAMPLES } from '../../api/rest/openapi-examples.ts'
import type { OpenApiDocument } from '../../api/rest/openapi-types.ts'
import { WIRE_CODES } from '../../api/rest/problem.ts'
import { openApiDocument } from '../../bin/service/openapi-document.ts'
import { readSettings } from '../../config/settings.ts'
import { openHarness } from './harness.ts'

const document = await openApiDocument()

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ place: `${method} ${path}`, ...operation })),
)

test('every parameter and every body field has a description and a valid example', () => {
  const ajv = new Ajv2020({ strict: false, formats: { date: true, 'date-time': true, email: true } })
  for (const { place, parameters = [], requestBody } of operations) {
    for (const { name, description, example, schema } of parameters) {
      expect(description, `${place} ${name}`).toMatch(/\.$/)
      // A date would be out of reach some day.
      if (schema.format === 'date') continue
      expect(example, `${place} ${name}`).toBeDefined()
      expect(ajv.validate(schema, example), `${place} ${name}`).toBe(true)
    }
    const { properties = {} } = requestBody?.content['application/json']?.schema ?? {}
    for (const [name, { description, examples = [], ...schema }] of Object.entries(properties)) {
      expect(description, `${place} ${name}`).toMatch(/\.$/)
      expect(examples.length, `${place} ${name}`).toBeGreaterThan(0)
      for (const example of examples) expect(ajv.validate(schema, example), `${place} ${name}`).toBe(true)
    }
  }
})

test('every response body, also CSV and each problem, has an example that matches its schema', () => {
  const ajv = new Ajv2020({ strict: false, formats: { date: true, 'date-time': true, email: true, uri: true } })
  ajv.addSchema({ $id: 'https://openapi.test/', components: { schemas: document.components.schemas } })
  const used = new Set<string>()
  for (const { place, responses } of operations)
    for (const [status, { content = {}, description }] of Object.entries(responses))
      for (const [type, { schema, examples = {} }] of Object.entries(content)) {
        const title = `${place} ${status} ${type}`
        const names = Object.keys(examples)
        expect(names.length, title).toBeGreaterThan(0)
        const validate = ajv.compile(schema.$ref ? { $ref: `https://openapi.test/${schema.$ref}` } : schema)
        for (const name of names) {
          const { value } = document.components.examples![name]!
          expect(validate(value) ? [] : validate.errors, `${title} ${name}`).toEqual([])
          if (type === 'application/problem+json')
            expect([value, description], title).toEqual([
              expect.objectContaining({ status: Number(status), code: name, error: name }),
              expect.stringContaining(`\`${name}\``),
            ])
          if (type === 'text/csv') expect(String(value).split('\r\n').length, title).toBeGreaterThan(2)
          used.add(name)
        }
      }
  expect(Object.keys(document.components.examples!).sort()).toEqual([...used].sort())
  for (const name of [...Object.keys({ ...ANSWER_EXAMPLES, ...TEXT_EXAMPLES }), ...WIRE_CODES])
    expect(used, 'an example that is shown nowhere').toContain(name)
})

test('every operation declares whether it requires a key, and its tag is described', () => {
  const { tags = [], components } = document as OpenApiDocument & {
    tags?: { name: string; description: string }[]
    components: { securitySchemes: Record<string, unknown> }
  }
  const open = operations.filter(({ security }) => security?.length === 0).map(({ operationId }) => operationId)
  expect(open.sort()).toEqual([
    'getApiIndex',
    'getHealth',
    'getLlmsIndex',
    'getReadiness',
    'getStatus',
    'listMcpTools',
    'listSkills',
    'registerAgent',
  ])
  for (const { place, security = [], tags: [tag] = [], summary, description } of operations) {
    expect([summary, description], place).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/\S/)])
    expect(tags.find(({ name }) => name === tag)?.description, place).toMatch(/\S/)
    for (const requirement of security)
      expect(Object.keys(components.securitySchemes), place).toContain(Object.keys(requirement)[0])
  }
})

test('the contact is the operator, with an email or a URL where the setting is one', async () => {
  const contactOf = async (contact: string) => {
    const { call } = await openHarness({ HOLDSHORT_CONTACT: contact })
    return (await call(null, '/openapi.json')).json().info.contact
  }
  expect(document).toMatchObject({ info: { contact: { url: readSettings({}).contact } } })
  expect(await contactOf('ops@airport.aero')).toMatchObject({ email: 'ops@airport.aero' })
  expect(await contactOf('tel:+1-201-555-0123')).toEqual({ name: 'The operator', url: 'tel:+1-201-555-0123' })
})
