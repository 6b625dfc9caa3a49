import { distance } from 'fastest-levenshtein'
import { distanceKm } from '../../config/airports/distance.ts'
import { fold } from '../../config/airports/search/fold.ts'
import { NEAR_KM } from '../../config/airports/served-near.ts'
import { noFlightsText } from '../../config/airports/without-flights.ts'
import { once } from '../../config/once.ts'
import { addHitsOfCodes, codeMasks } from './code-hits.ts'
import { Grade, type MatchedBy, Naming, type ScoredHit } from './hits.ts'
import type { IndexedName, NameIndex, NameKind, Target } from './name-index.ts'
import { isArea, matchNames, type NameMatch, type Reading } from './name-matches.ts'

/** A text as it is searched: its words that must be found, and all of it. */
export interface Searched {
  words: string[]
  text: string
}

/** Hits whose names, country and region together have all words of the text. */
export function score(index: NameIndex, searched: Searched, readings: Reading[][], corrected: boolean): ScoredHit[] {
  return scoreMatches(index, searched, matchNames(index, readings), (1 << searched.words.length) - 1, corrected)
}

const WEIGHT_OF_IMPORTANCE = 4
const KIND_SCORE: Partial<Record<NameKind, number>> = {
  'other city name': -0.4,
  'other airport name': -0.2,
  nickname: 0.6,
  city: 0,
  'metropolitan area': -0.3,
  region: -1.4,
  country: -2.5,
}
const NEAR_SCORE = -4
const NEAR = { nearScore: NEAR_SCORE, naming: Naming.other }
const NEAR_LARGE = { nearScore: NEAR_SCORE / 2, naming: Naming.serves }
const NEAR_IN_FULL = { nearScore: 0, naming: Naming.is }
/** A place with so many inhabitants is rather meant than an airfield without flights that has its name: Chandler, Fremont. */
const MIN_PEOPLE_OF_LARGE = 200_000
/** A code beside a name means that airport. */
const SCORE_OF_CODE = 6
/** "London City" is that airport rather than the largest of the city. */
const SCORE_OF_AIRPORT_IN_FULL = 3
export const SCORE_OF_CORRECTION = 3

interface AirportMatch {
  mask: number
  best: NameMatch
  naming: Naming
  score: number
  near: boolean
}

