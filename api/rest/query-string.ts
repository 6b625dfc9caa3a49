import { z } from 'zod'
import { ParameterError } from '../../config/errors.ts'
import { once } from '../../config/once.ts'

type ValueReader = (text: string) => unknown

/** The number that a text is; another text is left unchanged. */
export const readInteger: ValueReader = (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text)

/** The number that a text is, also with a fraction. */
export const readNumber: ValueReader = (text) => (/^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text)

/** The truth value that a text is; another text is left unchanged. */
export const readBoolean: ValueReader = (text) => {
  if (text === 'true') return true
  return text === 'false' ? false : text
}

const READERS: Record<string, ValueReader> = { integer: readInteger, number: readNumber, boolean: readBoolean }

/** The reader of a parameter; one that may be of several types is read as the first that the text fits. */
function readerOf({ type, anyOf = [] }: z.core.JSONSchema.BaseSchema): ValueReader | undefined {
  const alternatives = anyOf.map((alternative) => (typeof alternative === 'object' ? alternative.type : undefined))
  const readers = [type, alternatives].flat(2).flatMap((named) => (named === undefined ? [] : (READERS[named] ?? [])))
  if (readers.length < 2) return readers[0]
  return (text) => readers.map((read) => read(text)).find((value) => value !== text) ?? text
}

function readersOf(input: z.ZodObject): Map<string, ValueReader> {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input' })
  const readers = Object.entries(properties).flatMap(([name, property]): [string, ValueReader][] => {
    const reader = typeof property === 'object' ? readerOf(property) : undefined
    return reader ? [[name, reader]] : []
  })
  return new Map(readers)
}

/**
 * Returns a function that converts the texts of a query string to the types in a query's input schema. A text that does
 * not convert is left unchanged, so that the schema reports it. The types are looked up at the first request.
 * The function throws a ParameterError for parameters that are given more than once.
 */
export function queryStringReader(input: z.ZodObject): (query: Record<string, unknown>) => Record<string, unknown> {
  const readers = once(() => readersOf(input))
  return (query) => {
    const repeated = Object.keys(query).filter((name) => Array.isArray(query[name]) && name in input.shape)
    if (repeated.length > 0)
      throw new ParameterError(repeated.map((parameter) => ({ parameter, message: 'must be given only once' })))
    const values = Object.entries(query).map(([name, value]) => {
      const read = readers().get(name)
      return [name, read && typeof value === 'string' ? read(value) : value]
    })
    return Object.fromEntries(values)
  }
}
