import { describe, expect, it } from 'vitest'
import { fixture, parseAs, sharedFile } from './context.ts'
import { readingLine, testPayloadShapes } from './feed-tests.ts'

const REAL = sharedFile('samples-constructed', 'phl-livereach', 'metrics.json')
const payload = (rows: unknown) => JSON.stringify({ content: { rows } })

describe('phl-livereach', () => {
  it('reads the checkpoints among the zones, as number or text, with and without bounds', () => {
    const { readings, notices } = parseAs('phl-livereach', fixture('phl.json'), 'PHL')
    expect(notices).toEqual([])
    expect(readings.map(readingLine)).toEqual([
      ['D/E', '', 'standard', 9, 7, 12, 'unknown'],
      ['D/E', '', 'precheck', 2, null, null, 'unknown'],
      ['C', '', 'all', 5, null, null, 'unknown'],
    ])
    expect(readings[0]?.observed_at_basis).toBe('fetch')
  })

  it('reports bad rows and reads the others', () => {
    const { readings, notices } = parseAs('phl-livereach', payload([['5047', 'soon'], {}, [null, 4], ['5068']]), 'PHL')
    expect(readings.map((row) => [row.terminal, row.wait_minutes])).toEqual([
      ['B', null],
      ['F', null],
    ])
    expect(notices.map(({ code }) => code)).toEqual(['value_not_a_number', 'row_unreadable', 'row_unreadable'])
  })

  testPayloadShapes('phl-livereach', 'PHL', payload([]), [payload({}), '{"content":[]}'])

  it.skipIf(REAL === null)('reads the payload made from public test values', () => {
    const { readings, notices } = parseAs('phl-livereach', REAL ?? '', 'PHL')
    expect(notices).toEqual([])
    expect(readings.map((row) => [row.terminal, row.lane, row.wait_minutes])).toEqual([
      ['C', 'all', 4],
      ['A-East', 'precheck', 6],
      ['D/E', 'standard', 8],
    ])
  })
})
