import { HOUR_MS } from '../../../config/domain.ts'
import { chance, keyOf, pick } from '../model/noise.ts'
import { type Storm, severity, stormAt } from '../model/storms.ts'
import { type FaaAirport, faaAirports } from './airports.ts'

const MINUTE = 60_000
const QUARTER = 15 * MINUTE
const STOP_LASTS = 75 * MINUTE

/** A traffic management program as the simulated FAA runs it at an instant. Minutes are whole. */
export interface Program {
  airport: FaaAirport
  kind: 'ground_stop' | 'ground_delay' | 'arrival' | 'departure'
  reason: string
  start: number
  end: number
  average: number
  least: number
  most: number
  trend: 'Increasing' | 'Decreasing'
  extension: 'LOW' | 'MEDIUM' | 'HIGH'
}

/** The code that delays bear, where programs bear the storm's own words. */
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
const CROWD_SPELL = 3 * HOUR_MS

/** Every program in force at an instant: what storms cause, and delays of plain crowding. */
export function programsAt(seed: number, ms: number): Program[] {
  return faaAirports().flatMap((airport) => {
    const storm = stormAt(seed, airport.place.iata, airport.place.latitude, ms)
    const weather = storm ? weatherPrograms(seed, airport, storm, ms) : []
    return weather.length > 0 ? weather : crowdDelays(seed, airport, ms)
  })
}

function weatherPrograms(seed: number, airport: FaaAirport, storm: Storm, ms: number): Program[] {
  const now = severity(storm, ms)
  const trend = severity(storm, ms + QUARTER) >= now ? 'Increasing' : 'Decreasing'
  const base = { airport, start: storm.start, end: storm.end, trend } as const
  const extension: Program['extension'] = storm.peak > 0.9 ? 'HIGH' : storm.peak > 0.8 ? 'MEDIUM' : 'LOW'
  if (storm.peak > 0.78 && ms < storm.start + STOP_LASTS)
    return [
      {
        ...base,
        kind: 'ground_stop',
        reason: storm.kind,
        end: storm.start + STOP_LASTS,
        average: 0,
        least: 0,
        most: 0,
        extension,
      },
    ]
  if (storm.peak > 0.6) {
    const average = Math.round(25 + 110 * now)
    const most = Math.round(average * 2.3)
    return [{ ...base, kind: 'ground_delay', reason: storm.kind, average, least: 0, most, extension }]
  }
  if (now < 0.2) return []
  const band = bandOf(15 * Math.round(1 + 2.4 * now), trend)
  const delay = { ...base, ...band, reason: WEATHER_CODES[storm.kind], extension }
  const both = chance(keyOf(`${seed} legs ${airport.id}`), Math.floor(storm.start / HOUR_MS)) < 0.4
  const kinds = both ? (['arrival', 'departure'] as const) : (['departure'] as const)
  return kinds.map((kind) => ({ ...delay, kind }))
}

/** The FAA's band around an average: 1 to 15 minutes above it while delays grow, 14 below it to itself while they shrink. */
function bandOf(average: number, trend: Program['trend']): Pick<Program, 'average' | 'least' | 'most'> {
  return trend === 'Increasing'
    ? { average, least: average + 1, most: average + 15 }
    : { average, least: average - 14, most: average }
}

function crowdDelays(seed: number, airport: FaaAirport, ms: number): Program[] {
  const key = keyOf(`${seed} crowd ${airport.id}`)
  const spell = Math.floor(ms / CROWD_SPELL)
  const start = spell * CROWD_SPELL
  const hour = new Date(ms + (airport.place.longitude / 15) * HOUR_MS).getUTCHours()
  if (hour < 6 || hour > 21 || chance(key, spell) > CROWD_CHANCE) return []
  const trend = ms - start < CROWD_SPELL / 2 ? 'Increasing' : 'Decreasing'
  const code = pick(CROWD_CODES, key ^ 1, spell)
  const reason = chance(key ^ 2, spell) < 0.3 ? `${airport.center}/${code}` : code
  const band = bandOf(15 * (1 + Math.floor(2 * chance(key ^ 3, spell))), trend)
  return [{ airport, kind: 'departure', reason, start, end: start + CROWD_SPELL, ...band, trend, extension: 'LOW' }]
}
