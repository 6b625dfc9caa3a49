import { describe, expect, it } from 'vitest'
import { aci, keyInScript } from '../../../pipeline/collectors/aci.ts'
import { fixture, parseAs, sharedFile } from './context.ts'
import { readingLine, requestsOf, testPayloadShapes } from './feed-tests.ts'

const SANDBOX = sharedFile('samples', 'sita-aci-sandbox', 'DXB-mock.json')
const PHX = sharedFile('samples', 'phx-and-qsensor-2026-04-30', 'data.json')
const codes = (notices: { code: string }[]) => notices.map((notice) => notice.code)
const row = { queueName: '2 General', time: '2026-11-21T10:00:00Z', status: 'Open' }
const payload = (rows: unknown[]) => JSON.stringify({ success: true, current: rows })

describe('aci at MIA', () => {
  it('reads seconds with bounds in minutes, and lanes at the end of names', () => {
    const { readings } = parseAs('sita-mia', fixture('aci-mia.json'), 'MIA')
    expect(readings.map(readingLine)).toEqual([
      ['', '1', 'priority', null, null, null, 'closed'],
      ['', '2', 'standard', 9.5, 8, 12, 'open'],
      ['', '2', 'priority', null, null, null, 'open'],
      ['', '8', 'precheck', 0, 0, 2, 'open'],
      ['', 'FIS', 'all', 25.5, 21, 31, 'open'],
    ])
    expect(readings[1]).toMatchObject({ observed_at: '2026-11-21T10:00:00Z', observed_at_basis: 'source' })
  })

  it('lands passport control as immigration, not as security', () => {
    const { readings } = parseAs('sita-mia', fixture('aci-mia.json'), 'MIA')
    expect(readings.filter((one) => one.kind === 'immigration').map((one) => one.checkpoint)).toEqual(['FIS'])
  })

  it('leaves out rows over a day old, and the older of two rows of one queue', () => {
    const { readings, notices } = parseAs('sita-mia', fixture('aci-mia.json'), 'MIA')
    expect(readings.map((one) => one.observed_at.slice(0, 10))).not.toContain('2024-12-16')
    expect(notices.map(({ code, value }) => [code, value])).toEqual([
      ['row_too_old', '2024-12-16T20:15:00Z'],
      ['row_superseded', '2026-11-21T09:10:00Z'],
    ])
  })

  it('reports bad rows and reads the others', () => {
    const { readings, notices } = parseAs(
      'sita-mia',
      payload([
        row,
        'word',
        { ...row, queueName: '3 Wheelchair' },
        { ...row, queueName: '4 General', projectedWaitTime: 'soon' },
        { ...row, queueName: '5 General', projectedWaitTime: 40_000 },
        { ...row, queueName: '6 General', projectedWaitTime: -60 },
        { ...row, queueName: '7 General', projectedWaitTime: 60, time: 'now' },
      ]),
      'MIA',
    )
    expect(readings.map((one) => [one.checkpoint, one.wait_minutes, one.observed_at_basis])).toEqual([
      ['2', null, 'source'],
      ['4', null, 'source'],
      ['5', null, 'source'],
      ['6', null, 'source'],
      ['7', 1, 'fetch'],
    ])
    expect(codes(notices)).toEqual([
      'row_unreadable',
      'lane_unknown',
      'value_not_a_number',
      'wait_out_of_range',
      'sentinel_value',
      'time_unreadable',
    ])
  })

  testPayloadShapes('sita-mia', 'MIA', payload([]), ['{"current":{}}', '[]'])
})

describe('aci at PHX', () => {
  it('ignores success:false, and leaves a missing status unknown', () => {
    const { readings, notices } = parseAs('aci-phx', fixture('aci-phx.json'), 'PHX')
    expect(notices).toEqual([])
    expect(readings.map(readingLine)).toEqual([
      ['3', 'T3', 'standard', 6.5, 5, 9, 'unknown'],
      ['4', 'T4 Checkpoint A', 'standard', 11.25, 9, 13, 'unknown'],
    ])
  })
})

