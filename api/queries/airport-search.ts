import type { Airport, Directory } from '../../config/airports/directory.ts'

const SIZE_ORDER = { large: 0, medium: 1, small: 2 }

/** Lower case without accents, so that "Sao Paulo" finds São Paulo. */
const fold = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()

interface FoldedNames {
  name: string
  city: string
}

const foldedNames = new WeakMap<Directory, Map<string, FoldedNames>>()

function namesOf(directory: Directory): Map<string, FoldedNames> {
  let names = foldedNames.get(directory)
  if (!names) {
    names = new Map(directory.all.map(({ iata, name, city }) => [iata, { name: fold(name), city: fold(city ?? '') }]))
    foldedNames.set(directory, names)
  }
  return names
}

/** How well an airport answers a search, smaller is better; null when it does not. */
function rank(airport: Airport, names: FoldedNames, text: string): number | null {
  if (airport.iata.toLowerCase() === text) return 0
  if (airport.icao?.toLowerCase() === text) return 1
  if (names.city === text) return 2
  if (names.city.startsWith(text) || names.name.startsWith(text)) return 3
  if (names.name.includes(text) || names.city.includes(text)) return 4
  const words = text.split(/\s+/)
  return words.every((word) => names.name.includes(word) || names.city.includes(word)) ? 5 : null
}

/** Airports by name, city, IATA or ICAO code: the best match first, then large before small, then by code. */
export function searchAirports(directory: Directory, query: string): Airport[] {
  const text = fold(query.trim())
  const names = namesOf(directory)
  return directory.all
    .flatMap((airport) => {
      const place = rank(airport, names.get(airport.iata)!, text)
      return place === null ? [] : [{ airport, place }]
    })
    .sort(
      (a, b) =>
        a.place - b.place ||
        Number(b.airport.scheduled_service) - Number(a.airport.scheduled_service) ||
        SIZE_ORDER[a.airport.size] - SIZE_ORDER[b.airport.size] ||
        (a.airport.iata < b.airport.iata ? -1 : 1),
    )
    .map(({ airport }) => airport)
}
