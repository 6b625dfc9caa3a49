import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { openHarness } from '../api/harness.ts'

const text = (least: number, most: number) => ({ type: 'string', minLength: least, maxLength: most })
const input = {
  type: 'object',
  required: ['name'],
  properties: {
    name: text(1, 200),
    description: text(1, 1_000),
    placeholder: text(1, 200),
    isRequired: { type: 'boolean' },
    isSecret: { type: 'boolean' },
    format: { enum: ['string', 'number', 'boolean'] },
  },
  additionalProperties: false,
}

/** The registry's schema of 2025-12-11 for a server without packages, written by hand; stricter, because it allows no unknown field. */
const SERVER = {
  type: 'object',
  required: ['$schema', 'name', 'description', 'version', 'remotes'],
  properties: {
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
    name: { ...text(3, 200), pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    title: text(1, 100),
    description: text(1, 100),
    version: { ...text(1, 255), pattern: '^\\d+\\.\\d+\\.\\d+$' },
    websiteUrl: { type: 'string', format: 'uri' },
    remotes: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['type', 'url'],
        properties: {
          type: { const: 'streamable-http' },
          url: { type: 'string', pattern: '^https?://[^\\s]+$' },
          headers: { type: 'array', items: input },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
}
const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
const valid = ajv.compile(SERVER)

test.each([
  [{ HOLDSHORT_SITE_URL: 'https://holdshort.example' }, 'example.holdshort/holdshort', 'https://holdshort.example'],
  [
    { HOLDSHORT_SITE_URL: 'https://www.example.com', HOLDSHORT_MCP_URL: 'https://mcp.example.com/' },
    'com.example.mcp/holdshort',
    'https://mcp.example.com',
  ],
  [{}, 'local/holdshort', 'http://127.0.0.1:8080'],
  [{ HOLDSHORT_SITE_URL: 'http://[::1]:8080' }, 'local/holdshort', 'http://[::1]:8080'],
  [{ HOLDSHORT_REGISTRY_NAME: 'io.github.owner/holdshort' }, 'io.github.owner/holdshort', 'http://127.0.0.1:8080'],
])('server.json with settings %j fits the schema of the registry', async (environment, name, address) => {
  const { call } = await openHarness(environment as Record<string, string>)
  const answer = await call(null, '/server.json')
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  const server = answer.json()
  expect(valid(server), ajv.errorsText(valid.errors)).toBe(true)
  expect(server).toMatchObject({ name, remotes: [{ url: `${address}/mcp` }] })
  expect(server.remotes[0].headers).toEqual([
    expect.objectContaining({ name: 'Authorization', isRequired: false, isSecret: true }),
  ])
})
