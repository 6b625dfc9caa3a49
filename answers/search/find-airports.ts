import type { Airport, Directory } from '../../config/airports/directory.ts'
import { distanceKm } from '../../config/airports/distance.ts'
import { fold } from '../../config/airports/search/fold.ts'
import { NEAR_KM, servedNear } from '../../config/airports/served-near.ts'
import { countryCode, territoriesOf } from '../../config/reference/countries.ts'
import { codeHits } from './code-hits.ts'
import { type AirportHit, Grade, isOfArea, Naming, type ScoredHit } from './hits.ts'
import { hitsAsWritten, inTurn, isServed, MAX_HITS, MIN_IMPORTANCE_BESIDE_CODE, select } from './hits-as-written.ts'
import { hitsByName } from './name-hits.ts'
import { type NameIndex, nameIndexOf } from './name-index.ts'
import { codesAmongWords, isAllNames, namesAmongWords } from './names-among-words.ts'
import { areCodesApart, HAS_MARKS, isFillWord, isRouteOfCodes, placesIn, queryWords } from './query-words.ts'
import { pushHits } from './score-names.ts'
import { areaBehind, hasLettersOfState } from './stated-area.ts'

/** A name as the airport's own names write it: "München" for "Munchen", because lists of names leave marks out. */
function spelled(index: NameIndex, position: number, name: string): string {
  if (HAS_MARKS.test(name)) return name
  return name.replace(/[a-z]{3,}/gi, (word) => spelledWord(index, position, word))
}

function spelledWord(index: NameIndex, position: number, word: string): string {
  const id = index.positionOfWord.get(word.toLowerCase())
  if (id === undefined) return word
  let found = word
  for (let entry = index.starts[id]!; entry < index.starts[id + 1]!; entry += 1) {
    const { text, kind, target } = index.names[index.namesWithWord[entry]!]!
    const isOwn = kind === 'airport name'
    if ((!isOwn && kind !== 'other airport name') || !target.airports.includes(position)) continue
    const written = text.split(/[^\p{L}\p{M}]+/u).find((other) => fold(other) === word.toLowerCase())
    if (written === undefined) continue
    if (isOwn) return HAS_MARKS.test(written) ? written : word
    if (HAS_MARKS.test(written)) found = written
  }
  return found
}

/**
 * The airports that a text means, the likeliest first: an exact code, then airports whose name the text is, then those with its
 * words, then those with words that begin like it, then with typing errors. Among equals the busier one is first. If a text
 * names several places, like "JFK or Newark", the likeliest of each come first.
 */
export function findAirports(directory: Directory, query: string): AirportHit[] {
  const index = nameIndexOf(directory)
  const hits = hitsOfPlaces(directory, index, query) ?? scoredHits(directory, index, query)
  return withServed(index, withArea(directory, index, query, hits))
}

/** The airports that stand among other words. */
const guesses = (directory: Directory, index: NameIndex, query: string): AirportHit[] =>
  namesAmongWords(directory, index, query).map((hit) => ({
    ...airportHit(index, query, hit),
    exact: false,
    corrected: true,
  }))

const MAX_OF_AREA = 3

/** The airports of a place that is none of a country itself, in the territories of it: those of Guam in "Guam USA". */
function inTerritory(directory: Directory, index: NameIndex, place: string, country: string | null): AirportHit[] {
  const territories = new Set(country === null ? [] : territoriesOf(country))
  if (territories.size === 0) return []
  const hits = hitsAsWritten(directory, index, place)
  const isNamed = ({ grade }: ScoredHit) => grade === Grade.name
  const countryOf = ({ position }: ScoredHit) => index.airports[position]!.country
  // Two states of the country are called Carolina, and a town of Puerto Rico.
  if (hits.some((hit) => countryOf(hit) === country && (isNamed(hit) || isOfArea(hit)))) return []
  return hits
    .filter((hit) => isNamed(hit) && territories.has(countryOf(hit)))
    .map((hit) => ({ ...airportHit(index, place, hit), exact: false }))
}

