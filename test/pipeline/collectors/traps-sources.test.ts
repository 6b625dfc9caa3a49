import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { allSources, sourceById } from '../../../config/sources.ts'
import { collectorById } from '../../../pipeline/collectors/index.ts'
import { parseBody } from '../../../pipeline/parsing/parse-body.ts'
import { createHttpClient } from '../../../pipeline/transport/http-client.ts'
import { type LocalSite, openLocalSite, text } from '../local-site.ts'
import { testTransport } from '../test-pipeline.ts'
import { contextFor, fixture, parseAs, sharedFile } from './context.ts'
import { readOneQueue, waitOfOneQueue } from './one-queue-payloads.ts'
import { requestsOf } from './requests-of.ts'

/** Traps 9 to 17 of the source catalogue: clocks, flags, kinds, lanes, names, duplicates, transport, terms. */

const queuesOf = (source: string, name: string, iata: string) =>
  parseAs(source, fixture(name), iata).readings.map((row) =>
    [row.kind, row.terminal, row.checkpoint, row.lane].join('|'),
  )

describe('trap 9: clocks', () => {
  it.each<[string, string, unknown, object, string]>([
    ['PANYNJ: a clock without a date', 'panynj-graphql', 7, { lastUpdated: '4:58 AM' }, '2026-11-21T09:58:00Z'],
    ['PANYNJ: of the evening before', 'panynj-graphql', 7, { lastUpdated: '11:58 PM' }, '2026-11-21T04:58:00Z'],
    ['SEA: /Date(ms)/', 'sea-cwt', 7, { LastUpdated: '/Date(1795255200000)/' }, '2026-11-21T10:00:00Z'],
    ['mobi: unix seconds', 'mobi-iah', 420, { lastUpdatedTimestamp: 1_795_255_200 }, '2026-11-21T10:00:00Z'],
    ['HAM: milliseconds', 'ham', '5-10 min', { lastUpdate: 1_795_255_200_000 }, '2026-11-21T10:00:00Z'],
    [
      'YVR: a long English date in local time',
      'yvr-catsa',
      '420',
      { LastUpdatedDate: 'Saturday, 21 November 2026 03:00:00' },
      '2026-11-21T10:00:00Z',
    ],
    [
      'Zensors: milliseconds',
      'zensors-las',
      7,
      { waitTime: { value: 7, timestamp: 1_795_255_200_000 } },
      '2026-11-21T10:00:00Z',
    ],
  ])('%s', (_, source, wait, more, observed_at) => {
    expect(readOneQueue(source, wait, more).readings).toMatchObject([{ observed_at, observed_at_basis: 'source' }])
  })

  it('HEL: rows of the coming hours are forecasts and are left out', () => {
    const { readings } = parseAs('hel-finavia', fixture('hel.json'), 'HEL')
    expect(readings).toMatchObject([{ wait_minutes: 6.25, observed_at: '2026-11-21T10:00:00Z' }])
    const fetchedAt = (instant: string) => parseAs('hel-finavia', fixture('hel.json'), 'HEL', instant)
    expect(fetchedAt('2026-11-21T07:30:00Z')).toEqual({ readings: [], notices: [] })
    expect(fetchedAt('2026-11-21T10:30:00Z').readings).toMatchObject([{ observed_at: '2026-11-21T10:30:00Z' }])
  })

  it('HEL: a row with an unreadable time, which may be a forecast, is left out', () => {
    const row = { messageDate: '31.02.2026', messageTime: '12:00', averageWaitingTime: 3, securityLaneOpen: true }
    const { readings, notices } = parseAs('hel-finavia', JSON.stringify({ SecDepartureHall: [row] }), 'HEL')
    expect([readings, notices.map(({ code }) => code)]).toEqual([[], ['time_unreadable']])
  })

  it('YYZ: a time without a zone is not used', () => {
    const body = JSON.stringify({ checkpoints: [{ nameEn: 'D', departure: true, lastUpdate: '2026-11-21T05:01:00' }] })
    const { readings, notices } = parseAs('yyz-pearson', body, 'YYZ')
    expect(readings).toMatchObject([{ observed_at_basis: 'fetch' }])
    expect(notices.map(({ code }) => code)).toEqual(['time_unreadable'])
  })

  it.each<[string, string, unknown, object]>([
    ['SEA', 'sea-cwt', 7, { LastUpdated: '/Date(1795257000000)/' }],
    ['PHX', 'aci-phx', 420, { time: '2026-11-21T10:06:00Z' }],
    ['OSL', 'avinor-osl', 420, { lastUpdated: '2026-11-22T10:00:00Z' }],
    ['ICN', 'icn-keyless', '7', { ocrTm: '202612211901' }],
  ])('%s: a row of the future is reported and left out', (_, source, wait, more) => {
    const { readings, notices } = readOneQueue(source, wait, more)
    expect([readings, notices.map(({ code }) => code)]).toEqual([[], ['observed_in_future']])
  })

  it('SEA: the only reading is an hour ahead: its clock is named beside the row', () => {
    const { readings, notices } = readOneQueue('sea-cwt', 7, { LastUpdated: '/Date(1795258800000)/' })
    expect([readings, notices.map(({ code }) => code)]).toEqual([[], ['source_clock_ahead', 'observed_in_future']])
  })

  it('PHX: a clock that is two minutes ahead is tolerated', () => {
    expect(readOneQueue('aci-phx', 420, { time: '2026-11-21T10:05:00Z' }).readings).toHaveLength(1)
  })

  it('MIA: the current row of a queue is used beside a row of the future', () => {
    const row = { queueName: '2 General', projectedWaitTime: 420, time: '2026-11-21T10:01:00Z' }
    const body = JSON.stringify({ current: [row, { ...row, projectedWaitTime: 60, time: '2026-11-21T11:01:00Z' }] })
    expect(parseAs('sita-mia', body, 'MIA').readings).toMatchObject([{ wait_minutes: 7 }])
  })
})

