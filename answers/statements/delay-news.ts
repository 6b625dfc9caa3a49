import type { Airport } from '../../config/airports/directory.ts'
import { reasonWords } from '../../config/reference/faa-words.ts'
import type { DelayStatus } from '../../config/vocabulary.ts'
import {
  beginsLater,
  type DelayProgram,
  type DelayState,
  isOwn,
  ownPrograms,
} from '../../warehouse/publishing/read/delays.ts'
import { closedToAirlines, closurePeriod, closureText, type NextClosure, nextClosure } from './closure.ts'
import { clockOn, spanText } from './local-clock.ts'
import { listText, sentenceOf } from './text.ts'

/** A delay or closure of an airport: a chip and one line. */
export interface DelayNews {
  status: DelayStatus
  /** `Ground delay`, `Ground delay from 19:00` of one that begins later. */
  title: string
  /** Its meaning without the title: `flights to LGA wait 110 min on average, until 02:45`. */
  line: string
}

const TITLES: Record<DelayProgram['type'], string> = {
  ground_stop: 'Ground stop',
  ground_delay: 'Ground delay',
  arrival_delay: 'Delays',
  departure_delay: 'Delays',
  airspace_flow: 'Delays',
}

type ProgramText = (iata: string, length: string | null) => string
const MEANINGS: Record<DelayProgram['type'], ProgramText> = {
  ground_stop: (iata) => `flights to ${iata} do not take off`,
  ground_delay: (iata, length) => `flights to ${iata} wait ${length ?? 'before take-off'}`,
  arrival_delay: (iata, length) => `flights to ${iata} arrive late${length === null ? '' : `, ${length}`}`,
  departure_delay: (iata, length) => `flights from ${iata} leave late${length === null ? '' : `, ${length}`}`,
  airspace_flow: (_iata, length) => `flights through an airspace wait${length === null ? '' : ` ${length}`}`,
}

/** The order in which programs stop flights. */
const ORDER: DelayProgram['type'][] = [
  'ground_stop',
  'ground_delay',
  'departure_delay',
  'arrival_delay',
  'airspace_flow',
]

const PROGRAM_TITLES: Record<DelayProgram['type'], string> = {
  ground_stop: 'Ground stop',
  ground_delay: 'Ground delay',
  arrival_delay: 'Arrivals',
  departure_delay: 'Departures',
  airspace_flow: 'Airspace',
}

/** The airport of a delay, with the zone of its times. */
type DelayedAirport = Pick<Airport, 'iata' | 'timezone'>

type Listed = Pick<DelayState, 'programs' | 'closures'>

/** The gravest news of an airport; null if nothing is known to delay it. */
export function delayNews({ programs, closures }: Listed, airport: DelayedAirport, now: number): DelayNews | null {
  // The closure may have ended since the FAA was requested.
  const closure = closedToAirlines(closures, airport.timezone, now)
  if (closure) return { status: 'closed', title: 'Closed to airlines', line: closurePeriod(closure) }
  const next = nextClosure(closures, airport.timezone, now)
  const [gravest] = gravestFirst(programs.filter(isOwn), now)
  if (next && (!gravest || beginsLater(gravest, now)))
    return { status: 'minor_delay', title: `Closes to airlines at ${next.from}`, line: next.opens }
  if (!gravest) return null
  const { type } = gravest
  const status = type === 'ground_stop' || type === 'ground_delay' ? type : 'minor_delay'
  if (beginsLater(gravest, now)) {
    const title = `${TITLES[type]} from ${clockOn(gravest.start!, airport.timezone, now)}`
    return { status: 'minor_delay', title, line: programText({ ...gravest, start: null }, airport, now) }
  }
  const ahead = next ? closedFromText(next) : laterPrograms(programs.filter(isGraverThan(type)), airport.timezone, now)
  const line = programText(gravest, airport, now)
  return { status, title: TITLES[type], line: ahead === null ? line : `${line}; then ${ahead}` }
}

/** The same as a sentence: `Ground delay: flights to LGA wait 110 min on average, until 02:45.`, `Closed to airlines until 06:30.` */
export function delayNewsText(delays: Listed, airport: DelayedAirport, now: number): string | null {
  const closure = closedToAirlines(delays.closures, airport.timezone, now)
  if (closure) return sentenceOf(closureText(closure))
  const news = delayNews(delays, airport, now)
  return news && `${news.title}: ${news.line}.`
}

/** Every program, the gravest first. A reason that is that of the program before is not written again. */
export const programNews = ({ programs }: Pick<DelayState, 'programs'>, airport: DelayedAirport, now: number) =>
  gravestFirst(programs, now).map((program, place, all): Omit<DelayNews, 'status'> => {
    const because =
      program.reason !== null && all[place - 1]?.reason === program.reason ? 'same reason' : reasonOf(program)
    return { title: titleOf(program), line: programText(program, airport, now, [], because) }
  })

const titleOf = ({ type, destination }: DelayProgram) =>
  `${PROGRAM_TITLES[type]}${destination === null ? '' : ` of ${destination}`}`

