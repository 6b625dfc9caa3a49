import { DARK, LIGHT, type Palette } from '../../config/palette.ts'

/** What each mark of a chart is, and its colour among those of the site. Forecasts are signal yellow, what was observed is blue. */
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

/** What the style sheet of pages needs for charts. */
export const CHART_STYLE = `
.plot { display: block; width: 100%; height: auto; overflow: visible } .plot text { font-variant-numeric: tabular-nums }
.plot-narrow { display: none } @media (max-width: 40rem) { .plot-narrow { display: block } .plot-wide { display: none } }
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
