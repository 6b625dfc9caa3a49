import { describe, expect, it } from 'vitest'
import { readWaitText, statusOf } from '../../../pipeline/parsing/posted-waits.ts'

describe('readWaitText', () => {
  it.each([
    ['18', [18, null, null, 'open']],
    ['4 mins', [4, null, null, 'open']],
    ['7.5 minutes', [7.5, null, null, 'open']],
    ['No Wait', [0, null, null, 'open']],
    ['less than a min', [null, 0, 1, 'open']],
    ['Less than 5 min', [null, 0, 5, 'open']],
    ['< 5', [null, 0, 5, 'open']],
    ['10-15', [null, 10, 15, 'open']],
    ['5 – 10 min', [null, 5, 10, 'open']],
    ['> 20 min', [null, 20, null, 'open']],
    ['More than 30 min', [null, 30, null, 'open']],
    ['at least 25 min', [null, 25, null, 'open']],
    ['30+ min', [null, 30, null, 'open']],
    ['X', [null, null, null, 'closed']],
    ['Closed', [null, null, null, 'closed']],
    ['Opens 4am', [null, null, null, 'closed']],
    ['Not Available', [null, null, null, 'unknown']],
    ['-', [null, null, null, 'unknown']],
    ['', [null, null, null, 'unknown']],
  ])('reads %j', (text, expected) => {
    const { wait_minutes, wait_minutes_low, wait_minutes_high, status, understood } = readWaitText(text)
    expect([wait_minutes, wait_minutes_low, wait_minutes_high, status]).toEqual(expected)
    expect(understood).toBe(true)
  })

  it.each(['high', 'a while', '15-10', 'min', '5 hours', '=5', '-3'])('reads no minutes from %j', (text) => {
    expect(readWaitText(text)).toEqual({
      wait_minutes: null,
      wait_minutes_low: null,
      wait_minutes_high: null,
      status: 'unknown',
      understood: false,
    })
  })
})

it.each([
  [true, 'open'],
  [false, 'closed'],
  ['Open', 'open'],
  ['closure', 'closed'],
  ['Suspended', 'closed'],
  ['busy', 'unknown'],
  [undefined, 'unknown'],
  [1, 'unknown'],
])('statusOf reads %j as %s', (published, expected) => {
  expect(statusOf(published)).toBe(expected)
})
