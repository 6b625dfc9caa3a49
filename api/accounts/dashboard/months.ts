import { ParameterError } from '../../../config/errors.ts'
import { monthOf } from '../../data/gate/billing-month.ts'

/** Months back that can be looked at. */
const LONGEST = 24

/** Months whose usage an account may look at, and the one wanted. All are YYYY-MM, UTC. */
export interface ShownMonths {
  wanted: string
  earliest: string
  latest: string
}

/** The month so many after another; before it where negative. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return monthOf(Date.UTC(year, number - 1 + months))
}

/** How many days a month has. */
export const daysIn = (month: string) => new Date(Date.parse(`${monthAfter(month, 1)}-01`) - 1).getUTCDate()

/** A month in words: November 2026. */
export const monthInWords = (month: string) =>
  new Date(`${month}-01`).toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/**
 * The month asked for, this one if none is: from the account's first one on, at most two years back.
 * @throws ParameterError for anything else.
 */
export function shownMonths(asked: unknown, created_at: string, now: number): ShownMonths {
  const latest = monthOf(now)
  const oldest = monthAfter(latest, -LONGEST)
  const first = created_at.slice(0, 7)
  const earliest = first > oldest ? first : oldest
  const wanted = asked ?? latest
  const known = typeof wanted === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(wanted)
  if (!known || wanted < earliest || wanted > latest)
    throw new ParameterError([{ parameter: 'month', message: `must be a month from ${earliest} to ${latest}` }])
  return { wanted, earliest, latest }
}