describe.skipIf(PHX === null)('the queues of PHX on 2026-04-30', () => {
  it('have known lanes', () => {
    const published: { name: string; waitMinutes: number }[] = JSON.parse(PHX ?? '{}').PHX.data
    const rows = published.map(({ name, waitMinutes }) => ({
      queueName: name,
      projectedWaitTime: waitMinutes * 60,
      time: '2026-04-30T19:21:00Z',
    }))
    const { readings, notices } = parseAs('aci-phx', payload(rows), 'PHX', '2026-04-30T19:22:00Z')
    expect(notices).toEqual([])
    expect(readings.map((one) => [one.terminal, one.lane, one.wait_minutes])).toEqual([
      ['3', 'standard', 10],
      ['4', 'standard', 11],
      ['4', 'standard', 11],
      ['4', 'standard', 10],
      ['4', 'standard', 9],
    ])
  })
})

describe('aci at BWI', () => {
  it('reads minutes as text, local times marked as UTC, and closures', () => {
    const { readings, notices } = parseAs('bwi-json', fixture('aci-bwi.json'), 'BWI')
    expect(readings.map(readingLine)).toEqual([
      ['', 'Checkpoint A', 'standard', 6, 4, 8, 'open'],
      ['', 'Checkpoint C', 'precheck', null, null, null, 'closed'],
      ['', 'Checkpoint D/E', 'clear', 0, 0, 2, 'open'],
    ])
    expect(readings[0]?.observed_at).toBe('2026-11-21T10:00:00Z')
    // Empty bounds are no bounds.
    expect(notices).toEqual([])
  })
})

describe('aci at MUC', () => {
  it('keeps a number of unknown unit as text, and reads security queues only', () => {
    const { readings, notices } = parseAs('muc-passngr', fixture('aci-muc.json'), 'MUC')
    expect(readings.map((one) => [...readingLine(one), one.wait_text])).toEqual([
      ['2', 'T2 Abflug SIKO ECO NORD', 'standard', null, null, null, 'unknown', '4.2'],
      ['2', 'T2 Abflug SIKO ECO SUED', 'standard', null, null, null, 'unknown', null],
    ])
    expect(codes(notices)).toEqual(['unit_unknown', 'sentinel_value', 'lane_unknown'])
  })
})

describe('the keys of the aci family', () => {
  it('are sent in the header or the address of the member, and not at all when none was learned', () => {
    const learnedKeys = { api_key: 'made-up-key-1' }
    expect(requestsOf('sita-mia', learnedKeys)[0]?.headers['x-apikey']).toBe('made-up-key-1')
    expect(requestsOf('aci-phx', learnedKeys)[0]?.url).toBe('https://api.phx.aero/avn-wait-times/raw?Key=made-up-key-1')
    expect(JSON.stringify(requestsOf('bwi-json', learnedKeys))).not.toContain('made-up-key-1')
    expect(Object.keys(requestsOf('sita-mia')[0]?.headers ?? {})).not.toContain('x-apikey')
    expect(requestsOf('aci-phx')[0]?.url).not.toContain('Key')
  })

  it.each([
    [`xhr.setRequestHeader("x-apikey", "made-up-key-1")`, { api_key: 'made-up-key-1' }],
    [`headers:{"X-APIKey":"made-up-key-2"}`, { api_key: 'made-up-key-2' }],
    [`fetch("https://api.phx.aero/avn-wait-times/raw?Key=madeupkey3")`, { api_key: 'madeupkey3' }],
    [`{"apikey":"somebody-else"}`, null],
  ])('are learned from a script: %s', (script, expected) => {
    expect(keyInScript(script)).toEqual(expected)
  })

  it("are learned from the address of the page's request", () => {
    const fromUrl = aci.learn?.fromUrl
    expect(fromUrl?.('https://api.phx.aero/avn-wait-times/raw?Key=made-up-key-4')).toEqual({ api_key: 'made-up-key-4' })
    expect(fromUrl?.('https://api.phx.aero/avn-wait-times/raw')).toBeNull()
  })
})

describe.skipIf(SANDBOX === null)("SITA's own example", () => {
  it('is read in its units', () => {
    const { readings, notices } = parseAs(
      'sita-mia',
      (SANDBOX ?? '').replace('Mock Data', 'General'),
      'MIA',
      '2016-10-14T09:00:00Z',
    )
    expect(notices).toEqual([])
    expect(readings.map(readingLine)).toEqual([
      ['', 'DXB Airside North Security Checkpoint', 'standard', 60, 4, 8, 'unknown'],
    ])
  })
})
