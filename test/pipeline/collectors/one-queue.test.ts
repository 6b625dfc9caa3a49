import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { projectFile } from '../../../config/paths.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'
import { readOneQueue } from './one-queue-payloads.ts'

/**
 * What becomes of one queue of a source. A line of `values/one-queue.txt`: source | the wait that it publishes | more fields of the row |
 * minutes and range, status, lane and time of each row, with its text, and `!` with the code of each notice.
 */
const GROUPS = readFileSync(projectFile('test/pipeline/collectors/values/one-queue.txt'), 'utf8')
  .split(/^# /m)
  .slice(1)
  .map((group) => group.trim().split('\n'))

function lineOf(row: ParsedReading): string {
  const { wait_minutes, wait_minutes_low: low, wait_minutes_high: high, wait_text } = row
  const range = low === null && high === null ? '' : ` (${low ?? ''} to ${high ?? ''})`
  const time = row.observed_at_basis === 'fetch' ? 'fetch' : row.observed_at
  const text = wait_text === null ? [] : [JSON.stringify(wait_text)]
  return [`${wait_minutes ?? 'none'}${range}`, row.status, row.lane, time, ...text].join(', ')
}

describe.each(GROUPS)('%s', (_title, ...lines) => {
  it.each(lines)('%s', (line) => {
    const [source = '', wait = '', more = '', expected] = line.split(' | ')
    const { readings, notices } = readOneQueue(source, JSON.parse(wait), JSON.parse(more))
    expect([...readings.map(lineOf), ...notices.map(({ code }) => `! ${code}`)].join('; ') || 'left out').toBe(expected)
  })
})
