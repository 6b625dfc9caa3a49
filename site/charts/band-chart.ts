import { DateTime } from 'luxon'
import { DAYTIME } from '../../answers/questions/forecast-summary.ts'
import type { Predictions } from '../../answers/questions/get-predictions.ts'
import { countText } from '../../config/count-text.ts'
import { zoneOf } from '../../config/time-zones/local-time.ts'
import { HOUR_MS } from '../../config/vocabulary.ts'
import { type Chart, type LegendEntry, WIDTH } from './chart.ts'
import { clockAt, clockChange, localTicks } from './local-axis.ts'
import { nowMarks, type RunPoint, runsOf, timeAxis } from './marks.ts'
import { colour } from './palette.ts'
import { margins, TEXT, type Toolkit } from './toolkit.ts'

/** The forecast of one hour; an hour in which the queue is closed has no minutes. */
export type ForecastHour = Pick<Predictions['hours'][number], 'time' | 'wait_minutes' | 'low' | 'high' | 'status'>

/** The observed wait of an hour that has ended. */
export type PastHour = { time: string; observed_minutes: number | null }

export interface BandData {
  /** How the place is named in the words of the chart: JFK. */
  place: string
  timezone: string
  /** Epoch milliseconds. */
  now: number
  /** The wait observed now; null if none is. */
  current_minutes: number | null
  past: readonly PastHour[]
  ahead: readonly ForecastHour[]
  /** The highest minutes of other charts beside this one, so that all have one scale. */
  highest?: number
}

type OpenHour = ForecastHour & { wait_minutes: number; low: number; high: number }
const isOpen = (hour: ForecastHour): hour is OpenHour =>
  hour.wait_minutes !== null && hour.low !== null && hour.high !== null

/** An axis of more hours than these names days only. */
const MAX_CLOCK_HOURS = 72

const isObserved = ({ observed_minutes }: PastHour) => observed_minutes !== null
const startOf = ({ time }: Pick<PastHour, 'time'>) => Date.parse(time)

const FORECAST: LegendEntry[] = [
  { mark: 'line', colour: 'line', text: 'expected wait' },
  { mark: 'band', colour: 'band', text: '8 of 10 waits' },
]
const OBSERVED: LegendEntry = { mark: 'dot', colour: 'observed', text: 'observed' }
const CLOSED: LegendEntry = { mark: 'band', colour: 'closed', text: 'closed' }

/** How the runs of hours are drawn: the range, the expected wait, and what was observed. */
const along = { x: 'instant', z: 'run', curve: 'monotone-x' as const }
const range = { ...along, y1: ({ value }: OpenPoint) => value.low, y2: ({ value }: OpenPoint) => value.high }
const expected = { ...along, y: ({ value }: OpenPoint) => value.wait_minutes }
const seen = { ...along, y: ({ value }: RunPoint<PastHour>) => value.observed_minutes }
type OpenPoint = RunPoint<Pick<ForecastHour, 'wait_minutes' | 'low' | 'high'>>

/** The top of an axis below which small waits would look like long ones, in minutes. */
const MIN_TOP = 20

/**
 * The next hours as a band of 8 in 10 waits around the expected one, beside what was observed in the hours
 * before. Times are the airport's own.
 */
export function bandChart({ Plot, draw }: Toolkit, data: BandData): Chart {
  const { past, ahead, timezone, now, current_minutes } = data
  const all = [...past, ...ahead]
  const from = Date.parse(all[0]?.time ?? new Date(now).toISOString())
  const to = Date.parse(all.at(-1)?.time ?? new Date(now).toISOString()) + HOUR_MS
  const observed = runsOf(past.filter(isObserved), startOf, HOUR_MS)
  const forecast = runsOf(ahead.filter(isOpen), startOf, HOUR_MS)
  const closed = closedSpans(ahead)
  const highest = Math.max(
    MIN_TOP,
    data.highest ?? 0,
    current_minutes ?? 0,
    ...past.map(({ observed_minutes }) => observed_minutes ?? 0),
    ...ahead.map(({ high }) => high ?? 0),
  )
  const ticks = localTicks(from, to, timezone, to - from > MAX_CLOCK_HOURS * HOUR_MS ? 24 : 6)
  const change = clockChange(from, to, timezone)
  const middles = observed.filter(({ instant }) => instant % HOUR_MS === HOUR_MS / 2)
  const isNowShown = now >= from && now <= to
  return draw({
    title: `Security wait at ${data.place}: ${isOneDay(data) ? 'the next and the last 24 hours' : 'by the hour'}`,
    description: bandWords(data),
    legend: [
      ...(forecast.length > 0 ? FORECAST : []),
      ...(observed.length > 0 ? [OBSERVED] : []),
      ...(closed.length > 0 ? [CLOSED] : []),
    ],
    options: {
      width: WIDTH,
      height: 300,
      ...margins(32, 24, 56, 40),
      x: { type: 'linear', domain: [from, to], axis: null },
      y: { domain: [0, highest * 1.06], axis: null },
      marks: [
        Plot.gridY({ ticks: 4, stroke: colour('grid'), strokeOpacity: 1 }),
        Plot.rect(closed, { x1: 'from', x2: 'to', y1: 0, y2: highest * 1.06, fill: colour('closed') }),
        Plot.text(
          closed.filter(({ from: start, to: end }) => ((end - start) / (to - from)) * WIDTH > 70),
          {
            x: ({ from: start, to: end }: ClosedSpan) => (start + end) / 2,
            text: () => 'closed',
            frameAnchor: 'middle',
            fill: colour('ink'),
          },
        ),
        Plot.ruleX(
          ticks.filter(({ isMidnight }) => isMidnight).map(({ instant }) => instant),
          { stroke: colour('grid'), strokeWidth: 1.5 },
        ),
        Plot.areaY(forecast, { ...range, fill: colour('band') }),
        Plot.lineY(forecast, { ...expected, stroke: colour('line'), strokeWidth: 2.5 }),
        Plot.lineY(observed, { ...seen, stroke: colour('observed'), strokeWidth: 2 }),
        Plot.dot(middles, {
          x: 'instant',
          y: seen.y,
          r: 3,
          fill: colour('observed'),
        }),
        ...(isNowShown ? nowMarks(Plot, now, [from, to], timezone) : []),
        ...(isNowShown && current_minutes !== null
          ? [
              Plot.dot([now], {
                x: (instant: number) => instant,
                y: () => current_minutes,
                r: 5,
                fill: colour('observed'),
                stroke: colour('surface'),
                strokeWidth: 1.5,
              }),
            ]
          : []),
        ...(change
          ? [
              Plot.ruleX([change.instant], { stroke: colour('quiet'), strokeDasharray: '2 3' }),
              Plot.text([change.instant], {
                x: (instant: number) => instant,
                text: () => `clocks go ${change.minutes > 0 ? 'forward' : 'back'}`,
                frameAnchor: 'top',
                dy: 4,
                lineAnchor: 'top',
                textAnchor: change.instant - from > to - change.instant ? 'end' : 'start',
                dx: change.instant - from > to - change.instant ? -4 : 4,
                ...TEXT,
              }),
            ]
          : []),
        Plot.axisY({ ticks: 4, tickSize: 0, label: null, ...TEXT }),
        Plot.text(['min'], { frameAnchor: 'top-left', dx: -34, dy: -26, textAnchor: 'start', ...TEXT }),
        timeAxis(Plot, ticks),
        Plot.ruleY([0], { stroke: colour('quiet') }),
      ],
    },
  })
}

