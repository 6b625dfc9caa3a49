import type { StatusFields } from '../../config/answer-schemas.ts'
import { countText } from '../../config/count-text.ts'
import { CROWD_SOURCE, isImported, sourceOf } from '../../config/publishers.ts'
import { WHOLE_AIRPORT } from '../../config/terminal-name.ts'
import { quoted } from '../../config/untrusted-text.ts'
import { type Basis, freshnessOf, type QueueStatus } from '../../config/vocabulary.ts'
import { clockOn } from './local-clock.ts'
import { clockOf, localTime } from './local-time.ts'

/** The parts of the tools' texts for people that several tools share. */

export interface WaitFigure {
  basis: Basis | null
  age_seconds: number | null
  source: string | null
  low?: number | null
  high?: number | null
  travellers?: number | undefined
}

/** The reporters of a figure: `travellers`, `1 traveller`, `3 travellers`. */
export const travellersText = (travellers: number | undefined): string =>
  travellers === undefined ? 'travellers' : countText(travellers, 'traveller')

/** An age as text: `under a minute`, `3 min`, `2 h`, `3 days`. */
export function ageText(age_seconds: number): string {
  if (age_seconds < 60) return 'under a minute'
  const minutes = Math.round(age_seconds / 60)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}

/** How old a figure is, with a space before it: ` 3 min ago`; empty if that is not known. */
export const agoText = (age_seconds: number | null): string =>
  age_seconds === null ? '' : ` ${ageText(age_seconds)} ago`

/** A sentence for an old snapshot. */
export const oldFiguresText = (age_seconds: number): string =>
  `These figures are ${ageText(age_seconds)} old: nothing newer has been published since.`

/**
 * The basis of a wait, in words: `measured 3 min ago by the airport`, `typical of airports of its size, not measured; mostly 2
 * to 14 min`. A closure is `stated`.
 */
export function basisText(
  { basis, age_seconds, source, low = null, high = null, travellers }: WaitFigure,
  observed: 'measured' | 'stated' = 'measured',
): string {
  const age = agoText(age_seconds)
  const range = low === null || high === null ? '' : `; mostly ${low} to ${high} min`
  const isOld = age_seconds !== null && ['stale', 'expired'].includes(freshnessOf(age_seconds))
  const caution = isOld ? ', so it may have changed' : ''
  switch (basis) {
    case 'measured':
      return `${observed}${age}${source === null ? '' : namedBy(source, sourceText(source, 'short'))}${caution}`
    case 'reported':
      return `reported by ${travellersText(travellers)}${age}${caution}`
    case 'typical':
      return `typical of airports of its size, not measured${range}`
    case 'predicted':
      return source?.startsWith('hours@') ? 'by its hours of the days before' : `forecast from its own past${range}`
    default:
      return 'source not known'
  }
}

const OWN_SOURCES: [prefix: string, text: string][] = [
  ['model:', 'Holdshort’s model of this airport'],
  ['rule:', 'the usual wait of this hour here'],
  ['baseline:', 'the usual wait of this hour here'],
  ['adapted:', 'waits of airports of this size, drawn to what was observed here'],
  ['prior:', 'waits of airports of this size'],
]

/** The name of one source: its publisher for readings, its kind for forecasts. The short name of the airport itself is empty. */
function sourceTextOf(id: string, length: 'long' | 'short'): string {
  if (id === CROWD_SOURCE) return length === 'short' ? 'travellers' : 'travellers’ reports'
  if (isImported(id)) return importText(id)
  const own = OWN_SOURCES.find(([prefix]) => id.startsWith(prefix))
  const source = sourceOf(id)
  if (length === 'short' && source?.publisher === 'airport') return 'the airport'
  // A source outside the catalogue was imported.
  return own?.[1] ?? source?.attribution ?? (length === 'short' ? id : importText(id))
}

/** The names of a source, or of several joined by `+`: `Port of Seattle`, `short` `the airport`. */
export function sourceText(source: string | null, length: 'long' | 'short' = 'long'): string {
  if (source === null) return 'no source'
  return listText([...new Set(source.split('+').map((id) => sourceTextOf(id, length)))])
}

