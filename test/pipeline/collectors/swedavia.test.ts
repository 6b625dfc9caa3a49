import { describe, expect, it } from 'vitest'
import { sourceById } from '../../../config/sources.ts'
import { swedaviaKeyed } from '../../../pipeline/collectors/swedavia.ts'
import { fixture, parseAs, sharedFile } from './context.ts'

const REAL = sharedFile('samples', 'swedavia-waittime', 'ARN-2026-09-29.json')
const GOT = sharedFile('samples', 'swedavia-waittime', 'GOT-2023-12-04.queue-items.json')

describe('swedavia, without a key', () => {
  it('reads the PascalCase names of 2023', () => {
    const pascal = fixture('swedavia.json').replace(
      /"([a-z])(\w*)":/g,
      (_, first, rest) => `"${first.toUpperCase()}${rest}":`,
    )
    expect(pascal).toContain('"QueueTimesList"')
    expect(parseAs('swedavia-keyless', pascal, 'ARN')).toEqual(
      parseAs('swedavia-keyless', fixture('swedavia.json'), 'ARN'),
    )
  })

  it('reads no wait where the source shows none, never 45 minutes', () => {
    const row = { id: 1, displayNameEnglish: '5', terminalId: ['5'], interval: '', currentProjectedQueueTime: null }
    const { readings } = parseAs(
      'swedavia-keyless',
      JSON.stringify({ queueTimesList: [row, { ...row, displayNameEnglish: '4' }] }),
      'ARN',
    )
    expect(readings.map((one) => one.wait_minutes)).toEqual([null, null])
    const paused = parseAs(
      'swedavia-keyless',
      JSON.stringify({ queueTimesDisabled: true, queueTimesList: [row] }),
      'ARN',
    )
    expect(paused.readings).toEqual([])
    expect(paused.notices.map(({ code }) => code)).toEqual(['source_paused'])
  })
})

describe('swedavia, with a key', () => {
  it('reads minutes, and a 0 as a real wait', () => {
    const { readings, notices } = parseAs('swedavia-keyed', fixture('swedavia-keyed.json'), 'ARN')
    expect(notices).toEqual([])
    expect(
      readings.map((row) => [row.terminal, row.checkpoint, row.lane, row.wait_minutes, row.wait_minutes_low]),
    ).toEqual([
      ['T5', 'Security Terminal 5', 'standard', 6, null],
      ['', 'Security Terminal 5', 'priority', 0, null],
      ['T4', 'Security Terminal 4', 'standard', null, 25],
    ])
    expect(readings[0]).toMatchObject({ observed_at: '2026-11-21T10:01:04Z', observed_at_basis: 'source' })
  })

  it("sends the operator's key if there is one", () => {
    const source = sourceById('swedavia-keyed')
    const requestHeaders = (learnedKeys: Record<string, string>) =>
      swedaviaKeyed.request({ source, airports: ['ARN'], now: 0, learned_keys: learnedKeys, icaoOf: () => null })[0]
        ?.headers
    expect(requestHeaders({ operator_key: 'made-up' })).toMatchObject({ 'Ocp-Apim-Subscription-Key': 'made-up' })
    expect(Object.keys(requestHeaders({}) ?? {})).toEqual(['Accept'])
  })

  it.skipIf(REAL === null)('reads the real answers of Arlanda and Landvetter', () => {
    const { readings, notices } = parseAs('swedavia-keyed', REAL ?? '', 'ARN', '2026-09-29T13:28:00Z')
    expect(notices).toEqual([])
    expect(readings.map((row) => [row.terminal, row.lane, row.wait_minutes])).toEqual([
      ['T2', 'standard', 4],
      ['T2', 'priority', 0],
      ['T3', 'standard', 0],
      ['T4', 'standard', 1],
      ['T4', 'priority', 0],
      ['T5', 'priority', 1],
      ['T5', 'standard', 2],
    ])
    const got = parseAs('swedavia-keyed', `{"waitTimes":${GOT}}`, 'GOT', '2023-12-04T09:53:00Z')
    expect(got.notices).toEqual([])
    expect(got.readings.map((row) => [row.checkpoint, row.lane, row.wait_minutes])).toEqual([
      ['Security Landvetter', 'priority', 2],
      ['Security Landvetter', 'standard', 7],
    ])
  })
})
