import { clockOf, localTime } from '../statements/local-time.ts'
import { limitedText, placedText, spreadRange } from '../statements/spread.ts'
import { agoText, ifOpenShort, listText, sentenceOf } from '../statements/text.ts'
import { estimateText } from '../statements/wait.ts'
import type { Compared } from './compared-airport.ts'
import { alikeWithFirst, dependsOnTerminal, hasOwnWait, isObserved, waitOf } from './compared-waits.ts'

/** Text if only some queues are known, so that none can be called shorter. */
export function unequalText(usable: Compared[]): string {
  const own = usable.filter(hasOwnWait)
  const typical = usable.filter((airport) => !hasOwnWait(airport) && airport.security.wait_minutes !== null)
  const unknown = usable.filter(({ security }) => security.wait_minutes === null).map(({ airport }) => airport)
  const known =
    own.length === 1
      ? own.map((compared) => `that at ${compared.airport} is known, ${figure(compared)}`).join()
      : `those at ${listText(own.map((compared) => `${compared.airport} (${figure(compared)})`))} are known`
  const sentences = [
    `The queues cannot ${own.length === 1 ? '' : 'all '}be compared: only ${known}.`,
    typical.length > 0 &&
      `At ${listText(typical.map(placedEstimate))} ${typical.length === 1 ? 'is' : 'are'} typical of airports of that size, not measured.`,
    unknown.length > 0 && sentenceOf(unknownAt(unknown)),
  ]
  return sentences.filter((part) => part !== false).join(' ')
}

/** Text if the queues do not decide: no wait is known, or none of an airport that is not avoided. */
export function unknownWaits(usable: Compared[], avoided: Compared[]): string {
  const isKnown = avoided.some(({ security }) => security.wait_minutes !== null)
  if (!isKnown) return 'No wait is known, so none can be preferred for its queue.'
  return `The waits at ${listText(usable.map(({ airport }) => airport))} are not known, so none can be preferred for its queue.`
}

/** Text for typical waits: airports of one size share them, so they do not distinguish airports. */
export function typicalText(usable: Compared[]): string {
  const known = usable.filter(({ security }) => security.wait_minutes !== null)
  const unknown = usable.filter((airport) => !known.includes(airport)).map(({ airport }) => airport)
  const given =
    known.length === 1
      ? `At ${placedEstimate(known[0]!)} is typical of airports of that size; ${unknownAt(unknown)}`
      : `Those given are typical of airports of their size: ${listText(known.map(placedEstimate))}${unknown.length === 0 ? '' : `; ${unknownAt(unknown)}`}`
  return `Which queue is shorter at ${listText(usable.map(({ airport }) => airport))} is not known: no wait is measured or forecast there. ${given}.`
}

const BASIS_WORDS: Record<string, string> = { predicted: 'forecast', typical: 'estimated' }

/** `measured`, of a wait that may have changed since `measured 5 h ago`, of one that nobody observed `forecast`. */
const basisWord = ({ security: { basis, freshness, age_seconds } }: Compared) =>
  BASIS_WORDS[basis ?? ''] ?? `${basis}${freshness === 'stale' ? agoText(age_seconds) : ''}`

/** The condition of an observed 0 that may be that of a closed queue. */
const conditionOf = ({ security, timezone }: Compared) =>
  security.observed_at === null ? '' : ifOpenShort(security, timezone, security.observed_at)

/** `the wait at LGA and EWR is not known` */
export const unknownAt = (airports: readonly string[]) => `the wait at ${listText(airports)} is not known`

const minutesText = (compared: Compared) =>
  isObserved(compared)
    ? `${placedText(compared.security.wait_minutes, compared.security.spread)}${conditionOf(compared)}`
    : estimateText(waitOf(compared), compared.security)

const placedEstimate = (compared: Compared) => `${compared.airport} ${minutesText(compared)}`

