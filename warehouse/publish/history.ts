import { DAY_MS, HOUR_MS } from '../../config/domain.ts'
import type { HistorySeries } from '../snapshot/types.ts'
import type { Warehouse } from '../warehouse.ts'

export const HISTORY_DAYS = 90
const tenths = (values: ArrayLike<unknown>, from: number, to: number) => {
  const out = new Int16Array(to - from)
  for (let i = from; i < to; i += 1) out[i - from] = Math.round(Number(values[i]) * 10)
  return out
}

/** Observed security hours of the last 90 days at airport and terminal level; only hours with readings. */
export async function historySeries(warehouse: Warehouse, now: number): Promise<HistorySeries[]> {
  const from = new Date(now - HISTORY_DAYS * DAY_MS).toISOString()
  const rows = await warehouse.columns(
    `SELECT iata || '/' || terminal AS series, hour, mean, p50, p90, max, samples FROM rollups
     WHERE kind = 'security' AND level IN ('airport', 'terminal') AND date >= $day AND hour >= $from::TIMESTAMPTZ
     ORDER BY iata, terminal, hour`,
    { day: from.slice(0, 10), from },
  )
  const names = rows['series'] as string[]
  const [mean, p50, p90, max] = [rows['mean'] ?? [], rows['p50'] ?? [], rows['p90'] ?? [], rows['max'] ?? []]
  const series: HistorySeries[] = []
  for (let start = 0; start < names.length; ) {
    let end = start
    while (names[end] === names[start]) end += 1
    const name = names[start] ?? ''
    series.push({
      iata: name.slice(0, 3),
      terminal: name.slice(4),
      hour: Int32Array.from((rows['hour'] as Float64Array).subarray(start, end), (ms) => Math.round(ms / HOUR_MS)),
      mean: tenths(mean, start, end),
      p50: tenths(p50, start, end),
      p90: tenths(p90, start, end),
      max: tenths(max, start, end),
      samples: Int32Array.from((rows['samples'] as Float64Array).subarray(start, end)),
    })
    start = end
  }
  return series
}
