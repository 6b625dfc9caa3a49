import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { laneMeant } from '../../config/lanes.ts'
import { MINUTE_MS } from '../../config/vocabulary.ts'
import { countOf } from '../statements/counted-words.ts'
import { spanOf } from '../statements/time-span.ts'
import { schemaAt } from './schema-at.ts'

/** Names that callers send for one thing. Of each list a schema has one or two. */
const SAME_MEANING: readonly (readonly string[])[] = [
  ['iata', 'airport', 'airport_code', 'code', 'origin', 'departure_airport'],
  ['airports', 'iata', 'codes', 'iatas', 'airport_codes'],
  ['destination', 'arrival', 'arrival_airport', 'dest', 'to'],
  ['departure', 'departure_time', 'departs_at', 'date', 'day', 'time', 'datetime', 'when'],
  ['date', 'from', 'day', 'when', 'start', 'start_date'],
  ['to', 'until', 'end', 'end_date'],
  ['on', 'date', 'today'],
  ['airline', 'carrier', 'flight', 'flight_number', 'fare', 'fare_class', 'cabin'],
  ['access', 'card', 'programme', 'program', 'membership', 'status', 'airline'],
  ['amenity', 'amenities'],
  ['bags', 'luggage', 'baggage', 'checked_bags'],
  ['lane', 'precheck', 'tsa_precheck', 'clear', 'fast_track', 'class', 'cabin', 'travel_class'],
  ['ees', 'nationality', 'passport', 'citizenship'],
  ['international', 'domestic'],
  ['travel_minutes', 'travel_time', 'drive_time', 'transport', 'transport_mode', 'mode'],
  ['kind', 'queue', 'type'],
  ['query', 'name', 'city', 'q', 'search'],
  ['topic', 'need', 'query'],
  ['planned', 'planned_entry', 'planned_exit', 'planned_days'],
  ['entry', 'from', 'start', 'start_date', 'arrival', 'entry_date', 'entered'],
  ['exit', 'to', 'until', 'end', 'end_date', 'departure', 'exit_date', 'left'],
  ['iata', 'from'],
]

/** What callers ask to be counted and is not known here, by the words of their parameters. */
const NOT_COUNTED: readonly { words: RegExp; text: string }[] = [
  {
    words: /wheel_?chair|assist|accessib|mobility|disab|reduced/,
    text: 'assistance is not counted here: airlines take requests for it, and the way through takes longer',
  },
  {
    words:
      /child|kid|infant|baby|toddler|stroller|family|minor|unaccompanied|passenger|adult|traveller|traveler|group|people|senior/,
    text: 'who travels is not counted here: allow more time with children or in a group',
  },
  {
    words: /connect|layover|transfer|transit|stopover|inbound/,
    text: 'connections are not planned here, and minimum connecting times are not known',
  },
  {
    words: /national|passport|citizen|visa|esta|^eta$|global_entry|residen/,
    text: 'rules of entry by passport are not known here: ask the embassy or the airline',
  },
  {
    words: /liquid|laptop|electronic|batter(?:y|ies)|medic|firearm|weapon|^guns?$|knife|scanner/,
    text: 'what may be carried, and what has to come out of a bag, is not known here: ask the airport',
  },
  { words: /^pets?$|animal|dog|ski|golf|bike/, text: 'special luggage is not counted here: ask the airline' },
  {
    words: /lang|locale|currency|unit/,
    text: 'answers are in English, with local times and money as it was published',
  },
]

/** That a parameter asks for something that is not known here, as an end of its error; empty for others. */
export function notCountedText(unknown: string): string {
  const found = NOT_COUNTED.find(({ words }) => words.test(unknown.toLowerCase()))
  return found ? `; ${found.text}` : ''
}

/** The known name that an unknown one may mean: another word for it, or one of its spelling; null if there is none. */
export function meantName(unknown: string, known: readonly string[]): string | null {
  // Other words are spelt in one way or nearly: `checked_bag`.
  const same = SAME_MEANING.filter((names) => alikeNames(unknown, names, 6).length > 0).flatMap((names) =>
    known.filter((name) => names.includes(name)),
  )
  return [...alikeNames(unknown, known), ...same][0] ?? null
}

/** The names of one spelling with a text; those of a few letters by all of them. */
function alikeNames(text: string, names: readonly string[], minLetters = 4): string[] {
  const plain = text.toLowerCase().replaceAll('-', '_')
  return names.filter((name) => name === plain || (name.length >= minLetters && distance(name, plain) <= 1))
}

/** Travellers' words for a queue, and for the side of a threshold. */
const OPTION_WORDS: readonly { words: RegExp; option: string }[] = [
  { words: /passport|border|^arrivals?$/i, option: 'immigration' },
  { words: /check(?:ed|ing)?.?in\b|bag.?(?:check|drop)/i, option: 'checkin' },
  { words: /secur|tsa|screening|checkpoint|pre.?check/i, option: 'security' },
  { words: /claim|carousel|luggage/i, option: 'baggage' },
  { words: /^(?:over|more|longer|exceed|greater|higher|ris|up\b|>)/i, option: 'above' },
  { words: /^(?:under|less|shorter|fewer|lower|drop|fall|down\b|<)/i, option: 'below' },
]

