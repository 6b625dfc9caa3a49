import type { Airport, Directory } from '../../config/airports/directory.ts'
import { fold } from '../../config/airports/search/fold.ts'
import { SEARCH_NAMES } from '../../config/airports/search/search-names.ts'
import { getOrCreate } from '../../config/once.ts'
import { METRO_CODES } from '../../config/reference/metro-codes.ts'
import { nextSlice } from '../slices.ts'
import { isAboutAirports, isFillWord, sameWord, wordsOf } from './query-words.ts'
import { SimilarWords } from './typing-errors.ts'

/** The kind of place that a name belongs to. */
export const NAME_KINDS = [
  'city',
  'other city name',
  'metropolitan area',
  'airport name',
  'other airport name',
  'nickname',
  'former name',
  'short name',
  'area',
  'closed airport',
  'country',
  'region',
] as const
export type NameKind = (typeof NAME_KINDS)[number]

/** The airports that a name may mean, as positions in the directory. */
export interface Target {
  airports: readonly number[]
  /** Those of `airports` that the name is the name of, not only of a place that they serve. */
  own: readonly number[]
  /** The nearest airports of a place that has none, or few. */
  near: readonly number[]
  /** The inhabitants of a place; absent for what is no place. */
  people?: number
  /** The country and region of the place, where they may differ from its airports'. */
  areas: readonly string[]
  /** Whether `airports` are in the order of preference; otherwise the larger one goes first. */
  ordered: boolean
}

export interface IndexedName {
  text: string
  kind: NameKind
  target: Target
  /** How many letters the words have that tell the name from others. */
  letters: number
}

/** All names of a directory's airports, by word. */
export interface NameIndex {
  airports: readonly Airport[]
  /** How likely a traveller means each airport: between 0 and 1. */
  importance: Float32Array
  names: readonly IndexedName[]
  /** All words of the names, sorted by code unit. */
  words: readonly string[]
  similarWords: SimilarWords
  positionOfWord: ReadonlyMap<string, number>
  /** The names that have a word, by the word's position: from `starts[n]` to before `starts[n + 1]`. */
  starts: Int32Array
  namesWithWord: Int32Array
  /** Names of fill words alone, like LA, by their text. */
  namesOfFillWords: ReadonlyMap<string, readonly number[]>
}

const indexes = new WeakMap<Directory, NameIndex>()
/** Indexes that are being made. */
const steps = new WeakMap<Directory, Generator<undefined, NameIndex>>()

/** The names of a directory's airports. They are read and indexed at the first call for the directory. */
export function nameIndexOf(directory: Directory): NameIndex {
  for (;;) {
    const index = nextStep(directory)
    if (index) return index
  }
}

/** Makes the index in slices, which takes half a second in all. A search meanwhile makes the rest of it at once. */
export async function prepareNameIndex(directory: Directory): Promise<void> {
  while (nextStep(directory) === null) await nextSlice()
}

/** The index, or null when it is one step nearer and not complete. */
function nextStep(directory: Directory): NameIndex | null {
  const known = indexes.get(directory)
  if (known) return known
  const { done, value } = getOrCreate(steps, directory, () => indexSteps(directory)).next()
  if (!done) return null
  steps.delete(directory)
  indexes.set(directory, value)
  return value
}

function* indexSteps(directory: Directory): Generator<undefined, NameIndex> {
  const collector = new NameCollector()
  yield* collectNames(collector, directory.all)
  return Object.assign(collector.index(), { airports: directory.all, importance: importanceOf(directory.all) })
}

/** Names of airports, and then of places, that one step adds. */
const PER_STEP = 250

const SIZE_IMPORTANCE = { large: 0.25, medium: 0.1, small: 0 }
/** The rank counts flights, not seats, so that hubs of small aircraft have too high a one. */
const MAX_RANK = { large: 1, medium: 0.15, small: 0.03 }

/**
 * How likely each airport is meant: by scheduled flights, size and its rank among the world's airports. If a city's busiest
 * airport by passengers differs from that by flights, search/known-as.json says so.
 */
