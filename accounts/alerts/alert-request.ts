import { z } from 'zod'
import { parameterFaults } from '../../answers/questions/parameter-faults.ts'
import { ParameterError } from '../../config/errors.ts'
import { shortText } from '../../config/short-text.ts'
import { DAY_MS, Iata, SentInstant } from '../../config/vocabulary.ts'

export const MAX_DAYS = 90
export const DEFAULT_DAYS = 30
export const THRESHOLD = { min: 1, max: 180 } as const

const threshold = `must be a whole number of minutes, ${THRESHOLD.min} to ${THRESHOLD.max}`
const quietTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 22:30')
  .nullish()
  .transform((time) => time ?? null)

/** The fields of a new alert. */
export const AlertRequest = z.strictObject({
  iata: Iata.describe('IATA code.'),
  terminal: shortText(40)
    .min(1, 'must not be empty; leave it out for the whole airport')
    .nullish()
    .transform((terminal) => terminal ?? null)
    .describe('Terminal as answers name it; default: the whole airport.'),
  direction: z.enum(['above', 'below'], 'must be above or below').describe('Side of the threshold.'),
  threshold_minutes: z
    .int(threshold)
    .min(THRESHOLD.min, threshold)
    .max(THRESHOLD.max, threshold)
    .describe('Minutes that the observed security wait crosses.'),
  expires_at: SentInstant.nullish().describe(
    `End (UTC), at most ${MAX_DAYS} days from now; default: ${DEFAULT_DAYS} days.`,
  ),
  quiet_from: quietTime.describe('Quiet hours begin (airport local time, HH:MM).'),
  quiet_to: quietTime.describe('Quiet hours end, HH:MM; may be past midnight.'),
})
export type AlertRequest = z.input<typeof AlertRequest>

/**
 * Checks a new alert and fills in its defaults; `expires_at` becomes an instant.
 * @throws ParameterError that names each faulty field
 */
export function parseAlertRequest(request: AlertRequest, now: number) {
  const parsed = AlertRequest.safeParse(request)
  if (!parsed.success) throw new ParameterError(parameterFaults(parsed.error, AlertRequest))
  const { expires_at, quiet_from, quiet_to } = parsed.data
  const expires = expires_at ? Date.parse(expires_at) : now + DEFAULT_DAYS * DAY_MS
  const faults = []
  if (expires <= now || expires > now + MAX_DAYS * DAY_MS)
    faults.push({ parameter: 'expires_at', message: `must be in the future and at most ${MAX_DAYS} days from now` })
  if ((quiet_from === null) !== (quiet_to === null)) {
    const missing = quiet_from === null ? 'quiet_from' : 'quiet_to'
    faults.push({ parameter: missing, message: 'quiet hours need both a beginning and an end' })
  } else if (quiet_from !== null && quiet_from === quiet_to)
    faults.push({
      parameter: 'quiet_to',
      message: 'must differ from the beginning, or the quiet hours would last the whole day',
    })
  if (faults.length > 0) throw new ParameterError(faults)
  return { ...parsed.data, expires_at: new Date(expires).toISOString() }
}
