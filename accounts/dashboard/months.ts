import { monthOf } from '../../api/gate/billing-month.ts'
import { ParameterError } from '../../config/errors.ts'

const MAX_MONTHS_BACK = 24

/** The months whose usage an account may see, and the selected one. All are YYYY-MM in UTC. */
export interface ShownMonths {
  selected: string
  earliest: string
  latest: string
}

/** The month that is `months` after another, or before it where `months` is negative. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return monthOf(Date.UTC(year, number - 1 + months))
}

/** The number of days of a month. */
export const daysIn = (month: string) => new Date(Date.parse(`${monthAfter(month, 1)}-01`) - 1).getUTCDate()

/** A month in words: November 2026. */
export const monthInWords = (month: string) =>
  new Date(`${month}-01`).toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/**
 * Selects the requested month, or the current one if none is requested. An account sees its months since it was created, at
 * most two years back.
 * @throws ParameterError for any other month.
 */
export function shownMonths(requested: unknown, created_at: string, now: number): ShownMonths {
  const latest = monthOf(now)
  const oldest = monthAfter(latest, -MAX_MONTHS_BACK)
  const created = created_at.slice(0, 7)
  // An account may have been created on a machine whose clock was ahead, in a month that has not begun here.
  const first = created < latest ? created : latest
  const earliest = first > oldest ? first : oldest
  const selected = requested ?? latest
  const isMonth = typeof selected === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(selected)
  if (!isMonth || selected < earliest || selected > latest)
    throw ParameterError.of('month', `must be a month from ${earliest} to ${latest}`)
  return { selected, earliest, latest }
}
