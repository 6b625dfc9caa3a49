import { HOUR_MS } from '../../../config/domain.ts'
import { hashOf, pick, uniform } from '../model/noise.ts'
import { type Storm, severity, stormAt } from '../model/storms.ts'
import { type FaaAirport, faaAirports } from './airports.ts'

const QUARTER_HOUR_MS = 15 * 60_000
const GROUND_STOP_MS = 75 * 60_000

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
  const base = {
    airport,
    start: storm.start,
    end: storm.end,
    trend,
    extension: extensionOf(storm),
  } as const
  if (storm.peak > 0.78 && ms < storm.start + GROUND_STOP_MS)
    return [
      {
        ...base,
        kind: 'ground_stop',
        reason: storm.kind,
        end: storm.start + GROUND_STOP_MS,
        average_minutes: 0,
        least_minutes: 0,
        most_minutes: 0,
      },
    ]
  if (storm.peak > 0.6) {
    const average_minutes = Math.round(25 + 110 * now)
    return [
      {
        ...base,
        kind: 'ground_delay',
        reason: storm.kind,
        average_minutes,
        least_minutes: 0,
        most_minutes: Math.round(average_minutes * 2.3),
      },
    ]
  }
  if (now < 0.2) return []
  const range = rangeAround(15 * Math.round(1 + 2.4 * now), trend)
  const delay = { ...base, ...range, reason: WEATHER_CODES[storm.kind] }
  const both = uniform(hashOf(`${seed} legs ${airport.id}`), Math.floor(storm.start / HOUR_MS)) < 0.4
  const kinds = both ? (['arrival', 'departure'] as const) : (['departure'] as const)
  return kinds.map((kind) => ({ ...delay, kind }))
}

/** How likely the FAA says an extension of the program is. */
function extensionOf({ peak }: Storm): Program['extension'] {
  if (peak > 0.9) return 'HIGH'
  return peak > 0.8 ? 'MEDIUM' : 'LOW'
}

/** The FAA's range around an average: 1 to 15 minutes above it while delays grow, from 14 below it up to it while they shrink. */
function rangeAround(
  average_minutes: number,
  trend: Program['trend'],
): Pick<Program, 'average_minutes' | 'least_minutes' | 'most_minutes'> {
  return trend === 'Increasing'
    ? { average_minutes, least_minutes: average_minutes + 1, most_minutes: average_minutes + 15 }
    : { average_minutes, least_minutes: average_minutes - 14, most_minutes: average_minutes }
}

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