export function scoreMatches(
  index: NameIndex,
  { words, text }: Searched,
  found: NameMatch[],
  all: number,
  corrected: boolean,
): ScoredHit[] {
  const areas = areaMasks(found)
  // England is a country and no part of New England.
  const isPartOfArea = (match: NameMatch) =>
    match.name.kind === 'area' && !isWhole(match) && [...areas.values()].includes(match.mask)
  const matches = found.filter((match) => !isPartOfArea(match))
  const maskOfArea = (area: string | null) => (area === null ? 0 : (areas.get(area) ?? 0))
  const maskWithArea = ({ name, mask }: NameMatch) =>
    areas.size === 0 ? mask : name.target.areas.reduce((sum, area) => sum | maskOfArea(area), mask)
  const isPlaceInFull = (match: NameMatch) =>
    !isArea(match.name) && isWhole(match) && (maskWithArea(match) & all) === all
  // "Ontario Canada" is a region with its country, whose code begins its own; "Quebec City Canada" is the city.
  const hasRegion = areas.size > 1 && !matches.some(isPlaceInFull)
  const maskOf = (match: NameMatch) =>
    hasRegion && match.name.kind === 'region'
      ? maskWithArea(match) | maskOfArea(match.name.target.areas[0]!.slice(0, 2))
      : maskWithArea(match)
  const masks = namedMasks(index, matches, maskOf)
  const isWritten = ({ quality }: NameMatch) => quality === 1
  const writtenWords = once(() => namedMasks(index, matches.filter(isWritten), maskOf))
  const coded = codeMasks(index, words)
  for (const [position, codes] of coded) if (masks[position] !== 0) masks[position]! |= codes
  const airports = new Map<number, AirportMatch>()
  const hasServed = matches.some(
    (match) =>
      isWhole(match) && match.name.target.airports.some((position) => index.airports[position]!.scheduled_service),
  )
  // Grenada is a country, and no spelling of Granada.
  const hasPlace = matches.some((match) => isWhole(match) && ['city', 'country'].includes(match.name.kind))
  // A name with a word that is left out of comparisons: "Jersey City" is not Jersey.
  const hasLeftOut = text !== words.join(' ')
  const ownAirports = new Set(matches.filter(isWhole).flatMap(({ name }) => name.target.own))
  const isCovered = (position: number) => (masks[position]! & all) === all
  for (const match of matches) {
    const { target } = match.name
    if (!target.airports.some(isCovered) && !target.near.some(isCovered)) continue
    const mask = maskOf(match)
    if (isArea(match.name) && (mask & all) !== all) continue
    const points = scoreOfName(match, mask, all, text)
    const isName = (mask & all) === all && isWholeName(match, words.length, corrected)
    const isTypedInFull = hasLeftOut && fold(match.name.text) === text
    for (const [order, airport] of target.airports.entries()) {
      if (!isCovered(airport)) continue
      const isSpelling = isName && !hasPlace && isSpellingOfCity(index, match.name, airport)
      const naming = isName ? namingOf(index, match.name, airport) : Naming.other
      const ownName = naming === Naming.is && isTypedInFull && isOfAirport(match.name) ? SCORE_OF_AIRPORT_IN_FULL : 0
      const score = points + ownName - (target.ordered ? 0.05 * order : 0)
      note(airports, airport, { mask, best: match, naming: isSpelling ? Naming.is : naming, score, near: false })
    }
    const ofLarge = isName && !hasServed && (target.people ?? 0) >= MIN_PEOPLE_OF_LARGE ? NEAR_LARGE : NEAR
    const { nearScore, naming } = isTypedInFull && !isBesideOwn(index, target, ownAirports) ? NEAR_IN_FULL : ofLarge
    for (const [order, airport] of target.near.entries())
      if (isCovered(airport))
        note(airports, airport, { mask, best: match, naming, score: points + nearScore - 0.05 * order, near: true })
  }
  const importanceOfPlace = once(() =>
    importanceBySize(
      index,
      matches.filter((match) => isWhole(match) && (maskOf(match) & all) === all).map(({ name }) => name),
    ),
  )
  const hits: ScoredHit[] = []
  for (const [position, { mask, best, naming, score, near }] of airports) {
    const codes = (coded.get(position) ?? 0) & ~mask
    const importance = near ? importanceOfPlace()(best.name) : importanceOfName(index, best.name, position)
    const grade = gradeOf(best, corrected)
    const isAllOfText = () => ((maskOf(best) | codes | writtenWords()[position]!) & all) === all
    const total = score + WEIGHT_OF_IMPORTANCE * importance + (codes === 0 ? 0 : SCORE_OF_CODE)
    hits.push({
      position,
      // "Hollywood sign" is not Hollywood, though an airport near it is also one near Signal Hill.
      grade: grade === Grade.name && !isAllOfText() ? Grade.words : grade,
      naming,
      score: corrected ? total - SCORE_OF_CORRECTION : total,
      matched_by: near ? 'nearby city' : best.name.kind,
      matched: best.name.text,
      of_own_city: best.name.target.own.includes(position),
    })
  }
  // Of "La Paz Mexico" PAZ is no code, but a part of the name.
  const isPartOfName = hasLeftOut && hits.some(({ grade }) => grade === Grade.name)
  if (areas.size > 0 && !isPartOfName) addHitsOfCodes(index, coded, maskOfArea, airports, all, hits)
  return demoteOtherNames(index, hits, words.length)
}

/** A list in an order is one of the importance of its first airport. */
const importanceOfName = ({ importance }: NameIndex, { target }: IndexedName, position: number): number =>
  importance[target.ordered ? target.airports[0]! : position]!

/** The airports near a place stand in the order of their use: none goes before another for its size alone. */
const importanceNear = ({ importance }: NameIndex, { target }: IndexedName): number =>
  Math.max(...target.near.map((position) => importance[position]!))

/** By so much a larger place counts more than each smaller one of its name. */
const IMPORTANCE_OF_LARGER = 0.005

/**
 * The importance of a place by its name, with airports near it: at least that of smaller places that are also called so, because
 * of two towns without an airport the larger one is rather meant, and not the one that is near a larger airport.
 */
