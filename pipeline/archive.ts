import { bulkhead } from 'cockatiel'
import { isoUtc } from '../config/domain.ts'
import { ARCHIVE_WITHIN_MS, type Archivist, type ForecastThen, type HistoryThen } from '../jobs/archive.ts'
import { forecastAsOf, historyAsOf, oldestForecast } from '../warehouse/serving/as-of.ts'
import type { OpenWarehouse } from '../warehouse/storage/warehouse.ts'

/** Collecting and publishing go on beside it, on the same two threads of DuckDB. */
const AT_ONCE = 2

/** Answers questions about the past from the warehouse, `AT_ONCE` at a time; `now` tells how long one has waited, in ms. */
export function createArchivist(warehouse: OpenWarehouse, now: () => number): Archivist {
  const places = bulkhead(AT_ONCE, Number.POSITIVE_INFINITY)
  return (question) => {
    const came = now()
    return places.execute(async (): Promise<ForecastThen | HistoryThen> => {
      if (now() - came > ARCHIVE_WITHIN_MS) throw new Error('nobody waits for this any more')
      const { iata, terminals } = question
      const [as_of, from, to] = [question.as_of, question.from, question.to].map(Date.parse) as [number, number, number]
      const asked = { iata, as_of, from, to, terminals }
      if (question.of === 'forecast') return forecastThen(warehouse, { ...asked, now: Date.parse(question.now) })
      const { series, withheld_hours } = await historyAsOf(warehouse, asked)
      return {
        of: 'history',
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
): Promise<ForecastThen> {
  const vintage = await forecastAsOf(warehouse, asked)
  if (!vintage) return { of: 'forecast', vintage, oldest_issued_at: await oldestForecast(warehouse, asked.iata) }
  const series = vintage.series.map(({ terminal, start_ms, p10, p50, p90, confidence, observed }) => ({
    terminal,
    start: isoUtc(start_ms),
    p10: [...p10],
    p50: [...p50],
    p90: [...p90],
    confidence: [...confidence],
    observed: Array.from(observed, (mean) => (Number.isNaN(mean) ? null : mean)),
  }))
  return { of: 'forecast', vintage: { ...vintage, series }, oldest_issued_at: null }
}
