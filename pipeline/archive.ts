import { bulkhead } from 'cockatiel'
import { isoUtc } from '../config/domain.ts'
import {
  ARCHIVE_TIMEOUT_MS,
  type ArchiveAnswer,
  type ArchiveRequest,
  type PastForecast,
  type PastHistory,
} from '../jobs/calls/archive.ts'
import { forecastAsOf, historyAsOf, oldestForecast } from '../warehouse/serving/as-of.ts'
import type { OpenWarehouse } from '../warehouse/storage/warehouse.ts'

/** Collecting and publishing go on beside it, on the same two threads of DuckDB. */
const AT_ONCE = 2

/** Answers requests about the past from the warehouse, `AT_ONCE` at a time; `now` tells how long one has waited, in ms. */
export function createArchiveAnswerer(
  warehouse: OpenWarehouse,
  now: () => number,
): (request: ArchiveRequest) => Promise<ArchiveAnswer> {
  const places = bulkhead(AT_ONCE, Number.POSITIVE_INFINITY)
  return (request) => {
    const came = now()
    return places.execute(async (): Promise<PastForecast | PastHistory> => {
      if (now() - came > ARCHIVE_TIMEOUT_MS) throw new Error('nobody waits for this any more')
      const { iata, terminals } = request
      const [as_of, from, to] = [request.as_of, request.from, request.to].map(Date.parse) as [number, number, number]
      const asked = { iata, as_of, from, to, terminals }
      if (request.subject === 'forecast') return forecastThen(warehouse, { ...asked, now: Date.parse(request.now) })
      const { series, withheld_hours } = await historyAsOf(warehouse, asked)
      return {
        subject: 'history',
        series: series.map(({ terminal, hour, mean, p50, p90, max, samples, source, sources }) => ({
          terminal,
          hour: [...hour],
          mean: [...mean],
          p50: [...p50],
          p90: [...p90],
          max: [...max],
          samples: [...samples],
          source: [...source],
          sources,
        })),
        withheld_hours,
      }
    })
  }
}

async function forecastThen(
  warehouse: OpenWarehouse,
  asked: Parameters<typeof forecastAsOf>[1],
): Promise<PastForecast> {
  const vintage = await forecastAsOf(warehouse, asked)
  if (!vintage) return { subject: 'forecast', vintage, oldest_issued_at: await oldestForecast(warehouse, asked.iata) }
  const series = vintage.series.map(({ terminal, start_ms, p10, p50, p90, confidence, observed }) => ({
    terminal,
    start: isoUtc(start_ms),
    p10: [...p10],
    p50: [...p50],
    p90: [...p90],
    confidence: [...confidence],
    observed: Array.from(observed, (mean) => (Number.isNaN(mean) ? null : mean)),
  }))
  return { subject: 'forecast', vintage: { ...vintage, series }, oldest_issued_at: null }
}
