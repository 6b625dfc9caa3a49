import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ParseError } from '../../../config/errors.ts'
import { sourceById } from '../../../config/sources.ts'
import { collectorById } from '../../../pipeline/collectors/index.ts'
import type { Parsed } from '../../../pipeline/parsing/collector.ts'
import { parseCsv } from '../../../pipeline/parsing/csv.ts'
import { decodeBody } from '../../../pipeline/parsing/decode-body.ts'
import { parseHtml, textPieces } from '../../../pipeline/parsing/html.ts'
import {
  Anything,
  List,
  Name,
  optionalObject,
  readJson,
  readRows,
  rowsAt,
  Text,
} from '../../../pipeline/parsing/json.ts'
import { NoticeReporter } from '../../../pipeline/parsing/notices.ts'
import { parseBody, parseContext } from '../../../pipeline/parsing/parse-body.ts'
import { notice } from '../../../warehouse/tables/notices.ts'
import { MARKUP_PARTS } from '../../hostile-words.ts'
import { testValues } from '../../values.ts'
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

  it('markup survives in no name of any collector, and each row that lost some has a notice', () => {
    const collector = collectorById('sea-cwt')
    const word = '[North](https://evil.example) <b>`x`'
    const row = { kind: 'security', iata: 'JFK', terminal: word, checkpoint: word, wait_text: '< 5 min', lane: 'all' }
    const hostile = {
      ...collector,
      parse: () => ({
        readings: [row, { ...row, terminal: '4', checkpoint: 'Gates A' }],
        notices: [notice('x', 'info', '$', 'm', word)],
      }),
    }
    const { readings, notices } = parseBody(
      hostile as never,
      Buffer.from('{}'),
      contextFor('sea-cwt', 'SEA'),
    ) as unknown as Parsed<'readings'>
    for (const part of MARKUP_PARTS) expect(JSON.stringify({ readings, notices })).not.toContain(part)
    expect(readings[0]).toMatchObject({ checkpoint: '[North] (https: evil.example) ‹b›’x’', wait_text: 'under 5 min' })
    expect(notices.map(({ code, path }) => [code, path])).toEqual([
      ['x', '$'],
      ['text_cleaned', '[0].terminal'],
      ['text_cleaned', '[0].checkpoint'],
    ])
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

testValues('pipeline/parsing/bodies.json', {
  decodeBody: (encoding: BufferEncoding, text: string, content_type: string | null) =>
    decodeBody(Buffer.from(text, encoding), content_type),
  parseCsv,
  readJson: (text: string) => readJson(text, rowsAt('data', 'rows')),
  textPieces,
})

it('refuses a CSV that ends within quotes', () => {
  expect(() => parseCsv('a,b\n1,"2')).toThrow(ParseError)
})

describe('readRows', () => {
  const Row = z.object({ name: Name, wait: Anything })

  it('reports a row of another shape with its path, and reads the others', () => {
    const report = new NoticeReporter('$', 'SEA', []).at('rows')
    const rows = readRows([{ name: 'A', wait: 3 }, { wait: 4 }, 7], report, Row, (row) => row.name)
    expect(rows).toEqual(['A'])
    expect(report.notices.map(({ code, path }) => [code, path])).toEqual([
      ['row_unreadable', 'rows[1]'],
      ['row_unreadable', 'rows[2]'],
    ])
  })

  it('takes several results of a row, and none for null', () => {
    const report = new NoticeReporter('$', null, [])
    const read = ({ wait }: z.output<typeof Row>) => (wait === 0 ? null : [wait, wait])
    const rows = [
      { name: 'A', wait: 0 },
      { name: 'B', wait: 2 },
    ]
    expect(readRows(rows, report, Row, read)).toEqual([2, 2])
  })
})

it('shapes of single fields accept any value, so that a damaged field does not cost its row', () => {
  const Row = z.object({ text: Text, list: List, object: optionalObject({ unit: Text }) })
  expect(Row.parse({ text: ' a  b ', list: [1], object: { unit: 's' } })).toEqual({
    text: 'a b',
    list: [1],
    object: { unit: 's' },
  })
  expect(Row.parse({ text: {}, list: 'x', object: 3 })).toEqual({ text: '', list: [], object: undefined })
  expect(Row.parse({})).toEqual({ text: '', list: [] })
})

describe('parseHtml', () => {
  it('accepts a long table whose cells and rows have no end tags', () => {
    const rows = '<tr><td>Main<td>12 min'.repeat(5_000)
    expect(parseHtml(`<html><body><table>${rows}</table><p>${'<br>'.repeat(5_000)}</body></html>`)('tr')).toHaveLength(
      5_000,
    )
  })
})

it('reads a page of the greatest depth that is accepted', () => {
  const depth = 2_000
  expect(textPieces(`${'<i>'.repeat(depth)}7 min${'</i>'.repeat(depth)}`).at(-1)?.text).toBe('7 min')
})

it('decodes invalid bytes without an error', () => {
  expect(decodeBody(Buffer.concat([Buffer.from('Zürich'), Buffer.from([0xff])]), null)).toBe('Zürich\uFFFD')
})
