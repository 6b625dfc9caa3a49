import { describe, expect, test } from 'vitest'
import { type StatusFields, UNKNOWN_STATUS } from '../../../../config/answer-schemas.ts'
import { DAY_MS, HOUR_MS, isoUtc } from '../../../../config/vocabulary.ts'
import { learnHours } from '../../../../warehouse/publishing/waits/learned-hours.ts'
import { openProbability } from '../../../../warehouse/publishing/waits/open-probability.ts'

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
const probabilityAt = (status: StatusFields | null, clock: string, hours: typeof HOURS | null = HOURS) =>
  openProbability(hours, status, Date.parse(`2026-11-${clock}:00Z`), NOW)

describe('the probability that a queue is open', () => {
  const published = observed({ reopens_at: '2026-11-22T04:30:00Z', reopens_basis: 'measured' })

  test.each([
    ['the hour of a fresh closure', published, '21T14:00', 0.03],
    ['hours before the published opening, in which it is open on other days', published, '21T20:00', 0.03],
    ['the hour before the opening', published, '22T03:00', 0.03],
    ['the hour of the opening', published, '22T04:00', 0.99],
    ['an hour after it', published, '22T09:00', 0.99],
    ['a closure without a published end, six hours later', observed({}), '21T20:00', 0.916],
    [
      'an opening that was learned, six hours later',
      observed({ reopens_at: '2026-11-22T04:00:00Z', reopens_basis: 'predicted' }),
      '21T20:00',
      0.916,
    ],
    ['nothing observed', null, '21T20:00', 0.99],
  ])('in %s', (_, status, clock, expected) => {
    expect(probabilityAt(status, clock)).toBeCloseTo(expected, 3)
  })

  test('where no hours are known, a published opening says when it is closed and nothing of later', () => {
    expect(probabilityAt(published, '22T02:00', null)).toBe(0.03)
    expect(probabilityAt(published, '22T04:00', null)).toBe(0.5)
    expect(probabilityAt(published, '22T08:00', null)).toBeNull()
  })

  test('where no hours are known, a queue that is open says nothing of later, and one that is closed for an hour', () => {
    expect(probabilityAt(observed({ status: 'open' }), '21T14:00', null)).toBe(0.97)
    expect(probabilityAt(observed({ status: 'open' }), '21T15:00', null)).toBeNull()
    expect(probabilityAt(observed({}), '21T15:00', null)).toBeCloseTo(0.35, 3)
    expect(probabilityAt(observed({}), '21T17:00', null)).toBeNull()
  })
})
