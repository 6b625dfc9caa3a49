import { expect, test } from 'vitest'
import { lengthText, programSentences } from '../../../answers/statements/delay-news.ts'

test.each([
  [{ average_minutes: 15, min_minutes: 16, max_minutes: 30 }, '16 to 30 min'],
  [{ average_minutes: 15, min_minutes: 1, max_minutes: 15 }, '1 to 15 min'],
  [{ average_minutes: 15, min_minutes: 15, max_minutes: 15 }, '15 min'],
  [{ average_minutes: 42, min_minutes: null, max_minutes: 95 }, '42 min on average'],
  [{ average_minutes: 20, min_minutes: 10, max_minutes: 45 }, '20 min on average'],
  [{ average_minutes: null, min_minutes: null, max_minutes: 30 }, 'up to 30 min'],
  [{ average_minutes: null, min_minutes: null, max_minutes: null }, null],
  [{ average_minutes: 0, min_minutes: null, max_minutes: null }, null],
  [{ average_minutes: 0.4, min_minutes: null, max_minutes: 30 }, 'up to 30 min'],
  [{ average_minutes: null, min_minutes: 0, max_minutes: 0 }, null],
])('an average at the end of its range or beyond it is no average, and a 0 no length: %o', (length, text) => {
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

test.each([
  ['ground_stop', null, '2026-11-29T09:45:00Z', 'Ground stop: flights to BWI do not take off until 04:45.'],
  ['ground_stop', null, '2026-11-29T08:45:00Z', 'Ground stop: flights to BWI do not take off, due to end at 03:45.'],
  ['ground_delay', 113, '2026-11-29T09:45:00Z', 'Ground delay: flights to BWI wait 113 min on average, until 04:45.'],
  ['ground_delay', 0, '2026-11-29T09:45:00Z', 'Ground delay: flights to BWI wait before take-off until 04:45.'],
] as const)('the end of a %s of %s min at %s', (type, average_minutes, end, sentence) => {
  const program = { type, average_minutes, min_minutes: null, max_minutes: null, reason: null, trend: null }
  expect(
    programSentences(
      [{ ...program, start: null, end, destination: null }],
      { iata: 'BWI', timezone: 'America/New_York' },
      Date.parse('2026-11-29T09:00:00Z'),
    ),
  ).toEqual([sentence])
})
