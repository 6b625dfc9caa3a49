import { describe, expect, it } from 'vitest'
import { fixture, parseAs } from './context.ts'
import { readingLine, testPayloadShapes } from './feed-tests.ts'

const metric = (name: string, waitTimes: unknown, t: unknown = '2026-11-21T10:00:00Z') => ({ name, waitTimes, t })
const parse = (...rows: unknown[]) => parseAs('ord-flychicago', JSON.stringify(rows), 'ORD')

describe('ord-flychicago', () => {
  it('reads place and lane from the name, and each queue once', () => {
    const { readings, notices } = parseAs('ord-flychicago', fixture('ord.json'), 'ORD')
    expect(readings.map(readingLine)).toEqual([
      ['2', 'Checkpoint 5', 'standard', 9.5, null, null, 'open'],
      ['2', 'Checkpoint 5', 'precheck', null, null, null, 'closed'],
      ['3', 'Checkpoint 7A', 'all', 5.5, null, null, 'open'],
      ['5', 'Checkpoint 10', 'standard', null, null, null, 'unknown'],
    ])
    expect(notices.map(({ code, value }) => [code, value])).toEqual([
      ['row_unreadable', 'Queues.ORD.TSAFloor'],
      ['sentinel_value', '424242'],
    ])
    expect(readings[0]).toMatchObject({ observed_at: '2026-11-21T10:00:00Z', observed_at_basis: 'source' })
  })

  it.each([
    ['a closed checkpoint', 0, [null, 'closed']],
    ['no value', 424_242, [null, 'unknown']],
    ['a larger number of no value', 900_000, [null, 'unknown']],
    ['nothing', null, [null, 'unknown']],
    ['a wait', 90, [1.5, 'open']],
    ['too long a wait', 39_000, [null, 'unknown']],
  ])('reads %s', (_, seconds, expected) => {
    const { readings } = parse(metric('Queues.ORD.T5C10General', seconds))
    expect(readings.map((row) => [row.wait_minutes, row.status])).toEqual([expected])
  })

  it('reports bad rows and reads the others', () => {
    const { readings, notices } = parse(null, metric('Queues.ORD.T2C5General', 'soon', 'now'), metric('', 60))
    expect(readings.map((row) => [row.wait_minutes, row.observed_at_basis])).toEqual([[null, 'fetch']])
    expect(notices.map(({ code }) => code).sort()).toEqual([
      'row_unreadable',
      'row_unreadable',
      'time_unreadable',
      'value_not_a_number',
    ])
  })

  testPayloadShapes('ord-flychicago', 'ORD', '[]', [])
})
