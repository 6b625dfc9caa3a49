import { getOrCreate } from '../../once.ts'
import type { Airport } from '../directory.ts'
import { distanceKm } from '../distance.ts'
import { fold } from '../search/fold.ts'
import type { GeoPlace } from './geonames.ts'
import type { Metro } from './sample-lists.ts'

/** How far from an airport a place lies that the airport is named after: low-cost airports are far from "their" city. */
const MAX_NAMED_KM = 110
/** How far away the place is that a directory names as the airport's city. */
const MAX_CITY_KM = 70
/** How far a traveller goes to the next airport, from a place that has none. */
const MAX_NEAR_KM = 130
/** Places with fewer people are only found when an airport is theirs. */
const MIN_PEOPLE_NEAR = 50_000
const MAX_NEAR_AIRPORTS = 3
/** The next airport is a large city's own if it is this close. */
const MAX_OWN_KM = 40
/** A large city is served by every airport with flights this close. */
const LARGE_CITY = 300_000
const MAX_LARGE_CITY_KM = 60
/** Only these may be known by another name than their own in the name of an airport. */
const MIN_PEOPLE_OTHER_NAME = 50_000

/** An airport that is not named after any place belongs to the likeliest one this close. */
const MAX_UNNAMED_KM = 40
const MIN_PEOPLE_UNNAMED = 1_000

/** People also call an airport by the town or suburb it lies in. */
const MAX_SITE_KM = 6

/** A place and the airports a traveller to it would use. */
export interface LinkedPlace {
  place: GeoPlace
  airports: string[]
  /** The nearest airports with flights, for a place without one. */
  near: string[]
}

/** Finds things near a point by cells of one degree. */
export class Grid<T extends { latitude: number; longitude: number }> {
  private readonly cells = new Map<string, T[]>()

  constructor(all: readonly T[]) {
    for (const place of all) {
      const key = this.key(Math.floor(place.latitude), Math.floor(place.longitude))
      getOrCreate(this.cells, key, () => []).push(place)
    }
  }

  private key(lat: number, lon: number): string {
    return `${lat} ${((((lon + 180) % 360) + 360) % 360) - 180}`
  }

  /** Everything within a distance, the nearest first. */
  near({ latitude, longitude }: { latitude: number; longitude: number }, km: number): { neighbour: T; km: number }[] {
    const lats = Math.ceil(km / 111)
    const lons = Math.min(180, Math.ceil(km / (111 * Math.max(0.05, Math.cos((latitude * Math.PI) / 180)))))
    const found: { neighbour: T; km: number }[] = []
    for (let lat = Math.floor(latitude) - lats; lat <= Math.floor(latitude) + lats; lat += 1)
      for (let lon = Math.floor(longitude) - lons; lon <= Math.floor(longitude) + lons; lon += 1)
        for (const neighbour of this.cells.get(this.key(lat, lon)) ?? []) {
          const distance = distanceKm({ latitude, longitude }, neighbour)
          if (distance <= km) found.push({ neighbour, km: distance })
        }
    return found.sort((a, b) => a.km - b.km)
  }
}

const isUseful = ({ scheduled_service, size }: Airport) => scheduled_service && size !== 'small'

/** Words of a city's name in a directory: "Arnavutköy, Istanbul" names two places. */
const citiesNamed = (city: string) =>
  [city, ...city.split(/[,/()]+/)].map(fold).filter((name, index, all) => name !== '' && all.indexOf(name) === index)

/** Whether a name's words stand together in a text. */
const hasWords = (text: string, name: string) => ` ${text} `.includes(` ${name} `)

/** A larger place is the likelier one, a nearer one too. */
const likelihood = (place: GeoPlace, km: number) =>
  Math.log10(place.population + 100) + (place.seat ? 0.3 : 0) - km / 25

