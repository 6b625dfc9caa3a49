import { expect, test } from 'vitest'
import { DAY_MS, isoUtc, SentInstant } from '../../config/vocabulary.ts'

const byDate = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')

test('an instant is written as a Date writes it, in every year, with or without a fraction', () => {
  const noon = Date.parse('2026-11-21T12:00:00Z')
  const days = [0, -1, 1, 3_000_000, -3_000_000, -750_000].map((day) => noon + day * DAY_MS)
  const instants = days.flatMap((ms) => [ms, ms + 1, ms + 999, ms + 1_000, ms - 43_200_000, ms + 43_199_000, ms + 0.5])
  for (const ms of [0, -1, -1_000, ...instants, ...instants.toReversed()]) expect(isoUtc(ms)).toBe(byDate(ms))
})

test('no instant is written for what is none', () => {
  for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1_000]) expect(() => isoUtc(ms)).toThrow(RangeError)
})

test('a sent instant has any offset and is read as one in UTC', () => {
  for (const text of ['2026-11-21T12:00:00Z', '2026-11-21T12:00:00.000+00:00', '2026-11-21T07:00:00-05:00'])
    expect(SentInstant.parse(text)).toBe('2026-11-21T12:00:00.000Z')
  for (const text of ['now', '2026-11-21T12:00:00', '2026-02-30T12:00:00+00:00'])
    expect(SentInstant.safeParse(text).success).toBe(false)
})
