import { terminalNamed } from '../../config/terminal-name.ts'
import { HOUR_MS } from '../../config/vocabulary.ts'
import type { ForecastSeries } from '../../warehouse/publishing/read/forecasts.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { isShutHour } from '../statements/closure.ts'

/**
 * A security forecast as it is shown: closed in hours that begin while airlines are shut out, and until security, or that of the terminal, opens. Plans of a
 * departure need the last of these hours, in which security opens for the first flight, and take the forecast itself.
 */
export function shownForecast(snapshot: Snapshot, iata: string, terminal = ''): ForecastSeries | null {
  const series = snapshot.forecast(iata, terminal)
  const { closures } = snapshot.delays(iata)
  const airport = snapshot.queue(iata, 'security')
  const own = terminal === '' ? airport : (terminalNamed(airport.terminals, terminal) ?? airport)
  if (series === null || (closures.length === 0 && airport.reopens_at === null && own.reopens_at === null))
    return series
  const isShut = (start: number) => [airport, own].some((queue) => isShutHour(start, closures, queue))
  const open = series.open.map((percent, ahead) => (isShut(series.start_ms + ahead * HOUR_MS) ? 0 : percent))
  return { ...series, open }
}
