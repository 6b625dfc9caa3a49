import { describe, expect, it } from 'vitest'
import { fixture, parseAs } from './context.ts'
import { readingLine, requestsOf, testPayloadShapes } from './feed-tests.ts'

const answer = (res: unknown) => JSON.stringify({ response: { header: '', res } })

describe('mwaa', () => {
  it('requests JSON from the page, as its own script does', () => {
    expect(requestsOf('mwaa-iad')).toMatchObject([
      {
        url: 'https://www.flydulles.com/security-wait-times',
        headers: { Accept: 'application/json', 'X-Requested-With': 'XMLHttpRequest' },
      },
    ])
  })

  it('reads texts, flags and opening hours, and no lane that is not offered', () => {
    const { readings, notices } = parseAs('mwaa-dca', fixture('mwaa.json'), 'DCA')
    expect(notices).toEqual([])
    expect(readings.map((row) => [...readingLine(row), row.wait_text])).toEqual([
      ['1', 'Terminal 1, Gates A', 'standard', null, 0, 5, 'open', '< 5 mins'],
      ['2', 'Terminal 2 South, Gates B-C', 'standard', null, 6, 9, 'open', '6-9 mins'],
      ['2', 'Terminal 2 South, Gates B-C', 'precheck', 12, null, null, 'open', null],
      ['2', 'Terminal 2 North, Gates D-E', 'standard', null, null, null, 'closed', 'Opens 4am'],
      ['2', 'Terminal 2 North, Gates D-E', 'precheck', null, null, null, 'closed', '6-9 mins'],
    ])
    expect(readings.every((row) => row.observed_at_basis === 'fetch')).toBe(true)
  })

  it("removes the empty brackets of IAD's names, reports bad rows and reads the others", () => {
    const res = {
      A: { location: 'Terminal 1( )', waittime: 'soon' },
      B: { waittime: '3 mins' },
      C: { location: 'East' },
    }
    const { readings, notices } = parseAs('mwaa-iad', answer(res), 'IAD')
    expect(readings.map((row) => [row.checkpoint, row.wait_minutes, row.wait_text, row.status])).toEqual([
      ['Terminal 1', null, 'soon', 'unknown'],
    ])
    expect(notices.map(({ code }) => code)).toEqual(['wait_text_unknown', 'row_unreadable'])
  })

  it('accepts the empty list that PHP writes for an empty map', () => {
    expect(parseAs('mwaa-iad', answer([]), 'IAD')).toEqual({ readings: [], notices: [] })
  })

  testPayloadShapes('mwaa-dca', 'DCA', answer({}), ['{"response":{}}', answer([{}])])
})
