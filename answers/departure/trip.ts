import type { Airport, Directory } from '../../config/airports/directory.ts'
import { distanceKm } from '../../config/airports/distance.ts'
import { noFlightsText } from '../../config/airports/without-flights.ts'
import { ParameterError } from '../../config/errors.ts'
import { countryInText, territoriesOf } from '../../config/reference/countries.ts'
import {
  CHECKED_WITHIN_EVIDENCE,
  CHECKED_WITHIN_SCHENGEN,
  COMMON_TRAVEL_AREA,
  COMMON_TRAVEL_AREA_EVIDENCE,
  EES_EVIDENCE,
  INSPECTED_ISLANDS,
  NO_EXIT_CONTROL,
  NO_EXIT_CONTROL_EVIDENCE,
  PRECLEARANCE_AIRPORTS,
  PRECLEARANCE_EVIDENCE,
  SVALBARD_EVIDENCE,
  US_ENTRY,
  WITHOUT_CHECKS_TO_SCHENGEN,
} from '../../config/reference/departure-steps.ts'
import {
  airlineFromAbroad,
  airlineOfUs,
  DOMESTIC_MARKETS,
  MOSTLY_DOMESTIC,
  MOSTLY_INTERNATIONAL,
  WITHOUT_DOMESTIC_FLIGHTS,
} from '../../config/reference/international-flights.ts'
import { METRO_CODES, type MetroCode } from '../../config/reference/metro-codes.ts'
import { isSchengenAirport, schengenState } from '../../config/reference/schengen-airports.ts'
import type { Lane } from '../../config/vocabulary.ts'
import { unknownCode } from '../questions/find-airport.ts'
import { airlineByCode } from '../search/find-airline.ts'

/** Something that the answer rests on and that nobody measured: the caller's, a dated page's, or taken for want of both. */
export interface Assumption {
  name: string
  value: string | number | boolean
  source: string
}

export const CALLER = 'the caller'
export const ASSUMED = 'assumed'

/** The caller's description of the trip. */
export interface TripInput {
  destination?: string | undefined
  international?: boolean | undefined
  bags: boolean | number
  lane: 'standard' | 'precheck' | 'clear' | 'priority'
  check_in?: 'online' | 'desk' | undefined
  airline?: string | undefined
  ees?: boolean | undefined
  preclearance?: boolean | undefined
}

/** A trip with everything decided that decides its steps. */
export interface Trip {
  airport: Airport
  destination: Airport | null
  international: boolean
  /** Whether it could be the other, as neither the caller, the destination nor the airline says it. */
  maybe_other_way: boolean
  /** International, and not further than short-haul closing times reach. */
  short_haul: boolean
  bags: boolean
  desk: boolean
  lane: Extract<Lane, TripInput['lane']>
  airline: string | null
  exit_control: boolean
  ees: boolean
  /** From the US Virgin Islands and Guam everybody passes the border inspection before a flight to the rest of the US. */
  us_inspection: boolean
  preclearance: boolean
  /** Whether the trip could be one to the US with preclearance, as its destination is not known. */
  maybe_preclearance: boolean
  assumptions: Assumption[]
}

const SHORT_HAUL_KM = 4_000
/** In countries with so few airports nearly every flight goes abroad. */
const FEW_AIRPORTS = 3

