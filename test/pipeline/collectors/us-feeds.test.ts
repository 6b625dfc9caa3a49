import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { allSources, sourceById } from '../../../config/sources.ts'
import { runChecks } from '../../../pipeline/checks/index.ts'
import { aci, keyInScript } from '../../../pipeline/collectors/aci.ts'
import { keysInScript, mobi } from '../../../pipeline/collectors/mobi.ts'
import { keysInFrame, zensors } from '../../../pipeline/collectors/zensors.ts'
import { parseCsv } from '../../../pipeline/parsing/csv.ts'
import { checkContext } from '../checks/check-context.ts'
import { contextFor, FETCHED, fixture, parseAs, sharedFile } from './context.ts'
import { readingLine, requestsOf } from './feed-tests.ts'

const parse = (levels: unknown) => parseAs('cle-levels', JSON.stringify([{ field_json: levels }]), 'CLE')
const levels = ({ readings }: ReturnType<typeof parse>) =>
  readings.map((row) => [row.checkpoint, row.lane, row.wait_text, row.status])

it('keeps levels as text, from an object or the JSON text of one', () => {
  const expected = [
    ['A', 'all', 'low', 'open'],
    ['B', 'all', 'severe', 'open'],
    ['B', 'precheck', 'medium', 'open'],
    ['C', 'all', 'closed', 'closed'],
  ]
  const fromText = parseAs('cle-levels', fixture('cle.json'), 'CLE')
  expect(levels(fromText)).toEqual(expected)
  expect(fromText.notices).toEqual([])
  const { notices } = runChecks(fromText.readings, checkContext(contextFor('cle-levels', 'CLE').source, FETCHED))
  expect(notices.map(({ code, value }) => [code, value])).toEqual([['level_without_minutes', 'low, severe, medium']])
  expect(levels(parse(JSON.parse(JSON.parse(fixture('cle.json'))[0].field_json)))).toEqual(expected)
})

it('leaves the status of an unknown level unknown', () => {
  const read = parse({ a: 'purple', b: {} })
  expect(levels(read)).toEqual([
    ['A', 'all', 'purple', 'unknown'],
    ['B', 'all', null, 'unknown'],
  ])
  expect(read.notices.map(({ code }) => code)).toEqual(['wait_text_unknown', 'wait_text_unknown'])
})

it('never reads minutes from any text', () => {
  const word = fc.oneof(
    fc.constantFrom('low', 'medium', 'high', 'severe', '15', '15 min', 'No Wait', '5-10'),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(fc.record({ a: word, b: word, c: word, apre: word, bpre: word, cpre: word }), (levels) => {
      for (const row of parse(levels).readings)
        expect([row.wait_minutes, row.wait_minutes_low, row.wait_minutes_high]).toEqual([null, null, null])
    }),
  )
})

const payload = (rows: unknown[], list = 'wait_times') => JSON.stringify({ data: { [list]: rows } })
const row = { name: 'Checkpoint 1', lane: 'main', isOpen: true, isDisplayable: true, waitSeconds: 90 }

it('reads the ends of a range in seconds', () => {
  const [read] = parseAs('mobi-mco', payload([{ ...row, minWaitSeconds: 60, maxWaitSeconds: 180 }]), 'MCO').readings
  expect([read?.wait_minutes, read?.wait_minutes_low, read?.wait_minutes_high]).toEqual([1.5, 1, 3])
})

it('keeps the opening hours of a row as the words of its source, where they are two clocks', () => {
  const hours = [
    { ...row, lane: 'General', openTime: '04:00', closeTime: '20:00' },
    { ...row, lane: 'Priority', openTime: '04:00-12:00', closeTime: '20:00' },
    { ...row, lane: 'TSA Pre', openTime: null, closeTime: null },
  ]
  const { readings, notices } = parseAs('mobi-dfw', payload(hours), 'DFW')
  expect(readings.map(({ wait_text }) => wait_text)).toEqual(['Open 04:00 - 20:00', null, null])
  expect(notices).toEqual([])
})

it('sends the learned key and version, and none that were not learned', () => {
  const requestHeaders = (learnedKeys: Record<string, string>) =>
    mobi.request({
      source: sourceById('mobi-mco'),
      airports: ['MCO'],
      now: 0,
      learned_keys: learnedKeys,
      icaoOf: () => null,
    })[0]?.headers
  expect(requestHeaders({ api_key: 'learned-key', api_version: '140' })).toMatchObject({
    'api-key': 'learned-key',
    'api-version': '140',
  })
  expect(Object.keys(requestHeaders({}) ?? {})).not.toContain('api-key')
  for (const source of allSources()) expect(JSON.stringify(source.options)).not.toMatch(/[0-9a-f]{32}/i)
})

