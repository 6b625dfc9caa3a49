import { countryInText } from '../../config/reference/countries.ts'
import { airportsOfFigure, type BorderRow, type BorderWaits, hasFigure } from '../questions/get-ees-wait-times.ts'
import { basisText, sentenceOf, waitWithoutStatus } from '../statements/text.ts'

const DIRECTION_TITLES = {
  entry: 'entering the area',
  exit: 'leaving the area',
  unknown_direction: 'at border control',
} as const

function directionText(direction: keyof typeof DIRECTION_TITLES, wait: BorderRow['entry']): string[] {
  if (!wait) return []
  const { wait_minutes, basis, age_seconds, source } = wait
  return [
    `${waitWithoutStatus(wait_minutes, basis)} ${DIRECTION_TITLES[direction]}, ${basisText({ basis, age_seconds, source })}`,
  ]
}

function rowText({ airport, name, member, unavailable_reason, ...waits }: BorderRow): string {
  const known = [
    ...directionText('entry', waits.entry),
    ...directionText('exit', waits.exit),
    ...directionText('unknown_direction', waits.unknown_direction),
  ]
  const isClosed = waits.entry_status === 'closed' || waits.exit_status === 'closed'
  const nothing = member && !isClosed ? 'the wait at border control is not known now.' : ''
  const text = known.length > 0 ? `${known.join('; ')}.` : nothing
  return `${airport} ${name}: ${[text, unavailable_reason && sentenceOf(unavailable_reason)].filter(Boolean).join(' ')}`
}

/** "20 to 120 min", of the figures of one airport. */
function pastRange(figures: BorderWaits['past_figures']): string | null {
  const most = figures.flatMap(({ max_minutes }) => max_minutes ?? [])
  if (most.length === 0) return null
  const least = figures.flatMap(({ min_minutes }) => min_minutes ?? [])
  const max = Math.max(...most)
  return least.length === 0 ? `up to ${max} min` : `${Math.min(...least)} to ${max} min`
}

/** Advice without a figure: it promises nothing, and past figures of pages show the scale of a bad day. */
function adviceText({ total, with_figure, airports, past_figures }: BorderWaits): string | null {
  const [row] = airports
  if (total !== 1 || with_figure > 0 || !row?.member || row.entry_status === 'closed') return null
  const own = pastRange(past_figures.filter((figure) => airportsOfFigure(figure).includes(row.airport)))
  const scale = own === null ? '' : ` Pages named ${own} here on past days.`
  return `Allow extra time of your own: no figure does not mean no queue.${scale}`
}

/** The answer for many airports: figures first, or that none is known and what pages named in the past. */
function countsText({ country, total, with_figure, past_figures }: BorderWaits): string | false {
  if (total === 0)
    return `No Schengen airport with scheduled flights is known ${country === null ? 'there' : `in ${countryInText(country)}`}.`
  if (total === 1) return false
  const past = pastRange(past_figures)
  const all = country === null ? `${total} Schengen airports` : `${total} airports in ${countryInText(country)}`
  if (with_figure === 0)
    return `The border wait is not known now at any of ${all}${past === null ? '' : `; pages named ${past} on past days`}.`
  return `${with_figure} of ${all} ${with_figure === 1 ? 'has' : 'have'} a known border wait; nothing is known about the others.`
}

/** A place with its states by name: of "airports in FR, DE" France and Germany. */
const withStateNames = (place: string) => place.replace(/\b[A-Z]{2}\b/g, countryInText)

const pastText = ({ place, date, fact, as_of }: BorderWaits['past_figures'][number]) =>
  `In the past, ${withStateNames(place)}: ${fact} (${date ?? 'undated'}; ${as_of === null ? 'an undated page' : `page of ${as_of}`}).`

/** The border waits of Schengen airports as lines: figures first; without any, what pages named in the past. */
export function borderWaitsText({ airports, past_figures }: BorderWaits, whole: BorderWaits): string {
  const { total, with_figure, ees, scope } = whole
  const shown = (total === 1 ? whole.airports : airports.filter(hasFigure)).map(rowText)
  const counts = countsText(whole)
  return [
    ...(with_figure > 0 ? [...shown, counts] : [counts, ...shown]),
    adviceText(whole),
    ...past_figures.map(pastText),
    whole.airports.some(({ member }) => member) && `${scope} ${ees.note}`,
  ]
    .filter(Boolean)
    .join('\n')
}
