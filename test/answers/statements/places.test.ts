import { expect, test } from 'vitest'
import { loungeHoursText, namedByText, openLoungesText } from '../../../answers/statements/places.ts'

test.each([
  [{ total: 8, open_now: 2, hours_unknown: 5 }, '2 open now by listed hours, 1 closed, hours of 5 not known'],
  [{ total: 3, open_now: 3, hours_unknown: 0 }, 'open now by listed hours'],
  [{ total: 3, open_now: 0, hours_unknown: 0 }, 'closed now by listed hours'],
  [{ total: 3, open_now: 0, hours_unknown: 1 }, '2 closed now by listed hours, hours of 1 not known'],
  [{ total: 2, open_now: 0, hours_unknown: 2 }, 'hours not known'],
])('of %j lounges: %s', (counts, words) => {
  expect(openLoungesText(counts)).toBe(words)
})

test('hours without a clock say neither open nor closed', () => {
  expect(loungeHoursText({ hours: 'daily 06:00-23:00', open_by_hours: false })).toBe(
    'daily 06:00-23:00, closed now by these hours',
  )
  expect(loungeHoursText({ hours: 'with flights', open_by_hours: null })).toBe('with flights')
  expect(loungeHoursText({ hours: null, open_by_hours: null })).toBe('hours not known')
})

test('a terminal that only the map names is not checked', () => {
  expect([namedByText(['map']), namedByText(['map', 'feed'])]).toEqual([
    'from the map, not checked',
    'named by the wait feed',
  ])
})