/** @throws ParameterError for a destination that no airport has, or that contradicts the other parameters */
export function tripOf(input: TripInput, airport: Airport, directory: Directory): Trip {
  const assumptions: Assumption[] = []
  const destination = destinationOf(input, airport, directory)
  const metro = destination && METRO_CODES.rows().find((area) => hasAirports(area, airport, destination))
  if (destination && metro)
    assumptions.push({
      name: 'destination',
      value: destination.iata,
      source: `${ASSUMED}: a flight to ${destination.iata}, though both are airports of ${metro.name}; a change between them on the ground is not planned here`,
    })
  const airline = airlineOf(input, assumptions)
  const { international, maybe_other_way } = crossesBorder(
    input,
    airport,
    destination,
    airlineFromAbroad(airline, nation(airport)),
    directory,
    assumptions,
  )
  const exit_control = hasExitControl(airport, destination, international, assumptions)
  checkPreclearance(input, airport, destination)
  const { preclearance, maybe_preclearance } = preclearanceOf(
    input,
    airport,
    international,
    destination,
    airline,
    assumptions,
  )
  const bags = input.bags === true || Number(input.bags) > 0
  if (international && !bags && input.check_in === undefined)
    assumptions.push({
      name: 'online_check_in',
      value: true,
      source: `${ASSUMED}: a desk closes long before boarding does; give check_in=desk or bags=true for who must go to one`,
    })
  return {
    airport,
    destination,
    international,
    maybe_other_way,
    short_haul: international && destination !== null && distanceKm(airport, destination) <= SHORT_HAUL_KM,
    bags,
    desk: input.check_in === 'desk',
    lane: laneAt(input.lane, airport, preclearance, assumptions),
    airline,
    exit_control,
    ees: exit_control && isRegistered(input, airport, assumptions),
    us_inspection: !international && INSPECTED_ISLANDS.has(airport.country) && destination?.country !== airport.country,
    preclearance,
    maybe_preclearance,
    assumptions,
  }
}

/** @throws ParameterError for US preclearance where there is none, or on the way to another country */
function checkPreclearance(
  { preclearance, international }: TripInput,
  { iata }: Airport,
  destination: Airport | null,
): void {
  if (preclearance !== true) return
  const error = (message: string) => ParameterError.of('preclearance', message)
  if (!PRECLEARANCE_AIRPORTS.has(iata))
    throw error(
      `there is none at ${iata}: flights to the US are precleared at ${[...PRECLEARANCE_AIRPORTS].sort().join(', ')} (${PRECLEARANCE_EVIDENCE.as_of})`,
    )
  if (destination && !US_ENTRY.has(destination.country))
    throw error(`is for flights to the US alone, and ${destination.iata} is not in the US`)
  if (international === false)
    throw error('is for flights to the US alone, which cross a border: leave out international=false')
}

/** Whether the traveller passes US immigration before departure, which few airports have on flights to the US. */
function preclearanceOf(
  input: TripInput,
  { iata }: Airport,
  international: boolean,
  destination: Airport | null,
  airline: string | null,
  assumptions: Assumption[],
): Pick<Trip, 'preclearance' | 'maybe_preclearance'> {
  const isPossible = international && PRECLEARANCE_AIRPORTS.has(iata)
  const usAirline = airlineOfUs(airline)
  const toUs = isPossible && (destination === null ? usAirline !== null : US_ENTRY.has(destination.country))
  const preclearance = input.preclearance ?? toUs
  const isUnstated = isPossible && destination === null && input.preclearance === undefined
  const assume = (source: string) => assumptions.push({ name: 'preclearance', value: preclearance, source })
  if (input.preclearance !== undefined) assume(CALLER)
  else if (isUnstated && toUs)
    assume(
      `${ASSUMED}: flights of ${usAirline} from ${iata} go there; give destination or preclearance=false for another`,
    )
  else if (isUnstated)
    assume(`${ASSUMED}: no destination was given; flights from ${iata} to the US clear US immigration here`)
  else if (preclearance) assume(PRECLEARANCE_EVIDENCE.source)
  return { preclearance, maybe_preclearance: isUnstated && !toUs }
}

const hasAirports = ({ airports }: MetroCode, ...wanted: Airport[]): boolean =>
  wanted.every((airport) => airports.some(({ iata }) => iata === airport.iata))

/** The code of the airline. @throws ParameterError for a text that names none */
function airlineOf({ airline }: TripInput, assumptions: Assumption[]): string | null {
  if (airline === undefined) return null
  const { code, name, corrected, change } = airlineByCode(airline)
  if (change !== null) assumptions.push({ name: 'airline', value: code, source: `${ASSUMED}: ${change}` })
  if (corrected) assumptions.push({ name: 'airline', value: code, source: `${ASSUMED}: if ${name} was meant` })
  return code
}

