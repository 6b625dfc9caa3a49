import { HOUR_MS } from '../../config/vocabulary.ts'
import type { ForecastSeries } from '../../warehouse/publishing/read/forecasts.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { isShutHour } from '../statements/closure.ts'

/**
 * A security forecast as it is shown: closed in hours that begin while airlines are shut out, and until closed security opens. Plans of a
 * departure need the last of these hours, in which security opens for the first flight, and take the forecast itself.
 */
export function shownForecast(snapshot: Snapshot, iata: string, terminal = ''): ForecastSeries | null {
  const series = snapshot.forecast(iata, terminal)
  const { closures } = snapshot.delays(iata)
  const queue = snapshot.queue(iata, 'security')
  if (series === null || (closures.length === 0 && queue.reopens_at === null)) return series
  const open = series.open.map((percent, ahead) =>
    isShutHour(series.start_ms + ahead * HOUR_MS, closures, queue) ? 0 : percent,
  )
  return { ...series, open }
}