describe('trap 10: success flags lie', () => {
  it('PHX says success:false beside good rows', () => {
    expect(JSON.parse(fixture('aci-phx.json'))).toMatchObject({ success: false })
    expect(parseAs('aci-phx', fixture('aci-phx.json'), 'PHX').readings).toHaveLength(2)
  })

  const dead = sharedFile('samples', 'den-dead-api', 'api.denverairport.com.json')
  it.each(['{"success":true,"msg":"Missing Backfil URL"}', ...(dead === null ? [] : [dead])])(
    'DEN says success:true with none: %s',
    (body) => {
      expect(() => parseAs('den-flyfruition', body, 'DEN')).toThrow(ParseError)
    },
  )
})

describe('trap 11: missing is not zero', () => {
  it.each<[string, string, unknown, object]>([
    ['mobi: isDisplayable', 'mobi-iah', 420, { isDisplayable: false }],
    ['PIT: canDisplayData', 'pit-azure', 7, { canDisplayData: false }],
    ['DEN: hide_lane', 'den-flyfruition', '3-7', { hide_lane: true }],
  ])('%s: no row', (_, source, wait, more) => {
    expect(waitOfOneQueue(source, wait, more)).toBeNull()
  })

  it.each<[string, string, unknown, object]>([
    ['PANYNJ: isWaitTimeAvailable', 'panynj-graphql', 0, { isWaitTimeAvailable: false }],
    ['mobi: waitSeconds', 'mobi-iah', null, {}],
    ['Zensors: 1.5 min beside open:false', 'zensors-las', 1.5, { open: false }],
  ])('%s: no minutes', (_, source, wait, more) => {
    expect(waitOfOneQueue(source, wait, more)?.slice(0, 3)).toEqual([null, null, null])
  })

  it('Zensors: a lane that is missing gives no row', () => {
    expect(readOneQueue('zensors-las', 7).readings.map(({ lane }) => lane)).toEqual(['standard'])
  })
})

describe('trap 12: not security', () => {
  // That each queue lands as its kind is tested on every simulated payload, in expected-readings.test.ts.
  it.each<[string, string, string, RegExp]>([
    ['AMS: transfer filters', 'ams-schiphol', 'ams.json', /AF2|NS-S/],
    ['YYZ: connections', 'yyz-pearson', 'yyz.json', /Connections/],
    ['DEL: entry gates', 'del-dial', 'del.json', /0001|D2D/],
    ['DOH: transfers', 'doh-xovis', 'doh.json', /Transfer/],
  ])('%s are left out', (_, source, name, word) => {
    const iata = sourceById(source).airports[0] ?? ''
    expect(fixture(name)).toMatch(word)
    expect(queuesOf(source, name, iata).join()).not.toMatch(word)
  })

  it('PDX: dwell and occupancy are not waits; PHL: other zones are not checkpoints', () => {
    expect(waitOfOneQueue('pdx-tsa', '8')).toEqual([8, null, null, 'open'])
    const rows = JSON.stringify({
      content: {
        rows: [
          ['6001', 44],
          ['constructor', 9],
        ],
      },
    })
    expect(parseAs('phl-livereach', rows, 'PHL').readings).toEqual([])
  })
})

