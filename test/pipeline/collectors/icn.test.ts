import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { fixture, parseAs, sharedFile } from './context.ts'

const SPEC = sharedFile('samples-constructed', 'icn-datagokr-spec', 'example.json')

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
