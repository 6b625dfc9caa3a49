import { describe, expect, it } from 'vitest'
import { pitAzure } from '../../../pipeline/collectors/pit-azure.ts'
import { fixture, parseAs } from './context.ts'
import { readingLine, requestsOf, testPayloadShapes } from './feed-tests.ts'

describe('pit-azure', () => {
  it('ignores rows that may not be shown', () => {
    const { readings, notices } = parseAs('pit-azure', fixture('pit.json'), 'PIT')
    expect(notices).toEqual([])
    expect(readings.map(readingLine)).toEqual([
      ['', 'Main Checkpoint', 'standard', 6, null, null, 'open'],
      ['', 'Main Checkpoint', 'precheck', 2, null, null, 'open'],
      ['', 'Main Checkpoint', 'clear', null, null, null, 'closed'],
    ])
    expect(readings[0]?.observed_at_basis).toBe('fetch')
  })

  it('reports bad rows and reads the others', () => {
    const row = { checkpointName: 'Main', queueId: 'TMP_Standard', waitTime: 'soon', status: 'Paused' }
    const body = JSON.stringify([row, { ...row, queueId: 'TMP_Pets' }, null])
    const { readings, notices } = parseAs('pit-azure', body, 'PIT')
    expect(readings.map((one) => [one.wait_minutes, one.status])).toEqual([[null, 'unknown']])
    expect(notices.map(({ code }) => code)).toEqual(['value_not_a_number', 'lane_unknown', 'row_unreadable'])
  })

  testPayloadShapes('pit-azure', 'PIT', '[]', ['{"statusCode":401,"message":"Access denied"}'])

  it('sends the learned key, and learns it from the page', () => {
    const header = 'Ocp-Apim-Subscription-Key'
    expect(requestsOf('pit-azure', { subscription_key: 'made-up-key' })[0]?.headers[header]).toBe('made-up-key')
    expect(Object.keys(requestsOf('pit-azure')[0]?.headers ?? {})).not.toContain(header)
    const fromScript = pitAzure.learn?.fromScript
    expect(fromScript?.(`xhr.setRequestHeader('${header}', 'made-up-key')`)).toEqual({
      subscription_key: 'made-up-key',
    })
    expect(fromScript?.('url: "/tsa/wait-times"')).toBeNull()
  })
})