/** The places that an airport's city and name mean, the likeliest first. */
function placesNamedBy(airport: Airport, nearby: { neighbour: GeoPlace; km: number }[]): GeoPlace[] {
  const cities = airport.city === null ? [] : citiesNamed(airport.city)
  const name = fold(airport.name)
  const best = (candidates: { neighbour: GeoPlace; km: number }[]) =>
    candidates.toSorted((a, b) => likelihood(b.neighbour, b.km) - likelihood(a.neighbour, a.km))[0]?.neighbour
  const cityMatches = cities.flatMap((city) => {
    const called = nearby.filter(
      ({ neighbour, km }) =>
        km <= MAX_CITY_KM && [neighbour.name, ...neighbour.otherNames].some((text) => fold(text) === city),
    )
    return best(called) ?? []
  })
  const nameMatches = nearby.filter(({ neighbour }) => {
    const own = fold(neighbour.name)
    if (own.length >= 4 && hasWords(name, own)) return true
    return (
      neighbour.population >= MIN_PEOPLE_OTHER_NAME &&
      neighbour.otherNames.some((text) => /^[\p{Lu}]/u.test(text) && text.length >= 4 && hasWords(name, fold(text)))
    )
  })
  const likeliest = best(nameMatches)
  // An airport far out may bear the name of its town and that of a large city: London Luton, Paris Beauvais.
  const large = nameMatches
    .filter(({ neighbour }) => neighbour.population >= LARGE_CITY)
    .map(({ neighbour }) => neighbour)
  const named = [...new Set([...cityMatches, ...(likeliest ? [likeliest] : []), ...large])]
  if (named.length > 0 || !isUseful(airport)) return named
  const town = best(
    nearby.filter(({ neighbour, km }) => km <= MAX_UNNAMED_KM && neighbour.population >= MIN_PEOPLE_UNNAMED),
  )
  return town ? [town] : []
}

/** Gives the largest place of a metropolitan area's name all airports of the area. */
function linkMetros(own: Map<GeoPlace, Set<string>>, metros: readonly Metro[]): void {
  for (const { name, airports } of metros) {
    const called = [...own].filter(
      ([place, codes]) =>
        airports.some(({ iata }) => codes.has(iata)) &&
        [place.name, ...place.otherNames].some((text) => fold(text) === fold(name)),
    )
    const [largest] = called.toSorted(([a], [b]) => b.population - a.population)
    for (const { iata } of airports) largest?.[1].add(iata)
  }
}

/**
 * The places that have an airport, and the larger places that have none with the nearest ones. `traffic` is a rank between
 * 0 and 1: of two airports at a distance the busier one is preferred.
 */
export function linkPlaces(
  places: readonly GeoPlace[],
  airports: readonly Airport[],
  traffic: ReadonlyMap<string, number>,
  metros: readonly Metro[],
): LinkedPlace[] {
  const placeGrid = new Grid(places)
  const own = new Map<GeoPlace, Set<string>>()
  const link = (place: GeoPlace, iata: string) => own.set(place, (own.get(place) ?? new Set()).add(iata))
  for (const airport of airports) {
    const nearby = placeGrid.near(airport, MAX_NAMED_KM)
    for (const place of placesNamedBy(airport, nearby)) link(place, airport.iata)
    if (!isUseful(airport)) continue
    for (const { neighbour } of nearby
      .filter(({ neighbour, km }) => km <= MAX_SITE_KM && neighbour.population >= MIN_PEOPLE_UNNAMED)
      .slice(0, 2))
      link(neighbour, airport.iata)
  }
  linkMetros(own, metros)
  const served = new Set(airports.filter(({ scheduled_service }) => scheduled_service).map(({ iata }) => iata))
  const airportGrid = new Grid(airports.filter(isUseful))
  const links: LinkedPlace[] = []
  for (const place of places) {
    const placeAirports = own.get(place) ?? new Set<string>()
    const isServed = [...placeAirports].some((iata) => served.has(iata))
    const isLarge = place.population >= LARGE_CITY && place.seat
    const around =
      isServed && !isLarge ? [] : airportGrid.near(place, place.population >= MIN_PEOPLE_NEAR ? MAX_NEAR_KM : 0)
    const preference = (iata: string, km: number) => Math.sqrt(traffic.get(iata) ?? 0) * 60 - km
    const near = around
      .filter(({ neighbour }) => !placeAirports.has(neighbour.iata))
      .filter(({ km }) => !isServed || km <= MAX_LARGE_CITY_KM)
      .toSorted((a, b) => preference(b.neighbour.iata, b.km) - preference(a.neighbour.iata, a.km))
      .slice(0, MAX_NEAR_AIRPORTS)
      .map(({ neighbour }) => neighbour.iata)
    if (!isServed && place.population >= LARGE_CITY) {
      const close = around.filter(({ neighbour, km }) => km <= MAX_OWN_KM && near.includes(neighbour.iata))
      for (const { neighbour } of close) placeAirports.add(neighbour.iata)
    }
    if (placeAirports.size > 0 || near.length > 0)
      links.push({ place, airports: [...placeAirports].sort(), near: near.filter((iata) => !placeAirports.has(iata)) })
  }
  return links
}
