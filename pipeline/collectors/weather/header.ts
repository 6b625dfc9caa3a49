import { DAY_MS, HOUR_MS, isoUtc, type UtcInstant } from '../../../config/vocabulary.ts'

/** Words around station and time: kinds of reports, corrections, amendments (also AAA, CCB and the like), automatic stations. */
const HEADER_WORD = /^(TAF|METAR|SPECI|LWIS|AMD|COR|AUTO|RTD|FULL|AA[A-Z]|CC[A-Z]|RR[A-Z])$/
const STATION = /^[A-Z][A-Z0-9]{3}$/
const DAY_TIME = /^(\d{2})(\d{2})(\d{2})Z/

/** Some services print the minus sign, or a dash, where the report has a hyphen. */
const withAsciiMinus = (text: string) => text.replace(/[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/g, '-')

/** Reads the header of a report. Words and the time may be sent twice (`TAF TAF`). Null when the text names no station. */
export function readHeader(raw: string, near: Date) {
  // Text after the end sign belongs to no report.
  const tokens = withAsciiMinus(raw).toUpperCase().split('=')[0]!.trim().split(/\s+/)
  while (tokens[0] !== undefined && HEADER_WORD.test(tokens[0])) tokens.shift()
  const station = tokens.shift()
  if (station === undefined || !STATION.test(station)) return null
  let reported_at: UtcInstant | null = null
  let isDated = false
  for (let token = tokens[0]; token !== undefined; token = tokens[0]) {
    const dated = DAY_TIME.exec(token)
    if (dated === null && !HEADER_WORD.test(token)) break
    tokens.shift()
    if (dated === null) continue
    const [found, day, hour, minute] = dated
    if (!isDated) reported_at = nearestInstant(Number(day), Number(hour), Number(minute), near.getTime())
    isDated = true
    // Some stations send the wind without a space after the time.
    if (token.length > found.length) tokens.unshift(token.slice(found.length))
  }
  return { station, reported_at, tokens }
}

/** The instant of a day of the month and a time in UTC that is nearest to `nearMs`; null when no month has such an instant. Hour 24 is midnight. */
export function nearestInstant(day: number, hour: number, minute: number, nearMs: number): UtcInstant | null {
  if (day < 1 || day > 31 || hour > 24 || minute > 59 || (hour === 24 && minute > 0)) return null
  const near = new Date(nearMs)
  const candidates = [-1, 0, 1].flatMap((months) => {
    const midnight = new Date(Date.UTC(near.getUTCFullYear(), near.getUTCMonth() + months, day))
    return midnight.getUTCDate() === day ? [midnight.getTime() + hour * HOUR_MS + minute * 60_000] : []
  })
  const nearest = candidates.toSorted((a, b) => Math.abs(a - nearMs) - Math.abs(b - nearMs))[0]
  // Every day of a month is within 16 days of some month's; a 31st can be further away, and then it is an error.
  return nearest === undefined || Math.abs(nearest - nearMs) > 20 * DAY_MS ? null : isoUtc(nearest)
}

/** Whether a report says that there is no observation or forecast (`METAR SVMC 211703Z NIL`). */
export const isNilReport = (raw: string): boolean => /(^| )NIL(=| |$)/.test((raw.split(/ RMK/)[0] ?? '').toUpperCase())
