import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { projectFile } from '../../paths.ts'
import { distanceKm } from '../distance.ts'
import { fold } from '../search/fold.ts'
import { type Evidence, SOURCES, type SourceName } from './sources.ts'

const Prefixes = z.object({ prefixes: z.record(z.string(), z.string()) })

let cached: Record<string, string> | null = null

function prefixes(): Record<string, string> {
  cached ??= Prefixes.parse(
    JSON.parse(readFileSync(projectFile('config', 'airports', 'build', 'icao-prefixes.json'), 'utf8')),
  ).prefixes
  return cached
}

/** The countries (ISO 3166-1) whose aerodromes have ICAO codes that begin like this one; empty if ICAO gave these letters to none. */
export function countriesOfIcao(icao: string): string[] {
  for (let length = 4; length > 0; length -= 1) {
    const countries = prefixes()[icao.slice(0, length)]
    if (countries !== undefined) return countries.split(' ')
  }
  return []
}

/** Four letters, or the letters K or C before an identifier of the FAA or of Transport Canada, by which weather is reported too. */
const ICAO_CODE = /^([A-Z]{4}|[KC][A-Z0-9]{3})$/

/** Whether an aerodrome of a country can have this ICAO code. */
export const fitsCountry = (icao: string, country: string) =>
  ICAO_CODE.test(icao) && countriesOfIcao(icao).includes(country)

/** Sources that are further apart than this do not mean one airport. */
export const MAX_APART_KM = 50
/** Airports this close are one, whatever their names: sources measure at the tower, the terminal or the runway. */
const MAX_SAME_PLACE_KM = 10

/** Sources that agree about the place of a code, and why they are believed rather than the others. */
export interface Agreement {
  members: Evidence[]
  others: Evidence[]
  rule: string
}

/** Words of names that say nothing about which airport it is. */
const COMMON_WORDS = new Set(
  'airport airfield aerodrome international intl regional municipal national field air base station airstrip strip county city new de do da del la el le the of and'.split(
    ' ',
  ),
)
const wordsOf = (name: string) =>
  fold(name)
    .split(' ')
    .filter((word) => word.length > 2 && !COMMON_WORDS.has(word))

/** Whether two names have a word in common, also as the start of one or with spaces elsewhere: "Kogalym" and "Kogalymskiy". */
export function namesAgree(a: string, b: string): boolean {
  const [first, second] = [wordsOf(a), wordsOf(b)]
  const joined = [first.join(''), second.join('')]
  if (joined[0] === '' || joined[1] === '') return true
  if (joined[0]!.includes(joined[1]!) || joined[1]!.includes(joined[0]!)) return true
  return first.some((word) => second.some((other) => word.slice(0, 5) === other.slice(0, 5)))
}

/** Whether two sources mean one airport: they are at one place, or near each other with the same ICAO code or name. */
export function isSameAirport(a: Evidence, b: Evidence): boolean {
  const km = distanceKm(a, b)
  if (km <= MAX_SAME_PLACE_KM) return true
  return km <= MAX_APART_KM && ((a.icao !== null && a.icao === b.icao) || namesAgree(a.name, b.name))
}

const trust = ({ source }: Evidence) => SOURCES.indexOf(source)

/** The sources in groups that mean one airport each, the largest first. */
function groupsOf(evidence: readonly Evidence[]): Evidence[][] {
  const groups: Evidence[][] = []
  for (const claim of evidence) {
    const joined = groups.filter((group) => group.some((member) => isSameAirport(member, claim)))
    const rest = groups.filter((group) => !joined.includes(group))
    groups.splice(0, groups.length, ...rest, [...joined.flat(), claim])
  }
  return groups
    .map((group) => group.toSorted((a, b) => trust(a) - trust(b)))
    .sort((a, b) => b.length - a.length || trust(a[0]!) - trust(b[0]!))
}

/** The statement of the towns around a place about it. */
export interface TownCheck {
  hasNamesake(claim: Evidence): boolean
  isAbroad(claim: Evidence): boolean
}

/** The sources that check their airports one by one: two others that agree may only have copied each other. */
const isChecked = (group: readonly Evidence[]) =>
  group.some(({ source }) => source === 'FAA' || source === 'OurAirports' || source === 'airportsdata')

/**
 * The trusted sources for the place of a code. `chosen` is the source that a correction names; null: nothing decides. The
 * coordinates of a town are evidence for an airport there, never against one elsewhere.
 */
