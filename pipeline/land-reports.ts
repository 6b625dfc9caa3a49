import { CROWD_SOURCE } from '../config/publishers.ts'
import { isoUtc } from '../config/vocabulary.ts'
import type { ReportBatch, ReportReceipt, WaitReport } from '../jobs/calls/reports.ts'
import type { Warehouse } from '../warehouse/storage/warehouse.ts'
import { landRows, replaceCaptures } from '../warehouse/storage/write.ts'
import { type Reading, readings } from '../warehouse/tables/readings.ts'

/**
 * Creates the function that lands travellers' reports as readings, and removes those that count no more. They have no raw capture: the
 * state database keeps each report under the id in the row's `capture_id`.
 */
export function createReportLander(
  warehouse: Warehouse,
  now: () => number,
): (batch: Pick<ReportBatch, 'reports'> & Partial<ReportBatch>) => Promise<ReportReceipt> {
  return async ({ reports, removed = [] }) => {
    const landed_at = isoUtc(now())
    await warehouse.write(async (context) => {
      const dates = removed.map(({ observed_at }) => observed_at.slice(0, 10))
      await replaceCaptures(context, readings, removed.map(captureIdOf), [], dates)
      await landRows(
        context,
        readings,
        reports.map((report) => readingOf(report, landed_at)),
      )
    })
    return { landed: reports.map(({ id }) => id), removed: removed.map(({ id }) => id) }
  }
}

const captureIdOf = ({ id }: { id: string }) => `${CROWD_SOURCE}-${id}`

/** A report as a reading. It counts as known since it landed, because a report may be held for review after it was filed. */
function readingOf(report: WaitReport, landed_at: string): Reading {
  const { iata, queue, terminal, lane, wait_minutes, observed_at, filed_at } = report
  return {
    kind: queue,
    source: CROWD_SOURCE,
    iata,
    terminal,
    checkpoint: '',
    lane,
    observed_at,
    observed_at_basis: 'source',
    fetched_at: filed_at,
    available_at: landed_at,
    wait_minutes,
    wait_minutes_low: null,
    wait_minutes_high: null,
    wait_text: null,
    status: 'open',
    flags: [],
    capture_id: captureIdOf(report),
  }
}
