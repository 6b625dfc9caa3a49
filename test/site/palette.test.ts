import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DARK, LIGHT, PAINT, type Palette } from '../../config/palette.ts'
import { projectFile } from '../../config/paths.ts'
import { CHART_COLOURS } from '../../site/charts/palette.ts'
import { readCases } from '../values.ts'

type Rgb = readonly [number, number, number]

const linear = (hex: string): Rgb => {
  const channel = (channelAt: number) => {
    const value = Number.parseInt(hex.slice(channelAt, channelAt + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b

/** The contrast of WCAG 2. */
function contrast(colour: string, other: string): number {
  const [dark, light] = [luminance(linear(colour)), luminance(linear(other))].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** How colours look without red, green or blue cones: Machado, Oliveira and Fernandes 2009, full severity, on linear light. */
const DEFICIENCIES = readCases<Record<string, number[][]>>('site/colour-vision.json')

/** OKLab, in which equal distances look alike. */
function oklab([r, g, b]: Rgb): Rgb {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function distance(colour: string, other: string, matrix: number[][]): number {
  const seen = (hex: string) => {
    const rgb = linear(hex)
    const [r, g, b] = matrix.map((row) => Math.max(0, row[0]! * rgb[0] + row[1]! * rgb[1] + row[2]! * rgb[2]))
    return oklab([r!, g!, b!])
  }
  const [a, b] = [seen(colour), seen(other)]
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

const PALETTES: [string, Palette][] = [
  ['light', LIGHT],
  ['dark', DARK],
]

test.each(PALETTES)('text of the %s palette has a contrast of 4.5, controls and charts of 3', (_name, palette) => {
  const tooWeak: string[] = []
  const check = (name: keyof Palette, on: keyof Palette, least: number) => {
    const found = contrast(palette[name], palette[on])
    if (found < least) tooWeak.push(`${name} on ${on}: ${found.toFixed(2)}`)
  }
  for (const on of ['back', 'raised', 'sunken'] as const) {
    for (const name of ['text', 'quiet', 'good', 'warn', 'bad', 'accent'] as const) check(name, on, 4.5)
    for (const name of ['edge', 'ink', 'past'] as const) check(name, on, 3)
  }
  check('on-accent', 'accent', 4.5)
  check('ink', 'band', 3)
  for (const name of ['observed', 'ink', 'past'] as const) check(name, 'back', 3)
  check('now', 'back', 4.5)
  check('text', 'closed', 4.5)
  for (const cell of ['heat-0', 'heat-1', 'heat-2', 'heat-3'] as const) check('on-low-heat', cell, 4.5)
  check('on-middle-heat', 'heat-4', 4.5)
  for (const cell of ['heat-5', 'heat-6'] as const) check('on-high-heat', cell, 4.5)
  expect(tooWeak).toEqual([])
  expect(contrast(PAINT.signal, PAINT.asphalt)).toBeGreaterThan(4.5)
  expect(contrast(PAINT.white, PAINT['sign-red'])).toBeGreaterThan(4.5)
})

test.each(PALETTES)(
  'states and classes of the %s palette stay apart for every kind of colour vision',
  (_name, palette) => {
    const tooAlike: string[] = []
    const groups: (keyof Palette)[][] = [
      ['good', 'warn', 'bad'],
      ['wait-0', 'wait-1', 'wait-2', 'wait-3', 'wait-4'],
      ['observed', 'ink', 'band', 'now'],
    ]
    for (const [deficiency, matrix] of Object.entries(DEFICIENCIES))
      for (const group of groups)
        for (const [index, colour] of group.entries())
          for (const other of group.slice(index + 1)) {
            const found = distance(palette[colour], palette[other], matrix)
            if (found < 0.06) tooAlike.push(`${colour} and ${other}, ${deficiency}: ${found.toFixed(3)}`)
          }
    expect(tooAlike).toEqual([])
  },
)

test('a chart uses no light colour twice, because a file finds the dark colour of a mark by its light one', () => {
  const light = Object.values(CHART_COLOURS).map((name) => LIGHT[name])
  expect(new Set(light).size).toBe(light.length)
})

test('no page, chart, script or picture names a colour of its own', () => {
  const files = ['api', 'site', 'accounts'].flatMap((room) =>
    readdirSync(projectFile(room), { recursive: true, encoding: 'utf8' }).map((name) => `${room}/${name}`),
  )
  const sources = files.filter((file) => /\.tsx?$/.test(file))
  expect(sources.length).toBeGreaterThan(200)
  const found = sources.flatMap((file) => {
    const text = readFileSync(projectFile(file), 'utf8')
    // A hash with three to eight hexadecimal digits; an anchor of an address has a slash or a quote with `href` before it.
    const colours = text.match(/(?<![\w/.&])#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b(?![\w(-])|\brgba?\(/gi) ?? []
    return colours.map((colour) => `${file}: ${colour}`)
  })
  expect(found).toEqual([])
})
