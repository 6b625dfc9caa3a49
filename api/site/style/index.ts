import { createHash } from 'node:crypto'
import { CHART_STYLE } from '../charts/palette.ts'
import { ACCURACY } from './accuracy.ts'
import { AIRPORT } from './airport.ts'
import { BASE } from './base.ts'
import { COMPARE } from './compare.ts'
import { DASHBOARD } from './dashboard.ts'
import { DOCS } from './docs.ts'
import { MAP } from './map.ts'
import { SHELL } from './shell.ts'
import { START } from './start.ts'
import { STATUS } from './status.ts'
import { TOKENS } from './tokens.ts'
import { WALL } from './wall.ts'

/** The one style sheet of all pages. A new area adds a file to this folder and its constant to this list. */
export const STYLE = [
  TOKENS,
  BASE,
  SHELL,
  STATUS,
  DASHBOARD,
  ACCURACY,
  DOCS,
  MAP,
  START,
  COMPARE,
  WALL,
  CHART_STYLE,
  AIRPORT,
].join('')

/** A style that stands in the page itself, so that a first visit paints without a second request; a policy names it by its hash. */
export interface InlineStyle {
  text: string
  /** As a content policy names it. */
  hash: string
}

const inlineStyle = (parts: readonly string[]): InlineStyle => {
  const text = parts.join('')
  return { text, hash: `'sha256-${createHash('sha256').update(text).digest('base64')}'` }
}

/** What the page of an airport needs: people come to it from elsewhere. */
export const AIRPORT_STYLE = inlineStyle([TOKENS, BASE, SHELL, CHART_STYLE, AIRPORT])

const digest = createHash('sha256').update(STYLE).digest('base64url').slice(0, 16)

/** Its address changes with its content, so that a browser keeps it for good. */
export const STYLE_ADDRESS = `/assets/site.${digest}.css`
