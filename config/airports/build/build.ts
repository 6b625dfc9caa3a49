import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { projectFile } from '../../paths.ts'
import { Airport, type Runway } from '../directory.ts'
import { formerCodes } from '../former-codes.ts'
import { applyCorrections, readCorrections } from './corrections.ts'
import { dropSharedFaaIds, type FaaIndex, indexFaa, matchFaa, titleCase } from './faa.ts'
import { countries } from './installed.ts'
import { type BaseRow, baseRows, type FaaRow, faaRows, type OurAirportsRow } from './packages.ts'
import { faaRunways, ourRunways } from './runways.ts'
import { buildSearchNames } from './search-names.ts'
import { exclusionReason, hasService } from './select.ts'
import { type AirportPlace, SourceJoin } from './source-join.ts'
import { zoneOf } from './time-zone.ts'

/**
 * Checks former-codes.json against the built list.
 * @throws when a former code is an airport's code today, or its airport is not in the list
 */
function checkFormerCodes(airports: ReadonlyMap<string, Airport>): void {
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

/** Builds config/airports/directory.json, the list of what its sources disagree about, and config/airports/search/ from the data packages and a folder of sources; see config/airports/README.md. Run by hand, never at install. */
async function build(folder: string): Promise<void> {
  const tally = new Map<string, number>()
  const count = (label: string) => tally.set(label, (tally.get(label) ?? 0) + 1)
  const base = await baseRows()
  const corrections = readCorrections()
  const former = formerCodes()
  const join = new SourceJoin(folder, former.codes, corrections)
  const faa = indexFaa(faaRows())
  const runways = ourRunways(path.join(folder, 'samples', 'airports', 'ourairports-runways-2026-08-22.csv.gz'))
  const airports = new Map<string, Airport>()
  for (const row of base) {
    const gone = former.byCode.get(row.iata)
    if (gone) {
      count(`excluded: ${gone.kind}`)
      continue
    }
    if (join.isWithdrawn(row)) {
      count('excluded: code given up')
      continue
    }
    const place = join.placeOf(row, exclusionReason(row, row.airport, null) !== null)
    if (place === null) continue
    const reason = exclusionReason(row, place.name, place.ours)
    if (reason) count(`excluded: ${reason}`)
    else airports.set(row.iata, airportOf(row, place, faa, runways, join, count))
  }
  applyCorrections(airports, corrections)
  tally.set('corrections', corrections.size)
  const list = [...airports.values()].sort((a, b) => (a.iata < b.iata ? -1 : 1))
  dropSharedFaaIds(list)
  join.settleSharedIcao(list)
  z.array(Airport).parse(list)
  join.report.write(list)
  checkFormerCodes(airports)
  const lines = list.map((airport) => JSON.stringify(airport))
  writeFileSync(projectFile('config', 'airports', 'directory.json'), `[\n${lines.join(',\n')}\n]\n`)
  buildSearchNames(list, base, folder, join.otherNames)
  for (const airport of list) {
    count(`size: ${airport.size}`)
    if (airport.scheduled_service) count('scheduled service')
    if (airport.icao) count('with an ICAO code')
    if (airport.city) count('with a city')
    if (airport.faa_id) count('with an FAA id')
    if (airport.runways.length > 0) count('runways counted')
    else if (airport.longest_runway_ft !== null) count('only the longest runway known')
  }
  for (const [label, number] of [...tally].sort()) process.stdout.write(`${label}: ${number}\n`)
  for (const [label, number] of join.report.counts()) process.stdout.write(`${label}: ${number}\n`)
  process.stdout.write(`airports: ${list.length}\n`)
}

/** Combines what the sources say about one place: OurAirports is preferred, then the FAA, then the base; for measured values the FAA. */
function airportOf(
  row: BaseRow,
  place: AirportPlace,
  faa: FaaIndex,
  counted: ReadonlyMap<string, Runway[]>,
  join: SourceJoin,
  count: (label: string) => void,
): Airport {
  const { ours: match, country } = place
  if (!countries().isValid(country)) throw new Error(`${row.iata}: ${country} is not an ISO 3166-1 code`)
  const codes = place.claims.flatMap(({ icao }) => icao ?? [])
  const facility = matchFaa({ iata: row.iata, icao: codes, country, ...place.position }, faa)
  const latitude = round(match?.latitude_deg ?? facility?.lat ?? place.position.latitude)
  const longitude = round(match?.longitude_deg ?? facility?.lon ?? place.position.longitude)
  const { zone, mapped } = zoneOf(place.zone, latitude, longitude)
  if (mapped) count('time zone taken from the map')
  const icao = join.icaoOf(row.iata, place, facility)
  const runways = runwaysOf(facility, [match?.ident, ...(icao ? [icao] : []), ...codes], counted)
  return {
    iata: row.iata,
    icao,
    name: folded(match?.name ?? place.name),
    city: folded(match?.municipality ?? '') || (facility?.city ? folded(titleCase(facility.city)) : null),
    country,
    region: match?.iso_region ?? (facility?.state && facility.country === 'US' ? `US-${facility.state}` : null),
    latitude,
    longitude,
    elevation_ft: elevationOf(match, facility),
    timezone: zone,
    size: sizeOf(row, match),
    scheduled_service: hasService(row, match),
    faa_id: facility?.faaId ?? null,
    runways,
    longest_runway_ft: runways[0]?.length_ft ?? longestRunway(row, match),
  }
}

/** A name with one space between words: OurAirports has "Nhon Co  Airport". */
const folded = (name: string) => name.replace(/\s+/g, ' ')

/** The runways as the FAA counts them, else as OurAirports does; empty if neither does. */
function runwaysOf(
  facility: FaaRow | null,
  codes: (string | undefined)[],
  counted: ReadonlyMap<string, Runway[]>,
): Runway[] {
  const published = facility ? faaRunways(facility) : []
  if (published.length > 0) return published
  const code = codes.find((candidate) => candidate !== undefined && counted.has(candidate))
  return code === undefined ? [] : (counted.get(code) ?? [])
}

/** Elevation in feet. The base package's values are not used: six in ten differ by more than 500 ft. */
function elevationOf(match: OurAirportsRow | null, facility: FaaRow | null): number | null {
  if (facility?.elevationFt !== undefined) return Math.round(facility.elevationFt)
  if (match?.elevation_ft) return Math.round(Number(match.elevation_ft))
  return null
}

/** The longest runway in feet according to the base; null if it is too short for the airport's class, because then it is in metres or wrong. */
function longestRunway(row: BaseRow, match: OurAirportsRow | null): number | null {
  const minimum = shortestPlausibleRunway(match)
  return row.runway_length !== null && row.runway_length >= minimum ? row.runway_length : null
}

function shortestPlausibleRunway(match: OurAirportsRow | null): number {
  if (match?.type === 'large_airport') return 5_600
  return match ? 1_500 : 300
}

/** OurAirports' class. An airport that it lacks is medium if the base says so, airlines serve it and jets can land; otherwise small. */
function sizeOf(row: BaseRow, match: OurAirportsRow | null): Airport['size'] {
  if (match) return match.type === 'large_airport' ? 'large' : 'medium'
  const jets = /^(large|medium)_airport$/.test(row.type) && (row.runway_length ?? 0) >= 5_000
  return jets && hasService(row, match) ? 'medium' : 'small'
}

const round = (degrees: number) => Math.round(degrees * 100_000) / 100_000

await build(process.argv[2] ?? projectFile('..', 'shared'))
