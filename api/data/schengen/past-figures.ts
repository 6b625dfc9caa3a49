import { METRO_CODES } from '../../../config/reference/metro-codes.ts'
import { BORDER_WAIT_FIGURES, type BorderWaitFigure } from '../../../config/reference/schengen.ts'
import { schengenState } from '../../../config/reference/schengen-airports.ts'

/** The airports of a quoted figure: those of its place too, where the page names none, as of Tenerife. */
export function airportsOfFigure({ iata, place }: BorderWaitFigure): readonly string[] {
  if (iata !== null) return [iata]
  const metro = METRO_CODES.rows().find(({ name }) => name === place)
  return metro?.airports.map((airport) => airport.iata) ?? []
}

/** The states that a figure is about: "airports in FR, DE". */
const statesOfFigure = ({ place }: BorderWaitFigure): readonly string[] =>
  (place.match(/\b[A-Z]{2}\b/g) ?? []).filter((code) => schengenState(code)?.member)

interface Place {
  airport: string
  country: string
}

/** The quoted figures of some airports, theirs before those of their states; with `general` also those of no certain place. */
export function pastFigures(places: readonly Place[], general: boolean): BorderWaitFigure[] {
  const codes = new Set(places.map(({ airport }) => airport))
  const countries = new Set(places.map(({ country }) => country))
  const rows = BORDER_WAIT_FIGURES.rows()
  const ofAirports = rows.filter((row) => airportsOfFigure(row).some((code) => codes.has(code)))
  const ofStates = rows.filter((row) => statesOfFigure(row).some((code) => countries.has(code)))
  const found = [...ofAirports, ...ofStates]
  return general
    ? [...found, ...rows.filter((row) => !found.includes(row) && airportsOfFigure(row).length === 0)]
    : found
}