describe('trap 13: lane vocabulary', () => {
  // test/pipeline/parsing/lanes.test.ts tests the words; this tests how single feeds use them.
  it.each<[string, unknown, object, string[]]>([
    ['mobi-clt', 420, { attributes: { general: false, preCheck: true } }, ['precheck']],
    ['mobi-clt', 420, { attributes: { general: true, preCheck: false } }, ['standard']],
    ['mobi-iah', 420, {}, ['priority']],
    ['pit-azure', 7, { queueId: 'TMP_PreCheck' }, ['precheck']],
    ['sita-mia', 420, { queueName: '9 Clear' }, ['clear']],
    ['panynj-graphql', 7, { queueType: 'TSAPre' }, ['precheck']],
    ['panynj-graphql', 7, { queueType: 'Reg' }, ['standard']],
    ['mobi-clt', 420, { attributes: { general: true, preCheck: true } }, ['all']],
    ['mobi-clt', 420, {}, ['all']],
    ['panynj-graphql', 7, { queueType: 'constructor' }, []],
    ['sita-mia', 420, { queueName: '3 Wheelchair' }, []],
    ['den-flyfruition', '3', { title: 'Touchless' }, []],
    ['pit-azure', 7, { queueId: 'TMP_Pets' }, []],
  ])('%s, %j %j', (source, wait, more, lanes) => {
    const { readings, notices } = readOneQueue(source, wait, more)
    expect(readings.map(({ lane }) => lane)).toEqual(lanes)
    expect(notices.map(({ code }) => code)).toEqual(lanes.length === 0 ? ['lane_unknown'] : [])
  })

  it('SEA: one wait is shared by many lanes; Spot Saver and Visitor Pass are not lanes', () => {
    const options = (...names: string[]) => ({ Options: names.map((Name) => ({ Name, Availability: 'Available' })) })
    const lanes = (...names: string[]) => readOneQueue('sea-cwt', 7, options(...names)).readings.map(({ lane }) => lane)
    expect(lanes('General', 'Pre', 'Spot Saver')).toEqual(['all'])
    expect(lanes('Clear', 'Pre', 'Visitor Pass')).toEqual(['clear', 'precheck'])
  })

  it('a checkpoint of the aggregator names many lanes', () => {
    const checkpoints = [{ name: 'North (TSA PreCheck)', waitMinutes: 4, lanes: ['General', 'CLEAR'], status: 'open' }]
    const body = JSON.stringify({ airport: { code: 'DAL', checkpoints } })
    expect(parseAs('fromthetraytable', body, 'DAL').readings).toMatchObject([{ lane: 'all', checkpoint: 'North' }])
  })
})

// Trap 14, names that carry structure: expected-readings.test.ts compares terminal, checkpoint and lane of every simulated queue.

describe('trap 15: duplicates', () => {
  it('ORD: a checkpoint that the overview repeats gives one row', () => {
    const rows = parseAs('ord-flychicago', fixture('ord.json'), 'ORD').readings
    const twice = rows.filter((row) => row.checkpoint === 'Checkpoint 5' && row.lane === 'standard')
    expect(twice.map((row) => row.wait_minutes)).toEqual([9.5])
  })

  it('PANYNJ: only one of its two services with the same rows is active', () => {
    const active = allSources().filter(({ id, active }) => active && /^panynj-(graphql|rest)$/.test(id))
    expect(active.map(({ id }) => id)).toEqual(['panynj-graphql'])
  })
})

