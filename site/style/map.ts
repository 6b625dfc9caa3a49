import { DARK, LIGHT, type Palette } from '../../config/palette.ts'

/** The colour of each kind of mark on a map. */
export const MARK_COLOURS = {
  'wait-0': 'wait-0',
  'wait-1': 'wait-1',
  'wait-2': 'wait-2',
  'wait-3': 'wait-3',
  'wait-4': 'wait-4',
  shut: 'quiet',
  forecast: 'past',
  'delay-closed': 'text',
  'delay-stop': 'bad',
  'delay-ground': 'wait-2',
  'delay-minor': 'band-edge',
  'delay-none': 'good',
  'delay-unknown': 'quiet',
} as const satisfies Record<string, keyof Palette>
export type MarkName = keyof typeof MARK_COLOURS

/** The rules of a map: its land, its dots and its marks, in colours that `colour` gives. */
function mapRules(colour: (name: keyof Palette) => string): string {
  const marks = Object.entries(MARK_COLOURS).map(
    ([name, colourName]) =>
      `.${name}{fill:${colour(colourName)}} .ring.${name}{fill:${colour('back')};stroke:${colour(colourName)}}`,
  )
  return `
.land{fill:${colour('land')}} .borders{fill:none;stroke:${colour('back')};stroke-width:1}
.dots{fill:none;stroke:${colour('edge')};stroke-linecap:round;stroke-width:2.6;opacity:.75} .dots.other{stroke-width:1.7;opacity:.5}
.mark *{stroke:${colour('text')};stroke-width:.9} .mark .ring{stroke-width:1.8} ${marks.join(' ')}`
}

/** The rules of a map in a page. */
export const MAP_RULES = mapRules((name) => `var(--${name})`)

const resolved = (palette: Palette) => mapRules((name) => palette[name])

/** The rules of a map that stands alone: in light colours, and in dark ones by preference. */
export const FILE_MAP = `svg{background:${LIGHT.sunken}} ${resolved(LIGHT)} @media (prefers-color-scheme:dark){svg{background:${DARK.sunken}} ${resolved(DARK)}}`
/** The same for a picture of pixels, which is always light. */
export const PIXEL_MAP = resolved(LIGHT)
