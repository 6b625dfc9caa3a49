import type * as PlotModule from '@observablehq/plot'
import { type ComponentChild, h } from 'preact'
import { once } from '../../config/once.ts'
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

/** Loads the plotting library when the first chart is drawn: starting the api must not wait for it. */
export const chartToolkit = once(async (): Promise<Toolkit> => {
  const [Plot, { DOMParser }] = await Promise.all([import('@observablehq/plot'), import('linkedom')])
  const document = new DOMParser().parseFromString('<charts/>', 'image/svg+xml')
  return {
    Plot,
    draw({ title, description, legend = [], options }) {
      const svg = Plot.plot({ document, ...options } as never) as unknown as DrawnElement
      const { width, height } = options
      return { title, description, legend, width, height, marks: [...svg.childNodes].flatMap(markOf) }
    },
  }
})

const TEXT_NODE = 3

/** The parts that are read of an element drawn by the library. */
interface DrawnElement {
  nodeType: number
  localName: string
  textContent: string
  attributes: Iterable<{ name: string; value: string }>
  childNodes: Iterable<DrawnElement>
}

/** Numbers have one decimal: a tenth of a pixel is finer than any screen shows. */
const rounded = (value: string) => value.replace(/(\d\.\d)\d+/g, '$1')

/**
 * A drawn element as markup of ours, so that the one renderer escapes its texts. It is without the library's own style and
 * labels: the chart as a whole has both.
 */
function markOf({ nodeType, localName, textContent, attributes, childNodes }: DrawnElement): ComponentChild[] {
  if (nodeType === TEXT_NODE) return [textContent]
  if (localName === 'style') return []
  const retained = [...attributes].flatMap(({ name, value }) =>
    name.startsWith('aria-') ? [] : [[name, rounded(value)]],
  )
  const children = [...childNodes].flatMap(markOf)
  return [h(localName, Object.fromEntries(retained), children)]
}

/** The margins of a chart in pixels, in the order of CSS. */
export const margins = (marginTop: number, marginRight: number, marginBottom: number, marginLeft: number) => ({
  marginTop,
  marginRight,
  marginBottom,
  marginLeft,
})

/** The size of text in a chart that is shown narrow, in units of its drawing: on 350 pixels as large as small print. */
export const NARROW_TEXT = 20
/** Styles that every chart shares. */
export const TEXT = { fill: colour('quiet') }
