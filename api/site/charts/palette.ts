/**
 * The colours of charts by name, in light and in dark: forecasts are signal yellow, what was observed is blue, so that the two
 * differ for every kind of colour vision and also by their shape. No two light colours are alike, so that a file can map each
 * one to its dark counterpart.
 */
const COLOURS = {
  ink: ['#15171a', '#eeeff0'],
  quiet: ['#545a63', '#a9afb8'],
  grid: ['#dcdcd4', '#343a40'],
  surface: ['#fbfbf8', '#121416'],
  band: ['#ffe08a', '#57460f'],
  line: ['#15171b', '#ffd65c'],
  observed: ['#0b57a4', '#8cc2ff'],
  'observed-band': ['#cfe0f2', '#1f3a55'],
  past: ['#e6e6de', '#262b30'],
  'past-line': ['#6b7480', '#8f98a5'],
  closed: ['#cfcfc6', '#3a4047'],
  now: ['#b01e2b', '#ff8f85'],
  good: ['#14652f', '#7fd69a'],
  'heat-0': ['#fff4d6', '#2b2614'],
  'heat-1': ['#ffe6a3', '#463a12'],
  'heat-2': ['#ffcf5c', '#6a5010'],
  'heat-3': ['#eeaa33', '#8f640f'],
  'heat-4': ['#c97c14', '#c5861b'],
  'heat-5': ['#8d4a0d', '#eeb03f'],
  'heat-6': ['#4f200b', '#ffe19b'],
  /** Text on the lower and on the upper colours of the heat scale. */
  'on-low-heat': ['#1a1d22', '#f5f6f7'],
  'on-high-heat': ['#fffffe', '#1a1d20'],
} as const

export type ChartColour = keyof typeof COLOURS

/** A colour as marks carry it: the page or the file decides what it is. */
export const colour = (name: ChartColour) => `var(--chart-${name})`

const variables = (theme: 0 | 1) =>
  Object.entries(COLOURS)
    .map(([name, colours]) => `--chart-${name}: ${colours[theme]}`)
    .join('; ')

/** What the style sheet of pages needs for charts. */
export const CHART_STYLE = `
:root { ${variables(0)} }
@media (prefers-color-scheme: dark) { :root { ${variables(1)} } }
.plot { display: block; width: 100%; height: auto; overflow: visible } .plot text { font-variant-numeric: tabular-nums }
.plot-narrow { display: none } @media (max-width: 40rem) { .plot-narrow { display: block } .plot-wide { display: none } }
`

/** The dark colours of a file by its light ones, and its text colour: the one style of a file, constant so that a policy can name it by its hash. */
export const FILE_STYLE = `@media (prefers-color-scheme:dark){${Object.values(COLOURS)
  .map(([light, dark]) => `[fill='${light}']{fill:${dark}}[stroke='${light}']{stroke:${dark}}`)
  .join('')}}`

/** Markup with its colours resolved to those of one theme. */
export function resolveColours(markup: string, theme: 'light' | 'dark' = 'light'): string {
  const of = (name: ChartColour) => COLOURS[name][theme === 'light' ? 0 : 1]
  return markup
    .replace(/var\(--chart-([a-z0-9-]+)\)/g, (_, name: string) => of(name as ChartColour))
    .replaceAll('"currentColor"', `"${of('ink')}"`)
}
