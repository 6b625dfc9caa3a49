import { describe, expect, it } from 'vitest'
import { aci, keyInScript } from '../../../pipeline/collectors/aci.ts'
import { parseAs, sharedFile } from './context.ts'
import { readingLine, requestsOf } from './feed-tests.ts'

const SANDBOX = sharedFile('samples', 'sita-aci-sandbox', 'DXB-mock.json')
const PHX = sharedFile('samples', 'phx-and-qsensor-2026-04-30', 'data.json')
const payload = (rows: unknown[]) => JSON.stringify({ success: true, current: rows })

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
