import type { LegendEntry } from './chart.ts'
import { type ChartColour, colour } from './palette.ts'

/** Each colour holds from these minutes on: fixed, so that airports can be compared. */
const STEPS = [0, 5, 10, 15, 20, 30, 45]

const levelOf = (minutes: number) => STEPS.findLastIndex((step) => minutes >= step)
/** The colour of a wait. */
export const heat = (minutes: number) => colour(`heat-${levelOf(minutes)}` as ChartColour)
/** The text on the upper levels; on the lower ones it is dark in light colours and light in dark ones. */
const UPPER_LEVELS: Record<number, ChartColour> = { 4: 'on-middle-heat', 5: 'on-high-heat', 6: 'on-high-heat' }
/** The colour of text on it. */
export const onHeat = (minutes: number) => colour(UPPER_LEVELS[levelOf(minutes)] ?? 'on-low-heat')

function legendText(step: number, next: number | undefined): string {
  if (next === undefined) return `${step} min or more`
  return step === 0 ? `under ${next}` : `${step}–${next - 1}`
}

/** The scale as a legend. */
export const HEAT_LEGEND: LegendEntry[] = STEPS.map((step, level) => ({
  mark: 'band',
  colour: `heat-${level}` as ChartColour,
  text: legendText(step, STEPS[level + 1]),
}))
