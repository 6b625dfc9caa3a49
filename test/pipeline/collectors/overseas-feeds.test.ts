import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { sourceById } from '../../../config/sources.ts'
import { catsa } from '../../../pipeline/collectors/catsa.ts'
import { dohXovis } from '../../../pipeline/collectors/doh-xovis.ts'
import { swedaviaKeyed } from '../../../pipeline/collectors/swedavia.ts'
import { contextFor, FETCHED, fixture, parseAs, sharedFile } from './context.ts'

const DUB = sharedFile('samples', 'dub-2022', 'T1_queues-first-rows.csv')

it('DUS: an answer with its error flag is rejected', () => {
  const failed = '{"data":[],"hasError":true,"internalErrorMessage":"backend away"}'
  expect(() => parseAs('dus-sitecore', failed, 'DUS')).toThrow('backend away')
})

it.each([
  ['avinor-osl', 'OSL', '[{"area":"csc","airportIata":"BGO"}]', 'airport_unexpected'],
  ['avinor-osl', 'OSL', '[{"area":"spa","airportIata":"OSL"}]', 'queue_unknown'],
  ['ams-schiphol', 'AMS', '{"PASPOORT":{"waitTimeInSeconds":60}}', 'queue_unknown'],
  ['doh-xovis', 'DOH', '{"checkpoints":[{"checkpoint_name":"Lounge","queues":[{}]}]}', 'queue_unknown'],
  ['del-dial', 'DEL', '{"data":{"Security":[1]}}', 'row_unreadable'],
  ['yyz-pearson', 'YYZ', '{"checkpoints":[{"nameEn":"","departure":true}]}', 'row_unreadable'],
])('%s at %s leaves a row of %s out: %s', (source, iata, body, code) => {
  const { readings, notices } = parseAs(source, body, iata)
  expect([readings, notices.map((one) => one.code)]).toEqual([[], [code]])
})

it.skipIf(DUB === null)('DUB: every number that was posted in 2022 is read', () => {
  const posted = [...(DUB ?? '').matchAll(/,(\d+)\s*$/gm)].map((match) => Number(match[1]))
  expect(posted.length).toBeGreaterThan(20)
  for (const minutes of posted)
    expect(parseAs('dub-dap', `{"T1":"=${minutes}"}`, 'DUB').readings[0]?.wait_minutes).toBe(minutes)
})

it.each([
  ['minutes', 330],
  ['seconds', 5.5],
])('DOH: reads %s once its unit is verified', (unit, minutes) => {
  const context = contextFor('doh-xovis', 'DOH')
  const source = { ...context.source, options: { unit } }
  const { readings, notices } = dohXovis.parse(fixture('doh.json'), { ...context, source })
  expect(readings[0]).toMatchObject({ wait_minutes: minutes, wait_text: null })
  expect(notices).toEqual([])
})

it('SYD: reads minutes per terminal', () => {
  const { readings, notices } = parseAs('syd', fixture('syd.json'), 'SYD')
  expect(readings.map((row) => [row.terminal, row.wait_minutes, row.observed_at, row.observed_at_basis])).toEqual([
    ['T1', 8, '2026-11-21T10:01:00Z', 'source'],
    ['T2', null, '2026-11-21T10:03:00Z', 'fetch'],
  ])
  expect(notices.map(({ code }) => code)).toEqual(['time_unreadable', 'value_not_a_number'])
})

const REAL = sharedFile('samples', 'swedavia-waittime', 'ARN-2026-09-29.json')
const GOT = sharedFile('samples', 'swedavia-waittime', 'GOT-2023-12-04.queue-items.json')

describe('swedavia, without a key', () => {
  it('reads the PascalCase names of 2023', () => {
    const pascal = fixture('swedavia.json').replace(
      /"([a-z])(\w*)":/g,
      (_, first, rest) => `"${first.toUpperCase()}${rest}":`,
    )
    expect(pascal).toContain('"QueueTimesList"')
    expect(parseAs('swedavia-keyless', pascal, 'ARN')).toEqual(
      parseAs('swedavia-keyless', fixture('swedavia.json'), 'ARN'),
    )
  })

  it('reads no wait where the source shows none, never 45 minutes', () => {
    const row = { id: 1, displayNameEnglish: '5', terminalId: ['5'], interval: '', currentProjectedQueueTime: null }
    const { readings } = parseAs(
      'swedavia-keyless',
      JSON.stringify({ queueTimesList: [row, { ...row, displayNameEnglish: '4' }] }),
      'ARN',
    )
    expect(readings.map((one) => one.wait_minutes)).toEqual([null, null])
    const paused = parseAs(
      'swedavia-keyless',
      JSON.stringify({ queueTimesDisabled: true, queueTimesList: [row] }),
      'ARN',
    )
    expect(paused.readings).toEqual([])
    expect(paused.notices.map(({ code }) => code)).toEqual(['source_paused'])
  })
})

describe('swedavia, with a key', () => {
  it('reads minutes, and a 0 as a real wait', () => {
    const { readings, notices } = parseAs('swedavia-keyed', fixture('swedavia-keyed.json'), 'ARN')
    expect(notices).toEqual([])
    expect(
      readings.map((row) => [row.terminal, row.checkpoint, row.lane, row.wait_minutes, row.wait_minutes_low]),
    ).toEqual([
      ['T5', 'Security Terminal 5', 'standard', 6, null],
      ['', 'Security Terminal 5', 'priority', 0, null],
      ['T4', 'Security Terminal 4', 'standard', null, 25],
    ])
    expect(readings[0]).toMatchObject({ observed_at: '2026-11-21T10:01:04Z', observed_at_basis: 'source' })
  })

  it("sends the operator's key if there is one", () => {
    const source = sourceById('swedavia-keyed')
    const requestHeaders = (learnedKeys: Record<string, string>) =>
      swedaviaKeyed.request({ source, airports: ['ARN'], now: 0, learned_keys: learnedKeys, icaoOf: () => null })[0]
        ?.headers
    expect(requestHeaders({ operator_key: 'made-up' })).toMatchObject({ 'Ocp-Apim-Subscription-Key': 'made-up' })
    expect(Object.keys(requestHeaders({}) ?? {})).toEqual(['Accept'])
  })

  it.skipIf(REAL === null)('reads the real answers of Arlanda and Landvetter', () => {
    const { readings, notices } = parseAs('swedavia-keyed', REAL ?? '', 'ARN', '2026-09-29T13:28:00Z')
    expect(notices).toEqual([])
    expect(readings.map((row) => [row.terminal, row.lane, row.wait_minutes])).toEqual([
      ['T2', 'standard', 4],
      ['T2', 'priority', 0],
      ['T3', 'standard', 0],
      ['T4', 'standard', 1],
      ['T4', 'priority', 0],
      ['T5', 'priority', 1],
      ['T5', 'standard', 2],
    ])
    const got = parseAs('swedavia-keyed', `{"waitTimes":${GOT}}`, 'GOT', '2023-12-04T09:53:00Z')
    expect(got.notices).toEqual([])
    expect(got.readings.map((row) => [row.checkpoint, row.lane, row.wait_minutes])).toEqual([
      ['Security Landvetter', 'priority', 2],
      ['Security Landvetter', 'standard', 7],
    ])
  })
})

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
