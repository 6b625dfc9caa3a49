import fc, { type Arbitrary } from 'fast-check'
import { DAY_MS } from '../../../config/vocabulary.ts'
import { NOW } from '../example-snapshot.ts'
import { HOSTILE_JSON } from './hostile.ts'
import type { Schema } from './operations.ts'

const days = fc
  .oneof(fc.integer({ min: -95, max: 9 }), fc.integer({ min: -8, max: 8 }), fc.integer({ min: -4_000, max: 4_000 }))
  .map((offset) => new Date(NOW + offset * DAY_MS).toISOString().slice(0, 10))
/** Instants with Z or an offset, mostly of the last days. */
const instants = fc
  .tuple(fc.integer({ min: -9 * DAY_MS, max: DAY_MS }), fc.constantFrom('Z', '+02:00', '-23:59', '.5Z', '.123456789Z'))
  .map(([offset, ending]) => new Date(NOW + offset).toISOString().slice(0, 19) + ending)
const mail = fc.constantFrom('agent@example.com', 'a.b+c@mail.example.org', "o'neil@example.ie")

/** Times and days as people write them: no pattern says what they are, but their example does. */
const WRITTEN_TIME = /^tomorrow \d\d:\d\d$/
const WRITTEN_DAY = /^tomorrow$/
const writtenTimes = fc.oneof(
  fc.integer({ min: -3, max: 20 * 24 }).map((hours) => new Date(NOW + hours * 3_600_000).toISOString().slice(0, 16)),
  fc.constantFrom('tomorrow 6am', 'tomorrow noon', '2026-11-22 5:30 pm'),
)
const writtenDays = fc.oneof(days, fc.constantFrom('today', 'tomorrow'))

/** Values that a schema allows. `existing` are values that exist in the app, such as codes of airports. */
export function valid(schema: Schema, existing: string[] = []): Arbitrary<unknown> {
  const { minimum: min = -1_000, maximum: max = 1_000, minItems = 0, maxItems = 5, minLength = 0 } = schema
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((choice) => valid(choice, existing)))
  if (schema.format === 'date') return days
  if (schema.format === 'email') return mail
  if (schema.format === 'date-time') return instants
  const [example] = schema.examples ?? []
  const written = [
    { example: WRITTEN_TIME, drawn: writtenTimes },
    { example: WRITTEN_DAY, drawn: writtenDays },
  ].find(({ example: form }) => typeof example === 'string' && form.test(example))
  if (written) return fc.oneof({ weight: 5, arbitrary: written.drawn }, fc.string({ maxLength: 20 }))
  switch (schema.type) {
    case 'integer':
      return fc.oneof(fc.integer({ min, max: Math.min(max, min + 9) }), fc.integer({ min, max }))
    case 'number':
      // In hundredths, as people write them.
      return fc.integer({ min: Math.ceil(min * 100), max: Math.floor(max * 100) }).map((hundredths) => hundredths / 100)
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(valid(schema.items ?? {}, existing), { minLength: minItems, maxLength: maxItems })
    case 'object': {
      const properties = Object.entries(schema.properties ?? {}).map(([name, part]) => [name, valid(part, existing)])
      const parts = Object.fromEntries(properties) as Record<string, Arbitrary<unknown>>
      return fc.record(parts, { requiredKeys: schema.required ?? [] })
    }
    default: {
      const drawn = schema.pattern
        ? fc.stringMatching(new RegExp(schema.pattern))
        : fc.string({ minLength, maxLength: Math.min(schema.maxLength ?? 40, 40) })
      return existing.length === 0 ? drawn : fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...existing) }, drawn)
    }
  }
}

/** Values at and just past the bounds of a schema. */
export function boundary(schema: Schema): Arbitrary<unknown> {
  const { minimum = 0, maximum = 1_000, minItems = 0, maxItems = 5, minLength = 0, maxLength = 5_000 } = schema
  if (schema.enum) {
    const [first = ''] = schema.enum.map(String)
    return fc.constantFrom(first.toUpperCase(), `${first} `, first.slice(1), `${first},${first}`, '')
  }
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(boundary))
  switch (schema.type) {
    case 'number':
      return fc.constantFrom(minimum, minimum - 0.01, maximum, maximum + 0.01, -1, maximum * 1e6)
    case 'integer':
      return fc.constantFrom(minimum, minimum - 1, maximum, maximum + 1, 0, -1, maximum * 1e6, minimum + 0.5)
    case 'boolean':
      return fc.constantFrom('', 0, 1, 'yes', 'True')
    case 'array': {
      const element = valid(schema.items ?? {})
      return fc
        .tuple(fc.constantFrom(minItems, minItems - 1, maxItems, maxItems + 1, maxItems * 20), element)
        .map(([length, value]) => Array(Math.max(0, length)).fill(value))
    }
    case 'object': {
      const parts = Object.entries(schema.properties ?? {}).map(([name, part]) => {
        return [name, fc.oneof(valid(part), boundary(part), fc.constantFrom(...HOSTILE_JSON))]
      })
      return fc.record({ ...Object.fromEntries(parts), extra: fc.constantFrom(...HOSTILE_JSON) }, { requiredKeys: [] })
    }
    default: {
      const lengths = [0, minLength - 1, minLength, maxLength, maxLength + 1, 15_000]
      return fc.constantFrom(...lengths.map(letters))
    }
  }
}

const letters = (length: number) => 'A'.repeat(Math.max(0, length))
