import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { projectFile } from '../../../config/paths.ts'
import { sourceById } from '../../../config/sources.ts'
import type { Check } from '../../../pipeline/checks/define-check.ts'
import { implausibleSpike } from '../../../pipeline/checks/implausible-spike.ts'
import { type CheckContext, checks, type RecentReading, runChecks, seriesKey } from '../../../pipeline/checks/index.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'
import { testValues } from '../../values.ts'
import { testSource } from '../test-source.ts'
import { checkContext, parsedReading as row } from './check-context.ts'

const FETCHED = '2026-11-21T12:00:00Z'

/** Earlier readings, one every `step` minutes, the newest `step` minutes before noon. */
const earlier = (waits: (number | null)[], step = 30): RecentReading[] =>
  waits.map((wait_minutes, index) => ({
    observed_at: new Date(Date.parse(FETCHED) - (index + 1) * step * 60_000).toISOString(),
    wait_minutes,
    flagged: false,
  }))

const flagsOf = (
  current: ParsedReading,
  recent: RecentReading[] = [],
  source = testSource(),
): { flags: string[]; notices: string[] } => {
  const context = checkContext(source, FETCHED, { recent: new Map([[seriesKey(current), recent]]) })
  const { flags, notices } = runChecks([row({ checkpoint: 'other' }), current], context)
  expect(flags.get(0)).toBeUndefined()
  return { flags: flags.get(1) ?? [], notices: notices.map((notice) => notice.code) }
}

testValues('pipeline/checks/checks.json', {
  flagsOfTerminals: (iata: string, terminals: string[]) => {
    const rows = terminals.map((terminal) => row({ iata, terminal }))
    const { flags } = runChecks(rows, checkContext(sourceById('panynj-graphql'), FETCHED))
    return [...flags.values()]
  },
  flagsOfFetchedAtNoon: (observed_at: string) => flagsOf(row({ observed_at })).flags,
  flagsOfRange: (wait_minutes_low: number | null, wait_minutes_high: number | null) =>
    flagsOf(row({ wait_minutes: null, wait_minutes_low, wait_minutes_high })).flags,
})

describe('the checks', () => {
  it('are one rule per file, all of them in the list', () => {
    const files = readdirSync(projectFile('pipeline', 'checks'))
      .map((file) => file.replace('.ts', '').replaceAll('-', '_'))
      .filter((file) => file !== 'define_check' && file !== 'index' && file !== 'README.md')
    expect(files.length).toBeGreaterThan(0)
    expect(checks.map((check) => check.code).sort()).toEqual(files.sort())
  })

  it('do not flag an ordinary reading', () => {
    expect(flagsOf(row(), earlier([9, 12, 10, 11, 14, 8, 10, 13, 10]))).toEqual({ flags: [], notices: [] })
  })

  it('flag every fault of a row, with a notice for each', () => {
    const worst = row({ observed_at: '2026-11-21T13:00:00Z', status: 'closed', wait_minutes: 178 })
    const expected = ['observed_in_future', 'implausible_spike', 'wait_on_closed']
    expect(flagsOf(worst)).toEqual({ flags: expected, notices: expected })
  })
})

