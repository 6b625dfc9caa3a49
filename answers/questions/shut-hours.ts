import type { Airport } from '../../config/airports/directory.ts'
import { HOUR_MS } from '../../config/vocabulary.ts'
import type { ForecastSeries } from '../../warehouse/publishing/read/forecasts.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { isShutAt } from '../statements/closure.ts'

/** A forecast of security whose hours are closed while airlines are shut out, and until a closed queue opens: nobody waits then. */
export function withShutHours(
  series: ForecastSeries,
  { iata }: Pick<Airport, 'iata'>,
  snapshot: Snapshot,
): ForecastSeries {
  const { closures } = snapshot.delays(iata)
  const { status, reopens_at } = snapshot.queue(iata, 'security')
  const opens = status === 'closed' && reopens_at !== null ? Date.parse(reopens_at) : null
  if (closures.length === 0 && opens === null) return series
  const isShut = (start: number) => (opens !== null && start < opens) || isShutAt(closures, start)
  const open = series.open.map((percent, index) => (isShut(series.start_ms + index * HOUR_MS) ? 0 : percent))
  return { ...series, open }
}
