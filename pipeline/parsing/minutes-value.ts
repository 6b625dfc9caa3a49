import { WaitMinutes } from '../../config/domain.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'

/** Why a number is not there, for the notice: where it stood and whom it concerns. */
export interface Place {
  path: string
  iata: string | null
  notices: Notice[]
}

/**
 * A published number of `unit` as minutes, unrounded. Null stays null without a word; a value of the wrong type or out of
 * 0 to 600 minutes becomes null with a notice. Numbers sent as text ("7") are numbers.
 */
export function readMinutes(value: unknown, unit: 'minutes' | 'seconds', place: Place): number | null {
  if (value === null || value === undefined) return null
  const number = typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    place.notices.push(
      notice('value_not_a_number', 'warning', place.path, 'A wait is not a number.', value, place.iata),
    )
    return null
  }
  return inRange(unit === 'seconds' ? number / 60 : number, value, place)
}

/** The minutes when they can be true of a queue (0 to 600), else null with a notice that shows the value as published. */
export function inRange(minutes: number | null, published: unknown, place: Place): number | null {
  if (minutes === null || WaitMinutes.safeParse(minutes).success) return minutes
  const message = 'A wait is below 0 or above 600 minutes.'
  place.notices.push(notice('wait_out_of_range', 'warning', place.path, message, published, place.iata))
  return null
}