/** The consonants of a name, each once in a row: languages write a name with other vowels, as Syracuse is Siracusa in Italy. */
const consonantsOf = (name: string) =>
  fold(name)
    .replace(/[aeiouy\s]/g, '')
    .replace(/(.)\1+/gu, '$1')

/**
 * The hits of a text as airports. Where no name is meant as it is written, those in the state or country behind the place come first:
 * the hits, or else the airports among the words, or else the busiest of it, as the places of that name lie elsewhere ("Dublin, OH",
 * "Nashville Indiana").
 */
function withArea(directory: Directory, index: NameIndex, query: string, scored: ScoredHit[]): AirportHit[] {
  const hits = scored.map((hit) => airportHit(index, query, hit))
  if (hits.some(({ exact }) => exact)) return hits
  const { place = '', area = '' } = areaBehind(directory, index, query) ?? {}
  const ofTerritory = inTerritory(directory, index, place, countryCode(area))
  if (ofTerritory.length > 0)
    return [...ofTerritory, ...hits.filter(({ airport }) => !ofTerritory.some((hit) => hit.airport === airport))]
  if (hits.some(({ corrected }) => !corrected)) return hits
  // Ireland is no part of New Ireland.
  const isArea = (hit: ScoredHit) => isOfArea(hit) && hit.grade === Grade.name
  const areas = area === '' ? [] : hitsAsWritten(directory, index, area).filter(isArea)
  // Georgia and CA are rather states than countries.
  const kind = areas.some(({ matched_by }) => matched_by === 'region') ? 'region' : 'country'
  const ofArea = areas.filter(({ matched_by }) => matched_by === kind)
  // Of some airports the country alone is known.
  const placeOf = ({ region, country }: Airport) => (kind === 'region' ? (region ?? country) : country)
  const countries = ofArea.map(({ position }) => index.airports[position]!.country)
  const territories = new Set(kind === 'country' ? countries.flatMap(territoriesOf) : [])
  const places = new Set([
    ...ofArea.map(({ position }) => placeOf(index.airports[position]!)),
    ...countries,
    ...territories,
  ])
  // "Alaska City" is a name of Anchorage, but no place in "New York Alaska".
  const isOfName = ({ airport, matched_by, matched }: AirportHit) =>
    (isOfArea({ matched_by }) && !territories.has(airport.country)) || ` ${fold(matched)} `.includes(` ${fold(area)} `)
  // A place that is known elsewhere is not another one that is spelt nearly like it: "Boston UK" is not Bolton.
  const isOther = ({ corrected, matched }: AirportHit) => {
    const [known, typed] = [consonantsOf(matched), consonantsOf(place)]
    return corrected && !known.includes(typed) && !typed.includes(known)
  }
  const withinOf = (all: readonly AirportHit[]) =>
    all.filter(
      (hit) =>
        places.has(placeOf(hit.airport)) &&
        !isOfName(hit) &&
        !isOther(hit) &&
        !(kind === 'region' && isElsewhereKnown(hit, all)),
    )
  const found = withinOf(hits).length > 0 ? hits : hitsOrGuesses(directory, index, query, hits)
  const within = withinOf(found)
  if (within.length > 0) return [...within, ...found.filter((hit) => !within.includes(hit))]
  if (ofArea.length === 0) return found
  const busiest = busiestOf(
    index,
    new Set(ofArea.map(({ position }) => placeOf(index.airports[position]!))),
    placeOf,
  ).map(
    (airport) =>
      ({
        airport,
        matched_by: kind,
        matched: ofArea[0]!.matched,
        exact: false,
        corrected: false,
        missing: place.trim(),
      }) as const,
  )
  return [...busiest, ...found.filter(({ airport }) => !busiest.some((hit) => hit.airport === airport))]
}

