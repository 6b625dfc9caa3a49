import { z } from 'zod'

type ValueReader = (text: string) => unknown

/** The number that a text is; another text is left unchanged. */
export const readInteger: ValueReader = (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text)

/** The truth value that a text is; another text is left unchanged. */
export const readBoolean: ValueReader = (text) => {
  if (text === 'true') return true
  return text === 'false' ? false : text
}

/**
 * Returns a function that converts the texts of a query string to the types in a query's input schema. A text that does
 * not convert is left unchanged, so that the schema reports it.
 */
export function queryStringReader(input: z.ZodObject): (query: Record<string, unknown>) => Record<string, unknown> {
  const readers = new Map<string, ValueReader>()
  const { properties = {} } = z.toJSONSchema(input, { io: 'input' })
  for (const [name, property] of Object.entries(properties)) {
    const type = typeof property === 'object' ? property.type : undefined
    if (type === 'integer') readers.set(name, readInteger)
    if (type === 'boolean') readers.set(name, readBoolean)
  }
  return (query) => {
    const values = Object.entries(query).map(([name, value]) => {
      const read = readers.get(name)
      return [name, read && typeof value === 'string' ? read(value) : value]
    })
    return Object.fromEntries(values)
  }
}
