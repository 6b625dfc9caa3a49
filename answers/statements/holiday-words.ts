import { orthodoxEaster } from '../../config/reference/orthodox-easter.ts'
import type { NamedDaysOfPlace } from '../../config/reference/public-holidays.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { SimilarWords } from '../search/typing-errors.ts'

/** The days that the name of a holiday may mean at a place. */

/** Without accents and capitals: `mañana` is often typed `manana`. */
export const fold = (word: string) =>
  word.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase().replaceAll('ı', 'i')

/** The calendar of a place where none is known. */
export const NO_CALENDAR: NamedDaysOfPlace = { days: {} }

/** Holidays whose date is the same in every country, as YYYY-MM-DD of a year. */
const FIXED_DAYS = new Map<string, (year: number) => string>([
  ['christmas eve', (year) => `${year}-12-24`],
  ['christmas', (year) => `${year}-12-25`],
  ['christmas day', (year) => `${year}-12-25`],
  ['boxing day', (year) => `${year}-12-26`],
  ["new year's eve", (year) => `${year}-12-31`],
  ["new year's day", (year) => `${year}-01-01`],
  // Its second Sunday since the season of 2021 has 17 games.
  ['super bowl sunday', (year) => nthSunday(year, 2, 2)],
  ['orthodox christmas', (year) => `${year}-01-07`],
  ['orthodox good friday', (year) => dayAfter(orthodoxEaster(year), -2)],
  ['orthodox easter', orthodoxEaster],
  ['orthodox easter monday', (year) => dayAfter(orthodoxEaster(year), 1)],
])

/** The `n`th Sunday of a month (from 1). */
function nthSunday(year: number, month: number, n: number): string {
  const first = `${year}-${String(month).padStart(2, '0')}-01`
  return dayAfter(first, ((7 - new Date(first).getUTCDay()) % 7) + 7 * (n - 1))
}

/** Names of holidays of the Islamic calendar, of whose months each begins when the new moon is seen. */
const BY_MOON =
  /\b(?:(?:ee?id|id[ -](?:el|ul)|idul|arafa[ht]?)\b|lebaran|bakrid|ramadh?an|ramazan|hari raya|kurban|korit|tabaski|ba[iy]ram|islamic new year|muhammad|mawlid|maulid|milad|prophet|asho?ura|arbaeen|la[iy]lat|magal|(?:birthday|martyrdom) of imam)/i

/** Ends the name or dates of a holiday that may prove to be a day earlier or later; empty for others. */
export const moonText = (name: string): string => (BY_MOON.test(name) ? ', expected by the moon' : '')

/** A word that travellers leave out behind the name of a holiday. */
const KIND_OF_DAY = / (?:day|festival)$/i

