import { describe, expect, it } from 'vitest'
import { type CheckContext, type RecentReading, runChecks, seriesKey } from '../../../pipeline/checks/index.ts'
import type { LatestReading } from '../../../warehouse/publishing/waits/queue-wait.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'
import { readCases } from '../../values.ts'
import { testSource } from '../test-source.ts'
import { checkContext, parsedReading } from './check-context.ts'

const FETCHED = '2026-11-21T12:00:00Z'
const ago = (minutes: number) => new Date(Date.parse(FETCHED) - minutes * 60_000).toISOString()

const lane = (checkpoint: string, wait_minutes: number | null, over: Partial<ParsedReading> = {}) =>
  parsedReading({ iata: 'ARN', checkpoint, wait_minutes, ...over })

/** Earlier waits of each row's series, newest first, every ten minutes. */
const history = (rows: ParsedReading[], waits: (number | null)[][]): Map<string, RecentReading[]> =>
  new Map(
    rows.map((row, index) => [
      seriesKey(row),
      (waits[index] ?? []).map((wait_minutes, step) => ({
        observed_at: ago((step + 1) * 10),
        wait_minutes,
        flagged: false,
      })),
    ]),
  )

const run = (rows: ParsedReading[], over: Partial<CheckContext> = {}) => {
  const { flags, notices } = runChecks(rows, checkContext(testSource(), FETCHED, over))
  return {
    flags: rows.map((_, index) => flags.get(index) ?? []),
    notices: notices.map(({ code }) => code),
    all: notices,
  }
}

describe('unit_jump', () => {
  const flagsOf = (wait: number, before: number[]) => {
    const rows = [lane('1', wait)]
    return run(rows, { recent: history(rows, [before]) }).flags[0]
  }

  it('flags sixty times, and a sixtieth of, the usual wait, for any wait', () => {
    expect(flagsOf(75, [1.2, 1.3, 1.2, 1.3, 1.2, 1.3])).toContain('unit_jump')
    expect(flagsOf(540, [9, 9, 8, 9, 10, 9])).toContain('unit_jump')
    expect(flagsOf(0.2, [12, 11, 12, 13, 12, 12])).toEqual(['unit_jump'])
  })

  it('does not flag a real queue: gradual changes, other factors, from an empty queue, after a gap', () => {
    expect(flagsOf(60, [30, 15, 1, 1, 1, 1, 1])).not.toContain('unit_jump')
    expect(flagsOf(20, [1, 1, 1, 1, 1, 1])).toEqual([])
    expect(flagsOf(12, [0.2, 0.2, 0.2, 0.2, 0.2, 0.2])).toEqual([])
    expect(flagsOf(0.05, [3, 3, 3, 3, 3, 3])).toEqual([])
    expect(flagsOf(0, [12, 11, 12, 13, 12, 12])).toEqual([])
    expect(flagsOf(75, [1.2, 1.3, 1.2])).not.toContain('unit_jump')
  })

  it('keeps flagging a unit that stays wrong, compared with the last unflagged reading', () => {
    const row = lane('1', 0.2)
    const wrong = [0.2, 0.21, 0.2].map((wait_minutes, index) => ({
      observed_at: ago(index + 5),
      wait_minutes,
      flagged: true,
    }))
    const right = [...Array(6).keys()].map((index) => ({
      observed_at: ago(200 + index),
      wait_minutes: 12,
      flagged: false,
    }))
    const flagsAfter = (before: RecentReading[]) => run([row], { recent: new Map([[seriesKey(row), before]]) }).flags[0]
    expect(flagsAfter([...wrong, ...right])).toEqual(['unit_jump'])
    expect(flagsAfter([...wrong.map((reading) => ({ ...reading, flagged: false })), ...right])).toEqual([])
    expect(flagsAfter(right)).toEqual([])
  })

  it('has a wider tolerance where every lane jumps at once, and then flags all of them', () => {
    const rows = [lane('1', 1.5), lane('2', 0.1), lane('3', 0.4)]
    const usual = (wait: number) => Array<number>(6).fill(wait)
    const all = history(rows, [usual(60), usual(11), usual(14)])
    expect(run(rows, { recent: all }).flags.map((codes) => codes.includes('unit_jump'))).toEqual([true, true, true])
    const recent = history(rows, [usual(2), usual(11), usual(14)])
    expect(run(rows, { recent }).flags.map((codes) => codes.includes('unit_jump'))).toEqual([false, false, false])
  })
})

