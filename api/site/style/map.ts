import { DARK, LIGHT, type Palette } from '../../../config/palette.ts'

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
    ([name, of]) => `.${name}{fill:${colour(of)}} .ring.${name}{fill:${colour('back')};stroke:${colour(of)}}`,
  )
  return `
.land{fill:${colour('land')}} .borders{fill:none;stroke:${colour('back')};stroke-width:1}
.dots{fill:none;stroke:${colour('edge')};stroke-linecap:round;stroke-width:2.6;opacity:.75} .dots.other{stroke-width:1.7;opacity:.5}
.mark *{stroke:${colour('text')};stroke-width:.9} .mark .ring{stroke-width:1.8} ${marks.join(' ')}`
}

/** The rules of a map in a page. */
export const MAP = `${mapRules((name) => `var(--${name})`)}
.map-frame { position: relative; margin: .6rem 0 0; overflow: hidden; background: var(--sunken); border: 1px solid var(--line); border-radius: var(--radius) }
.map { display: block; width: 100%; height: auto; --k: 1; overflow: hidden } .map .mark { transform: scale(calc(var(--k) * var(--fit, 1))) } .map.fit-2 { --fit: .555 } .map.fit-3 { --fit: .393 } .map.fit-4 { --fit: .308 } .mark text { stroke: var(--sunken) !important; stroke-width: 3; paint-order: stroke; fill: var(--text); font-size: 15px; font-weight: 700 } @media (max-width: 48rem) { .map { --k: 2.6 } } @media (min-width: 48.01rem) and (max-width: 68rem) { .map { --k: 1.4 } }
.map:not(.near) .far-dots { display: none } .map.free { cursor: grab; touch-action: none } .map.free:active { cursor: grabbing }
.map a { cursor: pointer } .map a:hover .mark *, .map a:focus-visible .mark * { stroke: var(--accent); stroke-width: 3 } .map a:focus-visible { outline: none }
.map-tools { position: absolute; right: .6rem; top: .6rem; display: flex; gap: .3rem } .map-tools button { width: 2.4rem; height: 2.4rem; margin: 0; padding: 0; font-size: 1.15rem; line-height: 1; color: var(--text); background: var(--raised); border-color: var(--edge) } .map-tools button:disabled { opacity: .45; cursor: default; box-shadow: none } @media (max-width: 48rem) { .map-tools { top: auto; right: .3rem; bottom: .3rem } .map-tools button { width: 2rem; height: 2rem } }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; margin: .6rem 0 .2rem; padding: 0; list-style: none; font-size: var(--type-small); color: var(--quiet) } .legend li { display: flex; align-items: center; gap: .4rem } .legend svg { width: 20px; height: 20px; overflow: visible }
.choice { display: flex; flex-wrap: wrap; gap: .35rem; margin: 0; padding: 0; list-style: none } .choice a { display: block; padding: .3rem .85rem; font-size: var(--type-note); text-decoration: none; border: 1px solid var(--edge); border-radius: 2rem } .choice a:hover { border-color: var(--text) } .choice [aria-current] { color: var(--on-accent); background: var(--accent); border-color: var(--accent); font-weight: 600 }
`

const resolved = (palette: Palette) => mapRules((name) => palette[name])

/** The rules of a map that stands alone: in light colours, and in dark ones for who prefers them. */
export const FILE_MAP = `svg{background:${LIGHT.sunken}} ${resolved(LIGHT)} @media (prefers-color-scheme:dark){svg{background:${DARK.sunken}} ${resolved(DARK)}}`
/** The same for a picture of pixels, which is always light. */
export const PIXEL_MAP = resolved(LIGHT)
