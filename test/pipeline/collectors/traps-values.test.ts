import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freshnessOf } from '../../../config/domain.ts'
import { sourceById } from '../../../config/sources.ts'
import { runChecks, seriesKey } from '../../../pipeline/checks/index.ts'
import { dohXovis } from '../../../pipeline/collectors/doh-xovis.ts'
import { checkContext } from '../checks/check-context.ts'
import { contextFor, FETCHED, fixture, parseAs } from './context.ts'
import { readOneQueue, waitOfOneQueue } from './one-queue-payloads.ts'

/** Traps 1 to 8 of the source catalogue: numbers, words, zeros, sentinels, spikes, age. traps-sources.test.ts has the others. */

describe('trap 1: seconds or minutes', () => {
  it.each([
    ['mobi-iah', 420],
    ['sita-mia', 420],
    ['aci-phx', 420],
    ['ord-flychicago', 420],
    ['ams-schiphol', 420],
    ['yyz-pearson', 420],
    ['yvr-catsa', '420'],
    ['kac-process-time', '420'],
    ['aena-indoor', 420],
    ['avinor-osl', 420],
    ['swedavia-keyless', 420],
    ['swedavia-keyed', 7],
    ['sea-cwt', 7],
    ['panynj-graphql', 7],
    ['zensors-las', 7],
    ['pit-azure', 7],
    ['dtw-skyfii', 7],
    ['phl-livereach', 7],
    ['slc-official', 7],
    ['edi-blip', 7],
    ['ist', 7],
    ['bwi-json', '7'],
  ])('%s publishes %j for seven minutes', (source, wait) => {
    expect(waitOfOneQueue(source, wait)?.[0]).toBe(7)
  })

  it('MIA: the bounds are minutes beside a wait in seconds', () => {
    const bounds = { projectedMinWaitMinutes: 8, projectedMaxWaitMinutes: 12 }
    expect(waitOfOneQueue('sita-mia', 570, bounds)).toEqual([9.5, 8, 12, 'unknown'])
  })

  it.each(['muc-passngr', 'doh-xovis'])('%s: an unknown unit is not guessed', (source) => {
    const { readings, notices } = readOneQueue(source, 7)
    expect(readings).toMatchObject([{ wait_minutes: null, wait_text: expect.stringContaining('7') }])
    expect(notices.map(({ code }) => code)).toEqual(['unit_unknown'])
  })
})

it.each([
  ['minutes', 330],
  ['seconds', 5.5],
])('trap 1: DOH: reads %s once its unit is verified', (unit, minutes) => {
  const context = contextFor('doh-xovis', 'DOH')
  const source = { ...context.source, options: { unit } }
  const { readings, notices } = dohXovis.parse(fixture('doh.json'), { ...context, source })
  expect(readings[0]).toMatchObject({ wait_minutes: minutes, wait_text: null })
  expect(notices).toEqual([])
})

describe('trap 2: ranges and bounds', () => {
  it.each<[string, string, number | null, number | null]>([
    ['cph-azure', '10-15 min', 10, 15],
    ['den-flyfruition', '3-7', 3, 7],
    ['mwaa-dca', '< 5 mins', 0, 5],
    ['cph-azure', '> 20 min', 20, null],
    ['jax-html', 'less than a min', 0, 1],
    ['catsa-html', 'More than 30 min', 30, null],
    ['zrh-security', '1-3', 1, 3],
    ['ham', '5-10 min', 5, 10],
    ['del-dial', '3-5 minutes', 3, 5],
  ])('%s: %j keeps its ends and its text, and gets no middle', (source, text, low, high) => {
    expect(readOneQueue(source, text).readings).toMatchObject([
      { wait_minutes: null, wait_minutes_low: low, wait_minutes_high: high, wait_text: text },
    ])
  })

  it('ARN: only the bound "at least 25 min" of an overflowing queue is used', () => {
    const more = { interval: 'at least 25 min', overflow: true }
    expect(waitOfOneQueue('swedavia-keyless', 960, more)).toEqual([null, 25, null, 'unknown'])
  })

  it('a range with its ends in reverse order gives neither', () => {
    const { readings, notices } = readOneQueue('sita-mia', 570, {
      projectedMinWaitMinutes: 12,
      projectedMaxWaitMinutes: 8,
    })
    expect(readings).toMatchObject([{ wait_minutes: 9.5, wait_minutes_low: null, wait_minutes_high: null }])
    expect(notices.map(({ code }) => code)).toEqual(['band_reversed'])
  })
})

