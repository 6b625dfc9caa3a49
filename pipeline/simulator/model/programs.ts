import { type Airport, airportDirectory } from '../../../config/airports/directory.ts'
import { DAY_MS, HOUR_MS } from '../../../config/vocabulary.ts'
import { FAA_AIRPORTS, FLOW_AREAS, type FlowArea } from '../catalogue/index.ts'
import { hashOf, pick, uniform } from './noise.ts'
import { type Storm, severity, stormAt } from './storms.ts'

const QUARTER_HOUR_MS = 15 * 60_000
const GROUND_STOP_MS = 75 * 60_000

/** An airport whose traffic the simulated FAA manages. */
export interface FaaAirport {
  id: string
  center: string
  place: Airport
}

/** The airports that the simulated FAA manages, in the order of their ids. */
export function faaAirports(): FaaAirport[] {
  const { byFaaId } = airportDirectory()
  return FAA_AIRPORTS.map(({ faa_id, center }) => {
    const place = byFaaId.get(faa_id)
    if (!place) throw new Error(`${faa_id} is not in the airport directory`)
    return { id: faa_id, center, place }
  })
}

/** A traffic management program of the simulated FAA at an instant. Minutes are whole numbers. */
export interface Program {
  airport: FaaAirport
  kind: 'ground_stop' | 'ground_delay' | 'arrival' | 'departure'
  reason: string
  start: number
  end: number
  average_minutes: number
  least_minutes: number
  most_minutes: number
  trend: 'Increasing' | 'Decreasing'
  extension: 'LOW' | 'MEDIUM' | 'HIGH'
}

/** The reason codes of delays; ground stops and ground delays give the storm's name instead. */
const WEATHER_CODES: Record<Storm['kind'], string> = {
  thunderstorms: 'WX:Thunderstorms',
  'snow or ice': 'WX:Snow/Ice',
  'low ceilings': 'WX:Low Ceilings',
  wind: 'WX:Wind',
}
const CROWD_CODES = [
  'VOL:Volume',
  'VOL:Multi-taxi',
  'TM Initiatives:MIT:VOL',
  'TM Initiatives:MINIT:VOL',
  'RWY:Construction',
  'VOL:Compacted Demand',
]
const CROWD_CHANCE = 0.05
const CROWD_SPELL_MS = 3 * HOUR_MS

/** Every program in force at an instant: those that storms cause, and delays because of too many flights. */
export function programsAt(seed: number, ms: number): Program[] {
  return faaAirports().flatMap((airport) => {
    const storm = stormAt(seed, airport.place.iata, airport.place.latitude, ms)
    const weather = storm ? weatherPrograms(seed, airport, storm, ms) : []
    return weather.length > 0 ? weather : crowdDelays(seed, airport, ms)
  })
}

function weatherPrograms(seed: number, airport: FaaAirport, storm: Storm, ms: number): Program[] {
  const now = severity(storm, ms)
  const trend = severity(storm, ms + QUARTER_HOUR_MS) >= now ? 'Increasing' : 'Decreasing'
  const { kind: reason, start, end, peak } = storm
  const base = { airport, reason, start, end, trend, extension: extensionOf(storm) } as const
  if (peak > 0.78 && ms < start + GROUND_STOP_MS)
    return [{ ...base, ...delayOf(0, 0, 0), kind: 'ground_stop', end: start + GROUND_STOP_MS }]
  if (peak > 0.6) {
    const average = Math.round(25 + 110 * now)
    return [{ ...base, ...delayOf(average, 0, Math.round(average * 2.3)), kind: 'ground_delay' }]
  }
  if (now < 0.2) return []
  const delay = { ...base, ...rangeAround(15 * Math.round(1 + 2.4 * now), trend), reason: WEATHER_CODES[storm.kind] }
  const both = uniform(hashOf(`${seed} legs ${airport.id}`), Math.floor(start / HOUR_MS)) < 0.4
  const kinds = both ? (['arrival', 'departure'] as const) : (['departure'] as const)
  return kinds.map((kind) => ({ ...delay, kind }))
}

const delayOf = (average_minutes: number, least_minutes: number, most_minutes: number) => ({
  average_minutes,
  least_minutes,
  most_minutes,
})

/** How likely the FAA says an extension of the program is. */
function extensionOf({ peak }: Storm): Program['extension'] {
  if (peak > 0.9) return 'HIGH'
  return peak > 0.8 ? 'MEDIUM' : 'LOW'
}

/** The FAA's range around an average: 1 to 15 minutes above it while delays grow, from 14 below it up to it while they shrink. */
const rangeAround = (average: number, trend: Program['trend']) =>
  trend === 'Increasing' ? delayOf(average, average + 1, average + 15) : delayOf(average, average - 14, average)

/** A departure delay because of too many flights, for three hours at a time. */
function crowdDelays(seed: number, airport: FaaAirport, ms: number): Program[] {
  const key = hashOf(`${seed} crowd ${airport.id}`)
  const spell = Math.floor(ms / CROWD_SPELL_MS)
  const start = spell * CROWD_SPELL_MS
  const hour = new Date(ms + (airport.place.longitude / 15) * HOUR_MS).getUTCHours()
  if (hour < 6 || hour > 21 || uniform(key, spell) > CROWD_CHANCE) return []
  const trend = ms - start < CROWD_SPELL_MS / 2 ? 'Increasing' : 'Decreasing'
  const code = pick(CROWD_CODES, key ^ 1, spell)
  const reason = uniform(key ^ 2, spell) < 0.3 ? `${airport.center}/${code}` : code
  const range = rangeAround(15 * (1 + Math.floor(2 * uniform(key ^ 3, spell))), trend)
  return [{ airport, kind: 'departure', reason, start, end: start + CROWD_SPELL_MS, ...range, trend, extension: 'LOW' }]
}

/** An airspace flow program, or (rarely) a CTOP, with the shape of its area. */
export interface Flow extends FlowArea {
  kind: 'afp' | 'ctop'
  reason: string
  start: number
  end: number
  average_minutes: number
}

/** The flow programs in force at an instant: one or two on some afternoons, none on most days. */
export function flowsAt(seed: number, ms: number): Flow[] {
  const day = Math.floor(ms / DAY_MS)
  return FLOW_AREAS.flatMap((area) => {
    const key = hashOf(`${seed} flow ${area.name}`)
    if (uniform(key, day) > 0.22) return []
    const start = day * DAY_MS + (15 + Math.floor(3 * uniform(key ^ 1, day))) * HOUR_MS
    const end = start + (3 + Math.floor(4 * uniform(key ^ 2, day))) * HOUR_MS - 60_000
    if (ms < start || ms > end) return []
    const kind = uniform(key ^ 3, day) < 0.1 ? 'ctop' : 'afp'
    const reason = pick(['thunderstorms', 'airport volume', 'other', 'equipment outage'], key ^ 4, day)
    return [{ ...area, kind, reason, start, end, average_minutes: Math.round(15 + 45 * uniform(key ^ 5, day)) }]
  })
}
