import type { Airport } from '../directory.ts'
import { formerCodes } from '../former-codes.ts'

/**
 * Checks former-codes.json against the built list.
 * @throws when a former code is an airport's code today, or its airport is not in the list
 */
export function checkFormerCodes(airports: ReadonlyMap<string, Airport>): void {
  const { codes, byIcao } = formerCodes()
  const icaos = new Set([...airports.values()].map(({ icao }) => icao))
  const entries = [...codes, ...byIcao.values()]
  const faults = [
    ...codes.filter(({ code }) => airports.has(code)).map(({ code }) => `${code} is an airport's code today`),
    ...[...byIcao].filter(([icao]) => icaos.has(icao)).map(([icao]) => `${icao} is an airport's ICAO code today`),
    ...entries.flatMap(({ code, airport }) =>
      airport !== null && !airports.has(airport) ? [`${code}: ${airport} is not in the directory`] : [],
    ),
  ]
  if (faults.length > 0) throw new Error(`former-codes.json:\n${faults.join('\n')}`)
}
