import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { keyInWidget } from '../../../pipeline/collectors/den-flyfruition.ts'
import { fixture, parseAs, sharedFile } from './context.ts'
import { readingLine, requestsOf, testPayloadShapes } from './feed-tests.ts'

const DEAD = sharedFile('samples', 'den-dead-api', 'api.denverairport.com.json')

describe('den-flyfruition', () => {
  it('keeps the ends of a range without inventing a middle, and drops hidden lanes', () => {
    const { readings, notices } = parseAs('den-flyfruition', fixture('den.json'), 'DEN')
    expect(notices).toEqual([])
    expect(readings.map((row) => [...readingLine(row), row.wait_text])).toEqual([
      ['', 'East Security', 'standard', null, 3, 7, 'open', '3-7'],
      ['', 'East Security', 'precheck', null, 0, 5, 'open', '<5'],
      ['', 'West Security', 'standard', null, null, null, 'closed', '12-16'],
      ['', 'West Security', 'precheck', null, null, null, 'closed', 'Opens 4am'],
      ['', 'West Security', 'clear', null, 20, null, 'open', '>20'],
    ])
    expect(readings.every((row) => row.observed_at_basis === 'fetch')).toBe(true)
  })

  it('reports bad rows and reads the others', () => {
    const lanes = [{ title: 'General', wait_time: 'soon' }, { title: 'Touchless', wait_time: '3' }, 7]
    const { readings, notices } = parseAs('den-flyfruition', JSON.stringify([{ title: 'East', lanes }, {}]), 'DEN')
    expect(readings.map((row) => [row.lane, row.wait_minutes, row.wait_text, row.status])).toEqual([
      ['standard', null, 'soon', 'unknown'],
    ])
    expect(notices.map(({ code }) => code)).toEqual([
      'wait_text_unknown',
      'lane_unknown',
      'row_unreadable',
      'row_unreadable',
    ])
  })

  testPayloadShapes('den-flyfruition', 'DEN', '[]', ['[{"title":"East","lanes":{}}]'])

  it('sends the learned key, and learns only the key of this feed', () => {
    expect(requestsOf('den-flyfruition', { api_key: 'made-up-key' })[0]?.headers['x-api-key']).toBe('made-up-key')
    expect(Object.keys(requestsOf('den-flyfruition')[0]?.headers ?? {})).not.toContain('x-api-key')
    const feed = 'fetch("https://app.flyfruition.com/api/public/tsa",{headers:{"x-api-key":"made-up-key"}})'
    expect(keyInWidget(`h={"x-api-key":"somebody-else"}${' '.repeat(900)}${feed}`)).toEqual({ api_key: 'made-up-key' })
    expect(keyInWidget('h={"x-api-key":"somebody-else"}')).toBeNull()
  })

  it.skipIf(DEAD === null)("rejects the old address's success without a row", () => {
    expect(() => parseAs('den-flyfruition', DEAD ?? '', 'DEN')).toThrow(ParseError)
  })
})
