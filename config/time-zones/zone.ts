import { FixedOffsetZone, Zone, type ZoneOffsetFormat, type ZoneOffsetOptions } from 'luxon'
import { HoldshortError } from '../errors.ts'
import { MINUTE_MS } from '../vocabulary.ts'
import { transitionsOf, zoneName } from './rules.ts'
import type { Transitions } from './transitions.ts'

/** Index of the offset that is in force at an instant (epoch ms): the last one that begins by then. */
export function indexAt({ begins_ms }: Transitions, ms: number): number {
  let low = 0
  let high = begins_ms.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (begins_ms[middle]! <= ms) low = middle
    else high = middle
  }
  return low
}

/** The offsets of a zone. @throws HoldshortError INVALID_PARAMETER for an unknown zone */
export function knownTransitions(timezone: string): Transitions {
  const transitions = transitionsOf(timezone)
  if (transitions === null) throw new HoldshortError('INVALID_PARAMETER', `timezone: "${timezone}" is not an IANA zone`)
  return transitions
}

/**
 * Returns a function from epoch ms to the UTC offset in ms. It remembers the span of the last offset, because instants are mostly
 * tried in order.
 * @throws HoldshortError INVALID_PARAMETER for an unknown zone
 */
export function offsetFinder(timezone: string): (ms: number) => number {
  const transitions = knownTransitions(timezone)
  const { begins_ms, offset_ms } = transitions
  let from = Number.POSITIVE_INFINITY
  let until = Number.NEGATIVE_INFINITY
  let offset = 0
  return (ms) => {
    if (ms >= from && ms < until) return offset
    const index = indexAt(transitions, ms)
    from = begins_ms[index]!
    until = begins_ms[index + 1] ?? Number.POSITIVE_INFINITY
    offset = offset_ms[index]!
    return offset
  }
}

/** The name of an offset in the words of Node.js; null if its rules give the instant another offset than ours. */
function runtimeName(name: string, ms: number, offset_minutes: number, locale: string, style: 'short' | 'long') {
  const partOf = (timeZoneName: 'longOffset' | 'short' | 'long', language: string) =>
    new Intl.DateTimeFormat(language, { timeZone: name, timeZoneName })
      .formatToParts(ms)
      .find(({ type }) => type === 'timeZoneName')?.value
  try {
    const [, sign, hours = '0', minutes = '0'] =
      /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(partOf('longOffset', 'en') ?? '') ?? []
    const theirs = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
    return theirs === offset_minutes ? (partOf(style, locale) ?? null) : null
  } catch {
    // A zone that is newer than the rules of Node.js.
    return null
  }
}

/** A zone of our own rules for Luxon. Its formats of dates never ask the rules of Node.js, because its type is not `iana`. */
class RulesZone extends Zone {
  private readonly zone_name: string
  private readonly offsetMsAt: (ms: number) => number

  constructor(name: string) {
    super()
    this.zone_name = name
    this.offsetMsAt = offsetFinder(name)
  }

  override get type(): string {
    return 'rules'
  }

  override get name(): string {
    return this.zone_name
  }

  override get isUniversal(): boolean {
    return false
  }

  override get isValid(): true {
    return true
  }

  override offset(ms: number): number {
    return this.offsetMsAt(ms) / MINUTE_MS
  }

  override offsetName(ms: number, { format = 'long', locale = 'en-US' }: ZoneOffsetOptions = {}): string {
    const offset = this.offset(ms)
    const name = runtimeName(this.zone_name, ms, offset, locale, format)
    if (name !== null) return name
    return `GMT${FixedOffsetZone.instance(offset).formatOffset(ms, format === 'long' ? 'short' : 'narrow')}`
  }

  override formatOffset(ms: number, format: ZoneOffsetFormat): string {
    return FixedOffsetZone.instance(this.offset(ms)).formatOffset(ms, format)
  }

  override equals(other: Zone): boolean {
    return other instanceof RulesZone && other.zone_name === this.zone_name
  }
}

const zones = new Map<string, Zone>()

/**
 * The zone of an IANA name for Luxon, which must never be given the name itself: it would follow the older rules of Node.js.
 * @throws HoldshortError INVALID_PARAMETER for an unknown zone
 */
export function zoneOf(timezone: string): Zone {
  let zone = zones.get(timezone)
  if (zone === undefined) {
    knownTransitions(timezone)
    const name = zoneName(timezone) ?? timezone
    zone = name === 'UTC' || name === 'GMT' ? FixedOffsetZone.utcInstance : new RulesZone(name)
    zones.set(timezone, zone)
  }
  return zone
}

/** Whether a text names a zone, in whatever case. */
export const isZone = (timezone: string): boolean => zoneName(timezone) !== null
