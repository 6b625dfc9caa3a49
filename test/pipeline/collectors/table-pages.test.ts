import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { sourceById } from '../../../config/sources.ts'
import { catsa } from '../../../pipeline/collectors/catsa.ts'
import { parseCsv } from '../../../pipeline/parsing/csv.ts'
import { readWaitText } from '../../../pipeline/parsing/posted-waits.ts'
import { fixture, parseAs, sharedFile } from './context.ts'

const waits = (parsed: ReturnType<typeof parseAs>) =>
  parsed.readings.map((row) => [
    row.terminal,
    row.checkpoint,
    row.lane,
    row.wait_minutes ?? [row.wait_minutes_low, row.wait_minutes_high],
    row.status,
  ])

describe('atl', () => {
  it('reads the page after its scripts have run: X is closed, a bare CHECKPOINT is for all lanes', () => {
    const parsed = parseAs('atl-html', fixture('atl.html'), 'ATL')
    expect(parsed.notices).toEqual([])
    expect(waits(parsed)).toEqual([
      ['Domestic', 'MAIN', 'all', 18, 'open'],
      ['Domestic', 'SOUTH', 'precheck', 4, 'open'],
      ['Domestic', 'LOWER NORTH', 'all', [null, null], 'closed'],
      ['International', 'MAIN', 'all', 2, 'open'],
    ])
    expect(parsed.readings[0]?.observed_at_basis).toBe('fetch')
    expect(parsed.readings.map((row) => row.wait_text)).toEqual([null, null, 'X', null])
  })

  it('reports unknown words, unknown lanes and impossible numbers', () => {
    const page = fixture('atl.html')
      .replace('<span>18</span>', '<span>soon</span>')
      .replace('<h3>PRECHECK ONLY CHECKPOINT</h3>', '<h3>BIOMETRIC CHECKPOINT</h3>')
      .replace('<span>2</span>', '<span>9999</span>')
    const { readings, notices } = parseAs('atl-html', page, 'ATL')
    expect(readings.map((row) => row.wait_minutes)).toEqual([null, null, null])
    expect(notices.map((notice) => notice.code)).toEqual(['wait_text_unknown', 'lane_unknown', 'wait_out_of_range'])
  })
})

it('sfo-html dates a time of the old year correctly at new year', () => {
  const page = fixture('sfo.html').replace('Nov 21 at 02:00 am', 'Dec 31 at 11:58 pm')
  const { readings } = parseAs('sfo-html', page, 'SFO', '2027-01-01T08:05:00Z')
  expect(readings[0]?.observed_at).toBe('2027-01-01T07:58:00Z')
})

describe('catsa', () => {
  it('requests one page per airport', () => {
    const source = sourceById('catsa-html')
    const requests = catsa.request({ source, airports: ['YYZ'], now: 0, learned_keys: {}, icaoOf: () => null })
    expect(requests.map((one) => one.url)).toEqual([
      'https://www.catsa-acsta.gc.ca/en/airport/toronto-pearson-international-airport',
    ])
  })

  it('rejects a page without the table, and an answer for an unnamed airport', () => {
    expect(() => parseAs('catsa-html', '<html><p>Page not found</p></html>', 'YYZ')).toThrow(ParseError)
    expect(() => parseAs('catsa-html', fixture('catsa-yyz.html'), null)).toThrow(ParseError)
    const empty = fixture('catsa-yyz.html').replace(/<tbody>[\s\S]*<\/tbody>/, '<tbody></tbody>')
    expect(parseAs('catsa-html', empty, 'YYZ')).toEqual({ readings: [], notices: [] })
  })
})

describe('jax-html', () => {
  it('reads the estimate of each known label', () => {
    const parsed = parseAs('jax-html', fixture('jax.html'), 'JAX')
    expect(waits(parsed)).toEqual([
      ['', '', 'standard', [0, 1], 'open'],
      ['', '', 'precheck', 7, 'open'],
    ])
    expect(parsed.notices.map((notice) => [notice.code, notice.value])).toEqual([
      ['lane_unknown', 'Military in Uniform'],
    ])
  })

  it('does not give a label without a time the time of another label', () => {
    const page =
      '<div class="label">Standard</div><div class="label">TSA Pre</div><div class="time"><span class="bold">7 min</span></div>'
    expect(parseAs('jax-html', page, 'JAX').readings.map((row) => row.wait_minutes)).toEqual([null, 7])
  })
})

const atlWords = sharedFile('samples', 'atl-official', 'atl-first-rows.csv')
const catsaWords = sharedFile('samples', 'catsa', 'YYZ-first-rows.csv')

describe('texts of real pages', () => {
  it.skipIf(atlWords === null)('every wait that ATL posted in 2025-10 is understood', () => {
    const words = parseCsv(atlWords ?? '').map((row) => row.wait_time ?? '')
    expect(words.length).toBeGreaterThan(10)
    expect(words.filter((word) => !readWaitText(word).understood)).toEqual([])
  })

  it.skipIf(catsaWords === null)('every range that CATSA posted in 2022-05 is understood', () => {
    const words = parseCsv(catsaWords ?? '').flatMap((row) => Object.values(row).slice(1))
    expect(words.length).toBeGreaterThan(100)
    expect([...new Set(words)].filter((word) => !readWaitText(word).understood)).toEqual([])
  })
})