it.each([
  ['headers:{"api-key":"made-up-key-1","api-version":"140"}', { api_key: 'made-up-key-1', api_version: '140' }],
  ["h={'Api-Version':'120',Accept:'x','Api-Key':'MADEUPKEY2'}", { api_key: 'MADEUPKEY2', api_version: '120' }],
  ['clientId:"somebody-else",secret:"not-for-us"', null],
  [`"api-key":"made-up-key-3"${' '.repeat(900)}"api-version":"9"`, null],
])('learns key and version from a script: %s', (script, expected) => {
  expect(keysInScript(script)).toEqual(expected)
})

const LAS = sharedFile('samples-constructed', 'zensors-las-excerpt', 'LAS-2026-05-18.init-excerpt.json')
const answer = (paths: unknown) => JSON.stringify([{ result: { data: { paths } } }])

it('sends one request per journey, with the slug and token of the frame', () => {
  const requests = requestsOf('zensors-las', { slug: 'made-up', token: 'made-up-token' })
  expect(requests.map(({ iata }) => iata)).toEqual(['LAS', 'LAS', 'LAS', 'LAS'])
  expect(requestsOf('zensors-bos')).toHaveLength(7)
  const input = JSON.parse(new URL(requests[1]?.url ?? '').searchParams.get('input') ?? '')
  expect(input).toEqual({ 0: { journey: 'tN8G8AV9D', slug: 'made-up', domainSlug: 'LAS', token: 'made-up-token' } })
})

it('names the checkpoint of the request', () => {
  const context = contextFor('zensors-las', 'LAS')
  const [, , , last] = requestsOf('zensors-las')
  const read = (url: string) => zensors.parse(fixture('zensors.json'), { ...context, url }).readings[0]?.checkpoint
  expect(read(last?.url ?? '')).toBe('T3 - D/E Gates')
  expect(() => read('https://embed.zensors.live/?input=%7B%220%22%3A%7B%22journey%22%3A%22other%22%7D%7D')).toThrow(
    ParseError,
  )
})

it('reports bad lanes and reads the others', () => {
  const { readings, notices } = parseAs('zensors-las', answer({ pets: {}, standard: 4 }), 'LAS')
  expect(readings).toEqual([])
  expect(notices.map(({ code }) => code)).toEqual(['lane_unknown', 'row_unreadable'])
})

it('learns slug and token from the frame of the page', () => {
  const frame = '<iframe src="https://embed.zensors.live/LAS/made-up/waitTimeExplorer?token=made-up-token"></iframe>'
  expect(keysInFrame(frame)).toEqual({ slug: 'made-up', token: 'made-up-token' })
  expect(
    keysInFrame('<iframe src="https://embed.zensors.live/LAS/made-up/journeyPlanner?token=other"></iframe>'),
  ).toBeNull()
})

it.skipIf(LAS === null)('reads the values of LAS, and knows its journeys', () => {
  const { journeys, initialJourneyData } = JSON.parse(LAS ?? '{}')
  const { readings } = parseAs('zensors-las', answer(initialJourneyData.paths), 'LAS')
  expect(readings.map((row) => [row.lane, row.wait_minutes])).toEqual([
    ['standard', 1.5],
    ['precheck', 1],
  ])
  const known = String(contextFor('zensors-las', 'LAS').source.options.journeys)
  for (const [id, { name }] of Object.entries<{ name: string }>(journeys)) expect(known).toContain(`${id}=${name}`)
})

describe('slc-official', () => {
  const CAPTURES = ['2026-04-05_0858', '2026-04-06_0455', '2026-04-06_0547', '2026-04-07_0453', '2026-04-07_0820']
  const POLLS = sharedFile('samples', 'slc-official', 'waittimes.csv')
  const parse = (answer: object) => parseAs('slc-official', JSON.stringify(answer), 'SLC')

  it('reads one number for the airport, and the status of PreCheck lanes', () => {
    const { readings, notices } = parseAs('slc-official', fixture('slc.json'), 'SLC')
    expect(notices).toEqual([])
    expect(readings.map((row) => [...readingLine(row), row.wait_text])).toEqual([
      ['', '', 'standard', 9, null, null, 'unknown', '8 minutes and 30 seconds'],
      ['Terminal 1', 'Checkpoint 1', 'precheck', null, null, null, 'open', null],
      ['Terminal 1', 'Checkpoint 2', 'precheck', null, null, null, 'closed', null],
    ])
    expect(readings.every((row) => row.observed_at_basis === 'fetch')).toBe(true)
  })

  it('reads no wait when the number is missing: the estimate for the hour is not an observation', () => {
    const { rightnow: _, ...rest } = JSON.parse(fixture('slc.json'))
    expect(parse(rest).readings[0]?.wait_minutes).toBeNull()
  })

  it('reports bad parts, reads the others and leaves out other airports', () => {
    const { readings, notices } = parse({
      code: 'SLC',
      rightnow: 'soon',
      precheck_checkpoints: { 'Terminal 1': 'Open', 'Terminal 2': { North: 'Perhaps' } },
    })
    expect(readings.map((row) => [row.wait_minutes, row.status])).toEqual([
      [null, 'unknown'],
      [null, 'unknown'],
    ])
    expect(notices.map(({ code }) => code)).toEqual(['value_not_a_number', 'row_unreadable'])
    expect(parse({ code: 'LAX', rightnow: 4 })).toMatchObject({
      readings: [],
      notices: [{ code: 'airport_unexpected' }],
    })
  })

  it.skipIf(POLLS === null).each(CAPTURES)('reads the capture of %s as its poller did', (name) => {
    const polls = parseCsv(POLLS ?? '')
    const poll = polls.find((row) => row.timestamp_mt?.startsWith(name.replace(/_(\d\d)(\d\d)$/, ' $1:$2')))
    const { readings, notices } = parseAs(
      'slc-official',
      sharedFile('samples', 'slc-official', `${name}.json`) ?? '',
      'SLC',
    )
    expect(notices).toEqual([])
    expect(String(readings[0]?.wait_minutes)).toBe(poll?.rightnow)
    expect(readings.slice(1).map((row) => row.status)).toEqual(
      [poll?.precheck_cp1, poll?.precheck_cp2].map((word) => word?.toLowerCase()),
    )
  })
})

