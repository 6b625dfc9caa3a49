import { type Airport, airportDirectory } from '../../config/airports/directory.ts'
import { isoUtc } from '../../config/domain.ts'
import type { QueueWait } from '../../config/facts.ts'
import type { DelayState } from '../../warehouse/publishing/read/delays.ts'
import type { SnapshotContent } from '../../warehouse/publishing/read/index.ts'
import type { WeatherReport } from '../../warehouse/publishing/read/weather.ts'
import { observedStatus } from '../../warehouse/publishing/waits/queue-wait.ts'

const MEASURED_AIRPORTS = 70
const DELAYED_AIRPORTS = 20

/** Large airports, as many as have a live source in a full installation. */
export const busyAirports = (): Airport[] =>
  airportDirectory()
    .all.filter(({ size, scheduled_service }) => size === 'large' && scheduled_service)
    .slice(0, MEASURED_AIRPORTS)

/** Adds what tools answer besides forecasts to a snapshot: waits of 70 airports, delays of 20, the weather of every station. */
export function withWaitsDelaysAndWeather(content: SnapshotContent): SnapshotContent {
  const now = Date.parse(content.generated_at)
  const fresh = (source: string) => ({
    basis: 'measured' as const,
    observed_at: isoUtc(now - 60_000),
    age_seconds: 60,
    source,
    freshness: 'live' as const,
  })
  const open = observedStatus('open', fresh('bench'))
  const wait: QueueWait = {
    average_wait_minutes: 14,
    unavailable_reason: null,
    ...open,
    ...fresh('bench'),
    terminals: ['1', '2', '3'].map((terminal) => ({
      terminal,
      wait_minutes: 14,
      unavailable_reason: null,
      ...open,
      ...fresh('bench'),
      checkpoints: (['standard', 'precheck'] as const).map((lane) => ({
        checkpoint: `${terminal}-${lane}`,
        lane,
        wait_minutes: 14,
        range: null,
        open: true,
        ...open,
        unavailable_reason: null,
        ...fresh('bench'),
      })),
    })),
  }
  const delayed: DelayState = {
    supported: true,
    status: 'ground_delay',
    summary: 'Ground delay: wind.',
    ...fresh('faa-nas'),
    programs: [
      {
        type: 'ground_delay',
        reason: 'wind',
        average_minutes: 42,
        min_minutes: 16,
        max_minutes: 60,
        trend: 'increasing',
        destination: null,
        start: null,
        end: isoUtc(now + 7_200_000),
      },
    ],
    closures: [],
  }
  const weather = (icao: string): WeatherReport => ({
    icao,
    observed_at: isoUtc(now - 1_800_000),
    flight_category: 'VFR',
    wind_direction_deg: 310,
    wind_kt: 18,
    wind_gust_kt: 27,
    visibility_sm: 10,
    visibility_bound: 'at_least',
    ceiling_ft: null,
    ceiling_known: true,
    temperature_c: 6,
    dewpoint_c: -3,
    weather: null,
    raw: `${icao} 211351Z 31018G27KT 10SM FEW050 06/M03 A3002`,
    source: 'awc-metar',
    age_seconds: 1_800,
    freshness: 'recent',
  })
  const { all } = airportDirectory()
  const american = all.filter(({ faa_id, size }) => faa_id !== null && size === 'large').slice(0, DELAYED_AIRPORTS)
  return {
    ...content,
    queues: busyAirports().map(({ iata }) => ({ iata, kind: 'security', wait })),
    delays: Object.fromEntries(american.map(({ iata }) => [iata, delayed])),
    quiet: { ...delayed, status: 'normal', summary: 'No FAA program.', programs: [] },
    weather: all.flatMap(({ icao }) => (icao === null ? [] : weather(icao))),
  }
}
