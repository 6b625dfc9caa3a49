import { isoUtc, type UtcInstant } from '../../config/domain.ts'
import { ParseError } from '../../config/errors.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'

export type UntrustedRow = Record<string, unknown>

export function isRow(value: unknown): value is UntrustedRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One or many as a list; nothing (absent, null, an empty XML element) as an empty one. */
export function asList(value: unknown): unknown[] {
  if (value === undefined || value === null || value === '') return []
  return Array.isArray(value) ? value : [value]
}

/**
 * The rows of a body that must be a JSON array.
 * @throws ParseError when it is anything else
 */
export function jsonRows(body: string): unknown[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch (cause) {
    throw new ParseError('$', 'is not JSON', { cause })
  }
  if (!Array.isArray(parsed)) throw new ParseError('$', 'is not an array')
  return parsed
}

const EARLIEST_MS = Date.UTC(1990, 0)
const LATEST_MS = Date.UTC(2100, 0)

/** An ISO instant of epoch milliseconds; null outside 1990 to 2100, which no source can mean. */
export function instantOfMs(ms: number): UtcInstant | null {
  return ms >= EARLIEST_MS && ms < LATEST_MS ? isoUtc(Math.floor(ms)) : null
}

/** No program delays a flight for longer. */
export const DAY_MINUTES = 24 * 60

const ISO = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?$/

/** Epoch milliseconds of an ISO date-time; one without a zone is UTC (aviationweather.gov before September 2025). */
export function isoMs(text: string): number {
  const match = ISO.exec(text.trim())
  return match ? Date.parse(`${match[1]}T${match[2]}${match[3] ?? 'Z'}`) : Number.NaN
}

/**
 * Reads the fields of one untrusted row. What is absent, null or empty is null; what is there but cannot be read is
 * null too, and a notice with its path.
 */
export class Fields {
  readonly row: UntrustedRow
  readonly path: string
  private readonly notices: Notice[]
  /** Set once the airport is known, so that later notices name it. */
  iata: string | null = null

  constructor(row: UntrustedRow, path: string, notices: Notice[]) {
    this.row = row
    this.path = path
    this.notices = notices
  }

  has(name: string): boolean {
    const value = this.row[name]
    return value !== undefined && value !== null && value !== ''
  }

  text(name: string): string | null {
    const value = this.row[name]
    if (typeof value === 'string') return value.trim() || null
    return this.unreadable(name, 'is not a text')
  }

  number(name: string): number | null {
    const value = this.row[name]
    const number = typeof value === 'string' && value.trim() ? Number(value) : value
    if (typeof number === 'number' && Number.isFinite(number)) return number
    return this.unreadable(name, 'is not a number')
  }

  /** Minutes of a delay: a number from 0 to a day. */
  minutes(name: string): number | null {
    const number = this.number(name)
    return number === null || (number >= 0 && number <= DAY_MINUTES)
      ? number
      : this.unreadable(name, 'is not a number of minutes of one day')
  }

  /** An ISO text, or a number of seconds since the epoch. */
  instant(name: string): UtcInstant | null {
    const value = this.row[name]
    const ms = typeof value === 'number' ? value * 1_000 : typeof value === 'string' ? isoMs(value) : Number.NaN
    return instantOfMs(ms) ?? this.unreadable(name, 'is not an instant')
  }

  /** A text that `read` understands; null with a notice when it does not. */
  read<T>(name: string, read: (text: string) => T | null): T | null {
    const text = this.text(name)
    if (text === null) return null
    return read(text) ?? this.unreadable(name, 'is not in a form we know')
  }

  /** The object in a field, as fields of its own. */
  within(name: string): Fields | null {
    const value = this.row[name]
    return isRow(value) ? this.nested(name, value) : this.unreadable(name, 'is not an object')
  }

  /** Fields of a row inside this one, at `step` from here. */
  nested(step: string, row: UntrustedRow): Fields {
    const fields = new Fields(row, `${this.path}.${step}`, this.notices)
    fields.iata = this.iata
    return fields
  }

  /** A finding about this row that a person should know. */
  note(code: string, severity: Notice['severity'], message: string, value: unknown = null): null {
    this.notices.push(notice(code, severity, this.path, message, value, this.iata))
    return null
  }

  private unreadable(name: string, complaint: string): null {
    if (this.has(name)) {
      const message = `${name} ${complaint}`
      this.notices.push(
        notice('value_unreadable', 'warning', `${this.path}.${name}`, message, this.row[name], this.iata),
      )
    }
    return null
  }
}
