import { type CheerioAPI, load } from 'cheerio'
import { ParseError } from '../../config/errors.ts'

/** Reads a JSON body; an error page served with status 200 is a ParseError that shows how it began. */
export function jsonBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new ParseError('$', `is not JSON; it begins "${body.trimStart().slice(0, 60)}"`, { cause })
  }
}

/** Reads an HTML body. A document that breaks off is a ParseError: "12 min" cut to "1" would be read as a wait. */
export function htmlBody(body: string): CheerioAPI {
  if (!/<[a-z!]/i.test(body)) throw new ParseError('html', `is not HTML; it begins "${body.slice(0, 60)}"`)
  if (/<html\b/i.test(body) && !/<\/html\b/i.test(body))
    throw new ParseError('html', `breaks off; it ends "${body.trimEnd().slice(-60)}"`)
  if (deeperThan(MOST_DEPTH, body)) throw new ParseError('html', `nests over ${MOST_DEPTH} elements deep`)
  return load(body)
}

/** No page is made so by its author; the time to read one grows with the square of its depth, 10 s at 20,000. */
const MOST_DEPTH = 2_000
/** Elements whose end tags may be left out, or that have none, say nothing about depth. */
const SHALLOW = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|li|dt|dd|p|td|th|tr|option)$/i

function deeperThan(most: number, body: string): boolean {
  let depth = 0
  for (const [, end, name = ''] of body.matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)) {
    if (SHALLOW.test(name)) continue
    depth = Math.max(0, depth + (end ? -1 : 1))
    if (depth > most) return true
  }
  return false
}

export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as a list; anything else means that the payload changed shape. */
export function listAt(value: unknown, path: string): unknown[] {
  if (Array.isArray(value)) return value
  throw new ParseError(path, `should be a list, is ${kindOf(value)}`)
}

/** The value as an object; anything else means that the payload changed shape. */
export function objectAt(value: unknown, path: string): JsonObject {
  if (isObject(value)) return value
  throw new ParseError(path, `should be an object, is ${kindOf(value)}`)
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
}

/** Text with its white space folded; empty for anything that is neither text nor a number. */
export function textOf(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  return String(value).replace(/\s+/g, ' ').trim()
}
