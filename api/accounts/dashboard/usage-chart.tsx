import { grouped } from '../../site/pages/elements.tsx'
import { daysIn, monthInWords } from './months.ts'

const HEIGHT = 160
const TOP = 8
const BASE = HEIGHT - 22
const LABELLED_DAYS = [1, 8, 15, 22, 29]

/** The top of the scale: the next 1, 2 or 5 times a power of ten, at least 10. */
export function scaleTop(largest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(largest, 1)))
  const top = [1, 2, 5, 10].map((step) => step * power).find((candidate) => candidate >= largest)
  return Math.max(10, top ?? 10)
}

/** A bar chart of the calls on the days of a month, from the first day on. It stretches with the page; its text does not. */
export function UsageChart({ month, calls }: { month: string; calls: number[] }) {
  const days = daysIn(month)
  const total = calls.reduce((sum, each) => sum + each, 0)
  const largest = Math.max(0, ...calls)
  const top = scaleTop(largest)
  const y = (value: number) => round(BASE - (value / top) * (BASE - TOP))
  const x = (place: number) => `${round((place / days) * 100)}%`
  const busiest = `${grouped(total)} in all, most on day ${calls.indexOf(largest) + 1}: ${grouped(largest)}`
  const levels = [top, top / 2, 0]
  const scaleWidth = Math.max(...levels.map((level) => grouped(level).length)) * 8
  return (
    <div class="bars">
      <svg class="scale" aria-hidden="true" width={scaleWidth} height={HEIGHT}>
        {levels.map((level) => (
          <text x="100%" y={y(level) + 4}>
            {grouped(level)}
          </text>
        ))}
      </svg>
      <svg role="img" aria-labelledby="chart-title chart-summary" width="100%" height={HEIGHT}>
        <title id="chart-title">{`Calls a day in ${monthInWords(month)}`}</title>
        <desc id="chart-summary">{`${largest === 0 ? 'none so far' : busiest}. The table below has every day.`}</desc>
        {levels.map((level) => (
          <line x1="0" x2="100%" y1={y(level)} y2={y(level)} />
        ))}
        {LABELLED_DAYS.filter((day) => day <= days).map((day) => (
          <text x={x(day - 0.5)} y={HEIGHT - 4}>
            {day}
          </text>
        ))}
        {calls.map((each, place) => (
          <g>
            <title>{`${month}-${String(place + 1).padStart(2, '0')}: ${grouped(each)} calls`}</title>
            <rect class="whole" x={x(place)} width={x(1)} height={BASE} />
            {each > 0 && (
              <rect
                class="bar"
                x={x(place + 0.15)}
                width={x(0.7)}
                y={round(Math.min(y(each), BASE - 2))}
                height={round(Math.max(BASE - y(each), 2))}
                rx="1.5"
              />
            )}
          </g>
        ))}
      </svg>
    </div>
  )
}

const round = (value: number) => Math.round(value * 100) / 100
