import { counted } from './amounts.ts'
import { daysIn, monthInWords } from './months.ts'

const HEIGHT = 160
const TOP = 8
const BASE = HEIGHT - 22
const LABELLED = [1, 8, 15, 22, 29]

/** The top of a scale: the next 1, 2 or 5 with noughts, and at least 10. */
export function scaleTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)))
  return Math.max(
    10,
    ...[1, 2, 5, 10]
      .map((step) => step * power)
      .filter((top) => top >= most)
      .slice(0, 1),
  )
}

/** Bars of the days of a month, from the first on: as many as are given. It stretches with the page, its letters do not. */
export function usageChart(month: string, calls: number[]): string {
  const [days, total, most] = [daysIn(month), calls.reduce((sum, each) => sum + each, 0), Math.max(0, ...calls)]
  const top = scaleTop(most)
  const y = (value: number) => round(BASE - (value / top) * (BASE - TOP))
  const x = (place: number) => `${round((place / days) * 100)}%`
  const title = `Calls a day in ${monthInWords(month)}`
  const busiest =
    most === 0 ? 'none so far' : `${counted(total)} in all, most on day ${calls.indexOf(most) + 1}: ${counted(most)}`
  const levels = [top, top / 2, 0]
  const grid = levels.map((level) => `<line x1="0" x2="100%" y1="${y(level)}" y2="${y(level)}"/>`)
  const scale = levels.map((level) => `<text x="100%" y="${y(level) + 4}">${counted(level)}</text>`)
  const bars = calls.map((each, place) => {
    const bar =
      each === 0
        ? ''
        : `<rect class="bar" x="${x(place + 0.15)}" width="${x(0.7)}" y="${round(Math.min(y(each), BASE - 2))}" height="${round(Math.max(BASE - y(each), 2))}" rx="1.5"/>`
    const name = `<title>${month}-${String(place + 1).padStart(2, '0')}: ${counted(each)} calls</title>`
    return `<g>${name}<rect class="whole" x="${x(place)}" width="${x(1)}" height="${BASE}"/>${bar}</g>`
  })
  const names = LABELLED.filter((number) => number <= days).map(
    (number) => `<text x="${x(number - 0.5)}" y="${HEIGHT - 4}">${number}</text>`,
  )
  const width = Math.max(...levels.map((level) => counted(level).length)) * 8
  return `<div class="bars"><svg class="scale" aria-hidden="true" width="${width}" height="${HEIGHT}">${scale.join('')}</svg>
<svg role="img" aria-labelledby="chart-title chart-told" width="100%" height="${HEIGHT}"><title id="chart-title">${title}</title><desc id="chart-told">${busiest}. The table below has every day.</desc>
${grid.join('')}${names.join('')}
${bars.join('\n')}</svg></div>`
}

const round = (value: number) => Math.round(value * 100) / 100
