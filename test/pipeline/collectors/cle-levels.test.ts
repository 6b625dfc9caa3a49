import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runChecks } from '../../../pipeline/checks/index.ts'
import { checkContext } from '../checks/check-context.ts'
import { contextFor, FETCHED, fixture, parseAs } from './context.ts'

const parse = (levels: unknown) => parseAs('cle-levels', JSON.stringify([{ field_json: levels }]), 'CLE')
const levels = ({ readings }: ReturnType<typeof parse>) =>
  readings.map((row) => [row.checkpoint, row.lane, row.wait_text, row.status])

it('keeps levels as text, from an object or the JSON text of one', () => {
  const expected = [
    ['A', 'all', 'low', 'open'],
    ['B', 'all', 'severe', 'open'],
    ['B', 'precheck', 'medium', 'open'],
    ['C', 'all', 'closed', 'closed'],
  ]
  const fromText = parseAs('cle-levels', fixture('cle.json'), 'CLE')
  expect(levels(fromText)).toEqual(expected)
  expect(fromText.notices).toEqual([])
  const { notices } = runChecks(fromText.readings, checkContext(contextFor('cle-levels', 'CLE').source, FETCHED))
  expect(notices.map(({ code, value }) => [code, value])).toEqual([['level_without_minutes', 'low, severe, medium']])
  expect(levels(parse(JSON.parse(JSON.parse(fixture('cle.json'))[0].field_json)))).toEqual(expected)
})

it('leaves the status of an unknown level unknown', () => {
  const read = parse({ a: 'purple', b: {} })
  expect(levels(read)).toEqual([
    ['A', 'all', 'purple', 'unknown'],
    ['B', 'all', null, 'unknown'],
  ])
  expect(read.notices.map(({ code }) => code)).toEqual(['wait_text_unknown', 'wait_text_unknown'])
})

it('never reads minutes from any text', () => {
  const word = fc.oneof(
    fc.constantFrom('low', 'medium', 'high', 'severe', '15', '15 min', 'No Wait', '5-10'),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(fc.record({ a: word, b: word, c: word, apre: word, bpre: word, cpre: word }), (levels) => {
      for (const row of parse(levels).readings)
        expect([row.wait_minutes, row.wait_minutes_low, row.wait_minutes_high]).toEqual([null, null, null])
    }),
  )
})
