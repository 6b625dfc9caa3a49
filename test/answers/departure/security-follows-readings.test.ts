import { expect, test } from 'vitest'
import { quantileMinutes } from '../../../answers/departure/durations.ts'
import { securityWait } from '../../../answers/departure/security-wait.ts'
import { departureWords } from '../../../answers/texts/departure-text.ts'
import { HOUR_MS, isoUtc, MINUTE_MS } from '../../../config/vocabulary.ts'
import { NOW, snapshotAt } from '../../api/example-snapshot.ts'
import { directory, leaveBy, typical } from './leave-by-of.ts'

/** An airport without a model of its own whose next hours follow a reading. */
const followed = {
  ...typical('ATL'),
  adjusted_to: {
    wait_minutes: 25,
    observed_at: isoUtc(NOW - 3 * MINUTE_MS),
    source: 'atl',
    basis: 'measured' as const,
    expected_minutes: 8,
  },
}

test('a plan of the next hours names the reading that its security follows, and later ones do not', () => {
  const planOf = (hours: number) =>
    leaveBy(
      { iata: 'ATL', departure: isoUtc(NOW + hours * HOUR_MS) },
      'pro',
      snapshotAt(NOW, { forecasts: [followed] }),
    )
  const near = planOf(3)
  expect(near.forecast).toMatchObject({ basis: 'typical', adjusted_to: { wait_minutes: 25, basis: 'measured' } })
  const words = (answer: typeof near) => departureWords(answer).risk.join(' ')
  expect(words(near)).toContain(
    'Security follows 25 min measured at 09:17, and what is typical of airports of its size.',
  )
  expect(words(near)).not.toContain('are not known')
  const later = planOf(12)
  expect(later.forecast).toMatchObject({ basis: 'typical', adjusted_to: null })
  expect(words(later)).toContain('own security waits are not known for that time')
})

test('a busy day is not counted twice in the hours that follow a reading of it', () => {
  const airport = directory.byIata.get('ATL')!
  const trip = { airport, lane: 'standard' } as Parameters<typeof securityWait>[1]['trip']
  const medianOf = (forecasts: (typeof followed | ReturnType<typeof typical>)[], factor: number) => {
    const peak = { name: 'a holiday', factor, reason: '', source: '' }
    const request = {
      trip,
      terminal: null,
      departure_ms: NOW + 3 * HOUR_MS,
      horizon_ms: NOW + 24 * HOUR_MS,
      now: NOW,
      peak,
    }
    return quantileMinutes(securityWait(snapshotAt(NOW, { forecasts }), request)!.minutesAt(NOW + HOUR_MS), 0.5)
  }
  expect(medianOf([followed], 1.5)).toBe(medianOf([followed], 1))
  expect(medianOf([typical('ATL')], 1.5)).toBeGreaterThan(medianOf([typical('ATL')], 1))
})
