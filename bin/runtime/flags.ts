import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { airportDirectory } from '../../config/airports/directory.ts'
import { codeFault, resolveCode } from '../../config/airports/resolve-code.ts'
import { UsageError } from '../../config/errors.ts'
import { isPlainNumber } from '../../config/setting-values.ts'
import { shortText } from '../../config/short-text.ts'
import { LocalDate, parseInstant } from '../../config/vocabulary.ts'

const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/

/** Parses an instant from the command line into epoch milliseconds; a day alone means its midnight in UTC. @throws UsageError */
export function instantFlag(name: string, value: string): number {
  const ms = INSTANT.test(value) ? parseInstant(value) : Number.NaN
  if (Number.isNaN(ms)) throw new UsageError(`${name}: "${value}" is not an ISO instant such as 2026-11-21T00:00:00Z`)
  return ms
}

/** A number in digits, with or without a fraction, within bounds. @throws UsageError */
export function numberFlag(name: string, text: string, min: number, max: number): number {
  const value = isPlainNumber(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new UsageError(`${name}: "${text}" must be a number from ${min} to ${max}`)
}

/** A whole number in digits within bounds. @throws UsageError */
export function wholeNumberFlag(name: string, text: string, min: number, max: number): number {
  const value = isPlainNumber(text) ? Number(text) : Number.NaN
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new UsageError(`${name}: "${text}" must be a whole number from ${min} to ${max}`)
}

/** Hours between two issues. @throws UsageError */
export function hoursFlag(value: string): number {
  const match = /^(\d+)h$/.exec(value)
  const hours = Number(match?.[1])
  if (!match || hours < 1 || hours > 168)
    throw new UsageError(`--every: "${value}" must be a whole number of hours from 1h to 168h, such as 6h`)
  return hours
}

/** Checks a UTC day from the command line. @throws UsageError */
export function dayFlag(name: string, value: string): string {
  if (!LocalDate.safeParse(value).success) throw new UsageError(`${name}: "${value}" is not a day such as 2026-11-21`)
  return value
}

/** A text that somebody typed, bounded and without characters that hide. @throws UsageError */
export function textFlag(name: string, value: string, max?: number): string {
  const parsed = shortText(max).safeParse(value)
  if (parsed.success) return parsed.data
  throw new UsageError(`${name}: ${parsed.error.issues[0]?.message ?? 'is not a text'}`)
}

/** Requires that a file can be made at a path, before the long work that fills it. @throws UsageError */
export function requireWritableFolder(name: string, path: string): void {
  try {
    accessSync(dirname(path), constants.W_OK)
  } catch (cause) {
    throw new UsageError(`${name}: ${path} cannot be written (${(cause as Error).message})`)
  }
}

/** The IATA code of the airport that a code means, in any case: IATA, ICAO or FAA, of today or before. @throws UsageError */
export function airportFlag(name: string, value: string): string {
  const resolved = resolveCode(value, airportDirectory())
  if (!resolved?.airport) throw new UsageError(`${name}: ${codeFault(value, resolved)}`)
  if (resolved.notice) process.stderr.write(`${name}: ${resolved.notice}\n`)
  return resolved.airport.iata
}

/** Collects the airports of a repeatable `--airport`. @throws UsageError */
export const airportsFlag = (value: string, all: string[]) => [...all, airportFlag('--airport', value)]