describe('trap 3: no minutes at all', () => {
  it.each(['low', 'medium', 'high', 'severe'])('CLE publishes %s, and no minutes are derived from it', (level) => {
    const { readings } = parseAs('cle-levels', JSON.stringify([{ field_json: { a: level } }]), 'CLE')
    const none = { wait_minutes: null, wait_minutes_low: null, wait_minutes_high: null }
    expect(readings).toMatchObject([{ ...none, wait_text: level, status: 'open' }])
    const { notices } = runChecks(readings, checkContext(sourceById('cle-levels'), FETCHED))
    expect(notices.map(({ code }) => code)).toEqual(['level_without_minutes'])
  })

  it('CLE: minutes are never read from any text', () => {
    const word = fc.oneof(
      fc.constantFrom('low', 'medium', 'high', 'severe', '15', '15 min', 'No Wait', '5-10'),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(fc.record({ a: word, b: word, c: word, apre: word, bpre: word, cpre: word }), (levels) => {
        for (const row of parseAs('cle-levels', JSON.stringify([{ field_json: levels }]), 'CLE').readings)
          expect([row.wait_minutes, row.wait_minutes_low, row.wait_minutes_high]).toEqual([null, null, null])
      }),
    )
  })

  it("the aggregator's constants for CLE are not requested", () => {
    expect(sourceById('fromthetraytable').airports).not.toContain('CLE')
  })
})

describe('trap 4: words in the number field', () => {
  it.each<[string, string, number | null, string]>([
    ['fra-waz', 'closed', null, 'closed'],
    ['fra-waz', '7 min', 7, 'open'],
    ['msp-html', 'Closed', null, 'closed'],
    ['atl-html', 'X', null, 'closed'],
    ['icn-keyless', '-', null, 'open'],
    ['mwaa-dca', 'Opens 4am', null, 'closed'],
    ['den-flyfruition', 'Opens at 03:00', null, 'closed'],
    ['catsa-html', 'Not Available', null, 'unknown'],
    ['bna-html', 'No Wait', 0, 'open'],
    ['bna-html', 'suspended', null, 'closed'],
    ['pdx-tsa', 'soon', null, 'unknown'],
    ['dtw-skyfii', 'closed', null, 'unknown'],
  ])('%s: %j', (source, word, wait, status) => {
    expect(waitOfOneQueue(source, word)).toEqual([wait, null, null, status])
  })

  it('ICN: CL and NP beside a number close the hall', () => {
    for (const gateStts of ['CL', 'NP'])
      expect(waitOfOneQueue('icn-keyless', '9', { gateStts })).toEqual([null, null, null, 'closed'])
  })

  it('PANYNJ: a word in the status closes a queue', () => {
    for (const status of ['Closed', 'suspended'])
      expect(waitOfOneQueue('panynj-graphql', 5, { status })).toEqual([null, null, null, 'closed'])
  })
})

it.each<[string, string, unknown, object, number | null, string]>([
  ['PANYNJ: no wait', 'panynj-graphql', null, { status: 'No Wait', isWaitTimeAvailable: false }, 0, 'unknown'],
  ['PANYNJ: not known', 'panynj-graphql', 0, { status: 'Open', isWaitTimeAvailable: false }, null, 'unknown'],
  ['Swedavia: a real zero', 'swedavia-keyed', 0, {}, 0, 'unknown'],
  ['ORD: closed', 'ord-flychicago', 0, {}, null, 'closed'],
  ['AENA: not known, with a default beside it', 'aena-indoor', 0, { default_wait_s: 240 }, null, 'unknown'],
  ['AMS: the night', 'ams-schiphol', 0, {}, null, 'unknown'],
  ['AMS: its floor', 'ams-schiphol', 60, {}, 1, 'unknown'],
])('trap 5: zero means different things: %s', (_, source, zero, more, wait, status) => {
  expect(waitOfOneQueue(source, zero, more)).toEqual([wait, null, null, status])
})

