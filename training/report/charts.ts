import type { SkillInterval } from '../../forecasting/skill/bootstrap.ts'
import type { ReliabilityFigures, WeekFigures } from './figures.ts'

/** Escapes text for HTML and SVG. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Narrow enough that the labels can be read on a telephone. */
const WIDTH = 520

const at = (value: number) => value.toFixed(1)

function svg(height: number, title: string, content: string[]): string {
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}"><title>${escaped(title)}</title>${content.join('')}</svg>`
}

const label = (x: number, y: number, text: string, anchor: 'start' | 'middle' | 'end' = 'middle', kind = '') =>
  `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}"${kind ? ` class="${kind}"` : ''}>${escaped(text)}</text>`

const line = (x1: number, y1: number, x2: number, y2: number, kind: string) =>
  `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" class="${kind}"/>`

/** Round steps for an axis: about `count` of them. */
function ticks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough)!
  const values: number[] = []
  for (let k = Math.ceil(low / step); k * step <= high + step / 1_000; k++) values.push(k * step)
  return values
}

const percent = (share: number) => `${(100 * share).toFixed(0).replace('-', '−')} %`

export interface SkillRow {
  name: string
  interval: SkillInterval | null
}

const ROW_HEIGHT = 22

/** A dot with its 95 % interval for each row, and a line at no skill. */
export function skillChart(title: string, rows: readonly SkillRow[]): string {
  const left = 150
  const right = WIDTH - 28
  const bounds = rows.flatMap(({ interval }) => (interval ? [interval.low, interval.high] : []))
  const low = Math.min(0, ...bounds) - 0.01
  const high = Math.max(0, ...bounds) + 0.01
  const x = (skill: number) => left + ((skill - low) / (high - low)) * (right - left)
  const height = rows.length * ROW_HEIGHT + 34
  const bottom = height - 28
  const content = ticks(low, high, 6).flatMap((tick) => [
    line(x(tick), 4, x(tick), bottom, Math.abs(tick) < 1e-9 ? 'zero' : 'grid'),
    label(x(tick), bottom + 16, percent(tick)),
  ])
  for (const [k, { name, interval }] of rows.entries()) {
    const y = 4 + (k + 0.5) * ROW_HEIGHT
    content.push(label(left - 10, y + 4, name, 'end'))
    if (!interval) continue
    const kind = interval.low > 0 ? 'better' : interval.high < 0 ? 'worse' : 'level'
    content.push(line(x(interval.low), y, x(interval.high), y, `whisker ${kind}`))
    content.push(`<circle cx="${at(x(interval.skill))}" cy="${at(y)}" r="4.5" class="dot ${kind}"/>`)
  }
  return svg(height, title, content)
}

export interface CoverageRow {
  name: string
  coverage: number
  /** The range that is aimed at. */
  aim: readonly [number, number]
}

/** How many hours lay inside p10–p90, beside the range that is aimed at. */
export function coverageChart(title: string, rows: readonly CoverageRow[]): string {
  const left = 150
  const right = WIDTH - 28
  const low = Math.min(0.6, ...rows.map(({ coverage }) => coverage - 0.02))
  const x = (share: number) => left + ((share - low) / (1 - low)) * (right - left)
  const height = rows.length * ROW_HEIGHT + 34
  const bottom = height - 28
  const content = ticks(low, 1, 5).flatMap((tick) => [
    line(x(tick), 4, x(tick), bottom, 'grid'),
    label(x(tick), bottom + 16, percent(tick)),
  ])
  for (const [k, { name, coverage, aim }] of rows.entries()) {
    const y = 4 + (k + 0.5) * ROW_HEIGHT
    const isInside = coverage >= aim[0] && coverage <= aim[1]
    content.push(
      `<rect x="${at(x(aim[0]))}" y="${at(y - 8)}" width="${at(x(aim[1]) - x(aim[0]))}" height="16" class="aim"/>`,
      label(left - 10, y + 4, name, 'end'),
      `<circle cx="${at(x(coverage))}" cy="${at(y)}" r="4.5" class="dot ${isInside ? 'better' : 'worse'}"/>`,
    )
  }
  content.push(line(x(0.8), 4, x(0.8), bottom, 'zero'))
  return svg(height, title, content)
}

