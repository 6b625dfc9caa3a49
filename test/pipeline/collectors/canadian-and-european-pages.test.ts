import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { sourceById } from '../../../config/sources.ts'
import { catsa } from '../../../pipeline/collectors/catsa.ts'
import { FETCHED, fixture, parseAs } from './context.ts'

type ParseOutcome = ReturnType<typeof parseAs>

const waits = ({ readings }: ParseOutcome) =>
  readings.map((row) => [
    row.terminal,
    row.checkpoint,
    row.wait_minutes ?? [row.wait_minutes_low, row.wait_minutes_high],
    row.status,
  ])
const codes = ({ notices }: ParseOutcome) => notices.map((one) => one.code)
const requestContext = (id: string) => ({
  source: sourceById(id),
  airports: sourceById(id).airports,
  now: 0,
  learned_keys: {},
  icaoOf: () => null,
})

describe('catsa, smaller airports', () => {
  it('requests the page that the catalogue names for each airport, and is off because the names are inferred', () => {
    const source = sourceById('catsa-html-others')
    const urls = catsa.request(requestContext('catsa-html-others')).map((one) => one.url)
    expect(urls.length).toBe(10)
    expect(urls[0]).toBe('https://www.catsa-acsta.gc.ca/en/airport/ottawa-international-airport')
    expect(new Set(urls).size).toBe(10)
    expect([source.active, source.why_off]).toEqual([false, expect.stringContaining('inferred')])
  })

  it('reads ranges', () => {
    const parsed = parseAs('catsa-html-others', fixture('catsa-yyz.html'), 'YOW')
    expect(parsed.readings.map((row) => row.iata)).toEqual(['YOW', 'YOW', 'YOW', 'YOW'])
    expect(waits(parsed)[0]).toEqual(['T1', 'T1 Canada Level 3', [0, 5], 'open'])
  })
})

describe('yvr-catsa', () => {
  const row = JSON.parse(fixture('yvr.json')).value[0]
  const one = (change: object, fetched_at = FETCHED) =>
    parseAs('yvr-catsa', JSON.stringify({ value: [{ ...row, ...change }] }), 'YVR', fetched_at)

  it('reads a time in a repeated hour as the run that has begun', () => {
    const repeated = { LastUpdatedDate: 'Sunday, 02 November 2025 01:30:00' }
    expect(one(repeated, '2025-11-02T08:40:00Z').readings[0]?.observed_at).toBe('2025-11-02T08:30:00Z')
    expect(one(repeated, '2025-11-02T09:40:00Z').readings[0]?.observed_at).toBe('2025-11-02T09:30:00Z')
  })

  it('reads the night of November 2026, in which the clocks of British Columbia stood still, without a repeated hour', () => {
    const night = { LastUpdatedDate: 'Sunday, 01 November 2026 01:30:00' }
    expect(one(night, '2026-11-01T08:40:00Z').readings[0]?.observed_at).toBe('2026-11-01T08:30:00Z')
    expect(one(night, '2026-11-01T09:40:00Z').readings[0]?.observed_at).toBe('2026-11-01T08:30:00Z')
  })
})

describe('bru-html', () => {
  const page = fixture('bru.html')

  it('reads the words before its phrase, not those of a script', () => {
    expect(waits(parseAs('bru-html', page, 'BRU'))).toEqual([['', '', 7, 'open']])
    const together = '<p>12 min. Current waiting time</p>'
    expect(waits(parseAs('bru-html', together, 'BRU'))).toEqual([['', '', 12, 'open']])
  })

  it('reads no number where there is none, and rejects a page without the phrase', () => {
    const none = parseAs('bru-html', page.replace('<span>7 min.</span>', ''), 'BRU')
    expect([waits(none)[0]?.[2], codes(none)]).toEqual([[null, null], ['wait_text_unknown']])
    expect(() => parseAs('bru-html', '<p>7 min.</p>', 'BRU')).toThrow(ParseError)
  })
})
