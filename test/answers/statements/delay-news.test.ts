import { expect, test } from 'vitest'
import { lengthText } from '../../../answers/statements/delay-news.ts'

test.each([
  [{ average_minutes: 15, min_minutes: 16, max_minutes: 30 }, '16 to 30 min'],
  [{ average_minutes: 15, min_minutes: 1, max_minutes: 15 }, '1 to 15 min'],
  [{ average_minutes: 42, min_minutes: null, max_minutes: 95 }, '42 min on average'],
  [{ average_minutes: 20, min_minutes: 10, max_minutes: 45 }, '20 min on average'],
  [{ average_minutes: null, min_minutes: null, max_minutes: 30 }, 'up to 30 min'],
  [{ average_minutes: null, min_minutes: null, max_minutes: null }, null],
])('an average at the end of its range or beyond it is no average: %o', (length, text) => {
  const program = {
    type: 'departure_delay' as const,
    reason: null,
    trend: null,
    start: null,
    end: null,
    destination: null,
  }
  expect(lengthText({ ...program, ...length })).toBe(text)
})
