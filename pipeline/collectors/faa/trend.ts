export type Trend = 'increasing' | 'decreasing' | 'steady'

const TRENDS = new Set<string>(['increasing', 'decreasing', 'steady'])

/** The trend as published, in lower case; null for a word the FAA is not known to use. */
export function trendOf(text: string): Trend | null {
  const word = text.trim().toLowerCase()
  return TRENDS.has(word) ? (word as Trend) : null
}
