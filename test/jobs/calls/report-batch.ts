import type { ReportBatch } from '../../../jobs/calls/reports.ts'

/** The largest batch: as many reports, and as many that count no more, as one may hold, each as long as it may be. */
export function fullBatch(): ReportBatch {
  return {
    reports: Array.from({ length: 100 }, (_, i) => ({
      id: `report_${'x'.repeat(60)}_${i}`,
      iata: 'JFK',
      queue: 'security',
      terminal: 'Ö'.repeat(40),
      lane: 'standard',
      wait_minutes: 20,
      observed_at: '2026-11-21T14:18:00.001Z',
      filed_at: '2026-11-21T14:19:00Z',
    })),
    removed: Array.from({ length: 100 }, (_, i) => ({
      id: `report_${'y'.repeat(60)}_${i}`,
      observed_at: '2026-11-21T14:18:00.001Z',
    })),
  }
}
