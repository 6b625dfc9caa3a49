import { HOUR_MS } from '../../../config/domain.ts'
import type { Snapshot } from '../../../warehouse/serving/snapshot/snapshot.ts'
import { forecastHourAt, isOpenHour, type OpenHour } from '../../data/queries/forecast-hour.ts'
import { localTime } from '../../data/queries/local-time.ts'

const HOURS = 24
const WIDTH = 144
const HEIGHT = 32

/** The forecast hours of a day in which the queue is not closed, each with its place after the hour `start` (epoch ms). */
export interface DayForecast {
  start: number
  hours: (OpenHour & { place: number })[]
}

/** The forecast of the 24 hours that begin with the current one; fewer hours where the forecast ends earlier. */
export function forecastOfNextDay(snapshot: Snapshot, iata: string): DayForecast {
  const start = Math.floor(snapshot.generated_ms / HOUR_MS) * HOUR_MS
  const series = snapshot.forecast(iata)
  const hours = Array.from({ length: HOURS }, (_, place) => {
    const hour = series && forecastHourAt(series, start + place * HOUR_MS)
    return hour && isOpenHour(hour) ? [Object.assign(hour, { place })] : []
  })
  return { start, hours: hours.flat() }
}

/** The wait in minutes at the top of every sparkline of a page. They share one scale so that rows can be compared. */
export function sparklineScale(forecasts: DayForecast[]): number {
  return Math.max(10, ...forecasts.flatMap(({ hours }) => hours.map(({ high }) => high)))
}

/** A small chart of 24 hours: the median as a line, the 80 % interval as a band. Its label says the same in words. */
export function Sparkline({ forecast, top, timezone }: { forecast: DayForecast; top: number; timezone: string }) {
  const { start, hours } = forecast
  if (hours.length < 2) return <span class="none">no forecast</span>
  const x = (hour: number) => round((hour / (HOURS - 1)) * WIDTH)
  const y = (minutes: number) => round(HEIGHT - 1 - (Math.min(minutes, top) / top) * (HEIGHT - 2))
  const points = (pick: (hour: OpenHour) => number) => hours.map((hour) => `${x(hour.place)},${y(pick(hour))}`)
  const band = points(({ high }) => high).concat(points(({ low }) => low).reverse())
  const waits = hours.map(({ wait_minutes }) => wait_minutes)
  const localHour = (minutes: number) =>
    localTime(start + hours[waits.indexOf(minutes)]!.place * HOUR_MS, timezone).slice(11, 16)
  const lowest = Math.min(...waits)
  const highest = Math.max(...waits)
  const label = `Next ${HOURS} hours: least ${lowest} min at ${localHour(lowest)}, most ${highest} min at ${localHour(highest)}, local time`
  return (
    <>
      <svg role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT}>
        <title>{label}</title>
        <polygon points={band.join(' ')} />
        <polyline points={points(({ wait_minutes }) => wait_minutes).join(' ')} />
      </svg>
      <span>{`${lowest} to ${highest} min, most at ${localHour(highest)}`}</span>
    </>
  )
}

const round = (value: number) => Math.round(value * 10) / 10