describe('implausible_drop', () => {
  /** Whether the lanes of the last capture are flagged; captures are `step` minutes apart, their lanes checkpoints 1, 2, … */
  const flaggedAfter = (captures: number[][], step = 5, over: Partial<ParsedReading> = {}) => {
    const recent = new Map<string, RecentReading[]>()
    return captures.map((waits, position) => {
      const observed_at = ago((captures.length - 1 - position) * step)
      const rows = waits.map((wait, index) => lane(`${index + 1}`, wait, { observed_at, ...over }))
      const { flags } = run(rows, { recent: new Map(recent) })
      for (const [index, row] of rows.entries()) {
        const reading = { observed_at, wait_minutes: row.wait_minutes, flagged: flags[index]!.length > 0 }
        recent.set(seriesKey(row), [...(recent.get(seriesKey(row)) ?? []), reading])
      }
      return flags.map((codes) => codes.includes('implausible_drop'))
    })
  }
  const lastOf = (...args: Parameters<typeof flaggedAfter>) => flaggedAfter(...args).at(-1)
  const busy = [
    [20, 1, 35],
    [22, 1, 38],
  ]

  it.each([
    ['all lanes at 0', [0, 0, 0]],
    ['minutes given as hours', [22 / 60, 1 / 60, 38 / 60]],
    ['a lane that is missing', [0, 0]],
  ])('flags every lane: %s', (_, waits) => {
    expect(lastOf([...busy, waits])).toEqual(waits.map(() => true))
  })

  it('flags one for which all lanes are meant, and the lanes beside it', () => {
    expect(lastOf([[15], [0]])).toEqual([true])
    const precheck = lane('1', 1, { lane: 'precheck' })
    const rows = [lane('1', 0), precheck]
    const recent = history(rows, [[22], [1]])
    expect(run(rows, { recent }).flags).toEqual([['implausible_drop'], ['implausible_drop']])
  })

  it('stays in doubt for two hours, and believes a lane that moves at once', () => {
    const hours = flaggedAfter([...busy, ...Array<number[]>(30).fill([0, 0, 0])])
    expect(hours.flatMap((flags, position) => (flags.includes(true) ? position : []))).toEqual(
      Array.from({ length: 24 }, (_, position) => position + 2),
    )
    expect(lastOf([...busy, [0, 0, 0], [0, 4, 0]])).toEqual([false, false, false])
  })

  it.each(readCases<[string, number[][], number][]>('pipeline/checks/believed.json'))(
    'believes %s',
    (_, captures, step) => {
      expect(lastOf(captures, step)).toEqual(captures.at(-1)!.map(() => false))
    },
  )

  it('compares no closed lane, and each airport and kind of queue apart', () => {
    const rows = [lane('1', 0), lane('2', 25, { iata: 'GOT' }), lane('3', 30, { kind: 'immigration' })]
    const recent = history(rows, [[1], [25], [30]])
    expect(run(rows, { recent }).flags).toEqual([[], [], []])
    expect(run([lane('1', null, { status: 'closed' })], { recent: history([lane('1', 25)], [[25]]) }).flags).toEqual([
      [],
    ])
  })
})

describe('constant_sentinel', () => {
  const same = (value: number, lanes: number, captures: number) => {
    const rows = ['1', '2', '3', '4'].slice(0, lanes).map((name) => lane(name, value))
    const before = rows.map(() => [...Array<number>(captures).fill(value), 7, 9, 8])
    return run(rows, { recent: history(rows, before) })
  }

  it('flags one number in all lanes of several captures', () => {
    expect(same(45, 3, 2)).toMatchObject({
      flags: [['constant_sentinel'], ['constant_sentinel'], ['constant_sentinel']],
      notices: ['constant_sentinel', 'constant_sentinel', 'constant_sentinel'],
    })
  })

  it.each([
    ['in one capture less', 45, 3, 1],
    ['in two lanes', 45, 2, 5],
    ['at the floor of a quiet hour', 5, 4, 5],
  ])('lets it be %s', (_, value, lanes, captures) => {
    expect(same(value, lanes, captures).notices).toEqual([])
  })

  it('does not flag lanes with different numbers', () => {
    const rows = [lane('1', 45), lane('2', 45), lane('3', 44)]
    const recent = history(rows, [
      [45, 45],
      [45, 45],
      [44, 44],
    ])
    expect(run(rows, { recent }).notices).toEqual([])
  })

  it('flags numbers that stand for "unknown", also in seconds', () => {
    for (const sentinel of [999, 424_242, 32_767, 9_999 / 60, 32_767 / 60])
      expect(run([lane('1', sentinel)]).flags[0]).toContain('constant_sentinel')
  })
})

