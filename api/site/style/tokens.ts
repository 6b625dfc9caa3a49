/**
 * The colours of the site, drawn from the holding position of a taxiway: asphalt black, signal yellow, the red of runway signs,
 * white. Text has a contrast of at least 4.5 to 1 on `back`, `raised` and `sunken`; `test/api/site/palette.test.ts` holds that,
 * and that the states stay apart for people with a colour deficiency. A picture that stands alone uses these values directly.
 */
export interface Palette {
  back: string
  /** Cards and fields. */
  raised: string
  /** Wells: code, the sea of the map. */
  sunken: string
  text: string
  quiet: string
  line: string
  /** Borders of controls, at least 3 to 1. */
  edge: string
  /** Interactive: links, focus, buttons. */
  accent: string
  'on-accent': string
  good: string
  warn: string
  bad: string
  /** A chart: the line of a forecast, its 80 % band, and what was forecast before. */
  ink: string
  band: string
  'band-edge': string
  past: string
  land: string
  /** Short waits to long ones. */
  'wait-0': string
  'wait-1': string
  'wait-2': string
  'wait-3': string
  'wait-4': string
}

export const LIGHT: Palette = {
  back: '#fbfbf8',
  raised: '#ffffff',
  sunken: '#f0f0ea',
  text: '#15171a',
  quiet: '#545a63',
  line: '#dcdcd4',
  edge: '#757b84',
  accent: '#15171a',
  'on-accent': '#ffffff',
  good: '#0a6350',
  warn: '#855c00',
  bad: '#a3123a',
  ink: '#15171a',
  band: '#ffe08a',
  'band-edge': '#d9a400',
  past: '#6a717b',
  land: '#d8d8ce',
  'wait-0': '#f6d354',
  'wait-1': '#e8a32e',
  'wait-2': '#d26b25',
  'wait-3': '#a62f3a',
  'wait-4': '#571430',
}

export const DARK: Palette = {
  back: '#121416',
  raised: '#1b1e21',
  sunken: '#0c0d0f',
  text: '#eeeff0',
  quiet: '#a9afb8',
  line: '#343a40',
  edge: '#7f8690',
  accent: '#ffc72c',
  'on-accent': '#15171a',
  good: '#5cd0cf',
  warn: '#ffc95c',
  bad: '#ff8f85',
  ink: '#ffd65c',
  band: '#57460f',
  'band-edge': '#a58314',
  past: '#9aa1ab',
  land: '#2b3035',
  'wait-0': '#fff0b8',
  'wait-1': '#ffd24a',
  'wait-2': '#ff9d3f',
  'wait-3': '#ff6a5c',
  'wait-4': '#c07bff',
}

/** The same in light and dark: they are paint. */
export const PAINT = { asphalt: '#191b1e', signal: '#ffc72c', 'sign-red': '#b01e2b', white: '#ffffff' } as const

/** Sizes of type, each about a fifth larger than the one before; figures of a wall are sized by the screen. */
const TYPE = {
  'type-small': '.8125rem',
  'type-note': '.875rem',
  'type-text': '1rem',
  'type-lead': '1.1875rem',
  'type-h3': '1.125rem',
  'type-h2': '1.4375rem',
  'type-h1': 'clamp(1.75rem, 1.35rem + 1.8vw, 2.5rem)',
  'type-figure': 'clamp(2.75rem, 2rem + 3.4vw, 4.5rem)',
  sans: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  mono: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  wide: '76rem',
  measure: '44rem',
  radius: '.5rem',
}

const rules = (tokens: object) =>
  Object.entries(tokens)
    .map(([name, value]) => `--${name}: ${value}`)
    .join('; ')

/** The tokens as custom properties. */
export const TOKENS = `
:root { color-scheme: light dark; ${rules(LIGHT)}; ${rules(PAINT)}; ${rules(TYPE)} }
@media (prefers-color-scheme: dark) { :root { ${rules(DARK)} } }
`
