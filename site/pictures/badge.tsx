import { inClocksOf } from '../../answers/statements/clock-style.ts'
import { newsTitles, type WaitStatement } from '../../answers/statements/wait.ts'
import type { Airport } from '../../config/airports/directory.ts'
import { LIGHT, PAINT } from '../../config/palette.ts'
import { cardStyle } from '../airport/card.ts'
import { renderMarkup } from '../markup/render.ts'
import { MARK_COLOURS } from '../style/map.ts'

const HEIGHT = 20
const PADDING = 6
/** The mean width of a letter at 11 pixels; the text is fitted to what it gives. */
const LETTER = 6.4

/** The ground of a badge and its text; an estimate is hatched. */
interface BadgeLook {
  ground: string
  ink: string
  isHatched: boolean
}

const PLAIN: BadgeLook = { ground: LIGHT.quiet, ink: PAINT.white, isHatched: false }
const ESTIMATE: BadgeLook = { ground: PAINT.haze, ink: PAINT.asphalt, isHatched: true }
/** The classes of waits whose colour is so dark that text on it is white. */
const DARK_LEVELS = new Set(['wait-3', 'wait-4'])

function lookOf(card: WaitStatement): BadgeLook {
  if (card.kind === 'estimate') return ESTIMATE
  const style = cardStyle(card)
  if (style === null) return PLAIN
  const ink = DARK_LEVELS.has(style.name) ? PAINT.white : PAINT.asphalt
  return { ground: LIGHT[MARK_COLOURS[style.name]], ink, isHatched: false }
}

/** The card in the words of a badge: `14 min, 3 min ago`, `about 2–13 min`, `closed, opens about 04:00`, `… · ground delay`, `… · blizzard warning from 19:00`. */
function badgeText(card: WaitStatement): string {
  const wait = [card.line, card.age].filter(Boolean).join(', ')
  return [wait, ...newsTitles(card).map((title) => title.toLowerCase())].join(' · ')
}

function Badge({ label, text, look }: { label: string; text: string; look: BadgeLook }) {
  const left = Math.round([...label].length * LETTER) + 2 * PADDING
  const right = Math.round([...text].length * LETTER) + 2 * PADDING
  const width = left + right
  const name = `${label}: ${text}`
  return (
    <svg xmlns="http://www.w3.org/2000/svg" width={width} height={HEIGHT} role="img" aria-label={name}>
      <title>{name}</title>
      <clipPath id="r">
        <rect width={width} height={HEIGHT} rx="3" />
      </clipPath>
      <g clip-path="url(#r)">
        <rect x={left} width={right} height={HEIGHT} fill={look.ground} />
        {look.isHatched && (
          <path d={hatching(left, right)} stroke={PAINT.white} stroke-width="1.5" stroke-opacity=".6" />
        )}
        <rect width={left} height={HEIGHT} fill={PAINT.asphalt} />
        <rect width={left} height="2" fill={PAINT.signal} />
      </g>
      <g fill={PAINT.white} font-family="Verdana, Geneva, DejaVu Sans, sans-serif" font-size="11">
        <text x={PADDING} y="14" textLength={left - 2 * PADDING} lengthAdjust="spacingAndGlyphs">
          {label}
        </text>
        <text
          x={left + PADDING}
          y="14"
          textLength={right - 2 * PADDING}
          lengthAdjust="spacingAndGlyphs"
          fill={look.ink}
        >
          {text}
        </text>
      </g>
    </svg>
  )
}

/** Slanted lines over a part of a badge. */
const hatching = (left: number, width: number) =>
  Array.from({ length: Math.ceil((width + HEIGHT) / 6) }, (_, k) => `M${left + k * 6} 0l-${HEIGHT} ${HEIGHT}`).join('')

/** The badge of an airport's security wait, as an SVG. */
export function waitBadge({ iata, country }: Airport, card: WaitStatement, simulated: boolean): string {
  const label = `${simulated ? 'SIMULATED ' : ''}${iata} security`
  return renderMarkup(<Badge label={label} text={inClocksOf(country, badgeText(card))} look={lookOf(card)} />)
}

/** A badge that says why there is no wait. */
export const plainBadge = (label: string, text: string): string =>
  renderMarkup(<Badge label={label} text={text} look={PLAIN} />)
