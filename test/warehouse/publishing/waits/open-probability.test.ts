import { type StatusFields, UNKNOWN_STATUS } from '../../../../config/answer-schemas.ts'
import { DAY_MS, HOUR_MS, isoUtc } from '../../../../config/vocabulary.ts'
import { learnHours } from '../../../../warehouse/publishing/waits/learned-hours.ts'
import { openProbability } from '../../../../warehouse/publishing/waits/open-probability.ts'
import { testValues } from '../../../values.ts'

const NOW = Date.parse('2026-11-21T14:20:00Z')

/** Four weeks in which the queue was open from 04:00 to 22:00 UTC. */
const HOURS = learnHours(
  Array.from({ length: 28 * 24 }, (_, index) => {
    const hour = Math.floor(NOW / DAY_MS) * DAY_MS - (28 * 24 - index) * HOUR_MS
    const clock = new Date(hour).getUTCHours()
    const isOpen = clock >= 4 && clock < 22
    const first_open_at = isOpen ? hour : null
    return { hour, slots: 6, open_slots: isOpen ? 6 : 0, first_open_at, follows_closure: clock === 4 }
  }),
  'UTC',
)
const observed = (more: Partial<StatusFields>): StatusFields => ({
  ...UNKNOWN_STATUS,
  status: 'closed',
  status_basis: 'measured',
  status_observed_at: isoUtc(NOW - 60_000),
  status_age_seconds: 60,
  ...more,
})
/** The probability in thousandths, for a closed queue with these other fields. */
const probabilityAt = (status: Partial<StatusFields> | null, clock: string, hours: typeof HOURS | null) => {
  const found = openProbability(hours, status && observed(status), Date.parse(`2026-11-${clock}:00Z`), NOW)
  return found === null ? null : Math.round(1_000 * found) / 1_000
}

testValues('warehouse/publishing/waits/open-probability.json', {
  probabilityAt: (_: string, status: Partial<StatusFields> | null, clock: string) =>
    probabilityAt(status, clock, HOURS),
  probabilityWithoutHours: (status: Partial<StatusFields>, clock: string) => probabilityAt(status, clock, null),
})
