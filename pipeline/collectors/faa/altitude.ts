/** Above this the FAA means "no ceiling". */
const UNLIMITED = 600

/** The band of an airspace flow program in words, from its floor and ceiling in hundreds of feet. */
export function altitudeBand(floor: number | null, ceiling: number | null): string | null {
  if (floor === null && ceiling === null) return null
  const top = ceiling === null ? 'unknown ceiling' : ceiling >= UNLIMITED ? 'no ceiling' : `${ceiling * 100} ft`
  return `${floor === null ? 'unknown floor' : `${floor * 100} ft`} to ${top}`
}
