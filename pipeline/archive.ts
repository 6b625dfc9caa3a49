import { bulkhead } from 'cockatiel'
import { isoUtc } from '../config/domain.ts'
import { mapKeys } from '../config/map-keys.ts'
import {
  ARCHIVE_TIMEOUT_MS,
  type ArchiveAnswer,
  type ArchiveRequest,
  type PastForecast,
  type PastHistory,
} from '../jobs/calls/archive.ts'
import { forecastAsOf, historyAsOf, oldestForecast } from '../warehouse/publishing/as-of.ts'
import { VALUE_COLUMNS } from '../warehouse/publishing/read/forecasts.ts'
import { HISTORY_COLUMNS } from '../warehouse/publishing/read/history.ts'
import type { Warehouse } from '../warehouse/storage/warehouse.ts'

/** Collecting and publishing use the same two threads of DuckDB at the same time. */
const MAX_REQUESTS_AT_ONCE = 2

/**
 * Creates the function that answers requests about the past from the warehouse, two at a time. A request that waited longer than
 * its client does is rejected; `now` is the clock for that, in milliseconds.
 */
export function createArchiveAnswerer(
  warehouse: Warehouse,
  now: () => number,
): (request: ArchiveRequest) => Promise<ArchiveAnswer> {
  const limited = bulkhead(MAX_REQUESTS_AT_ONCE, Number.POSITIVE_INFINITY)
  return (request) => {
    const received = now()
    return limited.execute(async () => {
      if (now() - received > ARCHIVE_TIMEOUT_MS) throw new Error('the client no longer waits for this request')
      const { iata, terminals } = request
      const selection = {
        iata,
        terminals,
        as_of: Date.parse(request.as_of),
        from: Date.parse(request.from),
        to: Date.parse(request.to),
      }
      return request.subject === 'forecast'
        ? pastForecast(warehouse, { ...selection, now: Date.parse(request.now) })
        : pastHistory(warehouse, selection)
    })
  }
}

async function pastForecast(
  warehouse: Warehouse,
  selection: Parameters<typeof forecastAsOf>[1],
): Promise<PastForecast> {
  const vintage = await forecastAsOf(warehouse, selection)
  if (!vintage)
    return { subject: 'forecast', vintage, oldest_issued_at: await oldestForecast(warehouse, selection.iata) }
  const series = vintage.series.map(({ terminal, start_ms, observed, adjusted_to, ...hours }) => ({
    terminal,
    start: isoUtc(start_ms),
    ...mapKeys(VALUE_COLUMNS, (name) => [...hours[name]]),
    adjusted_to,
    observed: Array.from(observed, (mean) => (Number.isNaN(mean) ? null : mean)),
  }))
  return { subject: 'forecast', vintage: { ...vintage, series }, oldest_issued_at: null }
}

async function pastHistory(warehouse: Warehouse, selection: Parameters<typeof historyAsOf>[1]): Promise<PastHistory> {
  const { series, withheld_hours } = await historyAsOf(warehouse, selection)
  return {
    subject: 'history',
    series: series.map(({ terminal, sources, ...hours }) => ({
      terminal,
      ...mapKeys(HISTORY_COLUMNS, (name) => [...hours[name]]),
      sources,
    })),
    withheld_hours,
  }
}