/** The busiest airports with flights of the places that `placeOf` gives. */
const busiestOf = (
  { airports, importance }: NameIndex,
  places: ReadonlySet<string>,
  placeOf: (airport: Airport) => string,
): Airport[] =>
  [...airports.keys()]
    .filter((position) => airports[position]!.scheduled_service && places.has(placeOf(airports[position]!)))
    .sort((a, b) => importance[b]! - importance[a]!)
    .slice(0, MAX_OF_AREA)
    .map((position) => airports[position]!)

/** Whether of an airport without a known region another one of that name tells it: that Lake Union is in Washington, as Seattle is. */
const isElsewhereKnown = ({ airport, matched }: AirportHit, all: readonly AirportHit[]): boolean =>
  airport.region === null &&
  all.some(
    (other) => other.matched === matched && other.airport.country === airport.country && other.airport.region !== null,
  )

/** The airports that stand in a text with a code in capitals ("LGW airport north terminal") or of names alone ("American lounge London"); for any other the hits. */
function hitsOrGuesses(directory: Directory, index: NameIndex, query: string, hits: AirportHit[]): AirportHit[] {
  const isGuessed =
    hits.length === 0 || codesAmongWords(directory, query).length > 0 || isAllNames(directory, index, query)
  return isGuessed ? guesses(directory, index, query) : hits
}

/** The hits, and where no airline flies to the first the nearest airport with flights behind it. */
function withServed(index: NameIndex, hits: AirportHit[]): AirportHit[] {
  const [first, ...others] = hits
  if (!first || first.airport.scheduled_service) return hits
  const kmTo = (airport: Airport) => distanceKm(first.airport, airport)
  // A guess at another place says nothing of this one.
  if (others.some(({ airport, corrected }) => !corrected && airport.scheduled_service && kmTo(airport) <= NEAR_KM))
    return hits
  const nearest = servedNear(first.airport, index.airports)[0]?.airport
  if (!nearest) return hits
  const matched = first.airport.city ?? first.airport.name
  const further = others.filter(({ airport }) => airport !== nearest)
  return [first, { airport: nearest, matched_by: 'nearby city', matched, exact: false, corrected: false }, ...further]
}

/** The next airport of the same name is out of the question when it scores less by this, or by half of it where the name is rather the first one's. */
const SCORE_OF_DOUBT = 2

/** The one airport that a text means without doubt, like "Heathrow"; null for "London", whose airports are the choices. */
export function meantAirport(directory: Directory, query: string): { airport: Airport | null; choices: AirportHit[] } {
  const index = nameIndexOf(directory)
  const placeHits = hitsOfPlaces(directory, index, query)
  if (placeHits) return { airport: null, choices: placeHits.map((hit) => airportHit(index, query, hit)) }
  const hits = scoredHits(directory, index, query)
  const exact = hits.filter(({ grade, position }) => grade >= Grade.name && isServed(index, position))
  const [first, ...others] = exact
  const isMeant =
    first !== undefined &&
    first === hits[0] &&
    first.matched_by !== 'metropolitan area code' &&
    !(hasLettersOfState(query) && others.some((other) => isElsewhere(index, first, other))) &&
    (first.grade === Grade.code ||
      first.matched_by === 'city' ||
      !others.some((other) => isOtherPlace(first, other) && isAbroad(index, first, other))) &&
    others.every(({ score, naming }) => first.score - score > SCORE_OF_DOUBT / (first.naming > naming ? 2 : 1))
  return {
    airport: isMeant ? index.airports[first.position]! : null,
    choices: withServed(index, withArea(directory, index, query, hits)),
  }
}

/** Whether two letters behind a place mean a state for one hit and a country for another: "Richmond, CA" is near San Francisco, and in Canada. */
const isElsewhere = (index: NameIndex, first: ScoredHit, other: ScoredHit): boolean =>
  other.matched === first.matched && isAbroad(index, first, other)

