import { describe, expect, it } from 'vitest'
import { NoticeReporter } from '../../../pipeline/parsing/notices.ts'
import { newestRows } from '../../../pipeline/parsing/wait-collector.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'

describe('newestRows', () => {
  const row = (observed_at: string, checkpoint = 'A') =>
    ({ kind: 'security', iata: 'MIA', terminal: '', checkpoint, lane: 'standard', observed_at }) as ParsedReading
  const old = '2026-11-20T10:02:00Z'
  const mid = '2026-11-20T10:03:00Z'
  const late = '2026-11-21T10:00:00Z'

  it.each([[[mid, late]], [[late, mid]]])('returns the newest row of a queue, in whatever order: %j', (times) => {
    const report = new NoticeReporter('$', 'MIA', [])
    const rows = newestRows(
      times.map((time) => row(time)),
      '2026-11-21T10:03:00Z',
      report,
    )
    expect(rows.map((row) => row.observed_at)).toEqual([late])
    expect(report.notices.map(({ code, value }) => [code, value])).toEqual([['row_superseded', mid]])
  })

  it('leaves out a row that is over a day old', () => {
    const report = new NoticeReporter('$', 'MIA', [])
    expect(newestRows([row(old), row(late, 'B')], '2026-11-21T10:03:00Z', report)).toMatchObject([{ checkpoint: 'B' }])
    expect(report.notices).toMatchObject([{ code: 'row_too_old', value: old }])
  })
})