/** The rows that the demo imports. */
const SIMULATED_HISTORY = 'import-simulated'

/** The name of imported readings, by the id of their source. */
const importText = (id: string): string =>
  id === SIMULATED_HISTORY ? 'the simulator’s history' : `an import of the operator (${id})`

/** A source behind a verb: ` by the airport`, ` according to the simulator’s history`. `name`: what the source is called. */
export const namedBy = (source: string, name: string): string =>
  source.split('+').every(isImported) ? ` according to ${name}` : ` by ${name}`

/** A closed queue: the provenance of its closure, which may be another than that of its wait. */
type ClosedQueue = WaitFigure &
  Pick<StatusFields, 'reopens_at' | 'reopens_basis'> &
  Partial<Pick<StatusFields, 'status_basis' | 'status_age_seconds' | 'status_source'>>

/** A closure as text, with local times: `closed now (stated 3 min ago by the airport); it opens about 04:00, as on the days before`. */
export function closedText(queue: ClosedQueue, timezone: string, now: string): string {
  const { status_basis, status_age_seconds, status_source } = queue
  const closure =
    status_basis === undefined
      ? queue
      : { basis: status_basis, age_seconds: status_age_seconds ?? null, source: status_source ?? null }
  return `closed now (${basisText(closure, 'stated')})${reopeningText(queue, timezone, now)}`
}

function reopeningText({ reopens_at, reopens_basis }: ClosedQueue, timezone: string, now: string): string {
  if (reopens_at === null) return '; when it opens is not known'
  const clock = clockOn(reopens_at, timezone, Date.parse(now))
  return reopens_basis === 'measured'
    ? `; it opens at ${clock} by its published hours`
    : `; it opens about ${clock}${reopens_basis === null ? '' : ', as on the days before'}`
}

/** Hours from which on, and before which, security is closed at many airports. */
const NIGHT = { from: 22, to: 5 }

interface FigureOfQueue {
  status: QueueStatus
  basis: Basis | null
  wait_minutes: number | null
}

/**
 * Whether nothing shows that the queue of a figure is open: an estimate in the night, or a published wait of 0, which many
 * feeds also post for a closed lane.
 */
function mayBeClosed({ status, basis, wait_minutes }: FigureOfQueue, timezone: string, now: string): boolean {
  const hour = Number(clockOf(localTime(Date.parse(now), timezone)).slice(0, 2))
  const isNight = hour >= NIGHT.from || hour < NIGHT.to
  const isGuess = basis === 'typical' || basis === 'predicted'
  const isDoubtful = isGuess ? isNight : basis === 'measured' && wait_minutes === 0
  return isDoubtful && status === 'unknown'
}

/** The condition of such a figure: ` if it is open now, which is not known`. Empty for every other one. */
export const ifOpenText = (figure: FigureOfQueue, timezone: string, now: string): string =>
  mayBeClosed(figure, timezone, now) ? ' if it is open now, which is not known' : ''

/** The same where there is no room for more: ` if open now`. */
export const ifOpenShort = (figure: FigureOfQueue, timezone: string, now: string): string =>
  mayBeClosed(figure, timezone, now) ? ' if open now' : ''

/** The date of a reference fact and the caution about it, without a full stop: `undated page`, `as of 2016, likely to have changed`. */
export function datedText({ as_of, caution }: { as_of: string | null; caution: string | null }): string {
  if (as_of === null && caution === NO_DATE) return 'undated page'
  const about = (caution ?? '').replace(/\.$/, '')
  if (as_of === null) return about
  return about === '' ? `as of ${as_of}` : `as of ${as_of}; ${about}`.replace(YEAR_AGAIN, ', ')
}

/** The year of an old page in front of what it means, where its date is said before. */
const YEAR_AGAIN = /; From \d{4}: /

/** The caution of a fact whose page has no date. */
const NO_DATE = 'The page carries no date.'

