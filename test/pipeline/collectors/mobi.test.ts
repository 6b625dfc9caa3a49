import { expect, it } from 'vitest'
import { allSources, sourceById } from '../../../config/sources.ts'
import { keysInScript, mobi } from '../../../pipeline/collectors/mobi.ts'
import { parseAs } from './context.ts'

const payload = (rows: unknown[], list = 'wait_times') => JSON.stringify({ data: { [list]: rows } })
const row = { name: 'Checkpoint 1', lane: 'main', isOpen: true, isDisplayable: true, waitSeconds: 90 }

it('reads the ends of a range in seconds', () => {
  const [read] = parseAs('mobi-mco', payload([{ ...row, minWaitSeconds: 60, maxWaitSeconds: 180 }]), 'MCO').readings
  expect([read?.wait_minutes, read?.wait_minutes_low, read?.wait_minutes_high]).toEqual([1.5, 1, 3])
})

it('keeps the opening hours of a row as the words of its source, where they are two clocks', () => {
  const hours = [
    { ...row, lane: 'General', openTime: '04:00', closeTime: '20:00' },
    { ...row, lane: 'Priority', openTime: '04:00-12:00', closeTime: '20:00' },
    { ...row, lane: 'TSA Pre', openTime: null, closeTime: null },
  ]
  const { readings, notices } = parseAs('mobi-dfw', payload(hours), 'DFW')
  expect(readings.map(({ wait_text }) => wait_text)).toEqual(['Open 04:00 - 20:00', null, null])
  expect(notices).toEqual([])
})

it('sends the learned key and version, and none that were not learned', () => {
  const requestHeaders = (learnedKeys: Record<string, string>) =>
    mobi.request({
      source: sourceById('mobi-mco'),
      airports: ['MCO'],
      now: 0,
      learned_keys: learnedKeys,
      icaoOf: () => null,
    })[0]?.headers
  expect(requestHeaders({ api_key: 'learned-key', api_version: '140' })).toMatchObject({
    'api-key': 'learned-key',
    'api-version': '140',
  })
  expect(Object.keys(requestHeaders({}) ?? {})).not.toContain('api-key')
  for (const source of allSources()) expect(JSON.stringify(source.options)).not.toMatch(/[0-9a-f]{32}/i)
})

it.each([
  ['headers:{"api-key":"made-up-key-1","api-version":"140"}', { api_key: 'made-up-key-1', api_version: '140' }],
  ["h={'Api-Version':'120',Accept:'x','Api-Key':'MADEUPKEY2'}", { api_key: 'MADEUPKEY2', api_version: '120' }],
  ['clientId:"somebody-else",secret:"not-for-us"', null],
  [`"api-key":"made-up-key-3"${' '.repeat(900)}"api-version":"9"`, null],
])('learns key and version from a script: %s', (script, expected) => {
  expect(keysInScript(script)).toEqual(expected)
})
