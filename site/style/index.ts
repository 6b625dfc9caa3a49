import { createHash } from 'node:crypto'
import { DARK, LIGHT, PAINT, type Palette, propertyRules } from '../../config/palette.ts'
import { projectText } from '../../config/project-text.ts'
import { CHART_STYLE } from '../charts/palette.ts'
import { MAP_RULES } from './map.ts'

const { edge, 'wait-0': w0, 'wait-1': w1, 'wait-2': w2, 'wait-3': w3, 'wait-4': w4 } = DARK
/** The scale of waits in its dark colours, whatever the screen prefers: a wall is dark as a sign. */
const scale = propertyRules({ edge, 'wait-0': w0, 'wait-1': w1, 'wait-2': w2, 'wait-3': w3, 'wait-4': w4 })

const slots = { scale, light: propertyRules(LIGHT), dark: propertyRules(DARK), paint: propertyRules(PAINT) }
const sheet = (name: string) => projectText(`site/style/${name}.css`, slots)
const TOKENS = sheet('tokens')
const BASE = sheet('base')
const TEXT = sheet('text')
const TABLE = sheet('table')
const CARD = sheet('card')
const SHELL = sheet('shell')
const AIRPORT = sheet('airport')

/** The one style sheet of all pages. A new area adds a file to this folder and its name to this list. */
export const STYLE = [
  TOKENS,
  BASE,
  TEXT,
  TABLE,
  SHELL,
  sheet('status'),
  sheet('dashboard'),
  sheet('accuracy'),
  sheet('docs'),
  MAP_RULES,
  sheet('map'),
  sheet('start'),
  sheet('compare'),
  sheet('wall'),
  CHART_STYLE,
  CARD,
  AIRPORT,
].join('')

/** A style that stands in the page itself, so that a first visit paints without a second request; a policy names it by its hash. */
export interface InlineStyle {
  text: string
  /** The source that a content policy allows for it: its hash. */
  source: string
}

const inlineStyle = (parts: readonly string[]): InlineStyle => {
  const text = parts.join('')
  return { text, source: `'sha256-${createHash('sha256').update(text).digest('base64')}'` }
}

/** The style of the airport page: people come to it from elsewhere. */
export const AIRPORT_STYLE = inlineStyle([TOKENS, BASE, TEXT, TABLE, SHELL, CHART_STYLE, CARD, AIRPORT])

/** The colours that a view in another program shows, each following the light or dark setting of that program. */
const FOLLOWING = Object.fromEntries(
  Object.entries(LIGHT)
    .filter(([name]) => !/heat|land/.test(name))
    .map(([name, light]) => [name, `light-dark(${light},${DARK[name as keyof Palette]})`]),
)

/** The style of a view in another program: the same texts, tables, charts and cards as on a page. */
export const VIEW_STYLE = [
  projectText('site/style/tokens.css', { light: propertyRules(FOLLOWING), dark: '', paint: slots.paint }),
  TEXT,
  TABLE,
  CHART_STYLE,
  CARD,
  projectText('site/style/view.css', FOLLOWING),
].join('')

const digest = createHash('sha256').update(STYLE).digest('base64url').slice(0, 16)

/** Its address changes with its content, so that a browser keeps it for good. */
export const STYLE_ADDRESS = `/assets/site.${digest}.css`

/**
 * The style of a page that Scalar draws. The sheet is in a layer, so that its rules for plain elements give way to those of Scalar.
 * Scalar writes its own sheet and style attributes into the page: a policy has no hash or nonce for the latter.
 */
export const SCALAR_STYLE: InlineStyle = {
  text: `@import url(${STYLE_ADDRESS}) layer(site);`,
  source: "'unsafe-inline'",
}
