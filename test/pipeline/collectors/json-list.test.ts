import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { jsonList } from '../../../pipeline/collectors/json-list.ts'
import { holdshort } from '../../end-to-end/installation.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { contextFor } from './context.ts'

const contextWith = (options: Record<string, string | number>) => {
  const context = contextFor('dtw-skyfii', 'DTW')
  return { ...context, source: { ...context.source, options } }
}
const PAYLOAD = JSON.stringify({
  data: {
    queues: [
      { place: { name: 'North' }, wait: { s: 420 }, at: 1_763_719_200 },
      { place: {}, wait: { s: 60 } },
      { place: { name: 'South' }, wait: { s: 'soon' }, at: 'never' },
    ],
  },
})
const OPTIONS = { rows: 'data.queues', name: 'place.name', seconds: 'wait.s', updated: 'at' }

test('reads a list at the paths of its entry; what cannot be read is a notice', () => {
  const { readings, notices } = jsonList.parse(PAYLOAD, contextWith(OPTIONS))
  expect(readings.map(({ checkpoint, wait_minutes, observed_at }) => [checkpoint, wait_minutes, observed_at])).toEqual([
    ['North', 7, '2025-11-21T10:00:00Z'],
    ['South', null, '2026-11-21T10:03:00Z'],
  ])
  expect(notices.map(({ code }) => code).sort()).toEqual(['row_unreadable', 'time_unreadable', 'value_not_a_number'])
})

test('refuses a payload of another shape, and options that say nothing', () => {
  expect(() => jsonList.parse('{"data": {}}', contextWith(OPTIONS))).toThrow(ParseError)
  for (const wrong of [{ minutes: 'a' }, { name: 'a' }, { name: 'a', minutes: 'b', seconds: 'c' }, { nam: 'a' }])
    expect(() => jsonList.parse(PAYLOAD, contextWith(wrong as Record<string, string>))).toThrow(ParseError)
})

test.runIf(EXHAUSTIVE)('sources new prints an entry that reads the saved answer', async () => {
  const file = join(await temporaryFolder(), 'saved.json')
  writeFileSync(file, PAYLOAD)
  const words = ['--airport', 'IND', '--url', 'https://api.example.aero/waits', '--payload', file]
  const paths = Object.entries(OPTIONS).flatMap(([name, path]) => [`--${name}`, path])
  const { code, stdout, stderr } = await holdshort(['sources', 'new', 'ind-json', ...words, ...paths])
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({
      id: 'ind-json',
      collector: 'json-list',
      airports: ['IND'],
      active: false,
      options: OPTIONS,
    }),
  ])
  expect(stderr).toContain('North: 7 min at 2025-11-21T10:00:00Z')
  const wrong = await holdshort([
    'sources',
    'new',
    'ind-json',
    ...words,
    '--rows',
    'items',
    '--name',
    'a',
    '--minutes',
    'b',
  ])
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--payload')])
})
