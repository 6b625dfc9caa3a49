import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { openHarness } from '../api/harness.ts'
import { readCases } from '../values.ts'

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

const argument = {
  type: 'object',
  required: ['type', 'value'],
  properties: { type: { enum: ['positional', 'named'] }, name: text(1, 200), value: text(1, 200) },
  additionalProperties: false,
}

/** The registry's schema of 2025-12-11 for what we say, written by hand; stricter, because it allows no unknown field. */
const SERVER = {
  type: 'object',
  required: ['$schema', 'name', 'description', 'version', 'remotes', 'packages'],
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
    packages: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['registryType', 'identifier', 'version', 'transport'],
        properties: {
          registryType: { const: 'npm' },
          identifier: { const: packageFile.name },
          version: { const: packageFile.version },
          runtimeHint: { const: 'npx' },
          transport: { const: { type: 'stdio' } },
          packageArguments: { type: 'array', items: argument },
          environmentVariables: { type: 'array', items: input },
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

const { servers } = readCases<{ servers: [environment: Record<string, string>, name: string, address: string][] }>(
  'site/server-names.json',
)

test.each(servers)(
  'server.json with settings %j fits the schema of the registry',
  async (environment, name, address) => {
    const { call } = await openHarness(environment)
    const answer = await call(null, '/server.json')
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    const server = answer.json()
    expect(valid(server), ajv.errorsText(valid.errors)).toBe(true)
    expect(server).toMatchObject({ name, remotes: [{ url: `${address}/mcp` }] })
    expect(server.remotes[0].headers).toEqual([
      expect.objectContaining({ name: 'Authorization', isRequired: false, isSecret: true }),
    ])
  },
)

/** The schema as the registry's own module has it, which `.ci/run` downloads: no code or file of it stands here. */
const modules = spawnSync('go', ['env', 'GOMODCACHE']).stdout?.toString().trim() ?? ''
const published = join(
  modules,
  'github.com/modelcontextprotocol/registry@v1.8.9/internal/validators/schemas/2025-12-11.json',
)

test.runIf(existsSync(published))('server.json fits the schema that the registry itself checks', async () => {
  const { call } = await openHarness({ HOLDSHORT_SITE_URL: 'https://holdshort.example' })
  const registry = new Ajv({ strict: false })
  addFormats.default(registry)
  const fits = registry.compile(JSON.parse(readFileSync(published, 'utf8')))
  expect(fits((await call(null, '/server.json')).json()) ? [] : fits.errors).toEqual([])
})
