import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { sourceById } from '../../../config/sources.ts'
import { icn } from '../../../pipeline/collectors/icn.ts'
import { contextFor, fixture, parseAs, sharedFile } from './context.ts'

const SHAPE = sharedFile('samples-constructed', 'icn-keyless-shape', 't1.json')
const SPEC = sharedFile('samples-constructed', 'icn-datagokr-spec', 'example.json')

describe('icn', () => {
  it('reads a "-" and a closed hall as no wait, and the terminal from the address', () => {
    const source = sourceById('icn-keyless')
    const requests = icn.request({ source, airports: ['ICN'], now: 0, learned_keys: {}, icaoOf: () => null })
    expect(requests.map(({ url }) => url.split('?')[1])).toEqual(['tmnlId=1', 'tmnlId=2'])
    const context = { ...contextFor('icn-keyless', 'ICN'), url: requests[1]?.url ?? '' }
    const { readings, notices } = icn.parse(fixture('icn.json'), context)
    expect(notices).toEqual([])
    expect(readings.map((row) => [row.terminal, row.checkpoint, row.wait_minutes, row.status])).toEqual([
      ['T2', 'DG1_E', 9, 'open'],
      ['T2', 'DG2_W', null, 'closed'],
      ['T2', 'DG3_W', null, 'closed'],
    ])
    expect(readings[0]?.observed_at).toBe('2026-11-21T10:01:00Z')
  })

  it('reports bad rows and reads the others', () => {
    const row = { gateId: 'DG1_E', gateStts: 'OP', wtngTm: '9', ocrTm: '202611219901' }
    const bad = ['word', row, { ...row, gateId: 'DG2_E', wtngTm: 'many', ocrTm: '202611211901' }]
    const { readings, notices } = parseAs('icn-keyless', JSON.stringify(bad), 'ICN')
    expect(readings.map((one) => [one.wait_minutes, one.observed_at_basis])).toEqual([
      [9, 'fetch'],
      [null, 'source'],
    ])
    expect(notices.map(({ code }) => code)).toEqual(['row_unreadable', 'time_unreadable', 'wait_text_unknown'])
  })

  it.skipIf(SHAPE === null)('reads the documented shape', () => {
    const { readings, notices } = parseAs('icn-keyless', SHAPE ?? '', 'ICN', '2026-08-07T01:13:00Z')
    expect(notices).toEqual([])
    expect(readings).toMatchObject([
      { wait_minutes: 12, status: 'open', observed_at: '2026-08-07T01:12:00Z' },
      { wait_minutes: null, status: 'closed' },
    ])
  })
})

describe('icn-datagokr', () => {
  it('keeps a wait that includes immigration as text', () => {
    const { readings, notices } = parseAs('icn-datagokr', fixture('icn-datagokr.json'), 'ICN')
    expect(notices).toEqual([])
    expect(readings).toMatchObject([
      {
        terminal: 'T1',
        checkpoint: 'DG1_E',
        wait_minutes: null,
        wait_text: '14 min with immigration',
        observed_at: '2026-11-21T10:01:00Z',
      },
    ])
  })

  it('rejects an error, in JSON or in XML', () => {
    const refused = '{"response":{"header":{"resultCode":"30","resultMsg":"SERVICE KEY IS NOT REGISTERED"},"body":{}}}'
    expect(() => parseAs('icn-datagokr', refused, 'ICN')).toThrow('SERVICE KEY IS NOT REGISTERED')
    expect(() => parseAs('icn-datagokr', '<OpenAPI_ServiceResponse><errMsg>SERVICE ERROR', 'ICN')).toThrow(ParseError)
  })

  it.skipIf(SPEC === null)('reads the example of its specification', () => {
    const { readings } = parseAs('icn-datagokr', SPEC ?? '', 'ICN', '2024-01-01T03:01:00Z')
    expect(readings).toMatchObject([{ wait_text: '333 min with immigration', observed_at: '2024-01-01T03:00:00Z' }])
  })
})
