import type { ComponentChild } from 'preact'
import type { ChartColour } from './palette.ts'

/** What explains a mark of a chart. */
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
  /** The same without what a page says beside the chart anyway; said under the picture. */
  caption: string
  legend: readonly LegendEntry[]
  /** Size of the marks in pixels; a page scales them. */
  width: number
  height: number
  /** SVG elements, with colours as `var(--…)`. */
  marks: ComponentChild[]
}

/** Charts are drawn twice: for screens of phones and for wider ones. */
export type Layout = 'narrow' | 'wide'

export const WIDTHS: Record<Layout, number> = { narrow: 360, wide: 760 }
