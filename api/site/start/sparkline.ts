import { HOUR_MS } from '../../../config/domain.ts'
import type { Snapshot } from '../../../warehouse/serving/snapshot/snapshot.ts'
import { type ForecastHour, forecastHourAt } from '../../data/queries/forecast-hour.ts'
import { localTime } from '../../data/queries/local-time.ts'

const HOURS = 24
const WIDTH = 144
const HEIGHT = 32

/** The forecast of the 24 hours from the current one on, as far as there is one. */
export function nextDay(snapshot: Snapshot, iata: string): { start: number; hours: ForecastHour[] } {
  const start = Math.floor(snapshot.generated_ms / HOUR_MS) * HOUR_MS
  const series = snapshot.forecast(iata)
  const hours = Array.from({ length: HOURS }, (_, hour) => series && forecastHourAt(series, start + hour * HOUR_MS))
  return { start, hours: hours.filter((hour) => hour !== null) }
}

/** The wait that the top of all sparklines of a page stands for: one scale, so that rows can be compared. */
export function scaleOf(days: { hours: ForecastHour[] }[]): number {
  return Math.max(10, ...days.flatMap(({ hours }) => hours.map(({ high }) => high)))
}

/** A small chart of 24 hours: the median as a line, the 80 % interval as a band; its label says the same in words. */
export function sparkline({ start, hours }: { start: number; hours: ForecastHour[] }, top: number, timezone: string) {
  if (hours.length < 2) return '<span class="none">no forecast</span>'
  const x = (hour: number) => round((hour / (HOURS - 1)) * WIDTH)
  const y = (minutes: number) => round(HEIGHT - 1 - (Math.min(minutes, top) / top) * (HEIGHT - 2))
  const points = (pick: (hour: ForecastHour) => number) => hours.map((hour, place) => `${x(place)},${y(pick(hour))}`)
  const band = [...points(({ high }) => high), ...points(({ low }) => low).reverse()].join(' ')
  const waits = hours.map(({ wait_minutes }) => wait_minutes)
  const clock = (minutes: number) => localTime(start + waits.indexOf(minutes) * HOUR_MS, timezone).slice(11, 16)
  const [least, most] = [Math.min(...waits), Math.max(...waits)]
  const label = `Next ${hours.length} hours: least ${least} min at ${clock(least)}, most ${most} min at ${clock(most)}, local time`
  return `<svg role="img" aria-label="${label}" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"><title>${label}</title><polygon points="${band}"/><polyline points="${points(({ wait_minutes }) => wait_minutes).join(' ')}"/></svg><span>${least} to ${most} min, most at ${clock(most)}</span>`
}

const round = (value: number) => Math.round(value * 10) / 10
