import { expect, test } from 'vitest'
import { readArguments } from '../../../../api/data/mcp/tool-arguments.ts'
import { getBestTimeToFlyTool } from '../../../../api/data/tools/get-best-time-to-fly.ts'

test.each([
  ['2', 2],
  ['true', true],
  ['false', false],
  [1, 1],
  [true, true],
  ['some', 'some'],
])('an argument that may be a number or a truth value is read as one: %j', (bags, read) => {
  expect(readArguments(getBestTimeToFlyTool, { iata: 'JFK', bags })).toEqual({ iata: 'JFK', bags: read })
})