/** Whether a name is also that of a country, or of a place while it is only another name of the first hit: Bethlehem of Belém. */
const isOtherPlace = (first: ScoredHit, { matched_by }: ScoredHit): boolean =>
  matched_by === 'country' || (matched_by === 'nearby city' && first.matched_by === 'other city name')

/** Whether two hits lie in different countries: Macedonia is a name of the airport of Thessaloniki, and another country. The code MAN and the city Norfolk leave no such doubt. */
const isAbroad = ({ airports }: NameIndex, first: ScoredHit, other: ScoredHit): boolean =>
  airports[other.position]!.country !== airports[first.position]!.country

const HAS_LETTER = /\p{L}/u

/** Whether all that is left of several words is one like "at", in small letters: of "queue at terminal 5" it is not Austria, but "ấn độ" is India. */
const isLeftOver = (query: string, words: readonly string[]) =>
  /\S\s+\S/.test(query) &&
  !HAS_MARKS.test(query) &&
  words.length > 0 &&
  words.every(isFillWord) &&
  !words.some((word) => query.includes(word.toUpperCase()))

const CODE_BESIDE_AIRPORT = /^\s*([a-z]{3}) airport\s*$/i

/** A word of questions that is the code of a large airport where it stands before "airport" alone: "day airport" is Dayton's. Empty for any other text. */
function wordAsCode({ byIata, all }: Directory, { importance }: NameIndex, query: string): string {
  const code = CODE_BESIDE_AIRPORT.exec(query)?.[1] ?? ''
  const airport = byIata.get(code.toUpperCase())
  return airport !== undefined && importance[all.indexOf(airport)]! >= MIN_IMPORTANCE_BESIDE_CODE
    ? code.toLowerCase()
    : ''
}

function scoredHits(directory: Directory, index: NameIndex, query: string): ScoredHit[] {
  // A number is no place.
  if (!HAS_LETTER.test(query)) return []
  const { words, text } = queryWords(query)
  const ofArea = hitsOfArea(index, query)
  if (ofArea.length > 0) return select(index, text, ofArea)
  const codeMatches = codeHits(directory, index, query, text || wordAsCode(directory, index, query))
  const named = hitsByName(index, words, text)
  const nameMatches = isLeftOver(query, words) ? named.filter((hit) => !isOfArea(hit)) : named
  if (/^[A-Z][a-z]{2}$/.test(query.trim())) putBehindPlaces(index, text, codeMatches, nameMatches)
  const found = select(index, text, [...codeMatches, ...nameMatches])
  const [first] = found
  const city = first && cityWithSlip(index, text, first)
  if (!city) return found
  const respelt = scoredHits(directory, index, city)
  // "Hydrabad" stands among the names of the smaller Hyderabad alone, but means the larger one too.
  if (respelt[0]?.position !== first.position) return respelt.map((hit) => ({ ...hit, respelt: true }))
  return found.map((hit) => {
    const slip = cityWithSlip(index, text, hit)
    return slip ? { ...hit, matched_by: 'city', matched: slip, respelt: true } : hit
  })
}

const STATED_AREA =
  /^(?:(?:the )?(?<kind>state|province|country) of (?<of>.+)|(?<name>.+) (?<behind>state|province|country))$/

/** The airports of a state, province or country that the text says to be one: "Washington state" is not Washington. */
function hitsOfArea(index: NameIndex, query: string): ScoredHit[] {
  const { kind, of, name, behind } = STATED_AREA.exec(fold(query))?.groups ?? {}
  const text = of ?? name
  if (text === undefined) return []
  const area = (kind ?? behind) === 'country' ? 'country' : 'region'
  const areas = index.names.filter((other) => other.kind === area)
  // "Free State" is the name of one.
  const isName = areas.some((other) => fold(other.text) === fold(query))
  const hits: ScoredHit[] = []
  for (const named of isName ? [] : areas)
    if (fold(named.text) === text) pushHits(hits, index, named, Grade.name, SCORE_OF_AREA)
  return hits
}

const SCORE_OF_AREA = 10

