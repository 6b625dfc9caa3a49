import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MCP_CATALOGUE } from '../../../bin/service/registry.ts'
import { TIERS } from '../../../config/tiers.ts'
import { repetitions } from '../../exhaustive.ts'
import { HOSTILE_JSON, HOSTILE_NAMES, HOSTILE_TEXTS } from '../fuzz/hostile.ts'
import type { Schema } from '../fuzz/operations.ts'
import { boundary, valid } from '../fuzz/values.ts'
import { shareHarness } from '../harness.ts'
import { legacy, messagesOf, modern, post } from './requests.ts'

const { call } = shareHarness()

/** Another seed or more calls: FUZZ_SEED=7 FUZZ_RUNS=500 npx vitest run test/api/mcp/fuzz.test.ts */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_122)
const RUNS = Number(process.env.FUZZ_RUNS ?? repetitions(8, 25))

const KNOWN = ['JFK', 'LGA', 'GRU', 'DEL', 'QQQ', '2026-11-21T18:00', '2026-11-22']
const deep = (depth: number): unknown => (depth === 0 ? [] : [deep(depth - 1)])
const WRONG: unknown[] = [
  ...HOSTILE_JSON,
  ...HOSTILE_TEXTS,
  deep(500),
  'x'.repeat(20_000),
  { constructor: { prototype: {} } },
]
const wrong = fc.constantFrom(...WRONG)

/** Arguments of a tool: its example with one or two changed fields, values from its schema, at its bounds, hostile ones, and unknown ones. */
function argumentsOf({ properties = {}, required = [], examples = [] }: Schema) {
  const parts = Object.entries(properties).map(([name, listed]) => {
    // The list says in words which texts are dates.
    const { description = '' } = listed as { description?: string }
    const isDate = listed.type === 'string' && description.includes('YYYY-MM-DD')
    const schema = isDate ? { ...listed, format: 'date' } : listed
    // Names of fields are those of the answer, which the input schema does not list.
    const usual = name === 'fields' ? fc.constantFrom(['simulated'], ['simulated', 'more']) : valid(schema, KNOWN)
    const drawn = [usual, boundary(schema), wrong]
    return [name, fc.oneof({ weight: 10, arbitrary: drawn[0]! }, ...drawn.slice(1))] as const
  })
  const record = fc.record(Object.fromEntries(parts), { requiredKeys: required.filter((name) => name in properties) })
  const strange = fc.dictionary(
    fc.constantFrom(...HOSTILE_NAMES.filter((name) => !['', '__proto__'].includes(name))),
    wrong,
    {
      maxKeys: 2,
    },
  )
  const few = fc
    .record(Object.fromEntries(parts), { requiredKeys: [] })
    .map((given) => Object.entries(given).slice(0, 2))
  const altered = few.map((fields) => ({ ...(examples[0] as object), ...Object.fromEntries(fields) }))
  return fc.oneof(
    { weight: 8, arbitrary: altered },
    { weight: 8, arbitrary: record },
    { weight: 1, arbitrary: fc.tuple(record, strange).map(([given, more]) => ({ ...given, ...more })) },
    { weight: 1, arbitrary: strange },
  )
}

interface Problem {
  code: string
  errors?: { parameter: string }[]
}

/** Why an answer to a call is wrong; null if it is right. */
function faultOf(status: number, text: string, fits: ValidateFunction): string | null {
  const [message, ...more] = messagesOf(text)
  // Fastify refuses bodies with keys that would set a prototype.
  if (status === 400 && message?.error?.code === -32_700) return null
  if (status !== 200 || !message || more.length > 0 || message.id !== 1) return `${status} ${text.slice(0, 300)}`
  // Arguments that are not an object are a protocol error.
  if (message.error) return message.error.code === -32_602 ? null : `${message.error.code} ${message.error.message}`
  const { result } = message
  if (typeof result?.content?.[0]?.text !== 'string') return 'no text'
  if (!result.isError) return fits(result.structuredContent) ? null : JSON.stringify(fits.errors)
  const { code, errors } = (result._meta as Record<string, Problem>)['holdshort/problem']!
  if (code === 'INVALID_PARAMETER')
    return errors?.every(({ parameter }) => parameter !== '') ? null : 'no argument is named'
  // No pipeline runs, so nobody answers about the past.
  return ['AIRPORT_NOT_FOUND', 'CONFLICT', 'rate_limited', 'NOT_FOUND'].includes(code) ? null : code
}

test('for random arguments, every tool answers according to its schema or names the invalid argument', async () => {
  const usual = TIERS.enterprise.requests_per_minute
  TIERS.enterprise.requests_per_minute = 1_000_000
  try {
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    const met = { answered: 0, refused: 0 }
    for (const { name, inputSchema, outputSchema } of MCP_CATALOGUE.listedTools) {
      const fits = ajv.compile(outputSchema)
      const property = fc.asyncProperty(argumentsOf(inputSchema as Schema), fc.boolean(), async (given, newer) => {
        const params = { name, arguments: given }
        const answer = await call('enterprise', '/mcp', post((newer ? modern : legacy)('tools/call', params)))
        expect(faultOf(answer.statusCode, answer.body, fits)).toBeNull()
        if (answer.body.includes('"isError":true')) met.refused += 1
        else met.answered += 1
      })
      await fc.assert(property, { seed: SEED, numRuns: RUNS }).catch((error: Error) => {
        throw new Error(`${name}: ${error.message}`, { cause: error })
      })
    }
    expect(met.answered).toBeGreaterThan(repetitions(10, 80))
    expect(met.refused).toBeGreaterThan(repetitions(32, 100))
  } finally {
    TIERS.enterprise.requests_per_minute = usual
  }
}, 240_000)
