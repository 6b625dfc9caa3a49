import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { allSources, sourceById } from '../../../config/sources.ts'
import { keysInScript, mobi } from '../../../pipeline/collectors/mobi.ts'
import { fixture, parseAs, sharedFile } from './context.ts'

const payload = (rows: unknown[], list = 'wait_times') => JSON.stringify({ data: { [list]: rows } })
const row = { name: 'Checkpoint 1', lane: 'main', isOpen: true, isDisplayable: true, waitSeconds: 90 }

describe('mobi', () => {
  it('reads seconds as unrounded minutes, and lanes from every field that holds them', () => {
    const { readings, notices } = parseAs('mobi-iah', fixture('mobi-iah.json'), 'IAH')
    expect(notices).toEqual([])
    expect(
      readings.map((one) => [one.kind, one.terminal, one.checkpoint, one.lane, one.wait_minutes, one.status]),
    ).toEqual([
      ['security', 'A', 'IAH Terminal A North', 'standard', 4.5, 'open'],
      ['security', 'A', 'IAH Terminal A North', 'precheck', 1, 'open'],
      ['security', 'C', 'IAH Terminal C North', 'priority', null, 'open'],
      ['security', 'E', 'IAH Terminal E', 'standard', null, 'closed'],
      ['immigration', '', "Int'l Arrivals Customs Checkpoint", 'all', 25, 'open'],
    ])
    expect(readings[0]).toMatchObject({
      observed_at: '2026-11-21T10:00:00Z',
      observed_at_basis: 'source',
    })
  })

  it("reads CLT's attributes, and CVG's other list", () => {
    const clt = [
      { ...row, attributes: { general: true, preCheck: false } },
      { ...row, attributes: { general: false, preCheck: true } },
      { ...row, name: 'Checkpoint 2', attributes: { general: true, preCheck: true } },
      { ...row, name: 'Checkpoint 3' },
    ]
    expect(parseAs('mobi-clt', payload(clt), 'CLT').readings.map((one) => one.lane)).toEqual([
      'standard',
      'precheck',
      'all',
      'all',
    ])
    const cvg = parseAs('mobi-cvg', payload([{ ...row, lane: 'pre' }], 'checkpoints'), 'CVG')
    expect(cvg.readings.map((one) => [one.lane, one.wait_minutes])).toEqual([['precheck', 1.5]])
    expect(() => parseAs('mobi-cvg', payload([row]), 'CVG')).toThrow(ParseError)
  })

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

  it('accepts an empty list, and rejects anything that is not a list', () => {
    expect(parseAs('mobi-mco', payload([]), 'MCO')).toEqual({ readings: [], notices: [] })
    for (const body of ['<html>', '{"data":null}', '{"data":{"wait_times":{}}}', '[]'])
      expect(() => parseAs('mobi-mco', body, 'MCO')).toThrow(ParseError)
  })

  it('reports unreadable values and reads the others', () => {
    const bad = [
      'word',
      { ...row, lane: 'Wheelchair' },
      { ...row, waitSeconds: 'soon', lane: 'General' },
      { ...row, waitSeconds: 424_242, lane: 'Priority' },
      { ...row, lastUpdatedTimestamp: 'now', lane: 'TSA Pre' },
    ]
    const { readings, notices } = parseAs('mobi-dfw', payload(bad), 'DFW')
    expect(readings.map((one) => [one.lane, one.wait_minutes])).toEqual([
      ['standard', null],
      ['priority', null],
      ['precheck', 1.5],
    ])
    expect(notices.map((notice) => notice.code)).toEqual([
      'row_unreadable',
      'lane_unknown',
      'value_not_a_number',
      'wait_out_of_range',
      'time_unreadable',
    ])
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

  it
    .skipIf(sharedFile('samples-constructed', 'documented-shapes', 'MCO.json.txt') === null)
    .each(['MCO', 'CLT', 'DFW'])('reads the documented shape of %s', (iata) => {
    const text = sharedFile('samples-constructed', 'documented-shapes', `${iata}.json.txt`)
    if (text === null) return
    const { readings, notices } = parseAs(`mobi-${iata.toLowerCase()}`, text.replace('[ ... ]', '[]'), iata)
    expect(notices).toEqual([])
    const closed = iata === 'DFW'
    const minutes = { MCO: 4, CLT: 3, DFW: null }[iata]
    expect(readings.map((one) => [one.lane, one.wait_minutes, one.status])).toEqual([
      ['standard', minutes, closed ? 'closed' : 'open'],
    ])
  })
})
