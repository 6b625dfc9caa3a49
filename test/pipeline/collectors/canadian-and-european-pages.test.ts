import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { sourceById } from '../../../config/sources.ts'
import { yycRms } from '../../../pipeline/collectors/canadian-airports.ts'
import { catsa } from '../../../pipeline/collectors/catsa.ts'
import { contextFor, FETCHED, fixture, parseAs } from './context.ts'

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

describe('yyz-pearson', () => {
  const feed = JSON.parse(fixture('yyz.json'))
  const withFirst = (change: object) =>
    parseAs('yyz-pearson', JSON.stringify({ checkpoints: [{ ...feed.checkpoints[0], ...change }] }), 'YYZ')

  it('reads seconds with uniform terminal names, without the queues of connecting passengers', () => {
    const parsed = parseAs('yyz-pearson', fixture('yyz.json'), 'YYZ')
    expect(parsed.notices).toEqual([])
    expect(waits(parsed)).toEqual([
      ['T1', 'Domestic D', 7.5, 'unknown'],
      ['T1', 'Transborder F', 12.25, 'unknown'],
    ])
    expect(parsed.readings[0]).toMatchObject({ observed_at: '2026-11-21T10:00:00Z', observed_at_basis: 'source' })
  })

  it('reads no time without a zone, and no number that is missing, negative or a word', () => {
    const local = withFirst({ lastUpdate: '2026-11-21T05:01:00' })
    expect([local.readings[0]?.observed_at, codes(local)]).toEqual([FETCHED, ['time_unreadable']])
    expect(withFirst({ waitTimeInSecond: null }).readings[0]?.wait_minutes).toBeNull()
    expect(codes(withFirst({ waitTimeInSecond: -60 }))).toEqual(['wait_out_of_range'])
    expect(codes(withFirst({ waitTimeInSecond: 'soon' }))).toEqual(['value_not_a_number'])
    expect(codes(withFirst({ nameEn: '' }))).toEqual(['row_unreadable'])
  })

  it('accepts an empty list, and rejects anything else', () => {
    expect(parseAs('yyz-pearson', '{"checkpoints":[]}', 'YYZ')).toEqual({ readings: [], notices: [] })
    for (const body of ['<html>', '{}', '{"checkpoints":{}}', '[]', ''])
      expect(() => parseAs('yyz-pearson', body, 'YYZ')).toThrow(ParseError)
  })
})

describe('yvr-catsa', () => {
  const row = JSON.parse(fixture('yvr.json')).value[0]
  const one = (change: object, fetched_at = FETCHED) =>
    parseAs('yvr-catsa', JSON.stringify({ value: [{ ...row, ...change }] }), 'YVR', fetched_at)

  it('reads seconds as text, and the long local date', () => {
    const parsed = parseAs('yvr-catsa', fixture('yvr.json'), 'YVR')
    expect(parsed.notices).toEqual([])
    expect(waits(parsed)).toEqual([
      ['', 'Domestic B-C', 6.5, 'unknown'],
      ['', 'USA', [null, null], 'unknown'],
    ])
    expect(parsed.readings[0]?.observed_at).toBe('2026-11-21T10:00:00Z')
  })

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

  it('reports a date in another form, a missing name and a word instead of a number', () => {
    expect(codes(one({ LastUpdatedDate: '21/11/2026' }))).toEqual(['time_unreadable'])
    expect(codes(one({ Terminal: null }))).toEqual(['row_unreadable'])
    expect(codes(one({ WaitTime: 'Closed' }))).toEqual(['value_not_a_number'])
    expect(parseAs('yvr-catsa', '{"value":[]}', 'YVR')).toEqual({ readings: [], notices: [] })
    expect(() => parseAs('yvr-catsa', '[]', 'YVR')).toThrow(ParseError)
  })
})

describe('yyc-rms', () => {
  const feed = JSON.parse(fixture('yyc.json'))
  const withFeed = (change: object) => parseAs('yyc-rms', JSON.stringify({ ...feed, ...change }), 'YYC')

  it("requests port 8091 with the headers of the airport's page", () => {
    const [request] = yycRms.request(requestContext('yyc-rms'))
    expect(request?.url).toBe('https://rmsflightdata.yyc.com:8091/api/currentwaittimes')
    expect(request?.headers).toMatchObject({ Origin: 'https://www.yyc.com', Referer: 'https://www.yyc.com/' })
  })

  it('reads minutes as text, words among them, and a local time without its zone', () => {
    const parsed = parseAs('yyc-rms', fixture('yyc.json'), 'YYC')
    expect(parsed.notices).toEqual([])
    expect(waits(parsed)).toEqual([
      ['', 'A', 7, 'open'],
      ['', 'C', [null, null], 'closed'],
      ['', 'D - US', 12, 'open'],
    ])
    expect(parsed.readings[0]?.observed_at).toBe('2026-11-21T10:00:00Z')
  })

  it('reports an unreadable time and unknown values', () => {
    expect(codes(withFeed({ updatedAt: 'yesterday' }))).toEqual(['time_unreadable'])
    expect(codes(withFeed({ waittimes: { A: '999' } }))).toEqual(['wait_out_of_range'])
    expect(codes(withFeed({ waittimes: { A: 'soon' } }))).toEqual(['wait_text_unknown'])
    expect(withFeed({ waittimes: { A: null } }).readings[0]?.wait_minutes).toBeNull()
    expect(withFeed({ waittimes: {} })).toEqual({ readings: [], notices: [] })
    for (const waittimes of [null, [], '7']) expect(() => withFeed({ waittimes })).toThrow(ParseError)
  })
})

describe('str-html', () => {
  it('reads a line per terminal, and the status from the class', () => {
    const parsed = parseAs('str-html', fixture('str.html'), 'STR')
    expect(parsed.notices).toEqual([])
    expect(waits(parsed)).toEqual([
      ['T1', '', 8, 'open'],
      ['T3', '', [null, null], 'closed'],
    ])
    expect(parsed.readings[0]?.observed_at_basis).toBe('fetch')
  })

  it('accepts an empty list, and rejects another fragment', () => {
    const empty = '<ul class="waiting-times__list"></ul>'
    expect(parseAs('str-html', empty, 'STR')).toEqual({ readings: [], notices: [] })
    expect(() => parseAs('str-html', '<p>Weather: 8°</p>', 'STR')).toThrow(ParseError)
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

describe('fco-html', () => {
  it('reads the time element after each terminal, also as a bound', () => {
    const parsed = parseAs('fco-html', fixture('fco.html'), 'FCO')
    expect(parsed.notices).toEqual([])
    expect(waits(parsed)).toEqual([
      ['T1', '', 4, 'open'],
      ['T3', '', [20, null], 'open'],
    ])
  })

  it('accepts terminals without times, and rejects a page without terminals', () => {
    expect(parseAs('fco-html', '<p>Terminal 1: <b>map</b></p>', 'FCO')).toEqual({ readings: [], notices: [] })
    expect(() => parseAs('fco-html', '<p>Parking <time>4 min</time></p>', 'FCO')).toThrow(ParseError)
  })
})

describe('these pages', () => {
  it('use the fetch time where the page has no time', () => {
    expect(contextFor('str-html', 'STR').fetched_at).toBe(FETCHED)
    for (const [id, name, iata] of [
      ['str-html', 'str.html', 'STR'],
      ['bru-html', 'bru.html', 'BRU'],
      ['fco-html', 'fco.html', 'FCO'],
    ] as const)
      expect(parseAs(id, fixture(name), iata).readings[0]).toMatchObject({
        observed_at: FETCHED,
        observed_at_basis: 'fetch',
      })
  })
})
