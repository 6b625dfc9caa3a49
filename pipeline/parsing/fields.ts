import { z } from 'zod'
import { isObject, type JsonObject } from '../../config/json-object.ts'
import type { UtcInstant } from '../../config/vocabulary.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import { instantOfMs, utcIsoClock } from './clocks.ts'
import { NoticeReporter } from './notices.ts'

/** One value or many as a list; nothing (absent, null, an empty XML element) as an empty list. */
export function asList(value: unknown): unknown[] {
  if (value === undefined || value === null || value === '') return []
  return Array.isArray(value) ? value : [value]
}

/** Minutes of a day: no program delays a flight for longer. */
export const DAY_MINUTES = 24 * 60

const FilledText = z.string().trim().min(1)
const AnyNumber = z.union([z.number(), FilledText.transform(Number).pipe(z.number())])

/**
 * Reads the fields of one row of a feed whose fields stand alone (FAA, weather, map). A field that is absent, null or
 * empty is null. A field with an unreadable value is null too, and gets a notice with its path.
 */
export class FieldReader extends NoticeReporter {
  readonly row: JsonObject

  constructor(row: JsonObject, path: string, iata: string | null, notices: Notice[]) {
    super(path, iata, notices)
    this.row = row
  }

  has(name: string): boolean {
    const value = this.row[name]
    return value !== undefined && value !== null && value !== ''
  }

  /** A text without the white space around it; null when nothing is left. */
  text(name: string): string | null {
    const value = this.row[name]
    if (typeof value === 'string') return value.trim() || null
    return this.unreadable(name, 'is not a text')
  }

  /** A number, within a range if one is given. */
  number(name: string, range?: readonly [low: number, high: number]): number | null {
    // No schema is made for a range: a payload has thousands of these fields.
    const { data, success } = AnyNumber.safeParse(this.row[name])
    const [low, high] = range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
    if (success && low <= data && data <= high) return data
    return this.unreadable(name, range ? `is not a number from ${low} to ${high}` : 'is not a number')
  }

  /** Minutes of a delay: a number from 0 to a day. */
  minutes(name: string): number | null {
    return this.number(name, [0, DAY_MINUTES])
  }

  /** An ISO text, where one without an offset is UTC, or a number of seconds since the epoch. */
  instant(name: string): UtcInstant | null {
    const value = this.row[name]
    const instant = typeof value === 'number' ? instantOfMs(value * 1_000) : utcIsoClock(value, 'utc', '')
    return instant ?? this.unreadable(name, 'is not an instant')
  }

  /** A text that `read` understands; null with a notice when it does not. */
  read<T>(name: string, read: (text: string) => T | null): T | null {
    const text = this.text(name)
    if (text === null) return null
    return read(text) ?? this.unreadable(name, 'is not in a known form')
  }

  within(name: string): FieldReader | null {
    const value = this.row[name]
    return isObject(value) ? this.nested(name, value) : this.unreadable(name, 'is not an object')
  }

  /** A row inside this one, at the path `step` from here. */
  nested(step: string, row: JsonObject): FieldReader {
    return new FieldReader(row, `${this.path}.${step}`, this.iata, this.notices)
  }

  private unreadable(name: string, complaint: string): null {
    if (!this.has(name)) return null
    const field = new NoticeReporter(`${this.path}.${name}`, this.iata, this.notices)
    return field.warning('value_unreadable', `${name} ${complaint}`, this.row[name])
  }
}
