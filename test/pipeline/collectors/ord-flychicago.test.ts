import { expect, it } from 'vitest'
import { parseAs } from './context.ts'

const metric = (name: string, waitTimes: unknown, t: unknown = '2026-11-21T10:00:00Z') => ({ name, waitTimes, t })
const parse = (...rows: unknown[]) => parseAs('ord-flychicago', JSON.stringify(rows), 'ORD')

it.each([
  ['a closed checkpoint', 0, [null, 'closed']],
  ['no value', 424_242, [null, 'unknown']],
  ['a larger number of no value', 900_000, [null, 'unknown']],
  ['nothing', null, [null, 'unknown']],
  ['a wait', 90, [1.5, 'open']],
  ['too long a wait', 39_000, [null, 'unknown']],
])('ord-flychicago reads %s', (_, seconds, expected) => {
  const { readings } = parse(metric('Queues.ORD.T5C10General', seconds))
  expect(readings.map((row) => [row.wait_minutes, row.status])).toEqual([expected])
})