function importanceOf(airports: readonly Airport[]): Float32Array {
  const ranks = new Map(SEARCH_NAMES.traffic())
  const importance = Float32Array.from(airports, ({ iata, size, scheduled_service }) => {
    const rank = scheduled_service ? Math.min(ranks.get(iata) ?? 0.01, MAX_RANK[size]) : 0
    return (scheduled_service ? 0.15 + SIZE_IMPORTANCE[size] : SIZE_IMPORTANCE[size] / 4) + 0.6 * Math.sqrt(rank)
  })
  const positions = new Map(airports.map(({ iata }, position) => [iata, position]))
  for (const { airports: codes } of SEARCH_NAMES.knownAs().filter(({ kind }) => kind === 'city')) {
    const [first, ...others] = codes.split(' ').flatMap((iata) => positions.get(iata) ?? [])
    if (first !== undefined)
      importance[first] = Math.max(importance[first]!, ...others.map((other) => importance[other]! + 0.01))
  }
  return importance
}

/** German and Nordic letters are also written as two. */
const TWO_LETTERS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }
const HAS_TWO_LETTERS = /[äöüøåÄÖÜØÅ]/
const TWO_LETTER = /[äöüøå]/gi
const INNER_APOSTROPHE = /(?<=\p{L})['’](?=\p{L})/gu

/** Gathers names and their words; strings are held once. */
class NameCollector {
  private readonly names: IndexedName[] = []
  private readonly words: string[] = []
  private readonly wordIds = new Map<string, number>()
  /** Whether the word of an id does not tell one name from another. */
  private readonly isFill: boolean[] = []
  private readonly isAbout: boolean[] = []
  private readonly wordOfEntry: number[] = []
  private readonly nameOfEntry: number[] = []
  private readonly namesOfFillWords = new Map<string, number[]>()

  add(text: string, kind: NameKind, target: Target): void {
    this.addFolded(fold(text), text, kind, target)
    if (HAS_TWO_LETTERS.test(text)) {
      const spelled = text.replace(TWO_LETTER, (letter) => TWO_LETTERS[letter.toLowerCase()]!)
      this.addFolded(fold(spelled), text, kind, target)
    }
    if (/['’]/.test(text)) this.addFolded(fold(text.replace(INNER_APOSTROPHE, ' ')), text, kind, target)
  }

  /** Adds a name under another text than the one that is shown. */
  addFolded(folded: string, text: string, kind: NameKind, target: Target): void {
    const ids: number[] = []
    let distinctive = 0
    let about = 0
    for (const word of folded.split(' ')) {
      if (word === '') continue
      const id = this.idOf(word)
      if (ids.includes(id)) continue
      ids.push(id)
      if (this.isAbout[id]) about += 1
      else if (!this.isFill[id]) distinctive += 1
    }
    if (ids.length === 0) return
    const position = this.names.length
    if (distinctive === 0 && about < ids.length) this.addFillWords(ids, position)
    let letters = 0
    for (const id of ids) {
      if (distinctive > 0 && (this.isFill[id] || this.isAbout[id])) continue
      this.wordOfEntry.push(id)
      this.nameOfEntry.push(position)
      letters += this.words[id]!.length
    }
    this.names.push({ text, kind, target, letters })
  }

  private addFillWords(ids: readonly number[], position: number): void {
    const names = ids.filter((id) => !this.isAbout[id])
    const key = names.map((id) => this.words[id]).join(' ')
    getOrCreate(this.namesOfFillWords, key, () => []).push(position)
  }

  private idOf(written: string): number {
    const known = this.wordIds.get(written)
    if (known !== undefined) return known
    const word = sameWord(written)
    const id = word === written ? this.words.length : this.idOf(word)
    if (word === written) {
      this.words.push(word)
      this.isFill.push(isFillWord(word))
      this.isAbout.push(isAboutAirports(word))
    }
    this.wordIds.set(written, id)
    return id
  }

  index(): Omit<NameIndex, 'airports' | 'importance'> {
    const order = Int32Array.from(this.words, (_, id) => id).sort((a, b) => (this.words[a]! < this.words[b]! ? -1 : 1))
    const positionOfId = new Int32Array(order.length)
    for (const [position, id] of order.entries()) positionOfId[id] = position
    const starts = new Int32Array(order.length + 1)
    for (const id of this.wordOfEntry) starts[positionOfId[id]! + 1]! += 1
    for (let position = 0; position < order.length; position += 1) starts[position + 1]! += starts[position]!
    const next = starts.slice()
    const namesWithWord = new Int32Array(this.wordOfEntry.length)
    for (const [entry, id] of this.wordOfEntry.entries()) {
      const position = positionOfId[id]!
      namesWithWord[next[position]!] = this.nameOfEntry[entry]!
      next[position]! += 1
    }
    const words = Array.from(order, (id) => this.words[id]!)
    return {
      names: this.names,
      words,
      similarWords: new SimilarWords(words),
      positionOfWord: new Map(words.map((word, position) => [word, position])),
      starts,
      namesWithWord,
      namesOfFillWords: this.namesOfFillWords,
    }
  }
}

const NONE: readonly number[] = []
const NO_AREAS: readonly string[] = []

/** The country and the region in which all of some airports are. */
const sharedAreas = ([first, ...others]: readonly Airport[]): string[] =>
  [first!.country, first!.region].filter(
    (area): area is string => area !== null && others.every((other) => [other.country, other.region].includes(area)),
  )

function* collectNames(collector: NameCollector, airports: readonly Airport[]): Generator<undefined, void> {
  const positions = new Map(airports.map(({ iata }, position) => [iata, position]))
  const positionsOf = (codes: readonly string[]) =>
    codes.flatMap((iata) => (positions.has(iata) ? [positions.get(iata)!] : []))
  const split = (codes: string | undefined) => (codes === undefined ? NONE : positionsOf(codes.split(' ')))
  for (const { name, kind, airports: codes } of SEARCH_NAMES.knownAs()) {
    const meant = split(codes)
    if (meant.length > 0)
      collector.add(name, kind, {
        airports: meant,
        own: meant,
        near: NONE,
        areas: kind === 'city' ? sharedAreas(meant.map((position) => airports[position]!)) : NO_AREAS,
        ordered: true,
      })
  }
  yield* addAirportNames(collector, airports, positions)
  for (const { name, airports: members } of METRO_CODES.rows()) {
    const meant = positionsOf(members.map(({ iata }) => iata))
    if (meant.length > 0)
      collector.add(name, 'metropolitan area', {
        airports: meant,
        own: meant,
        near: NONE,
        areas: NO_AREAS,
        ordered: false,
      })
  }
  for (const [
    position,
    { place, country, region, people, airports: codes, near, names },
  ] of SEARCH_NAMES.places().entries()) {
    if (position % PER_STEP === 0) yield
    const areas = region === undefined ? [country] : [country, region]
    const others = names === '' ? [] : names.split('|')
    const placeCodes = split(codes)
    const own = placeCodes.length === 0 ? NONE : airportsInPlace(airports, placeCodes, [place, ...others])
    // Flights of some ended since the list was made.
    const nearest = split(near)
    const served = nearest.filter((other) => airports[other]!.scheduled_service)
    const target: Target = {
      airports: placeCodes,
      own,
      near: served.length > 0 ? served : nearest,
      people,
      areas,
      ordered: false,
    }
    if (target.airports.length + target.near.length === 0) continue
    collector.add(place, 'city', target)
    for (const other of others) collector.add(other, 'other city name', target)
  }
  yield
  addAreas(collector, airports)
  yield
}

/** The positions of airports whose city, as the directory has it, is a name of the place. */
function airportsInPlace(
  airports: readonly Airport[],
  positions: readonly number[],
  names: readonly string[],
): readonly number[] {
  const folded = new Set(names.map(fold))
  return positions.filter((position) => citiesOf(airports[position]!).some((city) => folded.has(fold(city))))
}

/** The cities of an airport: "Raleigh/Durham" has two. */
function citiesOf({ city }: Airport): string[] {
  if (city === null) return []
  const parts = /[,/(]/.test(city) ? city.split(/[,/()]+/) : []
  return [city, ...parts].filter((part) => fold(part) !== '').map((part) => part.trim())
}

function* addAirportNames(
  collector: NameCollector,
  airports: readonly Airport[],
  positions: ReadonlyMap<string, number>,
): Generator<undefined, void> {
  const targets = airports.map(
    (_, position): Target => ({ airports: [position], own: [position], near: NONE, areas: NO_AREAS, ordered: false }),
  )
  for (const [position, airport] of airports.entries()) {
    if (position % PER_STEP === 0) yield
    const { name } = airport
    const target = targets[position]!
    const cities = citiesOf(airport)
    for (const city of cities) collector.add(city, 'city', target)
    collector.add(name, 'airport name', target)
    const short = nameWithoutCity(name, cities)
    // "Wien" of a small airport called Kobuk Wien does not go before the city of that name, nor Lourdes-de-Blanc-Sablon before Lourdes.
    const last = short?.split(' ').findLast((word) => !isAboutAirports(word)) ?? ''
    const isPart = airport.size === 'small' || isFillWord(last)
    const own = isPart ? NONE : target.own
    if (short) collector.addFolded(short, name, 'airport name', { ...target, own })
  }
  for (const { iata, base, names } of SEARCH_NAMES.otherNames()) {
    const target = targets[positions.get(iata) ?? -1]
    if (target === undefined) continue
    if (base) collector.add(base, 'other airport name', target)
    for (const name of names?.split('|') ?? []) collector.add(name, 'other airport name', target)
  }
}

/** "heathrow" of London Heathrow Airport; null if the name does not have the city's, or has nothing else. */
function nameWithoutCity(name: string, cities: readonly string[]): string | null {
  const words = wordsOf(name)
  for (const city of cities) {
    const cityWords = wordsOf(city)
    const rest = words.filter((word) => !cityWords.includes(word))
    const isShorter = rest.length < words.length
    if (isShorter && rest.some((word) => !isAboutAirports(word) && !isFillWord(word))) return rest.join(' ')
  }
  return null
}

/** Positions of the airports of each country and region. */
function positionsByArea(airports: readonly Airport[]): Map<string, number[]> {
  const areas = new Map<string, number[]>()
  for (const [position, { country, region }] of airports.entries())
    for (const area of [country, region]) {
      if (area === null) continue
      getOrCreate(areas, area, () => []).push(position)
    }
  return areas
}

const ISLANDS_OF = /^(\p{L}{4,}) Islands$/u

function addAreas(collector: NameCollector, airports: readonly Airport[]): void {
  const byArea = positionsByArea(airports)
  const targetOf = (area: string, isOwn: boolean): Target => ({
    airports: byArea.get(area)!,
    own: isOwn ? byArea.get(area)! : NONE,
    near: NONE,
    areas: [area],
    ordered: false,
  })
  for (const { country, names } of SEARCH_NAMES.countries()) {
    if (!byArea.has(country)) continue
    const [own, ...others] = names
    if (own !== undefined) collector.add(own, 'country', targetOf(country, true))
    // "Faroe" and "Falkland" are the islands, and "Antigua" is Antigua and Barbuda.
    const islands = names.flatMap((name) => ISLANDS_OF.exec(name)?.[1] ?? [])
    const [first, ...further] = own?.split(' and ') ?? []
    const main = first !== undefined && further.length > 0 ? [first] : []
    for (const name of [...others, ...islands, ...main, country])
      collector.add(name, 'country', targetOf(country, false))
  }
  for (const { region, names, letters } of SEARCH_NAMES.regions()) {
    if (!byArea.has(region)) continue
    const target = targetOf(region, false)
    for (const name of letters ? [...names, letters] : names) collector.add(name, 'region', target)
  }
}
