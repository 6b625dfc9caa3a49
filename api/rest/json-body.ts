import type { FastifyInstance } from 'fastify'
import { ParameterError } from '../../config/errors.ts'

/** Levels of lists and objects within each other. No body that we read has ten; code that recurses needs a limit. */
const MAX_DEPTH = 64

/** Values of a body, before it is parsed. No body that we read has as many. */
const MAX_VALUES = 24_000

/**
 * Fields of the objects of a body outside MCP, before it is parsed. No operation reads twenty, and an object of many thousand
 * fields takes longer to parse and to look at than a list of as many values.
 */
const MAX_FIELDS = 2_000

/** An unreadable body, with the status by which the MCP server recognises it. */
class UnreadableBodyError extends ParameterError {
  readonly statusCode = 400
}

const refusal = (message: string, parameter = 'body') => new UnreadableBodyError([{ parameter, message }])

/** Codings of a body; other words, such as a character set, change nothing. */
const COMPRESSED = /\b(gzip|deflate|br|zstd|compress)\b/i

/**
 * Accepts JSON bodies only. Many clients send `Content-Type: application/json` with an empty body, which counts as no body.
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain')
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body as string
    if (COMPRESSED.test(request.headers['content-encoding'] ?? ''))
      done(refusal('must be absent: send the body uncompressed', 'Content-Encoding'))
    else if (text === '') done(null, undefined)
    else if (isDeeperThan(MAX_DEPTH, text)) done(refusal(`must not be nested more than ${MAX_DEPTH} levels deep`))
    else if (request.routeOptions.url !== '/mcp' && hasMoreFields(MAX_FIELDS, text))
      done(refusal(`must not have more than ${MAX_FIELDS} fields`))
    else if (hasMoreValues(MAX_VALUES, text)) done(refusal(`must not have more than ${MAX_VALUES} values`))
    else parse(request, text, done)
  })
}

/** Whether a JSON text has more values than a limit: each follows a comma or begins a list or object. Strings do not count. */
export const hasMoreValues = (limit: number, text: string) =>
  occursMoreThan(
    limit,
    text,
    (character) => character === COMMA || character === OPEN_LIST || character === OPEN_OBJECT,
  )

/** Whether the objects of a JSON text have more fields than a limit: each has a colon. Strings do not count. */
export const hasMoreFields = (limit: number, text: string) =>
  occursMoreThan(limit, text, (character) => character === COLON)

/** Whether a JSON text has more of some characters than a limit, those within strings not counted. */
function occursMoreThan(limit: number, text: string, isCounted: (character: number) => boolean): boolean {
  let found = 0
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (character === QUOTE) index = endOfString(text, index)
    else if (isCounted(character)) {
      found++
      if (found > limit) return true
    }
  }
  return false
}

/** Whether a JSON text has more levels of lists and objects than a limit. Brackets within strings do not count. */
export function isDeeperThan(limit: number, text: string): boolean {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (character === QUOTE) index = endOfString(text, index)
    else if (character === OPEN_LIST || character === OPEN_OBJECT) {
      depth++
      if (depth > limit) return true
    } else if (character === CLOSE_LIST || character === CLOSE_OBJECT) depth--
  }
  return false
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** The position of the quote that ends the string which begins at `start`; the end of the text when there is none. */
function endOfString(text: string, start: number): number {
  let index = start + 1
  while (index < text.length && text.charCodeAt(index) !== QUOTE) index += text.charCodeAt(index) === BACKSLASH ? 2 : 1
  return index
}