/** Said against happened, with how many forecasts said so beneath. */
export function reliabilityChart(title: string, { bins }: ReliabilityFigures): string {
  const left = 56
  const size = 300
  const top = 8
  const x = (said: number) => left + said * size
  const y = (happened: number) => top + (1 - happened) * size
  const most = Math.max(...bins.map(({ samples }) => samples))
  const total = bins.reduce((sum, { samples }) => sum + samples, 0)
  const base = top + size + 118
  const content = [0, 0.2, 0.4, 0.6, 0.8, 1].flatMap((tick) => [
    line(x(tick), top, x(tick), top + size, 'grid'),
    line(left, y(tick), left + size, y(tick), 'grid'),
    label(left - 8, y(tick) + 4, percent(tick), 'end'),
    label(x(tick), top + size + 18, percent(tick)),
  ])
  content.push(line(x(0), y(0), x(1), y(1), 'zero'))
  const path = bins.map(({ said, happened }, k) => `${k === 0 ? 'M' : 'L'}${at(x(said))} ${at(y(happened))}`).join('')
  content.push(`<path d="${path}" class="median"/>`)
  for (const { said, happened, samples } of bins) {
    content.push(`<circle cx="${at(x(said))}" cy="${at(y(happened))}" r="4.5" class="dot better"/>`)
    const height = (samples / most) * 62
    content.push(
      `<rect x="${at(x(said) - 9)}" y="${at(base - height)}" width="18" height="${at(height)}" class="bar"/>`,
    )
    if (samples / total >= 0.02)
      content.push(label(x(said), base - height - 4, percent(samples / total), 'middle', 'small'))
  }
  content.push(
    line(left, base, left + size, base, 'axis'),
    label(left + size + 14, top + 14, 'happened', 'start', 'note'),
    label(left + size + 14, y(0.02), 'said', 'start', 'note'),
    label(left + size + 14, base - 4, 'share of forecasts', 'start', 'note'),
  )
  return svg(base + 10, title, content)
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The interval and the median of each hour of a week, and what was observed. */
export function weekChart(title: string, { hours }: WeekFigures): string {
  const left = 34
  const right = WIDTH - 6
  const top = 8
  const bottom = 190
  if (hours.length === 0) return ''
  const first = hours[0]!.valid_ms
  const last = hours.at(-1)!.valid_ms
  const highest = Math.max(5, ...hours.map(({ p90, truth }) => Math.max(p90, truth ?? 0)))
  const x = (ms: number) => left + ((ms - first) / Math.max(1, last - first)) * (right - left)
  const y = (minutes: number) => bottom - (minutes / highest) * (bottom - top)
  const content = ticks(0, highest, 4).flatMap((tick) => [
    line(left, y(tick), right, y(tick), 'grid'),
    label(left - 6, y(tick) + 4, tick.toFixed(0), 'end'),
  ])
  for (const { local_hour, weekday, valid_ms } of hours) {
    if (local_hour === 0) content.push(line(x(valid_ms), top, x(valid_ms), bottom, 'grid'))
    if (local_hour === 12) content.push(label(x(valid_ms), bottom + 17, DAYS[weekday - 1]!))
  }
  const points = (of: (hour: WeekFigures['hours'][number]) => number, list = hours) =>
    list.map((hour) => `${at(x(hour.valid_ms))} ${at(y(of(hour)))}`).join('L')
  const upper = points(({ p90 }) => p90)
  const lower = points(({ p10 }) => p10, hours.toReversed())
  content.push(
    `<path d="M${upper}L${lower}Z" class="band"/>`,
    `<path d="M${points(({ p50 }) => p50)}" class="median"/>`,
  )
  for (const { valid_ms, truth, p10, p90 } of hours)
    if (truth !== null)
      content.push(
        `<circle cx="${at(x(valid_ms))}" cy="${at(y(truth))}" r="2.2" class="truth${truth < p10 || truth > p90 ? ' outside' : ''}"/>`,
      )
  return svg(bottom + 26, title, content)
}
