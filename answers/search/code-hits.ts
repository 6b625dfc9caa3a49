import type { Airport, Directory } from '../../config/airports/directory.ts'
import { resolveCode } from '../../config/airports/resolve-code.ts'
import { fold } from '../../config/airports/search/fold.ts'
import { memoizeByObject } from '../../config/once.ts'
import { metroByCode } from '../../config/reference/metro-codes.ts'
import { Grade, type MatchedBy, Naming, type ScoredHit } from './hits.ts'
import type { NameIndex } from './name-index.ts'
import { airportAlone, HAS_MARKS, isInCapitals, placeAlone } from './query-words.ts'

const CODE_SCORE = 1_000

/** Letters with marks are no code: Åbo is Turku, not ABO. A code may be a short word for another: SZT is no saint. */
export function codeHits(directory: Directory, index: NameIndex, query: string, text: string): ScoredHit[] {
  // Letters that are spelt: "J F K".
  const plain = fold(query).replace(/^(\w) (\w) (\w)$/, '$1$2$3')
  // "NYC area": a code in capitals is one, whatever is said to be there.
  const alone = /^[A-Z]{3} /.test(query) ? placeAlone(isInCapitals(query) ? text : airportAlone(text)) : text
  return HAS_MARKS.test(query.normalize('NFKC'))
    ? []
    : hitsByCode(directory, index, plain.includes(' ') ? alone : plain)
}

/** Hits of a text that is a code: the airport's own, then those of the metropolitan area. */
function hitsByCode(directory: Directory, index: NameIndex, text: string): ScoredHit[] {
  const code = text.toUpperCase()
  const hits: ScoredHit[] = []
  const add = (airport: Airport | undefined, matched_by: MatchedBy, score: number) => {
    const position = airport ? positionOf(index, airport) : -1
    if (position >= 0) hits.push({ position, grade: Grade.code, naming: Naming.code, score, matched_by, matched: code })
  }
  add(directory.byIata.get(code), 'IATA code', CODE_SCORE)
  const metro = metroByCode(code)
  const members = metro?.airports.toSorted((a, b) => (b.traffic_rank ?? 0) - (a.traffic_rank ?? 0)) ?? []
  for (const [order, { iata }] of members.entries())
    add(directory.byIata.get(iata), 'metropolitan area code', CODE_SCORE - 10 - order / 10)
  const resolved = resolveCode(code, directory)
  if (resolved?.how === 'former') add(resolved.airport, 'former code', CODE_SCORE - 5)
  if (resolved?.how === 'closed') add(resolved.successor ?? undefined, 'closed airport', CODE_SCORE - 5)
  const byIcao = directory.byIcao.get(code)
  if (byIcao?.scheduled_service) add(byIcao, 'ICAO code', CODE_SCORE - 20)
  else if (byIcao) addAirfield(hits, index, byIcao, code)
  if (/\d/.test(code) || code.length === 3) add(directory.byFaaId.get(code), 'FAA id', CODE_SCORE - 30)
  return hits
}

/** The ICAO code of an airfield may be a city's name too, or its letters: what many travellers mean goes first. */
function addAirfield(hits: ScoredHit[], index: NameIndex, airport: Airport, code: string): void {
  hits.push({
    position: positionOf(index, airport),
    grade: Grade.name,
    naming: Naming.serves,
    score: 12,
    matched_by: 'ICAO code',
    matched: code,
  })
}

const positionOf = (index: NameIndex, { iata }: Airport) => positionsByCode(index).get(iata) ?? -1

/** The positions of airports by IATA and ICAO code. */
const positionsByCode = memoizeByObject(({ airports }: NameIndex) => {
  const positions = new Map<string, number>()
  for (const [position, { iata, icao }] of airports.entries()) {
    positions.set(iata, position)
    if (icao !== null) positions.set(icao, position)
  }
  return positions
})

/** The words of a text that are codes, by the position of their airport: "LAX Los Angeles". */
export function codeMasks(index: NameIndex, words: string[]): Map<number, number> {
  const masks = new Map<number, number>()
  // A word that is said twice is a name: Phi Phi.
  if (new Set(words).size === 1) return masks
  const positions = positionsByCode(index)
  for (const [bit, word] of words.entries()) {
    const position = positions.get(word.toUpperCase())
    if (position !== undefined) masks.set(position, (masks.get(position) ?? 0) | (1 << bit))
  }
  return masks
}

/** Airports whose code the text has, beside only the country or region: "LHR UK". */
export function addHitsOfCodes(
  index: NameIndex,
  coded: ReadonlyMap<number, number>,
  maskOfArea: (area: string | null) => number,
  known: ReadonlyMap<number, object>,
  all: number,
  hits: ScoredHit[],
): void {
  for (const [position, codes] of coded) {
    if (known.has(position)) continue
    const airport = index.airports[position]!
    const area = maskOfArea(airport.country) | maskOfArea(airport.region)
    if (((codes | area) & all) === all)
      hits.push({
        position,
        grade: Grade.name,
        naming: Naming.code,
        score: 16,
        matched_by: 'IATA code',
        matched: airport.iata,
      })
  }
}
