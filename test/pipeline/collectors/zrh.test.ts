import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { fixture, parseAs, sharedFile } from './context.ts'

const REAL = sharedFile('samples', 'zrh', 'security.json')
const columns = (source: string, body: string) =>
  parseAs(source, body, 'ZRH').readings.map((row) => [
    row.kind,
    row.checkpoint,
    row.wait_minutes,
    row.wait_minutes_low,
    row.wait_minutes_high,
  ])

describe('zrh', () => {
  it('reads each kind of queue from its own address', () => {
    expect(columns('zrh-security', fixture('zrh-security.json'))).toEqual([['security', 'Security', null, 1, 3]])
    expect(columns('zrh-checkin', fixture('zrh-checkin.json'))).toEqual([
      ['checkin', 'Check-in 1', null, 5, 7],
      ['checkin', 'Check-in 1, fast bag drop', 2, null, null],
      ['checkin', 'Check-in 3, self-service bag drop', 1, null, null],
    ])
    expect(columns('zrh-passport', fixture('zrh-passport.json'))).toEqual([
      ['immigration', 'Departure D', 4, null, null],
      ['immigration', 'Arrival E', null, null, null],
    ])
  })

  it('rejects the answer of another kind', () => {
    expect(() => parseAs('zrh-security', fixture('zrh-passport.json'), 'ZRH')).toThrow(ParseError)
    expect(() => parseAs('zrh-passport', fixture('zrh-security.json'), 'ZRH')).toThrow(ParseError)
    expect(() => parseAs('zrh-checkin', fixture('zrh-passport.json'), 'ZRH')).toThrow(ParseError)
  })

  it('reads no number from words, reports bad rows and reads the others', () => {
    const { readings, notices } = parseAs('zrh-security', '{"maxWaitingTime":"very long"}', 'ZRH')
    expect(readings).toMatchObject([{ wait_minutes: null, wait_text: 'very long', status: 'unknown' }])
    expect(notices.map(({ code }) => code)).toEqual(['wait_text_unknown'])
    for (const [source, list] of [
      ['zrh-checkin', 'checkin'],
      ['zrh-passport', 'passportControl'],
    ] as const)
      expect(parseAs(source, JSON.stringify({ [list]: [null, {}] }), 'ZRH')).toMatchObject({
        readings: [],
        notices: [{ code: 'row_unreadable' }, { code: 'row_unreadable' }],
      })
  })

  it.skipIf(REAL === null)('reads the real answer', () => {
    expect(columns('zrh-security', REAL ?? '')).toEqual([['security', 'Security', null, 1, 3]])
  })
})
