import type { Airport } from '../../../config/airports/directory.ts'
import { HOUR_MS, MINUTE_MS } from '../../../config/domain.ts'
import { hashOf, uniform } from '../model/noise.ts'
import { stormAt } from '../model/storms.ts'
import {
  cloudCode,
  dayTime,
  isMetric,
  pressureCode,
  temperatureCode,
  visibilityCode,
  windCode,
} from './report-codes.ts'
import { categoryOf, type Sky, skyAt } from './sky.ts'

/** A report reaches the service this long after it was observed. */
const DELIVERY_MS = 4 * MINUTE_MS

/** The newest METAR of an airport at an instant, in the schema of the Aviation Weather Center since September 2025. */
export function metarOf(seed: number, airport: Airport, ms: number): object {
  const minute = 50 + Math.floor(7 * uniform(hashOf(`${seed} metar ${airport.iata}`), 0))
  const observed = Math.floor((ms - DELIVERY_MS - minute * MINUTE_MS) / HOUR_MS) * HOUR_MS + minute * MINUTE_MS
  const sky = skyAt(seed, airport, stormAt(seed, airport.iata, airport.latitude, observed), observed)
  return {
    icaoId: airport.icao,
    receiptTime: new Date(observed + 3.4 * MINUTE_MS).toISOString(),
    obsTime: observed / 1_000,
    reportTime: new Date(Math.round(observed / HOUR_MS) * HOUR_MS).toISOString(),
    temp: sky.temperature_c,
    dewp: sky.dewpoint_c,
    wdir: sky.wind_kt === 0 ? 0 : sky.wind_direction_deg,
    wspd: sky.wind_kt,
    ...(sky.wind_gust_kt === null ? {} : { wgst: sky.wind_gust_kt }),
    visib: sky.visibility_sm >= 10 ? '10+' : sky.visibility_sm,
    altim: sky.pressure_hpa,
    slp: sky.pressure_hpa,
    qcField: 4,
    ...(sky.weather === null ? {} : { wxString: sky.weather }),
    metarType: 'METAR',
    rawOb: rawMetar(airport, sky, observed),
    lat: airport.latitude,
    lon: airport.longitude,
    elev: Math.round((airport.elevation_ft ?? 0) * 0.3048),
    name: `${airport.city ?? airport.name}, ${airport.country}`,
    cover: sky.clouds.at(-1)?.cover ?? 'CLR',
    clouds: sky.clouds,
    fltCat: categoryOf(sky),
  }
}

function rawMetar(airport: Airport, sky: Sky, observed: number): string {
  const metric = isMetric(airport.country)
  const groups = [
    'METAR',
    airport.icao,
    dayTime(observed),
    windCode(sky),
    visibilityCode(sky.visibility_sm, metric, '10SM'),
    sky.weather,
    cloudCode(sky),
    temperatureCode(sky),
    pressureCode(sky, metric),
    metric ? 'NOSIG' : 'RMK AO2',
  ]
  return groups.filter(Boolean).join(' ')
}
