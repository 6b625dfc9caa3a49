import type { Airport } from '../../../config/airports/directory.ts'
import type { QueueWait } from '../../../config/facts.ts'
import { LIGHT, PAINT } from '../../../config/palette.ts'
import { clockOf, localTime } from '../../data/queries/local-time.ts'
import { ageText } from '../../data/tools/text.ts'
import { renderMarkup } from '../markup/render.ts'

const HEIGHT = 20
const PADDING = 6
/** The mean width of a letter at 11 pixels; the text is fitted to what it gives. */
const LETTER = 6.4

const { good: GOOD, warn: MIDDLE, bad: LONG, quiet: UNKNOWN } = LIGHT
/** From these minutes on a wait is middling, and long. */
const STEPS = { middle: 15, long: 30 }

function colourOf({ average_wait_minutes, status }: QueueWait): string {
  if (status === 'closed' || average_wait_minutes === null) return UNKNOWN
  if (average_wait_minutes >= STEPS.long) return LONG
  return average_wait_minutes >= STEPS.middle ? MIDDLE : GOOD
}

/** The wait in the words of a badge: `14 min, 3 min ago`, `about 20 min, typical`, `closed, opens about 04:00`. */
export function badgeText(wait: QueueWait, timezone: string): string {
  const { average_wait_minutes, status, basis, age_seconds, reopens_at, status_age_seconds } = wait
  if (status === 'closed') {
    if (reopens_at !== null) return `closed, opens about ${clockOf(localTime(Date.parse(reopens_at), timezone))}`
    return status_age_seconds === null ? 'closed' : `closed, stated ${ageText(status_age_seconds)} ago`
  }
  if (average_wait_minutes === null) return 'not known'
  if (age_seconds !== null) return `${average_wait_minutes} min, ${ageText(age_seconds)} ago`
  return `about ${average_wait_minutes} min, ${basis === 'typical' ? 'typical' : 'expected'}`
}

interface BadgeProps {
  label: string
  text: string
  colour: string
}

function Badge({ label, text, colour }: BadgeProps) {
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
        <rect width={left} height={HEIGHT} fill={PAINT.asphalt} />
        <rect x={left} width={right} height={HEIGHT} fill={colour} />
        <rect width={left} height="2" fill={PAINT.signal} />
      </g>
      <g fill={PAINT.white} font-family="Verdana, Geneva, DejaVu Sans, sans-serif" font-size="11">
        <text x={PADDING} y="14" textLength={left - 2 * PADDING} lengthAdjust="spacingAndGlyphs">
          {label}
        </text>
        <text x={left + PADDING} y="14" textLength={right - 2 * PADDING} lengthAdjust="spacingAndGlyphs">
          {text}
        </text>
      </g>
    </svg>
  )
}

/** The badge of an airport's security wait, as an SVG. */
export function waitBadge({ iata, timezone }: Airport, wait: QueueWait, simulated: boolean): string {
  const label = `${simulated ? 'SIMULATED ' : ''}${iata} security`
  return renderMarkup(<Badge label={label} text={badgeText(wait, timezone)} colour={colourOf(wait)} />)
}

/** A badge that says why there is no wait. */
export const plainBadge = (label: string, text: string): string =>
  renderMarkup(<Badge label={label} text={text} colour={UNKNOWN} />)
