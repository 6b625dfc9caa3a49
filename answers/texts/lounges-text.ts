import { countText } from '../../config/count-text.ts'
import { LOUNGES } from '../../config/reference/lounges.ts'
import { AMENITY_TEXTS, accessRules, type Lounges } from '../questions/get-lounges.ts'
import { mapLines } from '../questions/map-places.ts'
import { loungeHoursText, noneKnownText, openLoungesText } from '../statements/places.ts'
import { datedText, sentenceOf } from '../statements/text.ts'

/** Lounges with their rules and hours as a text. */

/** A lounge with all that the structure has: place, hours, access, amenities, note, date. */
function loungeText(lounge: Lounges['lounges'][number]): string {
  const { amenities, note, airside, matched } = lounge
  const side = airside ? 'after security' : 'before security'
  const place = [lounge.terminal, lounge.near_gate && `near ${lounge.near_gate}`, airside !== null && side]
    .filter(Boolean)
    .join(', ')
  const rules = accessRules(lounge)
  const parts = [
    loungeHoursText(lounge),
    rules.length > 0 && `access: ${rules.join(', ')}`,
    amenities.length > 0 && `has ${amenities.map(amenityText).join(', ')}`,
    note,
  ]
  return `${matched ? '' : 'May match: '}${lounge.lounge}${place === '' ? '' : ` (${place})`}: ${parts.filter(Boolean).join('; ')}`
}

/** Names in a list, with how many there are of the same name. */
function namesText(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name}, ${count} of them`)).join('; ')
}

/** The terminals with a known lounge and what the lounges have, for a traveller whose words match none: "douche" is none of them, "showers" is. */
function knownText(airport: string): string {
  const lounges = LOUNGES.where('iata', airport)
  const places = new Set(lounges.flatMap(({ terminal }) => terminal ?? []).sort())
  const amenities = new Set(lounges.flatMap((lounge) => lounge.amenities.map(amenityText)).sort())
  return [
    places.size > 0 && ` Known ones are in: ${[...places].join('; ')}.`,
    amenities.size > 0 && ` What they have: ${[...amenities].join(', ')}.`,
  ]
    .filter(Boolean)
    .join('')
}

const amenityText = (amenity: string) => AMENITY_TEXTS[amenity] ?? amenity

function countsText(whole: Lounges): string {
  const { airport, total, possible } = whole
  if (total > 0)
    return `${countText(total, 'lounge')} known at ${airport}${possible > 0 ? ' to match' : ''}: ${openLoungesText(whole)}; check before you go.`
  if (possible > 0)
    return `Whether a lounge at ${airport} matches is not known: the pages of ${possible} do not say. Ask there, and check before you go.`
  return `Lounges with rules and hours at ${airport} are not known; check before you go.`
}

/** The unknown facts about the lounges above. Old, undated and short pages do not name every lounge. */
function othersText(lounges: Lounges['lounges']): string {
  const isOld = lounges.length > 0 && lounges.every(({ caution }) => caution !== null)
  const silent = lounges.some((lounge) => accessRules(lounge).length === 0 || lounge.amenities.length === 0)
    ? 'Where access or amenities are not named, they are not known. '
    : ''
  return `${silent}${isOld ? 'Others exist: the pages are old or undated.' : 'Others may exist.'}`
}

/** The dates of the pages and the cautions about them, each once. */
function datesText(lounges: Lounges['lounges']): string | false {
  const dates = [...new Set(lounges.map(datedText))].map((date) => `${date}.`)
  return dates.length > 0 && `Dates of the pages: ${dates.join(' Others: ')}`
}

export function loungesText({ lounges, map_lounges }: Lounges, whole: Lounges): string {
  const { airport, known, total, possible, matches, no_flights } = whole
  if (!known && no_flights !== undefined) return sentenceOf(no_flights)
  if (!known)
    return `${noneKnownText('lounge', airport)} Ask the airline or your lounge programme; discover_more_flight_tools names servers that list lounges.`
  if (total + possible === 0 && whole.map_lounges === null)
    return `No known lounge at ${airport} matches; others may exist.${knownText(airport)} Ask the airline or your lounge programme.`
  const credits = new Set(lounges.flatMap(({ credit }) => (credit ? [`Source: ${credit}.`] : [])))
  const isCut = total + possible > lounges.length
  const maybe = total > 0 && possible > 0 && `${possible} more may match; their pages do not say.`
  return [
    countsText(whole),
    maybe,
    ...lounges.map(loungeText),
    isCut && `Also: ${namesText(matches.slice(lounges.length))}.`,
    othersText(whole.lounges),
    datesText(lounges),
    ...credits,
    ...mapLines(map_lounges, whole.map_lounges),
  ]
    .filter((line) => line !== false)
    .join('\n')
}