export function agree(
  evidence: readonly Evidence[],
  chosen: SourceName | undefined,
  towns: TownCheck,
): Agreement | null {
  const all = groupsOf(evidence)
  const airportGroups = all.filter((group) => group.some(({ town }) => !town))
  const groups = airportGroups.length > 0 ? airportGroups : all
  const [first, second, third] = groups
  const decided = (members: Evidence[] | undefined, rule: string): Agreement | null =>
    members ? { members, others: evidence.filter((claim) => !members.includes(claim)), rule } : null
  if (chosen !== undefined)
    return decided(
      groups.find((group) => group.some(({ source }) => source === chosen)),
      'corrections.json',
    )
  if (!first) return null
  if (!second) return decided(first, 'the sources agree')
  if (first.length > second.length && isChecked(first))
    return decided(first, `${first.length} sources against ${second.length}`)
  if (third) return null
  const oneAirport = first[0]!.country === second[0]!.country && isOneAirport(first, second)
  if (first.length > second.length && !oneAirport)
    return decided(first, `${first.length} sources against ${second.length}`)
  if (!oneAirport) {
    const base = groups.find((group) => group.some(({ source }) => source === 'airport-data-js'))
    const other = groups.find((group) => group !== base)
    return base && other ? decided(other, ruleAgainstBase(base, other)) : null
  }
  for (const [test, rule] of [
    [(claim: Evidence) => !towns.isAbroad(claim), 'one airport at two places: the other one lies abroad'],
    [(claim: Evidence) => towns.hasNamesake(claim), 'one airport at two places: a town of its name lies at this one'],
  ] as const) {
    const passing = [first, second].filter((group) => group.some(test))
    if (passing.length === 1) return decided(passing[0], rule)
  }
  const checked = [first, second].filter(isChecked)
  if (checked.length === 1)
    return decided(checked[0], `one airport at two places: ${checked[0]![0]!.source} checks each airport`)
  return null
}

/** Whether two groups are one airport at different places. The ICAO code of the base package may be that of the other one. */
const isOneAirport = (a: readonly Evidence[], b: readonly Evidence[]) =>
  a.some((mine) => b.some((theirs) => namesAgree(mine.name, theirs.name)))

/** Why the base package alone is not believed against a source that follows IATA's list of codes. */
function ruleAgainstBase(base: readonly Evidence[], other: readonly Evidence[]): string {
  const { source, country } = other[0]!
  const since = other.find((claim) => claim.since !== null)?.since
  if (since) return `the code changed hands: ${source} has it since ${since}`
  if (base.some(({ icao, country: own }) => icao !== null && !fitsCountry(icao, own) && fitsCountry(icao, country)))
    return "the code changed hands: airport-data-js has the new holder's ICAO code"
  return `two airports: ${source} follows IATA's list of codes`
}

/**
 * Order of trust for ICAO codes. OurAirports and OpenTravelData follow changes within months; the codes of airportsdata and of
 * airport-data-js that differ from both are those before the renumbering of Indonesia, Brazil, Ecuador and others.
 */
const ICAO_SOURCES = ['FAA', 'OurAirports', 'OpenTravelData', 'airportsdata', 'airport-data-js'] as const

/** Anything else in the field of an ICAO code is a local identifier. */
const LOCATION = /^[A-Z][A-Z0-9]{3}$/

/** The most trusted ICAO code among those that fit the country. `holderOf` finds the airport that a code belongs to. */
export function agreeOnIcao(
  members: readonly Evidence[],
  country: string,
  holderOf: (icao: string) => Evidence | null,
) {
  const claims = members.filter(({ icao }) => icao !== null && LOCATION.test(icao))
  const codes = [...new Set(claims.map(({ icao }) => icao!))]
  if (codes.length === 0) return { icao: null, rule: null }
  const possible = codes.filter((icao) => {
    const holder = holderOf(icao)
    const isHolder = (member: Evidence) =>
      holder === null ||
      isSameAirport(member, holder) ||
      (holder.country === country && namesAgree(holder.name, member.name))
    return fitsCountry(icao, country) && members.some(isHolder)
  })
  const [only, second] = possible
  if (only === undefined) return { icao: null, rule: 'no code fits the country and the place: dropped' }
  if (second === undefined)
    return { icao: only, rule: codes.length === 1 ? null : 'the only code that fits the country and the place' }
  for (const source of ICAO_SOURCES) {
    const icao = claims.find((claim) => claim.source === source)?.icao
    if (icao && possible.includes(icao)) return { icao, rule: `${source} is the most trusted that names one` }
  }
  return { icao: null, rule: 'dropped' }
}