function destinationOf({ destination }: TripInput, airport: Airport, directory: Directory): Airport | null {
  if (destination === undefined) return null
  const found = directory.byIata.get(destination)
  if (!found) throw new ParameterError([{ parameter: 'destination', ...unknownCode(destination, directory) }])
  if (found === airport)
    throw ParameterError.ofNamedAirport('destination', 'must be another airport than that of departure')
  const ended = noFlightsText(found.iata)
  if (ended !== null) throw ParameterError.ofNamedAirport('destination', ended)
  return found
}

/** The country whose domestic flights an airport serves: flights between the United States and their territories are domestic. */
export const nation = ({ country }: Airport) => (territoriesOf('US').includes(country) ? 'US' : country)

/** Whether the flight crosses a border: by its destination, the caller, or its airline; else as most flights of the airport do. */
function crossesBorder(
  input: TripInput,
  airport: Airport,
  destination: Airport | null,
  foreignAirline: string | null,
  directory: Directory,
  assumptions: Assumption[],
): Pick<Trip, 'international' | 'maybe_other_way'> {
  const answer = (international: boolean, source: string, maybe_other_way = false) => {
    assumptions.push({ name: 'international', value: international, source })
    return { international, maybe_other_way }
  }
  if (destination) {
    const crosses = nation(airport) !== nation(destination)
    if (input.international !== undefined && input.international !== crosses)
      throw ParameterError.of(
        'international',
        `must be ${crosses} for a flight from ${airport.iata} to ${destination.iata}, or be left out`,
      )
    return answer(crosses, `the destination ${destination.iata}`)
  }
  if (input.international !== undefined) return answer(input.international, CALLER)
  if (input.preclearance === true) return answer(true, CALLER)
  if (foreignAirline !== null) {
    const country = countryInText(nation(airport))
    const exception = `give international=false for a flight that an airline of ${country} operates for it`
    return answer(true, `${ASSUMED}: ${foreignAirline} may not fly within ${country}; ${exception}`)
  }
  if (otherAirports(airport, directory, 1) === 0)
    return answer(
      true,
      `${airport.iata} is the only airport of ${countryInText(nation(airport))} with scheduled flights`,
    )
  if (WITHOUT_DOMESTIC_FLIGHTS.has(nation(airport)))
    return answer(true, `no scheduled flight stays within ${countryInText(nation(airport))}`)
  const isAbroad = isMostlyInternational(airport, directory)
  const why = isAbroad
    ? `most flights from ${airport.iata} cross a border; give destination or international=false for one that does not`
    : 'give destination or international=true for a flight abroad'
  return answer(isAbroad, `${ASSUMED}: ${why}`, true)
}

/** Whether most flights of an airport cross a border: where the country has hardly another airport, and at its large ones by rule. */
function isMostlyInternational(airport: Airport, directory: Directory): boolean {
  const { iata, size } = airport
  const own = nation(airport)
  if (MOSTLY_INTERNATIONAL.has(iata)) return true
  if (size === 'large' && !DOMESTIC_MARKETS.has(own) && !MOSTLY_DOMESTIC.has(iata)) return true
  return otherAirports(airport, directory, FEW_AIRPORTS) < FEW_AIRPORTS
}

/** How many other airports of its country have scheduled flights, counted up to a maximum. */
function otherAirports(airport: Airport, { all }: Directory, max: number): number {
  let others = 0
  for (const other of all) {
    if (other !== airport && other.scheduled_service && nation(other) === nation(airport)) others += 1
    if (others === max) break
  }
  return others
}