describe('trap 6: sentinels', () => {
  it.each<[string, unknown, number | null]>([
    ['ord-flychicago', 424_242, null],
    ['lhr-pihub', -1, null],
    ['muc-passngr', -1, null],
    ['dub-dap', '=-3', null],
    ['dub-dap', '=5', 5],
    ['swedavia-keyless', null, null],
  ])('%s: %j', (source, sentinel, wait) => {
    expect(waitOfOneQueue(source, sentinel)).toEqual([wait, null, null, 'unknown'])
  })

  it('ARN: a page without a value gives no row, and never 45 minutes', () => {
    expect(parseAs('swedavia-keyless', '{"queueTimesList":[]}', 'ARN').readings).toEqual([])
  })
})

it.each<[string, unknown, number]>([
  ['ams-schiphol', 11_338, 11_338 / 60],
  ['ams-schiphol', 10_897, 10_897 / 60],
  ['bna-html', '144 minutes', 144],
  ['sita-mia', 178 * 60, 178],
  ['sea-cwt', 101, 101],
  ['panynj-graphql', 119, 119],
])('trap 7: implausible spikes: %s: %j lands as published and is flagged', (source, spike, minutes) => {
  const { readings, context } = readOneQueue(source, spike)
  expect(readings).toMatchObject([{ wait_minutes: minutes }])
  const { flags } = runChecks(readings, checkContext(context.source, FETCHED))
  expect(flags.get(0)).toEqual(['implausible_spike'])
})

it.each([
  ['den-flyfruition', '1-300'],
  ['cph-azure', '5-240 min'],
  ['zrh-security', '100-200'],
])('trap 7: implausible ranges: %s: %j lands as published and is flagged', (source, range) => {
  const { readings, context } = readOneQueue(source, range)
  expect(readings).toMatchObject([{ wait_minutes: null, wait_text: range }])
  const { flags } = runChecks(readings, checkContext(context.source, FETCHED))
  expect(flags.get(0)).toEqual(['implausible_spike'])
})

describe('trap 8: staleness hidden by HTTP 200', () => {
  it('MIA: a row of sixteen months ago is left out', () => {
    const { readings, notices } = readOneQueue('sita-mia', 570, { time: '2025-07-16T20:15:00.000Z' })
    expect([readings, notices.map(({ code }) => code)]).toEqual([[], ['row_too_old']])
  })

  it.each<[string, unknown]>([
    ['phl-livereach', 9],
    ['mwaa-dca', '9 mins'],
    ['msp-html', '9 minutes'],
  ])('%s: a value kept overnight is flagged', (source, wait) => {
    const { readings, context } = readOneQueue(source, wait)
    const earlier = Array.from({ length: 30 }, (_, half) => ({
      observed_at: new Date(Date.parse(FETCHED) - (half + 1) * 1_800_000).toISOString(),
      wait_minutes: 9,
      flagged: false,
    }))
    const recent = new Map(readings.map((row) => [seriesKey(row), earlier]))
    const { flags } = runChecks(readings, checkContext(context.source, FETCHED, { recent }))
    expect(flags.get(0)).toEqual(['frozen'])
  })

  it.each<[string, string, unknown, object]>([
    ['LHR calls it stale', 'lhr-pihub', 5, { isDataStale: true }],
    ['AENA lets it expire', 'aena-indoor', 420, { expires: '2026-11-21T10:02:00Z' }],
    ['SEA lets it run out', 'sea-cwt', 7, { MinutesTillInvalid: 0 }],
  ])('%s, and the reading has no wait', (_, source, wait, more) => {
    expect(waitOfOneQueue(source, wait, more)?.slice(0, 3)).toEqual([null, null, null])
    expect(readOneQueue(source, wait, more).notices.map(({ code }) => code)).toEqual(['source_says_stale'])
  })

  it('CLT: rows that may not be shown are left out, and old rows keep their time', () => {
    expect(waitOfOneQueue('mobi-clt', 600, { isDisplayable: false })).toBeNull()
    const [row] = readOneQueue('mobi-clt', 600, { lastUpdatedTimestamp: 1_745_025_602 }).readings
    expect(freshnessOf((Date.parse(FETCHED) - Date.parse(row?.observed_at ?? '')) / 1_000)).toBe('expired')
  })

  it.each(['den-flyfruition', 'dtw-skyfii', 'pit-azure', 'pdx-tsa', 'slc-official', 'ams-schiphol', 'mwaa-dca'])(
    '%s publishes no time: the fetch time is used and marked',
    (source) => {
      expect(readOneQueue(source, '7').readings).toMatchObject([{ observed_at: FETCHED, observed_at_basis: 'fetch' }])
    },
  )
})
