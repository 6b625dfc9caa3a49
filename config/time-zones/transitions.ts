import { DAY_MS } from '../vocabulary.ts'

/** From this instant (epoch ms) on, a zone has this offset from UTC. */
export interface OffsetChange {
  begins_ms: number
  offset_ms: number
}

/** A change of every year: on the first `weekday` (0 Sunday) on or after a day of a month (1–12), at a time of the local day before it. */
export interface YearlyChange {
  month: number
  day: number
  weekday: number
  time_ms: number
  offset_ms: number
}

/** A zone in the file of rules. */
export interface PackedZone {
  /** The distinct offsets in seconds. */
  offsets: number[]
  /** The index of the offset before the first change and after each change, one character in base 36 each. */
  order: string
  /** Seconds from one change to the next in base 36, with spaces between them; the first counts from 1970. */
  changes: string
  /** The changes of all later years: month, day, weekday, seconds of the local day and new offset in seconds. */
  yearly?: number[][]
}

/** Changes are written out until the end of this year; the offset after the last one stays. */
export const MAX_YEAR = 2099

/** The instants from which a zone has an offset, and these offsets, as parallel arrays; the first instant is -Infinity. */
export interface Transitions {
  begins_ms: Float64Array
  offset_ms: Float64Array
}

function dayOfMonth(year: number, { month, day, weekday }: YearlyChange): number {
  const earliest = Date.UTC(year, month - 1, day)
  const days_later = (weekday - new Date(earliest).getUTCDay() + 7) % 7
  return earliest + days_later * DAY_MS
}

/** The changes of all years after the last change of the history. */
export function expandYearly(last: OffsetChange, yearly: readonly YearlyChange[]): OffsetChange[] {
  const changes: OffsetChange[] = []
  let before = last
  for (let year = new Date(last.begins_ms).getUTCFullYear(); year <= MAX_YEAR; year += 1) {
    const sorted = yearly
      .map((rule) => ({ rule, local: dayOfMonth(year, rule) + rule.time_ms }))
      .sort((a, b) => a.local - b.local)
    for (const { rule, local } of sorted) {
      const change = { begins_ms: local - before.offset_ms, offset_ms: rule.offset_ms }
      if (change.begins_ms <= before.begins_ms || change.offset_ms === before.offset_ms) continue
      changes.push(change)
      before = change
    }
  }
  return changes
}

/** Writes the changes of a zone as the file of rules has them. */
export function packZone(
  first_offset_ms: number,
  history: readonly OffsetChange[],
  yearly: readonly YearlyChange[],
): PackedZone {
  const offset_list = [first_offset_ms, ...history.map(({ offset_ms }) => offset_ms)]
  const offsets = [...new Set(offset_list)]
  const packed: PackedZone = {
    offsets: offsets.map((ms) => ms / 1_000),
    order: offset_list.map((ms) => offsets.indexOf(ms).toString(36)).join(''),
    changes: history
      .map(({ begins_ms }, index) => ((begins_ms - (history[index - 1]?.begins_ms ?? 0)) / 1_000).toString(36))
      .join(' '),
  }
  if (yearly.length > 0)
    packed.yearly = yearly.map(({ month, day, weekday, time_ms, offset_ms }) => [
      month,
      day,
      weekday,
      time_ms / 1_000,
      offset_ms / 1_000,
    ])
  return packed
}

/** Reads a zone of the file of rules. */
export function unpackZone({ offsets, order, changes, yearly = [] }: PackedZone): Transitions {
  const history: OffsetChange[] = []
  let begins_ms = 0
  for (const [index, seconds] of (changes === '' ? [] : changes.split(' ')).entries()) {
    begins_ms += Number.parseInt(seconds, 36) * 1_000
    history.push({ begins_ms, offset_ms: offsets[Number.parseInt(order[index + 1]!, 36)]! * 1_000 })
  }
  const rules = yearly.map(([month = 1, day = 1, weekday = 0, time = 0, offset = 0]) => ({
    month,
    day,
    weekday,
    time_ms: time * 1_000,
    offset_ms: offset * 1_000,
  }))
  const last = history.at(-1)
  const later = last === undefined ? [] : expandYearly(last, rules)
  const first_offset_ms = offsets[Number.parseInt(order[0]!, 36)]! * 1_000
  const all = [{ begins_ms: Number.NEGATIVE_INFINITY, offset_ms: first_offset_ms }, ...history, ...later]
  return {
    begins_ms: Float64Array.from(all, (change) => change.begins_ms),
    offset_ms: Float64Array.from(all, ({ offset_ms }) => offset_ms),
  }
}
