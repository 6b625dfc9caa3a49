import type { FlightCategory } from '../../../config/domain.ts'

const WORST_FIRST: FlightCategory[] = ['LIFR', 'IFR', 'MVFR', 'VFR']

function ofCeiling(feet: number): FlightCategory {
  if (feet < 500) return 'LIFR'
  if (feet < 1_000) return 'IFR'
  return feet <= 3_000 ? 'MVFR' : 'VFR'
}

function ofVisibility(miles: number): FlightCategory {
  if (miles < 1) return 'LIFR'
  if (miles < 3) return 'IFR'
  return miles <= 5 ? 'MVFR' : 'VFR'
}

/**
 * Flight category by the table of the Aviation Weather Center, from the ceiling in feet above ground and the
 * visibility in statute miles: the worse of the two. A missing one is left out; null when both are missing.
 */
export function flightCategory(ceilingFt: number | null, visibilitySm: number | null): FlightCategory | null {
  const found = [
    ceilingFt === null ? null : ofCeiling(ceilingFt),
    visibilitySm === null ? null : ofVisibility(visibilitySm),
  ]
  return WORST_FIRST.find((category) => found.includes(category)) ?? null
}
