import { expect, it } from 'vitest'
import { dohXovis } from '../../../pipeline/collectors/doh-xovis.ts'
import { contextFor, fixture, parseAs, sharedFile } from './context.ts'

const DUB = sharedFile('samples', 'dub-2022', 'T1_queues-first-rows.csv')

it('DUS: an answer with its error flag is rejected', () => {
  const failed = '{"data":[],"hasError":true,"internalErrorMessage":"backend away"}'
  expect(() => parseAs('dus-sitecore', failed, 'DUS')).toThrow('backend away')
})

it.each([
  ['avinor-osl', 'OSL', '[{"area":"csc","airportIata":"BGO"}]', 'airport_unexpected'],
  ['avinor-osl', 'OSL', '[{"area":"spa","airportIata":"OSL"}]', 'queue_unknown'],
  ['ams-schiphol', 'AMS', '{"PASPOORT":{"waitTimeInSeconds":60}}', 'queue_unknown'],
  ['doh-xovis', 'DOH', '{"checkpoints":[{"checkpoint_name":"Lounge","queues":[{}]}]}', 'queue_unknown'],
  ['del-dial', 'DEL', '{"data":{"Security":[1]}}', 'row_unreadable'],
  ['yyz-pearson', 'YYZ', '{"checkpoints":[{"nameEn":"","departure":true}]}', 'row_unreadable'],
])('%s at %s leaves a row of %s out: %s', (source, iata, body, code) => {
  const { readings, notices } = parseAs(source, body, iata)
  expect([readings, notices.map((one) => one.code)]).toEqual([[], [code]])
})

it.skipIf(DUB === null)('DUB: every number that was posted in 2022 is read', () => {
  const posted = [...(DUB ?? '').matchAll(/,(\d+)\s*$/gm)].map((match) => Number(match[1]))
  expect(posted.length).toBeGreaterThan(20)
  for (const minutes of posted)
    expect(parseAs('dub-dap', `{"T1":"=${minutes}"}`, 'DUB').readings[0]?.wait_minutes).toBe(minutes)
})

it.each([
  ['minutes', 330],
  ['seconds', 5.5],
])('DOH: reads %s once its unit is verified', (unit, minutes) => {
  const context = contextFor('doh-xovis', 'DOH')
  const source = { ...context.source, options: { unit } }
  const { readings, notices } = dohXovis.parse(fixture('doh.json'), { ...context, source })
  expect(readings[0]).toMatchObject({ wait_minutes: minutes, wait_text: null })
  expect(notices).toEqual([])
})

it('SYD: reads minutes per terminal', () => {
  const { readings, notices } = parseAs('syd', fixture('syd.json'), 'SYD')
  expect(readings.map((row) => [row.terminal, row.wait_minutes, row.observed_at, row.observed_at_basis])).toEqual([
    ['T1', 8, '2026-11-21T10:01:00Z', 'source'],
    ['T2', null, '2026-11-21T10:03:00Z', 'fetch'],
  ])
  expect(notices.map(({ code }) => code)).toEqual(['time_unreadable', 'value_not_a_number'])
})