/** The page that says that passports are checked on a flight within a Schengen state, as to and from Svalbard and out of Melilla; null if they are not. */
function checkedWithinState(airport: Airport, destination: Airport | null): string | null {
  if (CHECKED_WITHIN_SCHENGEN.has(airport.iata)) return CHECKED_WITHIN_EVIDENCE.source
  const isMember = schengenState(nation(airport))?.member === true
  const crosses = isSchengenAirport(airport) !== (destination === null || isSchengenAirport(destination))
  return isMember && crosses ? SVALBARD_EVIDENCE.source : null
}

/** The page that says that no passports are checked between two places, though the flight is one abroad; null if they are. */
function freeOfChecks({ country }: Airport, destination: Airport | null): string | null {
  if (NO_EXIT_CONTROL.has(country)) return NO_EXIT_CONTROL_EVIDENCE.source
  // Nearly all flights from the islands stay within it.
  if (destination === null) return COMMON_TRAVEL_AREA.has(country) ? COMMON_TRAVEL_AREA_EVIDENCE.source : null
  const places = [country, destination.country]
  if (places.every((place) => COMMON_TRAVEL_AREA.has(place))) return COMMON_TRAVEL_AREA_EVIDENCE.source
  const [free] = places.flatMap((place) => WITHOUT_CHECKS_TO_SCHENGEN.get(place) ?? [])
  const isEither = (place: string) => WITHOUT_CHECKS_TO_SCHENGEN.has(place) || schengenState(place)?.member === true
  return free !== undefined && places.every(isEither) ? free.source : null
}

/** Whether passports are checked on the way out. Within the Schengen area they are not. */
function hasExitControl(
  airport: Airport,
  destination: Airport | null,
  international: boolean,
  assumptions: Assumption[],
): boolean {
  if (!international) {
    const source = checkedWithinState(airport, destination)
    if (source !== null) assumptions.push({ name: 'exit_passport_control', value: true, source })
    return source !== null
  }
  const free = freeOfChecks(airport, destination)
  if (free !== null) {
    assumptions.push({ name: 'exit_passport_control', value: false, source: free })
    return false
  }
  if (!isSchengenAirport(airport)) {
    assumptions.push({
      name: 'exit_passport_control',
      value: true,
      source: `${ASSUMED}: most countries check passports on the way out`,
    })
    return true
  }
  const leaves = destination === null || !isSchengenAirport(destination)
  assumptions.push({
    name: 'leaves_schengen',
    value: leaves,
    source: destination ? `the destination ${destination.iata}` : `${ASSUMED}: no destination was given`,
  })
  return leaves
}

/** Whether the Entry/Exit System registers the traveller on leaving the Schengen area. */
function isRegistered(input: TripInput, airport: Airport, assumptions: Assumption[]): boolean {
  if (!isSchengenAirport(airport) || CHECKED_WITHIN_SCHENGEN.has(airport.iata)) return false
  const source =
    input.ees === undefined
      ? `${ASSUMED}: a passport from outside the EU; give ees=false with one of the EU or Schengen, of Andorra, Monaco, San Marino or the Vatican, or as a resident of a Schengen state. ${EES_EVIDENCE.source}`
      : CALLER
  assumptions.push({ name: 'ees', value: input.ees ?? true, source })
  return input.ees ?? true
}

/** Membership of Global Entry or NEXUS includes PreCheck, so travellers who ask for its lane may have one of them. */
const NOT_KNOWN_OF_PRECLEARANCE = '; what Global Entry or NEXUS saves in US preclearance is not known here'

/** PreCheck and CLEAR exist in the US only. */
function laneAt(
  lane: TripInput['lane'],
  airport: Airport,
  preclearance: boolean,
  assumptions: Assumption[],
): Trip['lane'] {
  const isUs = nation(airport) === 'US'
  if (isUs || lane === 'standard' || lane === 'priority') return lane
  assumptions.push({
    name: 'lane',
    value: 'standard',
    source: `${ASSUMED}: the lane ${lane} exists at US airports only${preclearance && lane === 'precheck' ? NOT_KNOWN_OF_PRECLEARANCE : ''}`,
  })
  return 'standard'
}
