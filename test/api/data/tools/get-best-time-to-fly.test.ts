import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clearingAt, latestClearing, probabilityWithin } from '../../../../api/data/departure/clearing.ts'
import { getBestTimeToFlyTool } from '../../../../api/data/tools/get-best-time-to-fly.ts'
import { HOUR_MS } from '../../../../config/domain.ts'
import { THIS_HOUR } from '../../example-snapshot.ts'
import { forecastFrom } from '../../fake-snapshot.ts'
import { runTool, toolText } from './run-tool.ts'

const MINUTE_MS = 60_000

interface Window {
  kind: string
  leave_kerb_by: string
  join_security_by: string
  join_security_by_local: string
  probability: number
  expected_wait_minutes: number
}
interface Answer {
  departure: string
  through_security_by: string
  windows: Window[]
  assumptions: string[]
  basis: string | null
  unavailable_reason: string | null
}
const ask = (input: object, tier: 'free' | 'pro' = 'pro') =>
  runTool<Answer>(getBestTimeToFlyTool, { iata: 'JFK', departure: '2026-11-22T17:30', ...input }, tier)

describe('the probability of clearing', () => {
  it('returns the forecast’s own quantiles in hand-computed cases', () => {
    expect(probabilityWithin(20, 100, 200, 400)).toBeCloseTo(0.5, 6)
    expect(probabilityWithin(10, 100, 200, 400)).toBeCloseTo(0.1, 6)
    expect(probabilityWithin(40, 100, 200, 400)).toBeCloseTo(0.9, 6)
    // Halfway from p50 to p90: 1.2816 / 2 standard deviations.
    expect(probabilityWithin(30, 100, 200, 400)).toBeCloseTo(0.7391, 3)
    expect(probabilityWithin(-1, 0, 0, 0)).toBe(0)
    // Three quantiles say nothing about the last hundredth.
    expect(probabilityWithin(5, 50, 50, 50)).toBe(0.99)
    expect(probabilityWithin(240, 10, 20, 30)).toBe(0.99)
    expect(probabilityWithin(4, 50, 50, 50)).toBe(0)
  })

  it('never decreases with more time, and stays between 0 and 1', () => {
    const quantiles = fc.tuple(fc.nat(300), fc.nat(300), fc.nat(600))
    fc.assert(
      fc.property(quantiles, fc.nat(120), fc.nat(60), ([low, middle, high], minutes, more) => {
        const within = (time: number) => probabilityWithin(time, low, low + middle, low + middle + high)
        expect(within(minutes)).toBeGreaterThanOrEqual(0)
        expect(within(minutes + more)).toBeGreaterThanOrEqual(within(minutes))
        expect(within(minutes + more)).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('no minute after the latest time has the required probability', () => {
    const series = forecastFrom('JFK', THIS_HOUR)
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 160 * 60 }),
        fc.double({ min: 0.5, max: 0.99, noNaN: true }),
        (from, sure) => {
          const deadline_ms = THIS_HOUR + from * MINUTE_MS
          const search = { deadline_ms, latest_ms: deadline_ms, earliest_ms: THIS_HOUR }
          const latest = latestClearing(series, search, sure)
          if (!latest) return
          expect(latest.probability).toBeGreaterThanOrEqual(sure)
          for (let join = latest.join_ms + MINUTE_MS; join <= deadline_ms; join += MINUTE_MS)
            expect(clearingAt(series, join, deadline_ms)!.probability).toBeLessThan(sure)
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe('get_best_time_to_fly', () => {
  it('counts back from the departure: gate, walk, security with the required probability, kerb', () => {
    const { departure, through_security_by, windows, basis } = ask({ probability: 0.9 })
    expect(departure).toBe('2026-11-22T22:30:00Z')
    expect(Date.parse(departure) - Date.parse(through_security_by)).toBe(30 * MINUTE_MS)
    const [asked] = windows
    const join = Date.parse(asked!.join_security_by)
    const series = forecastFrom('JFK', THIS_HOUR)
    expect(clearingAt(series, join, Date.parse(through_security_by))!.probability).toBeGreaterThanOrEqual(0.9)
    expect(join - Date.parse(asked!.leave_kerb_by)).toBe(5 * MINUTE_MS)
    expect(asked!.join_security_by_local).toContain('-05:00')
    const hour = Math.floor((join - series.start_ms) / HOUR_MS)
    expect(asked!.expected_wait_minutes).toBe(Math.round(series.p50[hour]! / 10))
    expect(basis).toBe('predicted')
  })

  it('a free key gets one window, a paid key three; the safer one is not later', () => {
    expect(ask({}, 'free').windows.map(({ kind }) => kind)).toEqual(['asked'])
    const { windows } = ask({})
    expect(windows.map(({ kind }) => kind)).toEqual(['asked', 'safer', 'calmest'])
    expect(windows[1]!.join_security_by <= windows[0]!.join_security_by).toBe(true)
    expect(windows[2]!.expected_wait_minutes).toBeLessThanOrEqual(windows[0]!.expected_wait_minutes)
    const earlier = Date.parse(windows[0]!.join_security_by) - Date.parse(windows[2]!.join_security_by)
    expect([earlier >= 0, earlier <= 3 * HOUR_MS]).toEqual([true, true])
    expect(ask({}, 'free').windows[0]).toEqual(windows[0])
  })

  it('bags are dropped before the bag cut-off, and dropping them takes time', () => {
    const plain = ask({ flight: 'international' })
    const bags = ask({ flight: 'international', checked_bags: true })
    const join = Date.parse(bags.windows[0]!.join_security_by)
    expect(join).toBeLessThanOrEqual(Date.parse(bags.departure) - 60 * MINUTE_MS)
    expect(join).toBeLessThanOrEqual(Date.parse(plain.windows[0]!.join_security_by))
    expect(join - Date.parse(bags.windows[0]!.leave_kerb_by)).toBe(25 * MINUTE_MS)
  })

  it('every margin is listed and can be replaced; a lane without a forecast is mentioned', () => {
    const { assumptions } = ask({ gate_minutes: 45, walk_minutes: 0, lane: 'precheck' })
    expect(assumptions).toContain('at the gate 45 min before departure')
    expect(assumptions.join()).toContain('no forecast is made for precheck lanes')
  })

  it('without a forecast, or without time, there is no window but a reason', () => {
    const far = runTool<Answer>(getBestTimeToFlyTool, { iata: 'GRU', departure: '2026-11-22T17:30' })
    expect(far).toMatchObject({ windows: [], basis: null, unavailable_reason: 'no forecast exists for this airport' })
    expect(ask({ departure: '2026-11-21T09:45' })).toMatchObject({ windows: [], basis: 'predicted' })
    expect(toolText(getBestTimeToFlyTool, { iata: 'GRU', departure: '2026-11-22T17:30' })).toContain(
      'there is no time to recommend',
    )
  })

  it.each([
    ['2026-11-21T09:00', 'must be in the future'],
    ['2026-11-29T09:21', 'within the next 7 days'],
    ['2026-11-31T09:00', 'that exist'],
    ['tomorrow', 'like 2026-11-25T17:30'],
  ])('departure %s is refused: %s', (departure, why) => {
    expect(() => ask({ departure })).toThrow(why)
    expect(() => ask({ departure })).toThrowError(expect.objectContaining({ code: 'INVALID_PARAMETER' }))
  })

  it('accepts a departure with an offset, and local time across a clock change', () => {
    expect(ask({ departure: '2026-11-22T22:30Z' }).departure).toBe('2026-11-22T22:30:00Z')
    expect(ask({ departure: '2026-11-22T23:30+01:00' }).departure).toBe('2026-11-22T22:30:00Z')
  })
})
