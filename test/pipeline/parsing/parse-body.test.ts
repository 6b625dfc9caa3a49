import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { sourceById } from '../../../config/sources.ts'
import { collectorById } from '../../../pipeline/collectors/index.ts'
import { parseBody, parseContext } from '../../../pipeline/parsing/parse-body.ts'
import { contextFor, fixture } from '../collectors/context.ts'

const read = (source: string, iata: string, body: Uint8Array, content_type: string | null = null) =>
  parseBody(collectorById(sourceById(source).collector), body, { ...contextFor(source, iata), content_type })

describe('parseBody', () => {
  it('reads rows that a feed still names by a former code, and captures that were requested under it', () => {
    const row =
      '{"AirportCode":"PBI","TerminalName":"Main","FlightDate":"2026-08-01","HourRange":"1000 - 1100","AverageWait":"9"}'
    const capture = { iata: 'PBI', url: 'https://awt.cbp.gov', content_type: null, fetched_at: '2026-08-12T20:18:00Z' }
    const context = parseContext(sourceById('cbp-awt'), capture)
    const collector = collectorById('cbp-awt')
    const { readings } = parseBody(collector, Buffer.from(`{"Items":[${row}]}`), context)
    expect(readings).toMatchObject([{ iata: 'DJT' }])
    const codes = ['DJT', 'PBI', 'KPBI', 'KDJT', 'UTTT', 'YYZ', 'EDDT', 'QQQ'].map(context.iataOf)
    expect(codes).toEqual(['DJT', 'DJT', 'DJT', 'DJT', 'TAS', 'YYZ', null, null])
  })

  it('decodes by the charset of the page', () => {
    const page = fixture('catsa-yyz.html').replace('<body>', '<meta charset="iso-8859-1"><body>')
    const body = Buffer.from(page.replace('T1 Canada Level 3', 'T1 Intérieur'), 'latin1')
    expect(read('catsa-html', 'YYZ', body, 'text/html').readings[0]).toMatchObject({ checkpoint: 'T1 Intérieur' })
  })

  it.each([
    ['sea-cwt', 'SEA', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['edi-blip', 'EDI', `{"minutes":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['jax-html', 'JAX', '<div>'.repeat(3_000)],
    ['sfo-html', 'SFO', `<table class="flysfo-checkpoints-table">${'<b>'.repeat(8_000)}`],
    ['faa-nas-status', null, `<AIRPORT_STATUS_INFORMATION>${'<a>'.repeat(20_000)}`],
    ['awc-metar', null, `[{"icaoId":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`],
  ])('%s: a body nested deeper than the call stack is a ParseError or is read', (source, iata, body) => {
    const context = contextFor(source, iata)
    const parse = () => parseBody(collectorById(sourceById(source).collector), Buffer.from(body), context)
    try {
      expect(parse().readings.every((row) => row !== null)).toBe(true)
    } catch (error) {
      expect(error).toBeInstanceOf(ParseError)
    }
  })

  /** As many of a piece as a body may have bytes. */
  const full = (piece: string, before = '', after = '') => before + piece.repeat(5_000_000 / piece.length) + after
  const page = (piece: string) => full(piece, '<html><body>', '</body></html>')
  const seattle = (count: number, row: (index: number) => unknown) =>
    JSON.stringify(Array.from({ length: count }, (_, index) => row(index)))

  it.each<[string, string, string | null, string, RegExp]>([
    ['a million elements in each other', 'jax-html', 'JAX', page('<div>'), /over 2000 elements deep/],
    ['the same with end tags of others', 'jax-html', 'JAX', page('<div></x>'), /over 2000 elements deep/],
    ['a million elements that end by themselves', 'jax-html', 'JAX', page('<p>'), /over 100000 elements/],
    ['a million cells', 'jax-html', 'JAX', page('<td>7'), /over 100000 elements/],
    ['a million elements of XML', 'faa-nas-status', null, full('<a/>', '<b>', '</b>'), /over 50000 elements/],
    ['a million rows', 'sea-cwt', 'SEA', `[${full('0,')}0]`, /has 2500001 rows; over 50000/],
    ['a thousand queues', 'sea-cwt', 'SEA', seattle(1_000, (Name) => ({ Name })), /names 1000 queues of SEA/],
    ['nothing', 'sea-cwt', 'SEA', '', /the answer has no content/],
    ['nothing to see', 'jax-html', 'JAX', ' \r\n\0', /the answer has no content/],
  ])('%s is a ParseError at once, within little memory', (_, source, iata, body, message) => {
    const bytes = Buffer.from(body)
    const before = process.memoryUsage()
    const started = process.cpuUsage()
    expect(() => read(source, iata ?? '', bytes)).toThrow(message)
    const { user, system } = process.cpuUsage(started)
    expect((user + system) / 1_000).toBeLessThan(2_000)
    expect(process.memoryUsage().rss - before.rss).toBeLessThan(400_000_000)
  })

  it('keeps the first of very many notices, and says how many there were', () => {
    const { notices } = read('sea-cwt', 'SEA', Buffer.from(seattle(5_000, () => 0)))
    expect([notices.length, notices.at(-1)]).toEqual([
      501,
      expect.objectContaining({ code: 'notices_cut', value: '5000' }),
    ])
  })

  it.each([
    '1e400',
    '-1e400',
    '"Infinity"',
    '"NaN"',
    '"0x10"',
    '"1e1"',
    '{"valueOf":7}',
    '[7]',
    '9'.repeat(400),
    `"${'9'.repeat(400)}"`,
  ])('reads no wait from %s', (value) => {
    const body = `[{"Name":"2","IsOpen":true,"WaitTimeMinutes":${value}}]`
    const { readings, notices } = read('sea-cwt', 'SEA', Buffer.from(body))
    expect(readings).toMatchObject([{ checkpoint: '2', wait_minutes: null }])
    expect(notices.map(({ code }) => code)).toEqual([expect.stringMatching(/value_not_a_number|wait_out_of_range/)])
  })

  it('takes names and keys of JavaScript itself as data', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    const body = `[${names.map((name) => `{"__proto__":{"IsOpen":true},"constructor":1,"Name":"${name}","WaitTimeMinutes":7}`).join(',')}]`
    const { readings } = read('sea-cwt', 'SEA', Buffer.from(body))
    expect(readings).toMatchObject(names.map((checkpoint) => ({ checkpoint, status: 'unknown' })))
    expect(({} as Record<string, unknown>)['IsOpen']).toBeUndefined()
  })
})
