import { z } from 'zod'
import { once } from '../../config/once.ts'
import { ALLIANCE_STATUS, ALLIANCES } from '../../config/reference/alliance-status.ts'
import { LOUNGES, ReferenceLounge } from '../../config/reference/lounges.ts'
import { normalizeTerminalName, terminalWords } from '../../config/terminal-name.ts'
import { hasAmenity } from '../search/amenity-words.ts'
import { knownTerminal, refuseClosedTerminal } from './airport-terminals.ts'
import { defineQuery } from './define.ts'
import { findAirport } from './find-airport.ts'
import { hoursFilter, isOpenAt } from './lounge-hours.ts'
import { MapPlaces, mapPlaces } from './map-places.ts'
import { iata, no_flights, notice, simulated } from './shared-fields.ts'

const filterText = z.string().trim().min(1).max(60).optional()

const output = z.strictObject({
  airport: iata,
  name: z.string(),
  known: z.boolean().describe('False: no lounge is known here, which does not mean that there is none.'),
  total: z.int().min(0).describe('Known lounges that match, also those beyond the limit; without the map’s.'),
  possible: z.int().min(0).describe('Further ones that may match: what a filter concerns is not known of them.'),
  open_now: z.int().min(0).describe('Of `total`: open now by their listed hours.'),
  hours_unknown: z.int().min(0).describe('Of `total`: whether they are open now is not known.'),
  lounges: z.array(
    ReferenceLounge.omit({ iata: true })
      .extend({
        open_by_hours: z.boolean().nullable().describe('Now, by the listed hours; null: not known.'),
        matched: z.boolean().describe('False: it may match, as what a filter concerns is not known of it.'),
      })
      .strict(),
  ),
  matches: z.array(z.string()).describe('All that match, then those that may.'),
  map_lounges: MapPlaces,
  notice,
  no_flights,
  simulated,
})

export type Lounges = z.output<typeof output>

export const getLounges = defineQuery({
  name: 'getLounges',
  input: z.strictObject({
    iata,
    terminal: filterText.describe('Only lounges whose terminal name contains this.'),
    access: filterText.describe('Only lounges whose access rules contain this, e.g. "Priority Pass".'),
    amenity: filterText.describe('Only lounges known to have this, e.g. "showers", "open at 5am".'),
    limit: z.int().min(1).max(50).default(25).describe('Maximum number.'),
  }),
  output,
  answer({ iata, terminal, access, amenity, limit }, context) {
    const { name, timezone } = findAirport(iata, context)
    const { snapshot, now } = context
    const lounges = LOUNGES.where('iata', iata)
    if (terminal !== undefined) refuseClosedTerminal(iata, terminal, snapshot)
    const hours = amenity === undefined ? null : hoursFilter(amenity, now, timezone)
    const meant = terminal === undefined ? null : (knownTerminal(iata, terminal, snapshot)?.terminal ?? null)
    const found = lounges
      .map(({ iata: _iata, ...lounge }) => ({
        ...lounge,
        open_by_hours: isOpenAt(lounge, now, timezone),
        match: allOf([
          isTerminal(lounge.terminal, terminal, meant),
          hasAccess(lounge, access),
          amenity === undefined || (hours ? hours(lounge) : isListed(lounge.amenities, amenity)),
        ]),
      }))
      .filter(({ match }) => match !== false)
      .toSorted(
        (a, b) =>
          Number(b.match === true) - Number(a.match === true) ||
          // "Centurion" is a card, and rather the lounge of that name.
          Number(contains([b.lounge], access)) - Number(contains([a.lounge], access)) ||
          OPEN_FIRST.indexOf(a.open_by_hours) - OPEN_FIRST.indexOf(b.open_by_hours),
      )
      .map(({ match, ...lounge }) => ({ ...lounge, matched: match === true }))
    const matching = found.filter(({ matched }) => matched)
    const map = snapshot.map(iata)
    const filters = [terminal, access, amenity]
    const map_lounges = mapPlaces(
      map,
      (place) => {
        const tags = [place.name ?? '', place.operator ?? '', place.access ?? '']
        return place.kind === 'lounge' && filters.every((filter) => contains(tags, filter))
      },
      limit,
    )
    return {
      airport: iata,
      name,
      known: lounges.length > 0 || (map?.places ?? []).some(({ kind }) => kind === 'lounge'),
      total: matching.length,
      possible: found.length - matching.length,
      open_now: matching.filter(({ open_by_hours }) => open_by_hours === true).length,
      hours_unknown: matching.filter(({ open_by_hours }) => open_by_hours === null).length,
      lounges: found.slice(0, limit),
      matches: found.map(({ lounge, terminal: place }) => (place === null ? lounge : `${lounge} (${place})`)),
      map_lounges,
      simulated: snapshot.simulated && map_lounges !== null,
    }
  },
})

