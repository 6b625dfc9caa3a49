import type { Airport } from '../../../config/airports/directory.ts'
import { HOUR_MS, MINUTE_MS } from '../../../config/domain.ts'
import { stormAt, stormsBetween } from '../model/storms.ts'
import { cloudCode, dayTime, isMetric, visibilityCode, windCode } from './report-codes.ts'
import { type Sky, skyAt } from './sky.ts'

const SIX_HOURS_MS = 6 * HOUR_MS
const LENGTH_MS = 30 * HOUR_MS

interface Period {
  from: number
  to: number
  sky: Sky
}

/** The newest TAF of an airport at an instant, in the schema of the Aviation Weather Center, with its nulls. */
export function tafOf(seed: number, airport: Airport, ms: number): object {
  const from = Math.floor((ms + 40 * MINUTE_MS) / SIX_HOURS_MS) * SIX_HOURS_MS
  const issued = from - 40 * MINUTE_MS
  const periods = periodsOf(seed, airport, from)
  return {
    icaoId: airport.icao,
    dbPopTime: new Date(issued + 20_000).toISOString(),
    bulletinTime: new Date(issued).toISOString(),
    issueTime: new Date(issued).toISOString(),
    validTimeFrom: from / 1_000,
    validTimeTo: (from + LENGTH_MS) / 1_000,
    rawTAF: rawTaf(airport, issued, from, periods),
    mostRecent: 1,
    remarks: '',
    lat: airport.latitude,
    lon: airport.longitude,
    elev: Math.round((airport.elevation_ft ?? 0) * 0.3048),
    prior: 0,
    name: airport.city ?? airport.name,
    fcsts: periods.map(forecast),
  }
}

/** A new period begins when a storm begins, is strongest, or ends: the simulated forecaster is never wrong. */
function periodsOf(seed: number, airport: Airport, from: number): Period[] {
  const storms = stormsBetween(seed, airport.iata, airport.latitude, from, from + LENGTH_MS)
  const changes = storms.flatMap(({ start, end }) => [start, start + (end - start) * 0.2, end])
  const hours = changes
    .map((at) => Math.round(at / HOUR_MS) * HOUR_MS)
    .filter((at) => at > from && at < from + LENGTH_MS)
  const starts = [...new Set([from, ...hours])].sort((a, b) => a - b)
  return starts.map((start, at) => {
    const to = starts[at + 1] ?? from + LENGTH_MS
    const middle = start + Math.min(HOUR_MS, (to - start) / 2)
    return { from: start, to, sky: skyAt(seed, airport, stormAt(seed, airport.iata, airport.latitude, middle), middle) }
  })
}

const dayHour = (ms: number) => dayTime(ms).slice(0, 4)

function rawTaf(airport: Airport, issued: number, from: number, periods: Period[]): string {
  const metric = isMetric(airport.country)
  const groups = periods.map(({ sky, from: start }, at) =>
    [
      at === 0 ? '' : `FM${dayTime(start).slice(0, 6)}`,
      windCode(sky),
      visibilityCode(sky.visibility_sm, metric, 'P6SM'),
      sky.weather,
      cloudCode(sky),
    ]
      .filter(Boolean)
      .join(' '),
  )
  return `TAF ${airport.icao} ${dayTime(issued)} ${dayHour(from)}/${lastHour(from + LENGTH_MS)} ${groups.join(' ')}`
}

/** A TAF that ends at midnight ends at hour 24 of the day before. */
function lastHour(ms: number): string {
  return new Date(ms).getUTCHours() === 0 ? `${dayTime(ms - HOUR_MS).slice(0, 2)}24` : dayHour(ms)
}

function forecast({ from, to, sky }: Period, at: number): object {
  return {
    timeFrom: from / 1_000,
    timeTo: to / 1_000,
    timeBec: null,
    fcstChange: at === 0 ? null : 'FM',
    probability: null,
    wdir: sky.wind_direction_deg,
    wspd: sky.wind_kt,
    wgst: sky.wind_gust_kt,
    wshearHgt: null,
    wshearDir: null,
    wshearSpd: null,
    visib: sky.visibility_sm >= 7 ? '6+' : sky.visibility_sm,
    altim: null,
    vertVis: null,
    wxString: sky.weather,
    notDecoded: null,
    clouds: sky.clouds.map((cloud) => ({ ...cloud, type: null })),
    icgTurb: [],
    temp: [],
  }
}
