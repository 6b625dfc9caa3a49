import { describe, expect, it } from 'vitest'
import { laneSaid } from '../../../pipeline/parsing/lane-said.ts'
import { newestOnly } from '../../../pipeline/parsing/newest.ts'
import { pairsOf } from '../../../pipeline/parsing/pairs.ts'
import { statusSaid } from '../../../pipeline/parsing/status-said.ts'
import { isoClock, localClock } from '../../../pipeline/parsing/wall-clock.ts'
import type { Notice } from '../../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'

const NEW_YORK = 'America/New_York'
const FETCHED = '2026-11-21T10:03:00Z'

describe('ISO times', () => {
  it.each([
    ['2026-11-21T10:01:12.500Z', '2026-11-21T10:01:12.500Z'],
    ['2026-11-21T05:01:00-05:00', '2026-11-21T10:01:00Z'],
    ['2026-11-21T05:01:00', '2026-11-21T10:01:00Z'],
    ['2026-07-21 05:01:00', '2026-07-21T09:01:00Z'],
    ['2026-11-21', null],
    ['2026-13-21T05:01:00', null],
    ['1970-01-01T00:00:00Z', null],
    [1_795_255_200, null],
    [null, null],
  ])('%j is %j in New York', (text, expected) => {
    expect(isoClock(text, NEW_YORK, FETCHED)).toBe(expected)
  })

  it('are local whatever they are marked as, where a source marks them wrongly', () => {
    for (const mark of ['Z', '', '+00:00'])
      expect(localClock(`2026-11-21T05:01:00${mark}`, NEW_YORK, FETCHED)).toBe('2026-11-21T10:01:00Z')
    expect(localClock(7, NEW_YORK, FETCHED)).toBeNull()
    // 01:30 comes twice on 2026-11-01, at 05:30Z and 06:30Z.
    expect(localClock('2026-11-01T01:30:00Z', NEW_YORK, '2026-11-01T06:40:00Z')).toBe('2026-11-01T06:30:00Z')
    expect(localClock('2026-11-01T01:30:00Z', NEW_YORK, '2026-11-01T05:40:00Z')).toBe('2026-11-01T05:30:00Z')
  })
})

describe('open and closed', () => {
  it.each([
    [true, 'open'],
    [false, 'closed'],
    ['Open', 'open'],
    ['closure', 'closed'],
    ['Suspended', 'closed'],
    ['busy', 'unknown'],
    [undefined, 'unknown'],
    [1, 'unknown'],
  ])('%j is %s', (said, expected) => {
    expect(statusSaid(said)).toBe(expected)
  })
})

describe('a lane said', () => {
  it('is noticed when its word is new', () => {
    const notices: Notice[] = []
    expect(laneSaid('TMP_PreCheck', { path: '$', iata: 'PIT', notices })).toBe('precheck')
    expect(laneSaid('Touchless', { path: '$', iata: 'PIT', notices })).toBeNull()
    expect(notices).toMatchObject([{ code: 'lane_unknown', value: 'Touchless', iata: 'PIT' }])
  })
})

describe('pairs of an option', () => {
  it('keep their order and their spaces within', () => {
    expect([...pairsOf('t1=T1 - A/B Gates; t2=Terminal C ;')]).toEqual([
      ['t1', 'T1 - A/B Gates'],
      ['t2', 'Terminal C'],
    ])
    expect(pairsOf(undefined).size).toBe(0)
  })
})

describe('the newest row of a queue', () => {
  const row = (observed_at: string, checkpoint = 'A') =>
    ({ kind: 'security', iata: 'MIA', terminal: '', checkpoint, lane: 'standard', observed_at }) as ParsedReading
  const [old, mid, late] = ['2026-11-20T10:02:00Z', '2026-11-20T10:03:00Z', '2026-11-21T10:00:00Z']

  it.each([[[mid, late]], [[late, mid]]])('stays, in whatever order: %j', (times) => {
    const notices: Notice[] = []
    const kept = newestOnly(
      times.map((time) => row(time)),
      '2026-11-21T10:03:00Z',
      notices,
    )
    expect(kept.map((one) => one.observed_at)).toEqual([late])
    expect(notices.map(({ code, value }) => [code, value])).toEqual([['row_superseded', mid]])
  })

  it('is left out when it is over a day old', () => {
    const notices: Notice[] = []
    expect(newestOnly([row(old), row(late, 'B')], '2026-11-21T10:03:00Z', notices)).toMatchObject([{ checkpoint: 'B' }])
    expect(notices).toMatchObject([{ code: 'row_too_old', value: old }])
  })
})
