/**
 * The colours of everything that Holdshort draws, drawn from the holding position of a taxiway: asphalt black, signal yellow,
 * the red of runway signs, white. Pages, charts, maps, badges and the pictures inside agents take them from here, so that a
 * colour stands once. `test/site/palette.test.ts` holds the contrasts, and that no other file names a colour.
 */
export const LIGHT = {
  back: '#fbfbf8',
  /** Cards and fields. */
  raised: '#ffffff',
  /** Wells: code, the sea of the map. */
  sunken: '#f0f0ea',
  text: '#15171a',
  quiet: '#545a63',
  line: '#dcdcd4',
  /** Borders of controls, at least 3 to 1. */
  edge: '#757b84',
  /** Interactive: links, focus, buttons. */
  accent: '#15171a',
  'on-accent': '#ffffff',
  good: '#0a6350',
  warn: '#855c00',
  bad: '#a3123a',
  // Charts use no light colour twice: a file finds the dark colour of a mark by its light one.
  /** A chart: the line of a forecast, its band of 8 in 10 waits, and what was forecast before. */
  ink: '#15171b',
  band: '#ffe08a',
  'band-edge': '#d9a400',
  past: '#6a717b',
  'past-band': '#e6e6de',
  /** Observed values with their range: blue, so that they differ from a forecast for every kind of colour vision. */
  observed: '#0b57a4',
  'observed-band': '#cfe0f2',
  /** Hours in which a queue is closed, and the present moment. */
  closed: '#cfcfc6',
  now: '#b01e2b',
  land: '#d8d8ce',
  /** Short waits to long ones, on a map. */
  'wait-0': '#f6d354',
  'wait-1': '#e8a32e',
  'wait-2': '#d26b25',
  'wait-3': '#a62f3a',
  'wait-4': '#571430',
  /** Short waits to long ones, as the cells of a heatmap, and the text on them. */
  'heat-0': '#fff4d6',
  'heat-1': '#ffe6a3',
  'heat-2': '#ffcf5c',
  'heat-3': '#eeaa33',
  'heat-4': '#c97c14',
  'heat-5': '#8d4a0d',
  'heat-6': '#4f200b',
  'on-low-heat': '#1a1d22',
  'on-middle-heat': '#1a1d23',
  'on-high-heat': '#fffffe',
}
export type Palette = Record<keyof typeof LIGHT, string>

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
  'past-band': '#262b30',
  observed: '#8cc2ff',
  'observed-band': '#1f3a55',
  closed: '#3a4047',
  now: '#ff8f85',
  land: '#2b3035',
  'wait-0': '#fff0b8',
  'wait-1': '#ffd24a',
  'wait-2': '#ff9d3f',
  'wait-3': '#ff6a5c',
  'wait-4': '#c07bff',
  'heat-0': '#2b2614',
  'heat-1': '#463a12',
  'heat-2': '#6a5010',
  'heat-3': '#8f640f',
  'heat-4': '#c5861b',
  'heat-5': '#eeb03f',
  'heat-6': '#ffe19b',
  'on-low-heat': '#f5f6f7',
  'on-middle-heat': '#1a1d21',
  'on-high-heat': '#1a1d20',
}

/** The same in light and dark: they are paint. `haze` is quiet text on asphalt, `seam` a line on it, `flag` a lighter signal. */
export const PAINT = {
  asphalt: '#191b1e',
  signal: '#ffc72c',
  flag: '#ffd55e',
  'sign-red': '#b01e2b',
  white: '#ffffff',
  haze: '#c9ced6',
  seam: '#464c54',
  shade: '#00000044',
} as const

/** Values as custom properties of a style sheet: `--back: #fbfbf8; …`. */
export const propertyRules = (values: object): string =>
  Object.entries(values)
    .map(([name, value]) => `--${name}: ${value}`)
    .join('; ')
