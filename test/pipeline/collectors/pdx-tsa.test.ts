import { describe, expect, it } from 'vitest'
import { fixture, parseAs, sharedFile } from './context.ts'
import { readingLine, testPayloadShapes } from './feed-tests.ts'

const REAL = sharedFile('samples', 'pdx', 'observed-values.csv')

describe('pdx-tsa', () => {
  it('reads the displayed text, not the dwell beside it, and no wait at a closed checkpoint', () => {
    const { readings, notices } = parseAs('pdx-tsa', fixture('pdx.json'), 'PDX')
    expect(notices).toEqual([])
    expect(readings.map(readingLine)).toEqual([
      ['', 'North', 'standard', 7, null, null, 'open'],
      ['', 'North', 'precheck', 3, null, null, 'open'],
      ['', 'South', 'standard', null, null, null, 'closed'],
      ['', 'South', 'precheck', null, null, null, 'closed'],
    ])
    expect(readings[0]?.observed_at_basis).toBe('fetch')
  })

  it('leaves the status unknown without a flag, reports bad rows and reads the others', () => {
    const rows = [
      { CounterName: 'NorthGeneral', DisplayText: '5' },
      { CounterName: 'NorthPets', DisplayText: '5' },
      { CounterName: 'EastGeneral', DisplayText: '5' },
      { CounterName: 'SouthGeneral', EstimatedDwell: 224 },
    ]
    const { readings, notices } = parseAs('pdx-tsa', JSON.stringify({ WaitTimes: rows }), 'PDX')
    expect(readings.map((row) => [row.checkpoint, row.wait_minutes, row.status])).toEqual([
      ['North', 5, 'unknown'],
      ['South', null, 'unknown'],
    ])
    expect(notices.map(({ code }) => code)).toEqual(['lane_unknown', 'row_unreadable'])
  })

  testPayloadShapes('pdx-tsa', 'PDX', '{"WaitTimes":[]}', ['[]', '{"WaitTimes":{}}'])

  it.skipIf(REAL === null)('reads the values that were observed', () => {
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
})