describe('implausible_spike', () => {
  it('has a limit for each kind of queue; the limit itself is allowed', () => {
    expect(flagsOf(row({ wait_minutes: 90 })).flags).toEqual([])
    expect(flagsOf(row({ wait_minutes: 91 })).flags).toEqual(['implausible_spike'])
    expect(flagsOf(row({ kind: 'immigration', wait_minutes: 91 })).flags).toEqual([])
  })

  /** Runs the waits of one queue through the checks one after another, `step` minutes apart; returns which were flagged. */
  const flaggedOf = (waits: number[], step = 5, only: readonly Check[] = checks) => {
    const start = Date.parse(FETCHED) - waits.length * step * 60_000
    const series: RecentReading[] = []
    return waits.filter((wait_minutes, position) => {
      const observed_at = new Date(start + position * step * 60_000).toISOString()
      const current = row({ wait_minutes, observed_at })
      const recent = new Map([[seriesKey(current), [...series]]])
      const context = checkContext(testSource(), observed_at, { recent })
      const flagged = only.some((check) => check.run([current], context).some(({ index }) => index === 0))
      series.push({ observed_at, wait_minutes, flagged })
      return flagged
    })
  }
  const quiet = Array<number>(10).fill(5)

  it('does not flag a real two-hour queue that grows', () => {
    expect(flaggedOf([30, 60, 95, 120])).toEqual([])
    for (const step of [2, 5, 15, 30])
      expect(flaggedOf([...quiet, 30, 60, 95, 120, 118, 125, 90, 60], step)).toEqual([])
  })

  it('flags a single leap, and a number that stands for "unknown" for as long as it stays', () => {
    expect(flaggedOf([...quiet, 300, ...quiet])).toEqual([300])
    expect(flaggedOf(Array<number>(20).fill(999))).toHaveLength(20)
    expect(flaggedOf([...quiet, ...Array<number>(20).fill(300)])).toHaveLength(20)
  })

  it('believes a leap that goes on, from its third reading; one of hours later, and only if it moves', () => {
    expect(flaggedOf([...quiet, 110, 115, 112, 120, 118])).toEqual([110, 115])
    expect(flaggedOf([...Array<number>(10).fill(12), 240, 245, 238, 250, 244, 252])).toEqual([240, 245, 238, 250])
  })

  it('never flags a queue that changes by at most a minute each minute, up to six hours', () => {
    const steps = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(steps, fc.constantFrom(2, 10, 30), (changes, step) => {
        let wait = 20
        const waits = changes.map((change) => {
          wait = Math.min(360, Math.max(0, wait + change * step))
          return wait
        })
        expect(flaggedOf(waits, step, [implausibleSpike])).toEqual([])
      }),
      { numRuns: 40 },
    )
  })

  it('believes a leap that the neighbours or another source show', () => {
    const leap = row({ wait_minutes: 120 })
    const before = new Map([[seriesKey(leap), earlier(quiet)]])
    const neighbour = row({ checkpoint: '2', wait_minutes: 100 })
    const flagsWith = (rows: ParsedReading[], fields: Partial<CheckContext> = {}) =>
      runChecks(rows, checkContext(testSource(), FETCHED, { recent: before, ...fields })).flags.get(0) ?? []
    const spike = ['implausible_spike']
    expect(flagsWith([leap])).toEqual(spike)
    expect(flagsWith([leap], { others: [{ ...neighbour, source: 'crowd' }] })).toEqual([])
    expect(flagsWith([leap], { others: [{ ...neighbour, wait_minutes: 20, source: 'crowd' }] })).toEqual(spike)
    expect(flagsWith([leap], { others: [{ ...neighbour, iata: 'JFK', source: 'crowd' }] })).toEqual(spike)
    const known = new Map([...before, [seriesKey(neighbour), earlier([95, 90, 99, 92, 90, 85])]])
    expect(flagsWith([leap, neighbour], { recent: known })).toEqual([])
    // A neighbour that leapt at the same moment may be wrong alike.
    const both = new Map([...before, [seriesKey(neighbour), earlier(quiet)]])
    expect(flagsWith([leap, neighbour], { recent: both })).toEqual(spike)
  })

  it('believes a first capture in which several queues are long, unless all have one number', () => {
    const rowsOf = (waits: number[]) =>
      waits.map((wait_minutes, index) => row({ checkpoint: `${index}`, wait_minutes }))
    const flagged = (waits: number[]) => runChecks(rowsOf(waits), checkContext(testSource(), FETCHED)).flags.size
    expect(flagged([110, 120, 95])).toBe(0)
    expect(flagged([120, 120, 120])).toBe(3)
    expect(flagged([110, 5, 4])).toBe(1)
    expect(flagged([420, 300, 240])).toBe(3)
  })

  it('flags a jump in a quiet series, not the same number in a busy one', () => {
    expect(flagsOf(row({ wait_minutes: 60 }), earlier([4, 5, 6, 5, 4, 5])).flags).toEqual(['implausible_spike'])
    expect(flagsOf(row({ wait_minutes: 60 }), earlier([35, 20, 50, 40, 30, 45])).flags).toEqual([])
    expect(flagsOf(row({ wait_minutes: 44 }), earlier([4, 5, 6, 5, 4, 5])).flags).toEqual([])
  })

  it('does not flag a wait that the previous reading confirms, or that rose gradually', () => {
    expect(flagsOf(row({ wait_minutes: 62 }), earlier([60, 4, 5, 6, 5, 4, 5])).flags).toEqual([])
    expect(flagsOf(row({ wait_minutes: 62 }), earlier([40, 25, 5, 4, 5, 4, 5, 4, 5])).flags).toEqual([])
    expect(flagsOf(row({ wait_minutes: 62 }), earlier([4, 5, 6, 5, 4, 5], 130)).flags).toEqual([])
  })

  it('returns nothing with too few earlier readings', () => {
    expect(flagsOf(row({ wait_minutes: 60 }), earlier([4, 5, 6, 5, 4])).flags).toEqual([])
  })
})

describe('frozen', () => {
  const repeated = row({ observed_at: '2026-11-21T09:00:00Z' })
  const before = [{ observed_at: '2026-11-21T09:00:00Z', wait_minutes: 10, flagged: false }]

  it('flags an old reading that is repeated', () => {
    expect(flagsOf(repeated, before).flags).toEqual(['frozen'])
    expect(flagsOf(repeated, []).flags).toEqual([])
    expect(flagsOf({ ...repeated, observed_at_basis: 'fetch' }, before).flags).toEqual([])
  })

  it('does not flag old readings of a history source', () => {
    expect(flagsOf(repeated, before, testSource({ timeliness: 'history' })).flags).toEqual([])
  })

  it('flags a wait that has not changed for hours, unless it is that of a quiet queue', () => {
    const nine = Array<number>(9).fill(10)
    expect(flagsOf(row(), earlier(nine)).flags).toEqual(['frozen'])
    expect(flagsOf(row(), earlier(nine, 20)).flags).toEqual([])
    expect(flagsOf(row(), earlier([10, 10, 10, 11, 10, 10, 10, 10, 10])).flags).toEqual([])
    expect(flagsOf(row({ wait_minutes: 5 }), earlier(Array<number>(9).fill(5))).flags).toEqual([])
  })
})

it('wait_on_closed flags any number on a closed queue', () => {
  expect(flagsOf(row({ status: 'closed' })).flags).toEqual(['wait_on_closed'])
  expect(flagsOf(row({ status: 'closed', wait_minutes: null, wait_minutes_low: 5 })).flags).toEqual(['wait_on_closed'])
  expect(flagsOf(row({ status: 'closed', wait_minutes: null })).flags).toEqual([])
})