/** The form in which names of holidays are compared: "St Patrick’s" and "St. Patrick's Day", "Eid al Fitr" and "Eid al-Fitr" are one. */
const nameKey = (name: string) =>
  fold(name).replace(/['.]/g, '').replaceAll('-', ' ').replace(KIND_OF_DAY, '').replace(/s\b/g, '').trim()

/** Names that travellers use for one holiday, as they are compared; calendars use one of them. */
const ALIASES = [
  ['christmas', 'xmas', 'x-mas', 'kerst', 'boże narodzenie', 'vánoce', 'vianoce', 'jul', 'joulu'],
  ['christmas eve', 'xmas eve', 'x-mas eve', 'heiligabend', 'wigilia'],
  ["new year's eve", 'nye', 'hogmanay', 'nochevieja', 'réveillon'],
  ["new year's day", "jour de l'an"],
  ['martin luther king jr day', 'mlk day', 'martin luther king day'],
  ["washington's birthday", "presidents' day"],
  ['columbus day', "indigenous peoples' day"],
  ['day after thanksgiving day', 'black friday'],
  ['independence day', 'fourth of july'],
  ["st. patrick's day", "paddy's day"],
  ['epiphany', 'three kings', 'reyes', 'día de reyes'],
  ['easter sunday', 'easter', 'ostern', 'pasqua', 'pasen'],
  ['orthodox easter', 'orthodox easter sunday', 'greek easter', 'pascha', 'пасха', 'великдень'],
  ['easter monday', 'pasquetta'],
  ['pentecost', 'whit sunday', 'pfingsten'],
  ['assumption', 'ferragosto'],
  ['shrove monday', 'rose monday'],
  ['diwali', 'deepavali'],
  ['eid al-fitr', 'eid ul-fitr', 'idul fitri', 'lebaran', 'end of ramadan'],
  ['eid al-adha', 'eid ul-adha', 'idul adha', 'bakrid', 'feast of the sacrifice'],
  ['super bowl sunday', 'super bowl'],
  ['passover', 'pesach'],
  ['korean thanksgiving', 'chuseok'],
  [
    'chinese new year',
    'lunar new year',
    'cny',
    'spring festival',
    'korean new year',
    'seollal',
    'tet',
    'vietnamese new year holidays',
  ],
].map((names) => names.map(nameKey))

/** Spans of days around a holiday that a calendar has: from so many days before or after it to so many. */
const SPANS: readonly { names: readonly string[]; around: string; from: number; to: number }[] = [
  { names: ['ramadan', 'ramadhan', 'ramazan'].map(nameKey), around: nameKey('eid al-fitr'), from: -29, to: -1 },
  {
    names: ['semana santa', 'holy week', 'karwoche', 'settimana santa'].map(nameKey),
    around: nameKey('good friday'),
    from: -5,
    to: 2,
  },
  {
    names: ['karneval', 'fasching', 'fastnacht', 'carnival'].map(nameKey),
    around: nameKey('shrove monday'),
    from: -4,
    to: 1,
  },
  {
    names: ['mardi gras', 'fat tuesday', 'shrove tuesday'].map(nameKey),
    around: nameKey('easter sunday'),
    from: -47,
    to: -47,
  },
  { names: ['golden week'], around: nameKey('showa day'), from: 0, to: 6 },
  // 13 to 16 August in most of Japan.
  { names: ['obon', 'bon', 'お盆'].map(nameKey), around: nameKey('mountain day'), from: 2, to: 5 },
]

/** A day of a festival is at most so many days after the first one. */
const MAX_DAYS_OF_FESTIVAL = 10
/** The Easter of one church is at most so many days after that of another one. */
const MAX_DAYS_BETWEEN_CHURCHES = 35
/** Before the name of a holiday that churches keep on days of their own; "Orthodox New Year" is another day than New Year everywhere. */
const CHURCH = /^(?:orthodox|catholic|coptic) (?!new year)/

/** The compared forms of a calendar's name and of the names within it: "Day of Atonement (Yom Kippur)" is either. A substitute day has none. */
function keysOf(name: string): string[] {
  if (/\((substitute day|in lieu)\)$/i.test(name)) return []
  const [, outside, inside] = /^(.+?) \((.+)\)$/.exec(name) ?? []
  return [name, outside, inside].flatMap((part) => (part === undefined ? [] : nameKey(part)))
}

export const daysBetween = (first: string, last: string) => Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS)
export const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** A day of a calendar with one of its names. */
type NamedDay = readonly [day: string, name: string]

/** The days off of a calendar and its other days. */
function namedDays({ days, other_days = {} }: NamedDaysOfPlace): NamedDay[] {
  const others = Object.entries(other_days).flatMap(([name, listed]) =>
    listed.split(' ').map((day): NamedDay => [day, name]),
  )
  return [...Object.entries(days), ...others]
}

/** The compared forms of all names of the holiday that a text names: as typed, in English where it is in a language of the country, and other names in use. */
function keysOfText(text: string, { names = {} }: NamedDaysOfPlace): ReadonlySet<string> {
  const own = nameKey(text)
  const english = Object.keys(names).filter((name) =>
    names[name]!.split('|').some((native) => keysOf(native).includes(own)),
  )
  const keys = [own, ...english.flatMap(keysOf)]
  return new Set(keys.flatMap((key) => ALIASES.find((aliases) => aliases.includes(key)) ?? [key]).concat(keys))
}

/** A holiday whose date is the same in every country, as YYYY-MM-DD of a year; undefined for any other one. */
const fixedDay = (keys: ReadonlySet<string>) => [...FIXED_DAYS].find(([name]) => keys.has(nameKey(name)))?.[1]

/** The days from `today` on that a holiday's name may mean: the next ones of the place's calendar, and the day that it is everywhere, if there is one. */
export function holidaysNamed(text: string, today: string, calendar: NamedDaysOfPlace): string[] {
  const keys = keysOfText(text, calendar)
  const isNamed = (name: string) => keysOf(name).some((key) => keys.has(key))
  // "Orthodox Easter" may be called Easter.
  const isOfChurch = (name: string) => keysOf(name).some((key) => CHURCH.test(key) && keys.has(key.replace(CHURCH, '')))
  const named = namedDays(calendar).filter(([day, name]) => day >= today && (isNamed(name) || isOfChurch(name)))
  const isOfChurches = named.some(([, name]) => isOfChurch(name))
  // Where Easter is a day off by one church alone, it is that one.
  const off = isOfChurches ? named.filter(([day, name]) => calendar.days[day] === name) : []
  const days = [...new Set((off.length > 0 ? off : named).map(([day]) => day))].toSorted()
  const maxDays = isOfChurches ? MAX_DAYS_BETWEEN_CHURCHES : MAX_DAYS_OF_FESTIVAL
  // All days of a festival count: the Spring Festival begins on the eve of the new year.
  const ofPlace = days.filter((day) => daysBetween(days[0]!, day) <= maxDays)
  const dateIn = fixedDay(keys) ?? (ofPlace.length === 0 ? orthodoxDay(keys, calendar) : undefined)
  if (dateIn === undefined) return ofPlace.length > 0 ? ofPlace : daysOfSpan(keys, today, calendar)
  const ofYear = (day: string) => dateIn(Number(day.slice(0, 4)))
  const everywhere = [ofYear(today), dateIn(Number(today.slice(0, 4)) + 1)].find((day) => day >= today)!
  if (off.length > 0 && !days.includes(everywhere)) return ofPlace
  return [...ofPlace.filter((day) => day !== ofYear(day)), everywhere].toSorted()
}

/** The date of Orthodox Easter and the days beside it where Christmas is a day off on 7 January, as in Russia; undefined for any other day or place. */
function orthodoxDay(keys: ReadonlySet<string>, { days }: NamedDaysOfPlace) {
  const isOrthodox = Object.entries(days).some(([day, name]) => day.endsWith('-01-07') && /\bChristmas\b/.test(name))
  return isOrthodox ? fixedDay(new Set([...keys].map((key) => `orthodox ${key}`))) : undefined
}

/** The days from `today` on of a span that is named, like Ramadan; none for any other name. */
function daysOfSpan(keys: ReadonlySet<string>, today: string, calendar: NamedDaysOfPlace): string[] {
  const span = SPANS.find(({ names }) => names.some((name) => keys.has(name)))
  if (!span) return []
  const { around, from, to } = span
  const last = namedDays(calendar)
    .flatMap(([day, name]) => (keysOf(name).includes(around) && dayAfter(day, to) >= today ? [day] : []))
    .toSorted()[0]
  if (last === undefined) return []
  const days = Array.from({ length: to - from + 1 }, (_, index) => dayAfter(last, from + index))
  return days.filter((day) => day >= today)
}

/** A shorter word is near to too many others. */
const MIN_LETTERS = 5
const MIN_LETTERS_FOR_TWO_ERRORS = 7

/** The words that a mistyped one is near to: with one error, in a long one with two. */
export const nearTo = (words: SimilarWords, mistyped: string) => {
  if (mistyped.length < MIN_LETTERS) return []
  return words.find(mistyped, mistyped.length < MIN_LETTERS_FOR_TWO_ERRORS ? 1 : 2)
}

/** The holiday of the place, or of every place, whose name is near to a text. */
export function likelyHoliday(text: string, today: string, calendar: NamedDaysOfPlace): string | null {
  const coming = namedDays(calendar).filter(([day, name]) => day >= today && keysOf(name).length > 0)
  // A day of other regions of the country is none here.
  const natives = coming.flatMap(([, name]) => calendar.names?.[name]?.split('|') ?? [])
  const full = [...coming.map(([, name]) => name), ...natives].map(withoutBrackets)
  const names = new Map(
    [...full, ...FIXED_DAYS.keys()].flatMap((name) =>
      [name.replace(KIND_OF_DAY, ''), name].map((spelt) => [fold(spelt), spelt] as const),
    ),
  )
  const [nearest] = nearTo(new SimilarWords([...names.keys()]), fold(text))
  return nearest === undefined ? null : [...names.values()][nearest.index]!
}

const withoutBrackets = (name: string) => name.replaceAll('’', "'").replace(/ \(.*\)$/, '')

const MAX_NAMES = 4

/** The names of coming holidays of a place that begin or end with the words of a text: "bank holiday", "Eid". */
export function longerNames(text: string, today: string, calendar: NamedDaysOfPlace): string[] {
  const own = nameKey(text)
  if (own.length < MIN_LETTERS_OF_NAME) return []
  const coming = namedDays(calendar)
    .filter(([day]) => day >= today)
    .toSorted()
  const isLonger = (name: string) => keysOf(name).some((key) => key.startsWith(`${own} `) || key.endsWith(` ${own}`))
  const names = coming.flatMap(([, name]) => [name, ...(calendar.names?.[name]?.split('|') ?? [])]).filter(isLonger)
  return [...new Set(names.map((name) => shortest(name, isLonger)))].slice(0, MAX_NAMES)
}

/** The part of a name that is enough: "Eid al-Fitr" of "End of Ramadan (Eid al-Fitr)". */
function shortest(name: string, isMeant: (name: string) => boolean): string {
  const inside = /\((.+)\)$/.exec(name)?.[1]
  return inside !== undefined && isMeant(inside) ? inside : withoutBrackets(name)
}

const MIN_LETTERS_OF_NAME = 3