describe('aci', () => {
  const SANDBOX = sharedFile('samples', 'sita-aci-sandbox', 'DXB-mock.json')
  const PHX = sharedFile('samples', 'phx-and-qsensor-2026-04-30', 'data.json')
  const payload = (rows: unknown[]) => JSON.stringify({ success: true, current: rows })

  describe.skipIf(PHX === null)('the queues of PHX on 2026-04-30', () => {
    it('have known lanes', () => {
      const published: { name: string; waitMinutes: number }[] = JSON.parse(PHX ?? '{}').PHX.data
      const rows = published.map(({ name, waitMinutes }) => ({
        queueName: name,
        projectedWaitTime: waitMinutes * 60,
        time: '2026-04-30T19:21:00Z',
      }))
      const { readings, notices } = parseAs('aci-phx', payload(rows), 'PHX', '2026-04-30T19:22:00Z')
      expect(notices).toEqual([])
      expect(readings.map((one) => [one.terminal, one.lane, one.wait_minutes])).toEqual([
        ['3', 'standard', 10],
        ['4', 'standard', 11],
        ['4', 'standard', 11],
        ['4', 'standard', 10],
        ['4', 'standard', 9],
      ])
    })
  })

  describe('the keys of the aci family', () => {
    it('are sent in the header or the address of the member, and not at all when none was learned', () => {
      const learnedKeys = { api_key: 'made-up-key-1' }
      expect(requestsOf('sita-mia', learnedKeys)[0]?.headers['x-apikey']).toBe('made-up-key-1')
      expect(requestsOf('aci-phx', learnedKeys)[0]?.url).toBe(
        'https://api.phx.aero/avn-wait-times/raw?Key=made-up-key-1',
      )
      expect(JSON.stringify(requestsOf('bwi-json', learnedKeys))).not.toContain('made-up-key-1')
      expect(Object.keys(requestsOf('sita-mia')[0]?.headers ?? {})).not.toContain('x-apikey')
      expect(requestsOf('aci-phx')[0]?.url).not.toContain('Key')
    })

    it.each([
      [`xhr.setRequestHeader("x-apikey", "made-up-key-1")`, { api_key: 'made-up-key-1' }],
      [`headers:{"X-APIKey":"made-up-key-2"}`, { api_key: 'made-up-key-2' }],
      [`fetch("https://api.phx.aero/avn-wait-times/raw?Key=madeupkey3")`, { api_key: 'madeupkey3' }],
      [`{"apikey":"somebody-else"}`, null],
    ])('are learned from a script: %s', (script, expected) => {
      expect(keyInScript(script)).toEqual(expected)
    })

    it("are learned from the address of the page's request", () => {
      const fromUrl = aci.learn?.fromUrl
      expect(fromUrl?.('https://api.phx.aero/avn-wait-times/raw?Key=made-up-key-4')).toEqual({
        api_key: 'made-up-key-4',
      })
      expect(fromUrl?.('https://api.phx.aero/avn-wait-times/raw')).toBeNull()
    })
  })

  describe.skipIf(SANDBOX === null)("SITA's own example", () => {
    it('is read in its units', () => {
      const { readings, notices } = parseAs(
        'sita-mia',
        (SANDBOX ?? '').replace('Mock Data', 'General'),
        'MIA',
        '2016-10-14T09:00:00Z',
      )
      expect(notices).toEqual([])
      expect(readings.map(readingLine)).toEqual([
        ['', 'DXB Airside North Security Checkpoint', 'standard', 60, 4, 8, 'unknown'],
      ])
    })
  })
})