describe('lane_appeared and lane_vanished', () => {
  const sawBefore = (...rows: ParsedReading[]) => new Map([['ARN', new Set(rows.map(seriesKey))]])
  const first = lane('1', 5)
  const two = lane('2', 6)

  it('return one notice per airport with the lanes that changed, and no flag', () => {
    const { all, flags } = run([first, lane('3', 5), lane('4', 5)], { lanes_before: sawBefore(first, two) })
    expect(all.map(({ code, severity, iata }) => [code, severity, iata])).toEqual([
      ['lane_appeared', 'info', 'ARN'],
      ['lane_vanished', 'info', 'ARN'],
    ])
    expect([all[0]?.value, all[1]?.value]).toEqual([
      `${seriesKey(lane('3', 0))} ${seriesKey(lane('4', 0))}`,
      seriesKey(two),
    ])
    expect(flags).toEqual([[], [], []])
  })

  it('return nothing for a first capture, for the same lanes, or for a lane that closes', () => {
    expect(run([first, two]).notices).toEqual([])
    expect(run([two, first], { lanes_before: sawBefore(first, two) }).notices).toEqual([])
    expect(
      run([first, lane('2', null, { status: 'closed' })], { lanes_before: sawBefore(first, two) }).notices,
    ).toEqual([])
  })

  it('compare only the requested airports', () => {
    const elsewhere = lane('9', 5, { iata: 'GOT' })
    expect(run([first, elsewhere], { lanes_before: sawBefore(first) }).notices).toEqual([])
    expect(run([elsewhere], { lanes_before: sawBefore(first) }).notices).toEqual(['lane_vanished'])
  })
})

describe('source_disagreement', () => {
  const other = (wait_minutes: number | null, over: Partial<LatestReading> = {}): LatestReading => ({
    ...lane('1', wait_minutes),
    source: 'fromthetraytable',
    ...over,
  })
  const noticesOf = (others: LatestReading[]) => run([lane('1', 10), lane('2', 20)], { others }).notices

  it('returns a notice for a wait over 15 minutes away, and flags neither', () => {
    const { all, flags } = run([lane('1', 10), lane('2', 20)], { others: [other(31)] })
    expect(all).toMatchObject([
      { code: 'source_disagreement', severity: 'warning', value: '15 min, fromthetraytable 31 min', iata: 'ARN' },
    ])
    expect(flags).toEqual([[], []])
    expect(noticesOf([other(30)])).toEqual([])
  })

  it('compares only fresh waits of the same airport and kind, over open standard lanes', () => {
    expect(noticesOf([other(40, { observed_at: ago(61) })])).toEqual([])
    expect(noticesOf([other(40, { iata: 'GOT' })])).toEqual([])
    expect(noticesOf([other(40, { kind: 'immigration' })])).toEqual([])
    expect(noticesOf([other(40, { lane: 'precheck' })])).toEqual([])
    expect(noticesOf([other(40, { status: 'closed' })])).toEqual([])
    expect(noticesOf([other(40), other(12, { source: 'crowd' })])).toEqual(['source_disagreement'])
  })
})

describe('level_without_minutes', () => {
  it('is one info notice per queue, with the levels, and no flag', () => {
    const rows = [lane('1', null, { wait_text: 'Low' }), lane('2', null, { wait_text: 'very  busy' }), lane('3', 4)]
    const { all, flags } = run(rows)
    expect(all).toMatchObject([
      { code: 'level_without_minutes', severity: 'info', value: 'low, very busy', iata: 'ARN' },
    ])
    expect(flags).toEqual([[], [], []])
  })

  it('ignores texts beside minutes, and texts that are not a level', () => {
    expect(run([lane('1', 5, { wait_text: 'low' })]).notices).toEqual([])
    expect(run([lane('1', null, { wait_text: 'low', wait_minutes_low: 5 })]).notices).toEqual([])
    expect(run([lane('1', null, { wait_text: 'Check back soon' })]).notices).toEqual([])
  })
})