/** A reason as a sentence: with a capital letter and a full stop, where it has no mark at its end. */
export const sentenceOf = (text: string) => `${capitalised(text)}${/[.!?]$/.test(text) ? '' : '.'}`

/** A text without a capital at its start. */
export const uncapitalised = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`

/** A text with a capital at its start. */
export const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** A checkpoint in a sentence: one that is or begins with a number or a letter (`5`, `2A`, `B`, `3: gates B1`) is `checkpoint 5`. */
export const checkpointText = (name: string): string =>
  /^(\d{1,2}[A-Z]?|[A-Z])(:|$)/.test(name) ? `checkpoint ${name}` : name

/** 0.29 × 100 is 28.999999999999996. */
const FLOAT_ERROR = 1e-9

/** A probability, rounded down so that none is promised: `94 %`. */
export const percentText = (probability: number): string => `${Math.floor(probability * 100 + FLOAT_ERROR)} %`

/** A wait in a sentence: `about 1 minute`, `about 9 min` with `unit` "min", `no wait` for 0. */
export function waitText(minutes: number, unit: 'minutes' | 'min' = 'minutes'): string {
  if (minutes === 0) return 'no wait'
  return `about ${unit === 'min' ? `${minutes} min` : countText(minutes, 'minute')}`
}

/** The same for a queue with a figure but no known status: a published 0 stays `0 min`, as it may be that of a closed queue. */
export const waitWithoutStatus = (minutes: number, basis: Basis | null): string =>
  minutes === 0 && basis === 'measured' ? '0 min' : waitText(minutes, 'min')

/** The shown part of a list in a sentence, and how many more there are: `A, B and 3 more`. */
export function partText(shown: readonly string[], total: number, separator = ', '): string {
  const rest = total - shown.length
  if (rest <= 0) return shown.join(separator)
  return shown.length === 0 ? `${total} not listed here` : `${shown.join(separator)} and ${rest} more`
}

/** A terminal as people name it: feeds often have its number alone. */
export function terminalName(terminal: string): string {
  if (terminal === WHOLE_AIRPORT) return 'Whole airport'
  const number = /^T(\d{1,2}[A-Z]?)$/.exec(terminal)?.[1]
  if (number !== undefined) return `Terminal ${number}`
  return /^[A-Z0-9]{1,2}$/i.test(terminal) ? `Terminal ${terminal}` : terminal
}

/** A terminal in a list or a bar: `T4`, `Terminal A`, `North`. */
export function shortTerminal(terminal: string): string {
  if (terminal === WHOLE_AIRPORT) return 'whole airport'
  if (/^\d{1,2}[A-Z]?$/.test(terminal)) return `T${terminal}`
  return /^T\d{1,2}[A-Z]?$/.test(terminal) ? terminal : terminalName(terminal)
}

/** An airport, or one of its terminals: `JFK`, `JFK T4`. */
export const airportPlace = (iata: string, terminal: string | null) =>
  terminal === null ? iata : `${iata} ${shortTerminal(terminal)}`

/** Names that are ours, or a number or letter of a feed; every other one is a feed's own words. */
const PLAIN_PLACE = /^(T\d{1,2}[A-Z]?|(Terminal|checkpoint) [A-Z0-9]{1,3}|whole airport)$/i

/** A place within a sentence: `T4`, `T4, checkpoint 5`, `“Domestic”`. */
export const placeText = (name: string) =>
  name.split(', ').every((part) => PLAIN_PLACE.test(part)) ? name : quoted(name)

/** Names in a sentence: `A`, `A and B`, `A, B and C`. */
export const listText = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/**
 * Text if an answer covers more than the requested part of an airport: `This is of all of JFK, not of terminal 4 alone.` Where the
 * source of its security wait names one other terminal alone, the figure is not of the part at all.
 */
export const widerAnswerText = (iata: string, part: string, onlyTerminal: string | null = null): string =>
  `This is of all of ${iata}, not of ${part} alone${onlyTerminal === null ? '' : `; the security wait is that of ${placeText(onlyTerminal)}`}.`
