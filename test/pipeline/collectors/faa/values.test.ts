import { describe, expect, test } from 'vitest'
import { durationMinutes } from '../../../../pipeline/collectors/faa/values.ts'

describe('durationMinutes', () => {
  test.each([
    ['46 minutes', 46],
    ['1 minute', 1],
    ['1 hour', 60],
    ['2 hours', 120],
    ['1 hour and 16 minutes', 76],
    ['8 hours and 26 minutes', 506],
    ['2 hours 5 min', 125],
    ['0 minutes', 0],
    ['30 minutes.', 30],
  ])('reads %s as %d minutes', (text, minutes) => expect(durationMinutes(text)).toBe(minutes))

  test.each(['', '46', 'a while', 'minutes', '1 hour and a bit', '-5 minutes', '1 day', '25 hours'])(
    'does not read %j',
    (text) => expect(durationMinutes(text)).toBeNull(),
  )
})