const OPEN_FIRST: (boolean | null)[] = [true, null, false]

export function accessRules({
  access: { ticket, status, cards, programmes, day_pass },
}: Pick<ReferenceLounge, 'access'>): string[] {
  const rules = [...ticket, ...status, ...cards, ...programmes]
  if (day_pass !== null) rules.push(`day pass ${day_pass}`)
  return rules
}

/** Words of the collection that say little by themselves, as answers write them. */
export const AMENITY_TEXTS: Readonly<Record<string, string>> = {
  work: 'space to work',
  kids: 'room for children',
  quiet: 'a quiet area',
}

/** A status with those that it includes: with oneworld Emerald also oneworld Sapphire. */
function withIncluded(filter: string): string[] {
  const included = ALLIANCE_STATUS.filter(({ status }) => compact(filter).includes(compact(status)))
  return [filter, ...included.flatMap(({ includes }) => withIncluded(includes))]
}

/** Whether the rules of a lounge contain the filter, or a status that it includes. Day passes are unknown: pages that state other rules do not mention them. So is whether the name of a lounge is meant as one. */
function hasAccess(
  lounge: Pick<ReferenceLounge, 'access' | 'operator' | 'lounge'>,
  filter: string | undefined,
): boolean | null {
  const rules = accessRules(lounge)
  if (filter !== undefined && rules.length === 0 && isOfOtherAlliance(lounge, filter)) return false
  const isStated =
    filter !== undefined && rules.length > 0
      ? withIncluded(filter).some((text) => contains(rules, text))
      : hasText(rules, filter)
  const isUnknown = compact(filter ?? '') === 'daypass' || contains([lounge.lounge], filter)
  return isStated === false && isUnknown ? null : isStated
}

/** Whether a filter means the status of an alliance and the lounge is one of another alliance, which that status does not open. */
function isOfOtherAlliance({ operator }: Pick<ReferenceLounge, 'operator'>, filter: string): boolean {
  const meant = ALLIANCES.find(({ alliance }) => contains(withIncluded(filter), alliance))
  const own = ALLIANCES.find(({ alliance, operators }) => operator === alliance || operators.includes(operator ?? ''))
  return meant !== undefined && own !== undefined && meant !== own
}

/** Whether all are true; null if that is not known of one, and none is false. */
function allOf(matches: readonly (boolean | null)[]): boolean | null {
  if (matches.includes(false)) return false
  return matches.includes(null) ? null : true
}

const namesOf = (amenities: readonly string[]) => amenities.flatMap((name) => [name, AMENITY_TEXTS[name] ?? name])

/** Whether an amenity is listed, in the words of pages, of answers or of travellers; null if none is, or no page of any lounge records it. */
const isListed = (amenities: readonly string[], asked: string) =>
  amenities.length === 0 || !isRecorded(asked) ? null : hasAmenity(namesOf(amenities), asked)

/** Whether the pages of lounges have such an amenity at all: none says where pets may come. */
const isRecorded = (asked: string) => hasAmenity(recordedNames(), asked)
const recordedNames = once(() => [...new Set(LOUNGES.rows().flatMap(({ amenities }) => namesOf(amenities)))])

/** Whether one of the known texts contains the filter; null if no text is known. */
const hasText = (texts: string[], filter: string | undefined) =>
  filter !== undefined && texts.length === 0 ? null : contains(texts, filter)

/** Whether one of the texts contains the filter; true without a filter. */
const contains = (texts: string[], filter: string | undefined) =>
  filter === undefined || texts.some((text) => compact(text).includes(compact(filter)))

/** Letters and digits alone: `prioritypass` is Priority Pass. */
const compact = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** Whether a terminal matches the filter as a traveller writes it: "4", "T4" and "terminal 4" are the same, and so is "terminal four". */
function isTerminal(terminal: string | null, filter: string | undefined, meant: string | null): boolean | null {
  if (filter === undefined) return true
  if (terminal === null) return null
  if (terminal === meant || terminalWords(terminal) === terminalWords(filter)) return true
  const name = normalizeTerminalName(filter)
  const words = terminal.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return name.length < 3 ? words.includes(name) : contains([terminal], filter)
}
