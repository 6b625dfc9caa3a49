import { DateTime, IANAZone } from 'luxon'
import { isoUtc } from '../../config/domain.ts'

/** A source's clock may run a little ahead of ours: a time this far ahead is still today's, not yesterday's. */
const AHEAD_MS = 60 * 60_000
const EARLIEST = Date.UTC(2000, 0, 1)
const LATEST = Date.UTC(2100, 0, 1)

/** Epoch milliseconds as an instant; null when they are no number of this century. */
export function instantOf(ms: unknown): string | null {
  if (typeof ms !== 'number' || !(ms >= EARLIEST && ms < LATEST)) return null
  return isoUtc(Math.trunc(ms))
}

/** Unix seconds (a number, or digits as text) as an instant. */
export function unixSeconds(seconds: unknown): string | null {
  if (typeof seconds === 'string' && /^\d+$/.test(seconds)) return instantOf(Number(seconds) * 1_000)
  return typeof seconds === 'number' ? instantOf(seconds * 1_000) : null
}

/** The `/Date(1774394580987)/` of Microsoft's old JSON as an instant. */
export function slashDate(text: unknown): string | null {
  const ms = typeof text === 'string' ? text.match(/^\/Date\((\d+)(?:[+-]\d{4})?\)\/$/)?.[1] : undefined
  return ms === undefined ? null : instantOf(Number(ms))
}

/**
 * A clock without a date ("1:15 AM") as the latest such local time that is not after the fetch, so that 11:58 PM read
 * at 12:03 AM is yesterday's. Clocks up to an hour ahead stay in the future, and their rows are left out.
 */
export function clockBefore(text: unknown, zone: string, fetched_at: string): string | null {
  if (typeof text !== 'string' || !IANAZone.create(zone).isValid) return null
  const match = text.trim().match(/^(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap])\.?m\.?$/i)
  if (!match) return null
  const [hour12, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)]
  if (hour12 < 1 || hour12 > 12 || minute > 59 || second > 59) return null
  const hour = (hour12 % 12) + (match[4]?.toLowerCase() === 'p' ? 12 : 0)
  const fetched = Date.parse(fetched_at)
  const today = DateTime.fromMillis(fetched, { zone }).startOf('day')
  for (const days of [1, 0, -1]) {
    const at = latestRun(today.plus({ days }).set({ hour, minute, second }), fetched_at)
    const clockIsRight = at.hour === hour && at.minute === minute
    if (clockIsRight && at.toMillis() <= fetched + AHEAD_MS) return instantOf(at.toMillis())
  }
  return null
}

/** The instants that a wall time may stand for, latest first. */
export function readingsOf(wall: DateTime): DateTime[] {
  return wall.getPossibleOffsets().sort((a, b) => b.toMillis() - a.toMillis())
}

/** Of the two runs of an hour that the clock repeats: the later that is not after the fetch, else the earlier. */
export function latestRun(wall: DateTime, fetched_at: string): DateTime {
  const runs = readingsOf(wall)
  return runs.find((at) => at.toMillis() <= Date.parse(fetched_at)) ?? runs.at(-1) ?? wall
}

/** "Sep 01 at 02:11 pm" (SFO) in a zone as an instant: the year that brings it nearest before the fetch. */
export function monthDayClock(text: string, zone: string, fetched_at: string): string | null {
  const fetched = DateTime.fromISO(fetched_at, { zone })
  for (const year of [fetched.year + 1, fetched.year, fetched.year - 1]) {
    const wall = DateTime.fromFormat(`${text.trim()} ${year}`, "MMM d 'at' h:mm a yyyy", { zone, locale: 'en-US' })
    const at = latestRun(wall, fetched_at)
    if (wall.isValid && at.toMillis() <= fetched.toMillis() + AHEAD_MS) return instantOf(at.toMillis())
  }
  return null
}
