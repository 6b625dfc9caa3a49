import { expect, it } from 'vitest'
import { parseAs, sharedFile } from './context.ts'

const REAL = sharedFile('samples', 'pdx', 'observed-values.csv')

it.skipIf(REAL === null)('pdx-tsa reads the values that were observed', () => {
  const observed = (REAL ?? '')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split(','))
  const WaitTimes = observed.map(([CounterName, EstimatedDwell, DisplayText]) => ({
    CounterName,
    EstimatedDwell: Number(EstimatedDwell),
    DisplayText,
  }))
  const flags = { NorthCheckpointClosed: false, SouthCheckpointClosed: false }
  const { readings, notices } = parseAs('pdx-tsa', JSON.stringify({ WaitTimes, ...flags }), 'PDX')
  expect(notices).toEqual([])
  expect(readings.map((row) => row.wait_minutes)).toEqual([8, 4, 9, 6])
})
