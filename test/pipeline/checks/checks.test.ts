import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { projectFile } from '../../../config/paths.ts'
import { checks, type RecentReading, runChecks, seriesKey } from '../../../pipeline/checks/index.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'
import { testSource } from '../test-source.ts'
import { checkContext } from './check-context.ts'

const FETCHED = '2026-11-21T12:00:00Z'

const row = (fields: Partial<ParsedReading> = {}): ParsedReading => ({
  kind: 'security',
  iata: 'SEA',
  terminal: '',
  checkpoint: '1',
  lane: 'all',
  observed_at: '2026-11-21T11:59:00Z',
  observed_at_basis: 'source',
  wait_minutes: 10,
  wait_minutes_low: null,
  wait_minutes_high: null,
  wait_text: null,
  status: 'open',
  ...fields,
})

/** Earlier readings, one every `step` minutes, the newest `step` minutes before noon. */
const earlier = (waits: (number | null)[], step = 30): RecentReading[] =>
  waits.map((wait_minutes, at) => ({
    observed_at: new Date(Date.parse(FETCHED) - (at + 1) * step * 60_000).toISOString(),
    wait_minutes,
    flagged: false,
  }))

const flagsOf = (
  one: ParsedReading,
  recent: RecentReading[] = [],
  source = testSource(),
): { flags: string[]; notices: string[] } => {
  const context = checkContext(source, FETCHED, { recent: new Map([[seriesKey(one), recent]]) })
  const { flags, notices } = runChecks([row({ checkpoint: 'other' }), one], context)
  expect(flags.get(0)).toBeUndefined()
  return { flags: flags.get(1) ?? [], notices: notices.map((notice) => notice.code) }
}

describe('the checks', () => {
  it('are one rule per file, all of them in the list', () => {
    const files = readdirSync(projectFile('pipeline', 'checks'))
      .map((file) => file.replace('.ts', '').replaceAll('-', '_'))
      .filter((file) => file !== 'define' && file !== 'index' && file !== 'README.md')
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

describe('observed_in_future', () => {
  it.each([
    ['2026-11-21T12:02:00Z', []],
    ['2026-11-21T12:02:01Z', ['observed_in_future']],
    ['2026-11-21T13:00:00Z', ['observed_in_future']],
  ])('%s fetched at noon: %j', (observed_at, expected) => {
    expect(flagsOf(row({ observed_at })).flags).toEqual(expected)
  })
})

describe('implausible_spike', () => {
  it('has a limit for each kind of queue; the limit itself is allowed', () => {
    expect(flagsOf(row({ wait_minutes: 90 })).flags).toEqual([])
    expect(flagsOf(row({ wait_minutes: 91 })).flags).toEqual(['implausible_spike'])
    expect(flagsOf(row({ kind: 'immigration', wait_minutes: 91 })).flags).toEqual([])
  })

  it('uses the lower end where only a range is published', () => {
    expect(flagsOf(row({ wait_minutes: null, wait_minutes_low: 120 })).flags).toEqual(['implausible_spike'])
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

describe('wait_on_closed', () => {
  it('flags any number on a closed queue', () => {
    expect(flagsOf(row({ status: 'closed' })).flags).toEqual(['wait_on_closed'])
    expect(flagsOf(row({ status: 'closed', wait_minutes: null, wait_minutes_low: 5 })).flags).toEqual([
      'wait_on_closed',
    ])
    expect(flagsOf(row({ status: 'closed', wait_minutes: null })).flags).toEqual([])
  })
})
