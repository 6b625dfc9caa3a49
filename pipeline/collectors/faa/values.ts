import { DAY_MINUTES } from '../../parsing/fields.ts'

const PROSE = /^(?:(\d{1,3})\s*hours?)?(?:\s*(?:and|,)?\s*(\d{1,4})\s*min(?:ute)?s?)?\.?$/i

/** Minutes of the FAA's prose: `46 minutes`, `2 hours`, `1 hour and 16 minutes`. Null for any other text, and for more than a day. */
export function durationMinutes(text: string): number | null {
  const match = PROSE.exec(text.trim())
  if (!match || (match[1] === undefined && match[2] === undefined)) return null
  const minutes = Number(match[1] ?? 0) * 60 + Number(match[2] ?? 0)
  return minutes <= DAY_MINUTES ? minutes : null
}

export type Trend = 'increasing' | 'decreasing' | 'steady'

const TRENDS = new Set<string>(['increasing', 'decreasing', 'steady'])

/** The trend as published, in lower case; null for an unknown word. */
export function trendOf(text: string): Trend | null {
  const word = text.trim().toLowerCase()
  return TRENDS.has(word) ? (word as Trend) : null
}

/** Above this the FAA means "no ceiling". */
const UNLIMITED = 600

/** The band of an airspace flow program in words, from its floor and ceiling in hundreds of feet. */
export function altitudeBand(floor: number | null, ceiling: number | null): string | null {
  if (floor === null && ceiling === null) return null
  const bottom = floor === null ? 'unknown floor' : `${floor * 100} ft`
  return `${bottom} to ${ceilingInWords(ceiling)}`
}

function ceilingInWords(ceiling: number | null): string {
  if (ceiling === null) return 'unknown ceiling'
  return ceiling >= UNLIMITED ? 'no ceiling' : `${ceiling * 100} ft`
}