/** Whether the hours ahead are at most 24, from this hour on. */
export const isOneDay = ({ ahead, now }: Pick<BandData, 'ahead' | 'now'>) =>
  ahead.length <= 24 && beginsNow({ ahead, now })

/** Whether the hours ahead begin with the present one, not on a later day. */
export const beginsNow = ({ ahead: [first], now }: Pick<BandData, 'ahead' | 'now'>) =>
  first === undefined || startOf(first) <= now

interface ClosedSpan {
  from: number
  to: number
}

/** The times in which the queue is expected to be closed: hours that follow each other are one span. */
function closedSpans(ahead: readonly ForecastHour[]): ClosedSpan[] {
  const spans: ClosedSpan[] = []
  for (const { time, status } of ahead) {
    if (status !== 'closed') continue
    const start = Date.parse(time)
    const last = spans.at(-1)
    if (last?.to === start) last.to += HOUR_MS
    else spans.push({ from: start, to: start + HOUR_MS })
  }
  return spans
}

/** Whether an hour is one of the day: at others a queue may be closed, where its hours are not known. */
export function isByDay({ time }: Pick<ForecastHour, 'time'>, timezone: string): boolean {
  const { hour } = DateTime.fromISO(time, { zone: zoneOf(timezone) })
  return hour >= DAYTIME.first && hour <= DAYTIME.last
}

/** The chart in sentences. */
export function bandWords(data: BandData): string {
  const { place, timezone, now, current_minutes } = data
  const current = current_minutes === null ? [] : [`Now, at ${clockAt(now, timezone)}: ${current_minutes} min.`]
  return [`Security wait at ${place} in minutes, in local time (${timezone}).`, ...current, ...bandFacts(data)].join(
    ' ',
  )
}

function bandFacts({ timezone, past, ahead, now }: BandData): string[] {
  const sentences: string[] = []
  const open = ahead.filter(isOpen)
  const hours = beginsNow({ ahead, now }) ? `Next ${ahead.length} hours` : `${ahead.length} hours`
  const clockOf = ({ time }: { time: string }) => clockAt(Date.parse(time), timezone)
  const busiest = open.reduce<OpenHour | null>(
    (most, hour) => (most === null || hour.wait_minutes > most.wait_minutes ? hour : most),
    null,
  )
  // At night a queue may be closed where its hours are not known.
  const sure = open.filter((hour) => hour.status === 'open' || isByDay(hour, timezone))
  const quietest = (sure.length > 0 ? sure : open).reduce<OpenHour | null>(
    (least, hour) => (least === null || hour.wait_minutes < least.wait_minutes ? hour : least),
    null,
  )
  if (busiest && quietest)
    sentences.push(
      busiest.wait_minutes === quietest.wait_minutes
        ? `${hours}: about ${busiest.wait_minutes} min at all hours.`
        : `${hours}: longest at ${clockOf(busiest)} with about ${busiest.wait_minutes} min (8 of 10 waits from ${busiest.low} to ${busiest.high}), shortest at ${clockOf(quietest)} with about ${quietest.wait_minutes} min.`,
    )
  else if (ahead.length === 0) sentences.push('No forecast is known.')
  for (const { from, to } of closedSpans(ahead))
    sentences.push(
      to - from === ahead.length * HOUR_MS
        ? 'Expected to be closed in all of these hours.'
        : `Expected to be closed from ${clockAt(from, timezone)} to ${clockAt(to, timezone)}.`,
    )
  if (!beginsNow({ ahead, now })) return sentences
  const known = past.filter(isObserved)
  if (known.length === 0) sentences.push('Nothing was observed in the last 24 hours.')
  else {
    const waits = known.map(({ observed_minutes }) => observed_minutes!)
    const [low, high] = [Math.min(...waits), Math.max(...waits)]
    const range = low === high ? `${low} min` : `from ${low} to ${high} min`
    sentences.push(`Last 24 hours: ${countText(known.length, 'hour')} observed, ${range}.`)
  }
  return sentences
}