describe('trap 16: content types and transport', () => {
  let site: LocalSite
  beforeAll(async () => {
    site = await openLocalSite()
  })
  afterAll(() => site.close())

  it('SLC: JSON served as HTML is read', () => {
    const context = { ...contextFor('slc-official', 'SLC'), content_type: 'text/html; charset=UTF-8' }
    const parsed = parseBody(collectorById('slc-official'), Buffer.from(fixture('slc.json')), context)
    expect(parsed.readings).toContainEqual(expect.objectContaining({ wait_minutes: 9 }))
  })

  it('ICN: an error in XML is a ParseError', () => {
    const error =
      '<OpenAPI_ServiceResponse><cmmMsgHeader><errMsg>SERVICE ERROR</errMsg></cmmMsgHeader></OpenAPI_ServiceResponse>'
    expect(() => parseAs('icn-datagokr', error, 'ICN')).toThrow(ParseError)
  })

  it('DCA: JSON is requested, and HTML is rejected', () => {
    expect(requestsOf('mwaa-dca')[0]?.headers).toMatchObject({ Accept: 'application/json' })
    expect(() => parseAs('mwaa-dca', '<!doctype html><h1>Security wait times</h1>', 'DCA')).toThrow(ParseError)
  })

  it('DTW is allowed over 31 s; YYC is requested at port 8091', () => {
    expect(requestsOf('dtw-skyfii')[0]?.timeout_ms).toBeGreaterThan(31_000)
    expect(new URL(requestsOf('yyc-rms')[0]?.url ?? '').port).toBe('8091')
  })

  it('SLC: where TLS fails, nothing is read and nothing is requested without TLS', async () => {
    const fetcher = createHttpClient({ version: '1', contact: 'x@example.org', retries: 0 })
    const request = {
      url: `${site.url.replace('http:', 'https:')}/ajaxtsa`,
      method: 'GET' as const,
      headers: {},
      body: null,
      iata: null,
    }
    await expect(fetcher.fetch(request, sourceById('slc-official'), null)).rejects.toMatchObject({ name: 'FetchError' })
    expect(site.seen).toEqual([])
  })

  it.each([
    ['bwi-json', 504, 'FETCH_FAILED'],
    ['sea-cwt', 503, 'FETCH_FAILED'],
    ['sita-mia', 403, 'FETCH_REFUSED'],
    ['mobi-mco', 401, 'FETCH_REFUSED'],
    ['lax-html', 404, 'FETCH_FAILED'],
  ])('%s: status %d is an error with a code', async (source, status, code) => {
    const [request] = requestsOf(source, { api_key: 'made-up', api_version: '1' })
    if (request === undefined) throw new Error('there is no request')
    const { host, pathname } = new URL(request.url)
    site.pages.set(`/${host}${pathname}`, text('', 'text/html', status))
    const doors = testTransport(site.url, { retries: 0 })
    await expect(doors.fetch(request, sourceById(source), null)).rejects.toMatchObject({ code, status })
  })

  it.each(['sita-mia', 'mobi-mco'])(
    '%s: a rotating key is learned at run time, not kept in the catalogue',
    (source) => {
      expect(collectorById(sourceById(source).collector).learn).toBeDefined()
    },
  )
})

describe('trap 17: blocking and terms', () => {
  it.each([
    ['syd', /terms.*forbid automated retrieval/],
    ['bkk-sawasdee', /no public address/],
    ['swedavia-keyed', /HOLDSHORT_SWEDAVIA_KEY/],
    ['kac-process-time', /HOLDSHORT_DATA_GO_KR_KEY/],
    ['icn-datagokr', /key of data\.go\.kr/],
    ['lax-html', /refused|gone/],
    ['mytsa-dead', /ended/],
  ])('%s is off', (source, why) => {
    expect(sourceById(source)).toMatchObject({ active: false, why_off: expect.stringMatching(why) })
  })

  it.each([
    ['lhr-pihub', { Origin: 'https://www.heathrow.com' }],
    ['dus-sitecore', { 'X-Requested-With': 'XMLHttpRequest' }],
    ['mwaa-iad', { Accept: 'application/json', 'X-Requested-With': 'XMLHttpRequest' }],
    ['ist', { Referer: 'https://www.istairport.com/' }],
    ['yyc-rms', { Origin: 'https://www.yyc.com', Referer: 'https://www.yyc.com/' }],
  ])('%s is requested with the headers of its own page', (source, headers) => {
    expect(requestsOf(source)[0]?.headers).toMatchObject(headers)
  })

  it('ATL is read by a browser and from its airline; DEN from its widget, not from its page', () => {
    expect(collectorById(sourceById('atl-html').collector).transport).toBe('browser')
    expect(sourceById('delta-newshub').airports).toContain('ATL')
    expect(new URL(sourceById('den-flyfruition').url).host).not.toMatch(/flydenver/)
  })

  it('BER: no request disguises its sender', () => {
    for (const source of allSources().filter(({ active }) => active))
      for (const request of requestsOf(source.id))
        expect(Object.keys(request.headers).join().toLowerCase(), source.id).not.toMatch(/user-agent|forwarded/)
  })
})
