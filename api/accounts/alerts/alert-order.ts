import { z } from 'zod'
import { DAY_MS, Iata, UtcInstant } from '../../../config/domain.ts'
import { ParameterError } from '../../../config/errors.ts'
import { parameterFaults } from '../../data/queries/parameter-faults.ts'

export const LONGEST_DAYS = 90
export const DEFAULT_DAYS = 30
export const THRESHOLD = { least: 1, most: 180 } as const

const threshold = `must be a whole number of minutes, ${THRESHOLD.least} to ${THRESHOLD.most}`
const quietTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 22:30')
  .nullish()
  .transform((time) => time ?? null)

/** An alert as it is asked for. */
export const AlertOrder = z.strictObject({
  iata: Iata.describe('IATA code of the airport: three capital letters.'),
  terminal: z
    .string()
    .trim()
    .min(1, 'must not be empty; leave it out for the whole airport')
    .max(40, 'must be at most 40 characters')
    .nullish()
    .transform((terminal) => terminal ?? null)
    .describe('Terminal as the wait-times answer names it; without one, the average of the airport.'),
  direction: z
    .enum(['above', 'below'], 'must be above or below')
    .describe('Which way the wait must cross the threshold.'),
  threshold_minutes: z
    .int(threshold)
    .min(THRESHOLD.least, threshold)
    .max(THRESHOLD.most, threshold)
    .describe('Fires when the observed security wait is above (or below) this many minutes.'),
  expires_at: UtcInstant.nullish().describe(
    `Until when it holds (UTC), at most ${LONGEST_DAYS} days from now; ${DEFAULT_DAYS} days without one.`,
  ),
  quiet_from: quietTime.describe('Local time of the airport, HH:MM, from which nothing is sent.'),
  quiet_to: quietTime.describe('Local time of the airport, HH:MM, from which it is sent again; may be past midnight.'),
})
export type AlertOrder = z.input<typeof AlertOrder>

/**
 * The order with its defaults, `expires_at` an instant.
 * @throws ParameterError that names each faulty field.
 */
export function readAlertOrder(order: AlertOrder, now: number) {
  const parsed = AlertOrder.safeParse(order)
  if (!parsed.success) throw new ParameterError(parameterFaults(parsed.error, AlertOrder))
  const { expires_at, quiet_from, quiet_to } = parsed.data
  const expires = expires_at ? Date.parse(expires_at) : now + DEFAULT_DAYS * DAY_MS
  const faults = []
  if (expires <= now || expires > now + LONGEST_DAYS * DAY_MS)
    faults.push({ parameter: 'expires_at', message: `must be in the future, at most ${LONGEST_DAYS} days from now` })
  if ((quiet_from === null) !== (quiet_to === null)) {
    const missing = quiet_from === null ? 'quiet_from' : 'quiet_to'
    faults.push({ parameter: missing, message: 'quiet hours need both a beginning and an end' })
  } else if (quiet_from !== null && quiet_from === quiet_to)
    faults.push({ parameter: 'quiet_to', message: 'must differ from the beginning: that would be the whole day' })
  if (faults.length > 0) throw new ParameterError(faults)
  return { ...parsed.data, expires_at: new Date(expires).toISOString() }
}
