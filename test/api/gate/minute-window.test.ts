import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MinuteWindow } from '../../../api/gate/minute-window.ts'
import { repetitions } from '../../exhaustive.ts'

/** The same window as a plain list of admissions. */
function plainWindow(limit: number) {
  let admitted: number[] = []
  return (now: number) => {
    const ahead = Math.max(0, (admitted.at(-1) ?? now) - now)
    admitted = admitted.map((instant) => instant - ahead).filter((instant) => instant > now - 60_000)
    const isAdmitted = admitted.length < limit
    if (isAdmitted) admitted.push(now)
    return { isAdmitted, remaining: limit - admitted.length }
  }
}

test('decides as a list of the admissions of the last minute does, whatever the limit and the clock', () => {
  const steps = fc.array(fc.oneof(fc.integer({ min: 0, max: 4_000 }), fc.integer({ min: -3_000, max: 30_000 })), {
    maxLength: 200,
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 70 }), steps, (limit, pauses) => {
      const window = new MinuteWindow(limit)
      const plain = plainWindow(limit)
      let now = 1_000_000
      for (const pause of pauses) {
        now += pause
        const isAdmitted = window.take(now)
        expect({ isAdmitted, remaining: window.remaining(now) }).toEqual(plain(now))
      }
    }),
    { numRuns: repetitions(100, 2_000) },
  )
})

test('takes memory for the calls that are made, not for the limit', () => {
  const before = process.memoryUsage().arrayBuffers
  const windows = Array.from({ length: 1_000 }, () => new MinuteWindow(1_000))
  for (const window of windows) for (let call = 0; call < 5; call++) window.take(call)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000)
  expect(windows.every((window) => window.remaining(5) === 995)).toBe(true)
})