function importanceBySize(index: NameIndex, names: readonly IndexedName[]): (name: IndexedName) => number {
  const places = names.filter(({ target }) => target.people !== undefined && target.near.length > 0)
  const bySize = places.toSorted((a, b) => a.target.people! - b.target.people!)
  const importance = new Map<IndexedName, number>()
  let least = 0
  for (const name of bySize) {
    least = Math.max(importanceNear(index, name), least + IMPORTANCE_OF_LARGER)
    importance.set(name, least)
  }
  return (name) => importance.get(name) ?? importanceNear(index, name)
}

/** Whether an airport with flights and the name is beside those near a place: "Sharjah City" is the city of the airport of Sharjah, but Jersey is far from Jersey City. */
function isBesideOwn({ airports }: NameIndex, { airports: inPlace, near }: Target, own: ReadonlySet<number>): boolean {
  return [...own, ...inPlace].some((position) => {
    const airport = airports[position]!
    return airport.scheduled_service && near.some((other) => distanceKm(airport, airports[other]!) <= NEAR_KM)
  })
}

const isOfAirport = ({ kind }: IndexedName) => kind === 'airport name' || kind === 'short name'

/** The words of the text that the names, country and region of each airport have together. */
function namedMasks(index: NameIndex, matches: NameMatch[], maskOf: (match: NameMatch) => number): Uint16Array {
  const masks = new Uint16Array(index.airports.length)
  for (const match of matches) {
    const mask = maskOf(match)
    for (const airport of match.name.target.airports) masks[airport]! |= mask
    for (const airport of match.name.target.near) masks[airport]! |= mask
  }
  return masks
}

/**
 * From this importance on, a city or airport is known by its own name, and an airport that only another name matches goes behind
 * it: Manchester is not Richmond, though GeoNames calls that so too.
 */
const MIN_KNOWN_IMPORTANCE: Partial<Record<MatchedBy, number>> = { 'other city name': 0.45, 'other airport name': 0.25 }
const SCORE_OF_OTHER_NAME = 2
const SCORE_OF_UNSERVED = 6
export const OTHER_NAMES = new Set<MatchedBy>(['other city name', 'other airport name', 'nearby city'])
export const OWN_NAMES = new Set<MatchedBy>(['city', 'airport name', 'metropolitan area'])

function demoteOtherNames(index: NameIndex, hits: ScoredHit[], words: number): ScoredHit[] {
  // A name that was read with typing errors is whole when it has as many words.
  const isName = ({ grade, matched }: ScoredHit) =>
    grade === Grade.name || (grade === Grade.corrected && fold(matched).split(' ').length === words)
  const known = Math.max(
    ...hits.map((hit) => (isName(hit) && OWN_NAMES.has(hit.matched_by) ? index.importance[hit.position]! : 0)),
  )
  const isNamed = hits.some(({ naming }) => naming === Naming.is)
  const nearPlace = hits.filter((hit) => hit.matched_by === 'nearby city' && isName(hit))
  for (const hit of hits) {
    if (known >= (MIN_KNOWN_IMPORTANCE[hit.matched_by] ?? Number.POSITIVE_INFINITY)) hit.score -= SCORE_OF_OTHER_NAME
    if (nearPlace.length > 0 && OTHER_NAMES.has(hit.matched_by) && isFarAirfield(index, hit, nearPlace))
      hit.score -= SCORE_OF_UNSERVED
    if (hit.grade !== Grade.corrected) continue
    // The naming counts among corrected names too, but not against a name as typed.
    if (isNamed && hit.naming === Naming.other) hit.score -= SCORE_OF_OTHER_NAME
    hit.naming = Naming.other
  }
  return hits
}

/** Whether a hit is an airfield without flights far from a place of the name: "Providence" is rather that city than an airfield elsewhere that is also called so. Where flights ended, people flew. */
function isFarAirfield({ airports }: NameIndex, { position }: ScoredHit, nearPlace: readonly ScoredHit[]): boolean {
  const airport = airports[position]!
  if (airport.scheduled_service || noFlightsText(airport.iata) !== null) return false
  return nearPlace.every((near) => distanceKm(airport, airports[near.position]!) > NEAR_KM)
}

/** The words of the text that are the name of a country or region, by its code. */
function areaMasks(matches: NameMatch[]): Map<string, number> {
  const masks = new Map<string, number>()
  for (const { name, mask, completeness, quality } of matches)
    if (isArea(name) && completeness === 1 && quality === 1)
      for (const area of name.target.areas) masks.set(area, (masks.get(area) ?? 0) | mask)
  return masks
}