/** The value that a text of another form may mean, as an end of its error: `immigration` for "passport control", `45` for "45 min"; empty if there is none, or none that is accepted there. */
export function meantValueText(issue: z.core.$ZodIssue, schemaOfInput: z.ZodType): string {
  const meant = meantValue(issue)
  const schema = schemaAt(schemaOfInput, issue.path)
  const { input } = issue
  const isLonger = typeof input === 'string' && MINUTES_RANGE.test(input) && isWay(String(issue.path.at(-1)))
  return meant !== null && schema instanceof z.ZodType && schema.safeParse(meant).success
    ? `; ${meant}${isLonger ? ', the longer end,' : ''} may be meant`
    : ''
}

function meantValue(issue: z.core.$ZodIssue): string | number | boolean | null {
  const { input, path } = issue
  // A percentage in place of a fraction.
  if (issue.code === 'too_big' && Number(issue.maximum) < 1) return Number(input) / 100
  if (typeof input !== 'string') return null
  if (issue.code === 'invalid_value') return meantOption(input, issue.values.map(String))
  if (issue.code === 'invalid_format') return meantClock(input)
  if (issue.code === 'invalid_union') return meantTruth(input) ?? meantNumber(input, String(path.at(-1)))
  if (issue.code !== 'invalid_type') return null
  return issue.expected === 'boolean' ? meantTruth(input) : meantNumber(input, String(path.at(-1)))
}

function meantOption(text: string, values: readonly string[]): string | null {
  const words = [laneMeant(text), ...OPTION_WORDS.filter(({ words }) => words.test(text)).map(({ option }) => option)]
  return values.find((value) => words.includes(value)) ?? alikeNames(text, values)[0] ?? null
}

function meantTruth(text: string): boolean | null {
  if (/^\s*(?:true|yes|y|on|1)\s*$/i.test(text)) return true
  return /^\s*(?:false|no|n|off|0)\s*$/i.test(text) ? false : null
}

/** The clock of 24 hours that a time is otherwise written as: `22:00` for "10pm". */
function meantClock(text: string): string | null {
  const clock = /^\s*(?<hour>\d{1,2})(?:[:.h]?(?<minute>\d\d))?\s*(?:h|(?<half>[ap])\.?m\.?)?\s*$/i
  const { hour, minute = '00', half } = clock.exec(text)?.groups ?? {}
  if (hour === undefined || (half !== undefined && Number(hour) > 12)) return null
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return `${String(hours).padStart(2, '0')}:${minute}`
}

const ABOUT = /^\s*(?:about|around|approx(?:imately|\.)?|roughly|ca\.?|~)\s*/i

const MINUTES_RANGE = /^\s*(?<low>0|[1-9]\d{0,2})\s*(?:-|–|to)\s*(?<high>[1-9]\d{0,2})(?:\s*min(?:ute)?s?\.?)?\s*$/i
const NO_QUEUE =
  /^\s*(?:no (?:lines?|queues?|wait(?:ing)?)|none|walked (?:right|straight) (?:in|through)|empty)[.!]?\s*$/i

/** Whether a parameter is a way to the airport, for which nobody wants to plan too little. */
const isWay = (parameter: string) => parameter.startsWith('travel_')

/** The minutes of words that are no number: the middle of a range (`20-30 minutes`), of a way its longer end, and 0 without a queue; null for any other text. */
function meantMinutes(text: string, parameter: string): number | null {
  const { low, high } = MINUTES_RANGE.exec(text)?.groups ?? {}
  if (low !== undefined && Number(low) <= Number(high))
    return isWay(parameter) ? Number(high) : Math.round((Number(low) + Number(high)) / 2)
  return NO_QUEUE.test(text) ? 0 : null
}

/** The number before a unit that the name of its parameter ends with, in a word (`two`), as a percentage or with a comma, where that is none of thousands; of a length of time its minutes, where minutes are asked for. */
function meantNumber(written: string, parameter: string): number | null {
  const text = written.replace(ABOUT, '')
  const own = parameter.split('_').at(-1)!
  const span = own === 'minutes' ? spanOf(text) : null
  if (span !== null) return Math.round(span / MINUTE_MS)
  const minutes = own === 'minutes' ? meantMinutes(text, parameter) : null
  if (minutes !== null) return minutes
  const { whole, share } =
    /^\s*(?:(?<share>\d{1,3})\s*%|(?<whole>\d{1,6},(?!\d{3}\s*$)\d+))\s*$/.exec(text)?.groups ?? {}
  if (share !== undefined) return Number(share) / 100
  if (whole !== undefined) return Number(whole.replace(',', '.'))
  const spoken = countOf(text.trim())
  if (/\p{L}/u.test(text) && Number.isInteger(spoken)) return spoken
  const { number, unit = '' } = /^\s*(?<number>\d{1,6})(?:\.0+)?\s*(?<unit>\p{L}*)\s*$/u.exec(text)?.groups ?? {}
  const isOwn = unit === '' || (own !== 'minutes' && own.startsWith(unit.toLowerCase()))
  return number === undefined || !isOwn ? null : Number(number)
}
