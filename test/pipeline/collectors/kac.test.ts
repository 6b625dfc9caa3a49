import { expect, test } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { sourceById } from '../../../config/sources.ts'
import { kacProcessTime } from '../../../pipeline/collectors/kac.ts'
import { fixture, parseAs } from './context.ts'

/** 19:03 in Korea. */
const rowsOf = (source: string, body: string) => parseAs(source, body, null)

const processTimes = rowsOf('kac-process-time', fixture('kac-process-time.json'))

test('process times: the span of security in minutes; none of an hour without flights', () => {
  expect(
    processTimes.readings.map(({ iata, terminal, wait_minutes, observed_at }) => [
      iata,
      terminal,
      wait_minutes,
      observed_at,
    ]),
  ).toEqual([
    ['GMP', 'Domestic', 7, '2026-11-21T10:00:00Z'],
    ['CJU', 'Domestic', null, '2026-11-21T10:00:00Z'],
    ['TAE', 'Domestic', null, '2026-11-21T10:00:00Z'],
    ['CJJ', 'Domestic', 0, '2026-11-21T09:00:00Z'],
  ])
  expect(processTimes.readings.every(({ status }) => status === 'unknown')).toBe(true)
  expect(processTimes.notices.map(({ code, iata }) => [code, iata])).toEqual([['airport_unexpected', null]])
})

test('the older form of the time is the hour alone: the newest that has begun', () => {
  const at = (hour: string) => {
    const item = { IATA_APCD: 'GMP', PRC_HR: hour, OPR_STS_CD: '1', STY_TCT_AVG_B: '60' }
    return rowsOf('kac-process-time', answer({ item })).readings[0]?.observed_at
  }
  expect([at('19'), at('7'), at('20')]).toEqual([
    '2026-11-21T10:00:00Z',
    '2026-11-20T22:00:00Z',
    '2026-11-20T11:00:00Z',
  ])
})

const answer = (items: unknown) =>
  JSON.stringify({ response: { header: { resultCode: '00', resultMsg: 'OK' }, body: { items } } })

test('one row is an object, and none an empty text, at either level', () => {
  const item = { IATA_APCD: 'PUS', PRC_HR: '2026-11-21 19:00', OPR_STS_CD: '1', STY_TCT_AVG_B: '90' }
  expect(rowsOf('kac-process-time', answer({ item })).readings).toMatchObject([{ iata: 'PUS', wait_minutes: 1.5 }])
  for (const items of ['', { item: '' }, { item: [] }, null])
    expect(rowsOf('kac-process-time', answer(items))).toEqual({ readings: [], notices: [] })
})

test('of two rows of an airport the newer is read', () => {
  const row = (PRC_HR: string, seconds: string) => ({
    IATA_APCD: 'PUS',
    PRC_HR,
    OPR_STS_CD: '1',
    STY_TCT_AVG_B: seconds,
  })
  const item = [row('2026-11-21 18:55', '480'), row('2026-11-21 19:00', '420')]
  const { readings, notices } = rowsOf('kac-process-time', answer({ item }))
  expect(readings.map(({ wait_minutes }) => wait_minutes)).toEqual([7])
  expect(notices.map(({ code, iata }) => [code, iata])).toEqual([['row_superseded', 'PUS']])
})

test('an error of the portal is told in its words, as XML with status 200 or in the envelope', () => {
  const xml =
    '<OpenAPI_ServiceResponse><cmmMsgHeader><errMsg>SERVICE ERROR</errMsg><returnAuthMsg>SERVICE_KEY_IS_NOT_REGISTERED_ERROR</returnAuthMsg></cmmMsgHeader></OpenAPI_ServiceResponse>'
  const read = (body: string) => () => rowsOf('kac-process-time', body)
  expect(read(xml)).toThrow(/SERVICE ERROR, SERVICE_KEY_IS_NOT_REGISTERED_ERROR/)
  const refused = { response: { header: { resultCode: '22', resultMsg: 'LIMITED NUMBER OF SERVICE REQUESTS' } } }
  expect(read(JSON.stringify(refused))).toThrow(/LIMITED NUMBER/)
  expect(read('<html>')).toThrow(ParseError)
})

test('congestion: the level of the span of security as words, never as minutes', () => {
  const { readings, notices } = rowsOf('kac-congestion', fixture('kac-congestion.json'))
  expect(readings.map(({ iata, wait_text, wait_minutes }) => [iata, wait_text, wait_minutes])).toEqual([
    ['GMP', 'crowded', null],
    ['PUS', null, null],
    ['CJU', 'very crowded', null],
    ['TAE', null, null],
    ['CJJ', null, null],
  ])
  expect(notices.map(({ code, value, iata }) => [code, value, iata])).toEqual([['wait_text_unknown', '7', 'CJJ']])
})

test('asks both versions, with the key of the operator encoded once', () => {
  const urls = (learned_keys: Record<string, string>) =>
    kacProcessTime
      .request({ source: sourceById('kac-process-time'), airports: [], now: 0, learned_keys, icaoOf: () => null })
      .map(({ url }) => url)
  const address = 'https://apis.data.go.kr/B551178/airport-process-time'
  expect(urls({ operator_key: 'a+b/c==' })).toEqual([
    `${address}/v1?serviceKey=a%2Bb%2Fc%3D%3D&type=json&numOfRows=100&pageNo=1`,
    `${address}/v2?serviceKey=a%2Bb%2Fc%3D%3D&type=json&numOfRows=100&pageNo=1`,
  ])
  expect(urls({})[0]).toBe(`${address}/v1?type=json&numOfRows=100&pageNo=1`)
})

test('stays within the calls of a free key, and is off until the operator has one', () => {
  for (const id of ['kac-process-time', 'kac-congestion']) {
    const { cadence_seconds, active, why_off, attribution } = sourceById(id)
    expect((2 * 86_400) / cadence_seconds).toBeLessThan(5_000)
    expect([active, why_off]).toEqual([false, expect.stringContaining('HOLDSHORT_DATA_GO_KR_KEY')])
    expect(attribution).toContain('한국공항공사')
  }
})
