import type { ComponentChild } from 'preact'
import type { ChartColour } from './palette.ts'

/** The explanation of a chart's mark. */
export interface LegendEntry {
  mark: 'band' | 'line' | 'dashed' | 'dot' | 'ring'
  colour: ChartColour
  text: string
}

/** A drawn chart: its marks as SVG markup, and everything that a page or a file puts around them. */
export interface Chart {
  /** Names the chart: the accessible name, and the heading of a file. */
  title: string
  /** Says in words what the marks say. */
  description: string
  legend: readonly LegendEntry[]
  /** Size of the marks in pixels; a page scales them. */
  width: number
  height: number
  /** SVG elements, with colours as `var(--…)`. */
  marks: ComponentChild[]
}

/** The width of a chart with an axis of time or minutes. Its margins have room for the larger text that the style sheet gives it on a narrow page. */
export const WIDTH = 640