/**
 * The city of a hit whose name the text lacks one letter of: lists of names have "Londn" and "Springfild", which are rather
 * typing errors. Null for any other hit.
 */
function cityWithSlip(
  { airports }: NameIndex,
  text: string,
  { position, grade, matched_by }: ScoredHit,
): string | null {
  const { city } = airports[position]!
  if (city === null || grade < Grade.words || matched_by !== 'other city name') return null
  const whole = fold(city)
  if (text.length < MIN_LETTERS_OF_SLIP || text.length !== whole.length - 1) return null
  const missing = [...whole].findIndex((letter, index) => letter !== text[index])
  return whole.slice(0, missing) + whole.slice(missing + 1) === text ? city : null
}

const MIN_LETTERS_OF_SLIP = 5

const NAMED: ReadonlySet<ScoredHit['matched_by']> = new Set(['city', 'region', 'airport name', 'other airport name'])

/** A code that is also a name rather means the place with a busier airport: Goa is not Genoa. */
function putBehindPlaces(
  { importance }: NameIndex,
  text: string,
  codeMatches: readonly ScoredHit[],
  nameMatches: readonly ScoredHit[],
): void {
  const named = nameMatches.filter(
    ({ matched_by, matched, naming }) =>
      naming > Naming.other && NAMED.has(matched_by) && queryWords(matched).text === text,
  )
  const isBusier = (hit: ScoredHit) => named.some(({ position }) => importance[position]! > importance[hit.position]!)
  for (const hit of codeMatches) {
    if (hit.matched_by !== 'IATA code' || !isBusier(hit)) continue
    hit.naming = Naming.other
    hit.score = 0
  }
}

/**
 * The hits of a text that names several places, those of each in turn; null if it names one: where its words together are a
 * name, as of Trinidad and Tobago, or where a part of it is not written like a code or a name.
 */
function hitsOfPlaces(directory: Directory, index: NameIndex, query: string): ScoredHit[] | null {
  const places = placesIn(query)
  if (places.length < 2 || areaBehind(directory, index, query) !== null) return null
  // Of "DEN-ORD" DEN is no German article.
  if (!isRouteOfCodes(query) && isOneName(directory, index, query)) return null
  const hitsByPlace = places.map((place) => hitsAsWritten(directory, index, place))
  if (hitsByPlace.some((hits) => hits.length === 0)) return null
  return inTurn(hitsByPlace).slice(0, MAX_HITS[Grade.name])
}

/** Whether the words of a text together are a name, or of it; of codes with spaces between them the whole name: "HUA HIN", not "DEN ORD". */
function isOneName(directory: Directory, index: NameIndex, query: string): boolean {
  const least = areCodesApart(query) ? Grade.name : Grade.words
  return hitsAsWritten(directory, index, query).some(({ grade }) => grade >= least)
}

function airportHit(index: NameIndex, query: string, hit: ScoredHit): AirportHit {
  const { position, grade, of_own_city, respelt = false } = hit
  // Another name of a place that the airport serves is not one of its own city.
  const matched_by = hit.matched_by === 'other city name' && of_own_city === false ? 'city' : hit.matched_by
  const airport = index.airports[position]!
  return {
    airport,
    matched_by,
    matched: asTyped(query, hit.matched) ?? spelled(index, position, hit.matched),
    exact: grade >= Grade.name && !respelt,
    corrected: grade === Grade.corrected || respelt,
  }
}

/** The text, where it is the name in another script or other characters of it: 東京 for 东京. */
const asTyped = (query: string, matched: string) =>
  HAS_MARKS.test(query) && HAS_MARKS.test(matched) && !LATIN.test(query) && fold(query) === fold(matched)
    ? query.trim()
    : null

const LATIN = /\p{Script=Latin}/u

/** The same without how each was found. */
export const searchAirports = (directory: Directory, query: string): Airport[] =>
  findAirports(directory, query).map(({ airport }) => airport)
