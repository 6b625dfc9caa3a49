import { z } from 'zod'
import {
  type QueueWait,
  type SourceFigure,
  statusFields,
  type TerminalWait,
  UNKNOWN_STATUS,
} from '../../config/answer-schemas.ts'
import { HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import type { Accuracy } from '../../warehouse/publishing/read/accuracy.ts'
import { boundByClosures } from '../../warehouse/publishing/read/airport-closures.ts'
import { type BorderForecast, borderForecasts } from '../../warehouse/publishing/read/border-forecasts.ts'
import type { Closure, DelayState } from '../../warehouse/publishing/read/delays.ts'
import type { FactCoverage } from '../../warehouse/publishing/read/fact-coverage.ts'
import type { ForecastSeries } from '../../warehouse/publishing/read/forecasts.ts'
import type { HistorySeries } from '../../warehouse/publishing/read/history.ts'
import type { AirportMap } from '../../warehouse/publishing/read/maps.ts'
import { noWaitText } from '../../warehouse/publishing/read/no-wait.ts'
import { readTime } from '../../warehouse/publishing/read/read-time.ts'
import type { SourceHealth } from '../../warehouse/publishing/read/source-health.ts'
import type { TafForecast, WeatherReport } from '../../warehouse/publishing/read/weather.ts'
import type { AirportAlerts, KnownZones, WeatherAlert } from '../../warehouse/publishing/read/weather-alerts.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { UNKNOWN_OPEN } from '../../warehouse/publishing/waits/learned-hours.ts'
import { observedStatus } from '../../warehouse/publishing/waits/queue-wait.ts'
import { NO_ACCURACY } from '../warehouse/snapshot-content.ts'

export const NOTHING: QueueWait = {
  average_wait_minutes: null,
  ...UNKNOWN_STATUS,
  unavailable_reason: 'no source covers this queue',
  terminals: [],
  basis: null,
  observed_at: null,
  age_seconds: null,
  source: null,
  freshness: null,
}

/** A queue that was seen closed three minutes ago and opens as on the days before. */
export const closedUntil = (generatedMs: number, reopens_at: string): QueueWait => ({
  ...NOTHING,
  ...UNKNOWN_STATUS,
  status: 'closed',
  status_basis: 'measured',
  status_observed_at: isoUtc(generatedMs - 180_000),
  status_age_seconds: 180,
  status_source: 'panynj-graphql',
  reopens_at,
  reopens_basis: 'predicted',
  reopens_days: 12,
  basis: 'measured',
  observed_at: isoUtc(generatedMs - 180_000),
  age_seconds: 180,
  source: 'panynj-graphql',
  freshness: 'live',
  unavailable_reason: 'closed',
})

/** A queue that was seen closed three minutes ago, and nobody knows when it opens. */
export const closedUnknown = (generatedMs: number): QueueWait =>
  Object.assign(closedUntil(generatedMs, ''), { reopens_at: null, reopens_basis: null, reopens_days: null })

/** Security whose standard lanes are closed while PreCheck is open at T4. */
export function preCheckOnly(generatedMs: number, minutes: number, reopens_at: string | null = null): QueueWait {
  const closed = {
    ...closedUnknown(generatedMs),
    reopens_at,
    reopens_basis: reopens_at === null ? null : ('measured' as const),
  }
  const { terminals, basis, observed_at, age_seconds, source, freshness } = measured(generatedMs, minutes)
  const lane = z.object(statusFields).parse(closed)
  return {
    ...closed,
    basis,
    observed_at,
    age_seconds,
    source,
    freshness,
    terminals: terminals.map((terminal) => ({
      ...terminal,
      wait_minutes: null,
      unavailable_reason: 'only PreCheck is open',
      checkpoints: terminal.checkpoints.flatMap((open) => [
        { ...open, ...lane, wait_minutes: null, open: false, range: null, unavailable_reason: 'closed' },
        { ...open, lane: 'precheck' as const },
      ]),
    })),
  }
}

/** A closure to airlines from 23:00 to 06:30 by the clock of Aspen, until the end of November. */
export const CLOSED_AT_NIGHT: Closure = {
  reason: null,
  start: '2026-11-01T06:00:00Z',
  end: '2026-11-30T13:30:00Z',
  closed_to_airlines: true,
  closed_hours_utc: '0600-1330',
  closed_hours_local: 'every night from 23:00 to 06:30',
  in_force: false,
}

/** The forecast of the arrivals at JFK from an hour on: a week alike at all hours. */
export const borderForecastFrom = (start_ms: number, over: Partial<BorderForecast> = {}): BorderForecast => ({
  iata: 'JFK',
  terminal: '',
  direction: null,
  basis: 'predicted',
  version: 'model:JFK@2026-11-20T04Z',
  trained_at: '2026-11-20T04:00:00Z',
  start_ms,
  hours: Array.from({ length: 168 }, () => ({ p10: 9.4, p50: 17.2, p90: 31, samples: 25, confidence: 0.48 })),
  backtest: { mae_minutes: 6.1, baseline_mae_minutes: 6.5, coverage_80: 0.79, within_5: 0.5, samples: 900 },
  note: null,
  ...over,
})

/** A measured wait, two minutes old, with one terminal. */
export function measured(generatedMs: number, minutes: number, source = 'panynj'): QueueWait {
  const provenance = {
    basis: 'measured' as const,
    observed_at: isoUtc(generatedMs - 120_000),
    age_seconds: 120,
    source,
    freshness: 'live' as const,
  }
  const status = observedStatus('open', provenance)
  const terminal: TerminalWait = {
    terminal: 'T4',
    wait_minutes: minutes,
    ...status,
    ...provenance,
    unavailable_reason: null,
    checkpoints: [
      {
        checkpoint: 'Main',
        lane: 'standard',
        wait_minutes: minutes,
        open: true,
        ...status,
        ...provenance,
        range: { low: 10, high: null },
        unavailable_reason: null,
      },
    ],
  }
  return {
    average_wait_minutes: minutes,
    ...status,
    unavailable_reason: null,
    terminals: [terminal],
    ...provenance,
  }
}

/** A forecast of 168 hours whose median in minutes is the number of the hour, from 0. */
export function forecastFrom(iata: string, startMs: number, terminal = '', hours = 168): ForecastSeries {
  const counted = Array.from({ length: hours }, (_, hour) => hour * 10)
  return {
    iata,
    terminal,
    start_ms: startMs,
    p10: Int16Array.from(counted, (tenths) => tenths - 20),
    p50: Int16Array.from(counted),
    p90: Int16Array.from(counted, (tenths) => tenths + 54),
    confidence: new Uint8Array(hours).fill(73),
    adjusted_to: null,
    open: new Uint8Array(hours).fill(UNKNOWN_OPEN),
    model: {
      version: `model:${iata}@2026-11-20T04Z`,
      trained_at: '2026-11-20T04:00:00Z',
      basis: 'predicted',
      backtest: { mae_minutes: 3.2, baseline_mae_minutes: 4.1, coverage_80: 0.81, samples: 5_000 },
    },
  }
}

/** Observed hours, each with a mean of `mean` tenths of a minute. */
export function historyOf(
  iata: string,
  startsMs: number[],
  mean: (start: number) => number,
  terminal = '',
): HistorySeries {
  const tenths = startsMs.map(mean)
  return {
    iata,
    terminal,
    hour: Int32Array.from(startsMs, (start) => start / HOUR_MS),
    mean: Int16Array.from(tenths),
    p50: Int16Array.from(tenths),
    p90: Int16Array.from(tenths, (value) => value + 30),
    max: Int16Array.from(tenths, (value) => value + 60),
    samples: new Int32Array(startsMs.length).fill(12),
    source: new Uint16Array(startsMs.length),
    sources: ['panynj'],
  }
}

export const UNSUPPORTED: DelayState = {
  supported: false,
  status: 'unknown',
  unavailable_reason: 'The FAA does not cover this airport.',
  programs: [],
  closures: [],
  basis: null,
  observed_at: null,
  age_seconds: null,
  source: null,
  freshness: null,
}

/** A healthy source without further figures. */
export function healthOf(source: string, over: Partial<SourceHealth> = {}): SourceHealth {
  return {
    source,
    state: 'healthy',
    since: null,
    reason: null,
    last_success_at: null,
    newest_observed_at: null,
    content_changed_at: null,
    rows: null,
    usual_rows: null,
    last_error_code: null,
    last_error_message: null,
    windows: [],
    ...over,
  }
}

/** What a fake snapshot holds; everything that is not given is absent. */
export interface FakeSnapshotContent {
  id?: string
  simulated?: boolean
  queues?: Record<string, QueueWait>
  forecasts?: ForecastSeries[]
  history?: HistorySeries[]
  borderForecasts?: BorderForecast[]
  accuracy?: Accuracy
  delays?: Record<string, DelayState>
  flowPrograms?: ReturnType<Snapshot['flowPrograms']>
  weather?: Record<string, WeatherReport>
  ownForecastsEnd?: number
  tafs?: Record<string, TafForecast>
  figuresBySource?: Record<string, SourceFigure[]>
  weatherAlerts?: Record<string, AirportAlerts>
  knownAlertZones?: KnownZones
  maps?: AirportMap[]
  screened?: Record<string, Record<string, number>>
  health?: SourceHealth[]
  coverage?: Record<string, { live: boolean; sources: string[] }>
  facts?: Record<string, FactCoverage[]>
}

/** A snapshot in memory. Queues are keyed "JFK security"; series by airport and terminal. */
export function fakeSnapshot(generatedMs: number, content: FakeSnapshotContent = {}): Snapshot {
  const find = <T extends { iata: string; terminal: string }>(list: T[] | undefined, iata: string, terminal = '') =>
    list?.find((series) => series.iata === iata && series.terminal === terminal) ?? null
  const terminalsOf = (list: { iata: string; terminal: string }[] | undefined, iata: string) =>
    (list ?? []).filter((series) => series.iata === iata && series.terminal !== '').map((series) => series.terminal)
  const snapshot: Snapshot = {
    asOf(this: Snapshot) {
      return this
    },
    id: content.id ?? `snapshot-${generatedMs}`,
    generated_at: isoUtc(generatedMs),
    generated_ms: generatedMs,
    simulated: content.simulated ?? false,
    openingHours: () => null,
    mayHaveOwnWait: () => true,
    whyNoWait: (iata, queue) => noWaitText({ iata, queue, sources: [], hadWait: false }, ({ id }) => id),
    queue: (iata, kind) => content.queues?.[`${iata} ${kind}`] ?? NOTHING,
    figuresBySource: (iata, kind) => content.figuresBySource?.[`${iata} ${kind}`] ?? [],
    forecast(iata, terminal) {
      const series = find(content.forecasts, iata, terminal)
      return series && boundByClosures(series, content.delays?.[iata]?.closures ?? [])
    },
    ownForecastsEnd: content.ownForecastsEnd ?? null,
    terminals: (iata) => terminalsOf(content.forecasts, iata),
    history: (iata, terminal) => find(content.history, iata, terminal),
    historyTerminals: (iata) => terminalsOf(content.history, iata),
    ...borderForecasts.read(
      borderForecasts.index({ border_forecasts: content.borderForecasts ?? [] }),
      readTime(generatedMs, generatedMs),
    ),
    accuracy: () => content.accuracy ?? NO_ACCURACY,
    accuracyOf: (iata) => (content.accuracy?.records ?? []).filter((record) => record.iata === iata),
    backtestOf: (iata) => content.accuracy?.backtests.find((backtest) => backtest.iata === iata) ?? null,
    delays: (iata) => content.delays?.[iata] ?? UNSUPPORTED,
    flowPrograms: () => content.flowPrograms ?? [],
    delayedAirports: () =>
      Object.entries(content.delays ?? {})
        .filter(([, { programs, closures }]) => programs.length + closures.length > 0)
        .map(([iata]) => iata),
    weather: (icao) => (icao === null ? null : (content.weather?.[icao] ?? null)),
    taf: (icao) => (icao === null ? null : (content.tafs?.[icao] ?? null)),
    weatherAlerts: (iata) => content.weatherAlerts?.[iata] ?? null,
    airportsWithAlerts: () => Object.keys(content.weatherAlerts ?? {}),
    knownAlertZones: () => content.knownAlertZones ?? null,
    screened: (country) => content.screened?.[country] ?? {},
    map: (iata) => content.maps?.find((map) => map.iata === iata) ?? null,
    sourceHealth: () => content.health ?? [],
    coverage: (iata) => content.coverage?.[iata] ?? { live: false, sources: [] },
    facts: (iata) => content.facts?.[iata] ?? [],
  }
  return snapshot
}

/** An alert as the snapshot holds it: a blizzard from an hour before to ten hours after an instant (epoch ms). */
export const fakeAlert = (now: number, over: Partial<WeatherAlert> = {}): WeatherAlert => ({
  event: 'Blizzard Warning',
  effect: 'stops',
  severity: 'Extreme',
  onset: isoUtc(now - HOUR_MS),
  ends: isoUtc(now + 10 * HOUR_MS),
  message_expires: isoUtc(now + 4 * HOUR_MS),
  headline: null,
  ...over,
})

/** The alerts of an airport as of a list read a minute before an instant (epoch ms). */
export const fakeAlerts = (now: number, alerts: WeatherAlert[]): AirportAlerts => ({
  alerts,
  basis: 'measured',
  observed_at: isoUtc(now - 60_000),
  age_seconds: 60,
  source: 'nws-alerts',
  freshness: 'live',
  unavailable_reason: null,
})
