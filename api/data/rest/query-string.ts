import { z } from 'zod'

type Reader = (text: string) => unknown

const readInteger: Reader = (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text)
const readBoolean: Reader = (text) => (text === 'true' ? true : text === 'false' ? false : text)

/**
 * A function that turns the texts of a query string into the types that a query's input declares. What does not fit
 * is left as it is, so that the input's own schema names the fault.
 */
export function queryStringReader(input: z.ZodObject): (query: Record<string, unknown>) => Record<string, unknown> {
  const readers = new Map<string, Reader>()
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