/** Keeps the best match of an airport: one by its own name before a likelier one by another. */
function note(airports: Map<number, AirportMatch>, airport: number, match: AirportMatch): void {
  const known = airports.get(airport)
  if (!known) {
    airports.set(airport, match)
    return
  }
  const mask = known.mask | match.mask
  const isBetter = match.naming - known.naming || match.score - known.score
  airports.set(airport, Object.assign(isBetter > 0 ? match : known, { mask }))
}

/** Whether the text is the whole name; read with typing errors it is when it has as many words, or when its only word is the one that distinguishes the name. */
const isWholeName = (match: NameMatch, words: number, corrected: boolean) =>
  isWhole(match) ||
  (corrected && (fold(match.name.text).split(' ').length === words || (words === 1 && isAllOfItsLetters(match))))

const isAllOfItsLetters = ({ completeness, quality }: NameMatch) => Math.abs(completeness - quality) < 1e-3

/** The naming of a name for one of the airports that it may mean. Other names of a large airport and of its own city count as much as those of places. */
function namingOf(index: NameIndex, { kind, target }: IndexedName, position: number): Naming {
  const airport = index.airports[position]!
  if (OTHER_NAMES.has(kind))
    return airport.size === 'large' && target.own.includes(position) ? Naming.serves : Naming.other
  return target.own.includes(position) && airport.scheduled_service ? Naming.is : Naming.serves
}

/** Whether another name of an airport's city is a spelling of its own: "Ahmadabad" of Ahmedabad. */
function isSpellingOfCity(index: NameIndex, { kind, text, target }: IndexedName, position: number): boolean {
  const { city, scheduled_service } = index.airports[position]!
  return (
    kind === 'other city name' &&
    scheduled_service &&
    target.own.includes(position) &&
    distance(fold(text), fold(city ?? '')) === 1
  )
}

/** A name that the text is scores 10; one with all words of the text less, by how much of it the text has. */
function scoreOfName(match: NameMatch, mask: number, all: number, text: string): number {
  const { name, completeness, quality } = match
  const missing = countBits(all & ~mask)
  const kind = KIND_SCORE[name.kind] ?? 0
  // "El Salvador" is the country rather than the city of Salvador.
  if (isWhole(match)) return 10 + kind - 2 * missing + (text.includes(' ') && fold(name.text) === text ? 1 : 0)
  const start = missing === 0 && startsWithText(name, text) ? 1 : 0
  return (4 + 4 * completeness) * (0.5 + 0.5 * quality) + kind + start - 2 * missing
}

const isWhole = ({ completeness, quality }: NameMatch) => completeness === 1 && quality === 1

/** Whether a text of several words is typed as the name begins: "los ang" of Los Angeles. */
const startsWithText = ({ text }: IndexedName, typed: string) => typed.includes(' ') && fold(text).startsWith(typed)

function gradeOf(match: NameMatch, corrected: boolean): Grade {
  if (corrected) return Grade.corrected
  if (isWhole(match)) return Grade.name
  return match.quality === 1 ? Grade.words : Grade.start
}

function countBits(mask: number): number {
  let count = 0
  for (let rest = mask; rest > 0; rest &= rest - 1) count += 1
  return count
}

export function pushHits(hits: ScoredHit[], index: NameIndex, name: IndexedName, grade: Grade, score: number): void {
  const { target } = name
  const add = (position: number, matched_by: MatchedBy, points: number, order: number) => {
    const importance =
      matched_by === 'nearby city' ? importanceNear(index, name) : importanceOfName(index, name, position)
    const naming = matched_by === 'nearby city' ? Naming.other : namingOf(index, name, position)
    const isOrdered = matched_by === 'nearby city' || target.ordered
    const total = points + WEIGHT_OF_IMPORTANCE * importance - (isOrdered ? 0.05 * order : 0)
    const of_own_city = target.own.includes(position)
    hits.push({ position, grade, naming, score: total, matched_by, matched: name.text, of_own_city })
  }
  const kind = KIND_SCORE[name.kind] ?? 0
  for (const [order, position] of target.airports.entries()) add(position, name.kind, score + kind, order)
  for (const [order, position] of target.near.entries()) add(position, 'nearby city', score + kind + NEAR_SCORE, order)
}