/** `7 min measured`, `3–18 min by terminal, measured`, `about 2–12 min forecast`: the wait and where it is from. */
export function figure(compared: Compared): string {
  const minutes = minutesText(compared)
  return `${minutes}${minutes.endsWith(' min') ? '' : ','} ${basisWord(compared)}`
}

/** The shortest of known waits against the others, with what is not certain about it. */
export function verdict(best: Compared, known: Compared[]): string {
  const others = known.slice(1)
  const alike = alikeWithFirst(known)
  // A basis that all share is said once, at the end.
  const isShared = known.length > 1 && known.every((other) => isObserved(other) && basisWord(other) === basisWord(best))
  const wait = isShared ? minutesText : figure
  const end = `${isShared ? ` ${known.length === 2 ? 'Both' : 'All'} ${basisWord(best)}.` : ''}${certainty(known)}`
  if (alike.length > 0) {
    const names = listText([best, ...alike].map(({ airport }) => airport))
    const figures = listText([best, ...alike].map((compared) => `${compared.airport} ${wait(compared)}`))
    const longer = others.filter((other) => !alike.includes(other))
    // Of three ranges the last may be longer than the first and overlap the second.
    const isOfAll = longer.every((other) => !alike.some((middle) => dependsOnTerminal(middle, other)))
    const slower =
      longer.length > 0
        ? ` It is longer at ${listText(longer.map((other) => `${other.airport} (${wait(other)})`))}${isOfAll ? '' : ` than at ${best.airport}`}.`
        : ''
    const depends = alike.some((other) => dependsOnTerminal(best, other))
    const parts = new Set([best, ...alike].flatMap(({ security }) => spreadRange(security.spread)?.by ?? []))
    const reason = depends
      ? `Which queue is shorter depends on the ${[...parts].sort().reverse().join(' or ')}: ${figures}.`
      : `Security makes no difference between ${names} (${figures}): choose by travel time and fare.`
    return `${reason}${slower}${end}`
  }
  const rest = listText(others.map((other) => `${other.airport} ${wait(other)}`))
  return `${best.airport} has the shortest security wait: ${wait(best)}, against ${rest}.${end}`
}

/** The uncertainty of a comparison of waits, the shortest first: an interval that overlaps the next. */
function certainty(known: Compared[]): string {
  const guessed = known.filter((compared) => !isObserved(compared)).map(({ airport }) => airport)
  const [best, second] = known
  if (guessed.length === 0 || !best || !second) return ''
  const overlap = (best.security.high ?? waitOf(best)) >= (second.security.low ?? waitOf(second))
  return ` Not certain: the wait at ${listText(guessed)} is not measured${overlap ? ', and the ranges overlap' : ''}.`
}

/** Text if all are closed, with the first to open if known. */
export function closedText(airports: Compared[]): string {
  const first = airports
    .filter(({ security }) => security.reopens_at !== null)
    .sort((a, b) => Date.parse(a.security.reopens_at!) - Date.parse(b.security.reopens_at!))[0]
  const limited = airports.flatMap(({ airport, security }) => limitedText(security.spread, ` at ${airport}`) ?? [])
  const closed = [
    limited.length === 0
      ? `Security is closed at ${airports.length === 2 ? 'both' : 'all of them'} now.`
      : `No standard lane is open at ${airports.length === 2 ? 'either' : 'any of them'} now.`,
    ...limited.map(sentenceOf),
  ].join(' ')
  if (!first) return closed
  const unknown = airports.filter(({ security }) => security.reopens_at === null).map(({ airport }) => airport)
  const opens =
    unknown.length === 0
      ? `opens first, at about ${clockAt(first)} local time`
      : `opens at about ${clockAt(first)} local time; when ${listText(unknown)} ${unknown.length === 1 ? 'opens' : 'open'} is not known`
  return `${closed} ${first.airport} ${opens}.`
}

const clockAt = ({ security, timezone }: Compared) => clockOf(localTime(Date.parse(security.reopens_at!), timezone))
