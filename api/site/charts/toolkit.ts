import type * as PlotModule from '@observablehq/plot'
import type { Chart, LegendEntry } from './chart.ts'
import { colour } from './palette.ts'

export type Plot = typeof PlotModule
type PlotOptions = PlotModule.PlotOptions

interface Drawing {
  title: string
  description: string
  legend?: readonly LegendEntry[]
  options: PlotOptions & { width: number; height: number }
}

/** Observable Plot with the document that it draws in. */
export interface Toolkit {
  Plot: Plot
  draw: (drawing: Drawing) => Chart
}

let loaded: Promise<Toolkit> | null = null

/** Loads the plotting library when the first chart is drawn: starting the api must not wait for it. */
export function chartToolkit(): Promise<Toolkit> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<Toolkit> {
  const [Plot, { DOMParser }] = await Promise.all([import('@observablehq/plot'), import('linkedom')])
  const document = new DOMParser().parseFromString('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml')
  return {
    Plot,
    draw({ title, description, legend = [], options }) {
      const svg = Plot.plot(Object.assign({ document }, options) as never) as unknown as { innerHTML: string }
      const { width, height } = options
      return { title, description, legend, width, height, marks: cleanMarkup(svg.innerHTML) }
    },
  }
}

/**
 * The marks without the library's own style and labels (the chart as a whole has both), and with one decimal: a tenth of a
 * pixel is finer than any screen shows.
 */
function cleanMarkup(markup: string): string {
  return markup
    .replace(/<style>[\s\S]*?<\/style>/g, '')
    .replace(/ (?:aria-label|aria-hidden|aria-description)="[^"]*"/g, '')
    .replace(/(\d\.\d)\d+/g, '$1')
}

/** Styles that every chart shares. */
export const TEXT = { fill: colour('quiet'), fontSize: 12 }
