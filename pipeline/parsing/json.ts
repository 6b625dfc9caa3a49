import { z } from 'zod'
import { ParseError } from '../../config/errors.ts'
import { type NoticeReporter, reportUnreadableRow } from './notices.ts'

/**
 * Parses a JSON body.
 * @throws ParseError that quotes the beginning of the body, e.g. of an error page served with status 200, or says where JSON breaks off
 */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    if (/^\s*[[{]/.test(body)) throw new ParseError('$', `is damaged JSON: ${(cause as Error).message}`, { cause })
    throw new ParseError('$', `is not JSON; it begins "${body.trimStart().slice(0, 60)}"`, { cause })
  }
}

/** Checks a value against the shape that the collector knows. @throws ParseError when the shape is another */
export function matchShape<Shape extends z.ZodType>(value: unknown, shape: Shape): z.output<Shape> {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new ParseError(issue?.path.join('.') || '$', issue?.message ?? 'has another shape')
}

/** Parses a JSON body of a known shape. @throws ParseError */
export function readJson<Shape extends z.ZodType>(body: string, shape: Shape): z.output<Shape> {
  return matchShape(parseJson(body), shape)
}

/** Text with its white space folded; empty for anything that is neither text nor a number. */
export function textOf(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  return String(value).replace(/\s+/g, ' ').trim()
}

/**
 * Shapes of single fields. They accept any value: a field with an unusable value must not cost the row, so the reader
 * of the field decides what the value means and reports it.
 */
export const Anything = z.unknown().optional()
/** A text or a number as text; an empty text for any other value. */
export const Text = Anything.transform(textOf)
/** A list; an empty list for any other value. */
export const List = Anything.transform((value): unknown[] => (Array.isArray(value) ? value : []))

/** The text that names a queue: a row without it is unreadable. */
export const Name = Text.pipe(z.string().min(1))

/** An object that may be missing; undefined when the value is anything else. */
export function optionalObject<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.object(fields).optional().catch(undefined)
}

/** A list of rows at the end of a path of object keys; without keys the payload itself is the list. */
export function rowsAt(...keys: string[]): z.ZodType<unknown[]> {
  return keys.reduceRight<z.ZodType<unknown[]>>(
    (inner, key) => z.object({ [key]: inner }).transform((holder) => holder[key] ?? []),
    z.array(z.unknown()),
  )
}

/** The largest lists of the sources have some thousand rows. */
const MAX_ROWS = 50_000

/**
 * Reads each row of a list by its shape. A row of another shape is reported as unreadable and left out; a reader leaves
 * a row out by returning null.
 * @throws ParseError for a list that is longer than any of a source
 */
export function readRows<Shape extends z.ZodType, Result>(
  rows: readonly unknown[],
  report: NoticeReporter,
  shape: Shape,
  read: (row: z.output<Shape>, report: NoticeReporter) => Result | Result[] | null,
): Result[] {
  if (rows.length > MAX_ROWS)
    throw new ParseError(report.path, `has ${rows.length} rows; over ${MAX_ROWS} are not read`)
  return rows.flatMap((row, index) => readRow(row, report.at(index), shape, read))
}

/** The same for the values of an object, by their keys. */
export function readEntries<Shape extends z.ZodType, Result>(
  entries: readonly (readonly [key: string, value: unknown])[],
  report: NoticeReporter,
  shape: Shape,
  read: (row: z.output<Shape>, report: NoticeReporter, key: string) => Result | Result[] | null,
): Result[] {
  return entries.flatMap(([key, value]) =>
    readRow(value, report.at(key), shape, (row, rowReport) => read(row, rowReport, key)),
  )
}

function readRow<Shape extends z.ZodType, Result>(
  row: unknown,
  report: NoticeReporter,
  shape: Shape,
  read: (row: z.output<Shape>, report: NoticeReporter) => Result | Result[] | null,
): Result[] {
  const result = shape.safeParse(row)
  if (!result.success) {
    reportUnreadableRow(row, report)
    return []
  }
  const results = read(result.data, report)
  if (results === null) return []
  return Array.isArray(results) ? results : [results]
}
