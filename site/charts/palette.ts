import { DARK, LIGHT, type Palette } from '../../config/palette.ts'

/** The marks of a chart with their colours among those of the site. Forecasts are signal yellow, observations blue. */
export const CHART_COLOURS = {
  ink: 'text',
  quiet: 'quiet',
  grid: 'line',
  surface: 'back',
  band: 'band',
  line: 'ink',
  observed: 'observed',
  'observed-band': 'observed-band',
  past: 'past-band',
  'past-line': 'past',
  closed: 'closed',
  now: 'now',
  'heat-0': 'heat-0',
  'heat-1': 'heat-1',
  'heat-2': 'heat-2',
  'heat-3': 'heat-3',
  'heat-4': 'heat-4',
  'heat-5': 'heat-5',
  'heat-6': 'heat-6',
  'on-low-heat': 'on-low-heat',
  'on-middle-heat': 'on-middle-heat',
  'on-high-heat': 'on-high-heat',
} as const satisfies Record<string, keyof Palette>

export type ChartColour = keyof typeof CHART_COLOURS

/** A colour as marks carry it: the page or the file decides what it is. */
export const colour = (name: ChartColour) => `var(--${CHART_COLOURS[name]})`

/** The style of charts in pages. */
export const CHART_STYLE = `
.plot { display: block; width: 100%; height: auto; overflow: visible } .plot text { font-variant-numeric: tabular-nums }
.chart { container-type: inline-size } .chart-wide { max-width: 48rem } @container (max-width: 32rem) { .chart-wide .plot text { font-size: 20px } }
.keys { display: flex; flex-wrap: wrap; gap: .1rem 1rem; margin: 0 0 .3rem; padding: 0; list-style: none; font-size: var(--type-note); color: var(--quiet) } .keys li { display: flex; gap: .35rem; align-items: center }
`

/** The dark colours of a file by its light ones, and its text colour: the one style of a file, constant so that a policy can name it by its hash. */
export const FILE_STYLE = `@media (prefers-color-scheme:dark){${Object.values(CHART_COLOURS)
  .map((name) => `[fill='${LIGHT[name]}']{fill:${DARK[name]}}[stroke='${LIGHT[name]}']{stroke:${DARK[name]}}`)
  .join('')}}`

/** Markup with its colours resolved to those of the light theme. */
export const resolveColours = (markup: string): string =>
  markup
    .replace(/var\(--([a-z0-9-]+)\)/g, (_, name: string) => LIGHT[name as keyof Palette])
    .replaceAll('"currentColor"', `"${LIGHT.text}"`)
