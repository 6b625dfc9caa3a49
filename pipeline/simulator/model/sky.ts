import type { Airport } from '../../../config/airports/directory.ts'
import { DAY_MS, type FlightCategory, HOUR_MS } from '../../../config/vocabulary.ts'
import { hashOf, smoothNoise, uniform } from './noise.ts'
import { type Storm, severity } from './storms.ts'

export interface Cloud {
  cover: 'FEW' | 'SCT' | 'BKN' | 'OVC'
  /** Feet above ground. */
  base: number
}

/** The weather over an airport, in the units of reports and forecasts. */
export interface Sky {
  wind_direction_deg: number
  wind_kt: number
  wind_gust_kt: number | null
  /** Statute miles; 10 stands for ten or more. */
  visibility_sm: number
  weather: string | null
  clouds: Cloud[]
  temperature_c: number
  dewpoint_c: number
  pressure_hpa: number
}

const hundreds = (feet: number) => Math.max(100, Math.round(feet / 100) * 100)

/** The weather at an instant, given the storm over the airport (null in fair weather). */
export function skyAt(seed: number, airport: Airport, storm: Storm | null, ms: number): Sky {
  const key = hashOf(`${seed} sky ${airport.iata}`)
  const hours = ms / HOUR_MS
  const bad = severity(storm, ms)
  const season = Math.cos((2 * Math.PI * (ms / DAY_MS - 200)) / 365.25) * Math.sign(airport.latitude || 1)
  const solar = Math.cos((2 * Math.PI * (hours + airport.longitude / 15 - 15)) / 24)
  const lat = Math.abs(airport.latitude)
  const mean = 28 - 0.45 * lat + season * (2 + lat / 5) + 4 * smoothNoise(key, hours / 70)
  const cold = storm?.kind === 'snow or ice'
  const temperature = Math.round(cold ? Math.min(0, mean + solar) : mean + solar * (5 - 3 * bad))
  const wind = 3 + 9 * uniform(key ^ 1, Math.floor(hours / 3)) + (storm ? 10 * bad : 0)
  const gusty = storm !== null && (storm.kind === 'wind' || storm.kind === 'thunderstorms') && bad > 0.2
  return {
    wind_direction_deg: 10 * (1 + Math.floor(36 * (0.5 + 0.499 * smoothNoise(key ^ 2, hours / 20)))),
    wind_kt: Math.round(storm?.kind === 'wind' ? wind + 12 * bad : wind),
    wind_gust_kt: gusty ? Math.round(wind + 14 + 16 * bad) : null,
    temperature_c: temperature,
    dewpoint_c:
      temperature - Math.round(storm && storm.kind !== 'wind' ? 1 : 4 + 8 * uniform(key ^ 3, Math.floor(hours / 6))),
    pressure_hpa: Math.round((1016 + 9 * smoothNoise(key ^ 4, hours / 60) - 8 * bad) * 10) / 10,
    ...visibilityAndClouds(storm, bad, key, hours),
  }
}

type Look = Pick<Sky, 'visibility_sm' | 'weather' | 'clouds'>

/** Visibility and weather of a storm, from each severity on, the worst first; wind changes neither. */
const LEVELS: Record<Exclude<Storm['kind'], 'wind'>, [above: number, visibility_sm: number, weather: string][]> = {
  'low ceilings': [
    [0.8, 0.5, 'FG'],
    [0.6, 2, 'FG'],
    [0.4, 4, 'BR'],
    [0, 7, 'BR'],
  ],
  'snow or ice': [
    [0.7, 0.5, '+SN'],
    [0.4, 1.5, 'SN'],
    [0, 4, '-SN'],
  ],
  thunderstorms: [
    [0.6, 2, '+TSRA'],
    [0.3, 5, 'TSRA'],
    [0, 10, 'VCTS'],
  ],
}

function visibilityAndClouds(storm: Storm | null, bad: number, key: number, hours: number): Look {
  if (storm === null || storm.kind === 'wind' || bad < 0.1) return fairLook(key, hours)
  const [, visibility_sm, weather] = LEVELS[storm.kind].find(([above]) => bad > above)!
  const bases = { 'low ceilings': 1_800 - 1_700 * bad, 'snow or ice': 2_200 - 1_700 * bad, thunderstorms: 9_000 }
  const overcast: Cloud = { cover: 'OVC', base: hundreds(bases[storm.kind]) }
  const broken: Cloud = { cover: 'BKN', base: hundreds(4_500 - 2_500 * bad) }
  return { visibility_sm, weather, clouds: storm.kind === 'thunderstorms' ? [broken, overcast] : [overcast] }
}

function fairLook(key: number, hours: number): Look {
  const high: Cloud = { cover: 'BKN', base: 20_000 + 1_000 * Math.floor(6 * uniform(key ^ 5, Math.floor(hours / 4))) }
  const fair = uniform(key ^ 6, Math.floor(hours / 3))
  const low: Cloud = { cover: fair < 0.3 ? 'SCT' : 'FEW', base: hundreds(3_500 + 9_000 * fair) }
  return { visibility_sm: 10, weather: null, clouds: fair > 0.8 ? [{ ...high, cover: 'FEW' }] : [low, high] }
}

/** Flight category by the table of the Aviation Weather Center. */
export function categoryOf(sky: Sky): FlightCategory {
  const ceilings = sky.clouds
    .filter((cloud) => cloud.cover === 'BKN' || cloud.cover === 'OVC')
    .map((cloud) => cloud.base)
  const ceiling = Math.min(...ceilings, 99_999)
  const { visibility_sm } = sky
  if (ceiling < 500 || visibility_sm < 1) return 'LIFR'
  if (ceiling < 1_000 || visibility_sm < 3) return 'IFR'
  return ceiling <= 3_000 || visibility_sm <= 5 ? 'MVFR' : 'VFR'
}