/** Every program as a sentence, the gravest first: `Ground delay: flights to LGA wait 110 min on average, until 02:45 (wind).` */
export const programSentences = (programs: DelayProgram[], airport: DelayedAirport, now: number): string[] =>
  programNews({ programs }, airport, now).map(({ title, line }) => `${title}: ${line}.`)

/** A program with all that the FAA says of it: `Ground delay: flights to LGA wait 110 min on average, up to 180 min, increasing, until 02:45 (wind).` */
export function programInFull(program: DelayProgram, airport: DelayedAirport, now: number): string {
  const { trend, end } = program
  const max = knownLength(program.max_minutes)
  const most = max !== null && lengthText(program)?.includes('average') ? `up to ${Math.round(max)} min` : ''
  const further = [most, trend ?? '', end === null ? 'end not stated' : ''].filter(Boolean)
  return `${titleOf(program)}: ${programText(program, airport, now, further)}.`
}

/** The gravest first, and those that begin later last. */
const gravestFirst = (programs: readonly DelayProgram[], now: number) =>
  programs.toSorted(
    (a, b) =>
      Number(beginsLater(a, now)) - Number(beginsLater(b, now)) || ORDER.indexOf(a.type) - ORDER.indexOf(b.type),
  )

const isGraverThan = (type: DelayProgram['type']) => (program: DelayProgram) =>
  ORDER.indexOf(program.type) < ORDER.indexOf(type)

/** What is listed of an airport before it begins: `a ground delay from 19:00 to 22:59 and closed to airlines from 23:00`; null without any. */
export function laterText({ programs, closures }: Listed, timezone: string, now: number): string | null {
  const next = nextClosure(closures, timezone, now)
  const texts = [laterPrograms(programs, timezone, now), next && closedFromText(next)].filter((text) => text !== null)
  return texts.length === 0 ? null : listText(texts)
}

const closedFromText = ({ from }: NextClosure) => `closed to airlines from ${from}`

/** The programs of an airport that are listed before they begin: `a ground delay from 19:00 to 22:59`; null without any. */
export function laterPrograms(programs: readonly DelayProgram[], timezone: string, now: number): string | null {
  const later = gravestFirst(ownPrograms(programs, now).later, now)
  const texts = later.map((program) => `${LATER_NAMES[program.type]} ${timesText(program, timezone, now)}`)
  return texts.length === 0 ? null : listText(texts)
}

const LATER_NAMES: Record<DelayProgram['type'], string> = {
  ground_stop: 'a ground stop',
  ground_delay: 'a ground delay',
  arrival_delay: 'delays of arrivals',
  departure_delay: 'delays of departures',
  airspace_flow: 'delays in an airspace',
}

const reasonOf = ({ reason }: DelayProgram) => reason && reasonWords(reason)

/** The meaning of a program; `further` follows its length, `because` its end. */
function programText(
  program: DelayProgram,
  airport: DelayedAirport,
  now: number,
  further: readonly string[] = [],
  because = reasonOf(program),
): string {
  const { type, destination } = program
  const length = lengthText(program)
  const meaning =
    destination === null
      ? MEANINGS[type](airport.iata, length)
      : `departures from here to ${destination} wait${length === null ? '' : ` ${length}`}`
  const times = timesText(program, airport.timezone, now)
  // `do not take off until 02:45`, but `wait 110 min on average, until 02:45`.
  const isOneClause = length === null && further.length === 0 && !times.startsWith('due')
  const figures = [meaning, ...further].join(', ')
  return `${[figures, times].filter(Boolean).join(isOneClause ? ' ' : ', ')}${because ? ` (${because})` : ''}`
}

/** When a program holds: `until 02:45`, `due to end at 01:30`, and `from 20:00 to 02:45` of one that is listed before it begins; empty where nothing is known. */
export function timesText({ start, end }: Pick<DelayProgram, 'start' | 'end'>, timezone: string, now: number): string {
  if (start !== null && beginsLater({ start }, now))
    return `from ${end === null ? clockOn(start, timezone, now) : spanText(start, end, timezone, now)}`
  return end === null ? '' : `${untilWord(end, now)} ${clockOn(end, timezone, now)}`
}

/** A program stays in force until the FAA takes it off its list, whatever end it was given. `now`: epoch ms. */
const untilWord = (end: string, now: number): string => (Date.parse(end) > now ? 'until' : 'due to end at')

/**
 * The length of a delay as text; null when it is not known: a program delays somebody, so that a 0 is not its length. The FAA gives a
 * delay of airport flights as a range, and beside it an "average" that lies at an end of the range or outside of it: then the range counts.
 */
export function lengthText({ average_minutes, min_minutes: min, max_minutes }: DelayProgram): string | null {
  const average = knownLength(average_minutes)
  const max = knownLength(max_minutes)
  if (min !== null && max !== null && (average === null || average <= min || average >= max))
    return Math.round(min) === Math.round(max)
      ? `${Math.round(max)} min`
      : `${Math.round(min)} to ${Math.round(max)} min`
  if (average !== null) return `${Math.round(average)} min on average`
  return max === null ? null : `up to ${Math.round(max)} min`
}

const knownLength = (minutes: number | null) => (minutes !== null && Math.round(minutes) > 0 ? minutes : null)
