import { airportDirectory } from '../../config/airports/directory.ts'
import type { CheckpointWait, Provenance, QueueWait, StatusFields, TerminalWait } from '../../config/answer-schemas.ts'
import { HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import type { DelayState } from '../../warehouse/publishing/read/delays.ts'
import type { ForecastSeries } from '../../warehouse/publishing/read/forecasts.ts'
import type { WeatherReport } from '../../warehouse/publishing/read/weather.ts'
import { observedStatus } from '../../warehouse/publishing/waits/queue-wait.ts'
import { ACCURACY } from '../api/accuracy-content.ts'
import { exampleContent, NOW, THIS_HOUR } from '../api/example-snapshot.ts'
import {
  closedUntil,
  type FakeSnapshotContent,
  forecastFrom,
  healthOf,
  historyOf,
  NOTHING,
} from '../api/fake-snapshot.ts'

/** One airport for each shape that an airport can have at one instant; the pictures and the checks of all pages use them. */
export const EIGHT = {
  calm: 'SEA',
  storm: 'LGA',
  'half-closed': 'JFK',
  'single-queue': 'PIT',
  'many-gates': 'DFW',
  'no-source': 'BOS',
  'no-service': 'FRG',
  night: 'SYD',
} as const

export const WHOLE_DIRECTORY = airportDirectory()

const live = (source: string, age_seconds: number): Provenance => ({
  basis: 'measured',
  observed_at: isoUtc(NOW - age_seconds * 1_000),
  age_seconds,
  source,
  freshness: 'live',
})

/** The minutes of the lanes of a terminal by their names; a terminal that is closed has the instant of its opening. */
type Lanes = Record<string, number> | string

function terminalOf(terminal: string, lanes: Lanes, provenance: Provenance): TerminalWait {
  if (typeof lanes === 'string') {
    const closed: StatusFields = {
      ...observedStatus('closed', provenance),
      reopens_at: lanes,
      reopens_basis: 'predicted',
      reopens_days: 12,
    }
    return { terminal, wait_minutes: null, ...closed, ...provenance, unavailable_reason: 'closed', checkpoints: [] }
  }
  const open = observedStatus('open', provenance)
  const minutes = Object.values(lanes)
  const checkpoints = Object.entries(lanes).map(
    ([checkpoint, wait_minutes]): CheckpointWait => ({
      checkpoint,
      lane: 'standard',
      wait_minutes,
      open: true,
      ...open,
      ...provenance,
      observed_at: provenance.observed_at!,
      range: null,
      unavailable_reason: null,
    }),
  )
  const mean = minutes.reduce((sum, wait) => sum + wait, 0) / minutes.length
  return { terminal, wait_minutes: mean, ...open, ...provenance, unavailable_reason: null, checkpoints }
}

function queueOf(terminals: Record<string, Lanes>, provenance: Provenance): QueueWait {
  const list = Object.entries(terminals).map(([name, lanes]) => terminalOf(name, lanes, provenance))
  const lanes = list.flatMap(({ checkpoints }) => checkpoints.map(({ wait_minutes }) => wait_minutes!))
  return {
    average_wait_minutes: lanes.reduce((sum, wait) => sum + wait, 0) / lanes.length,
    ...observedStatus('open', provenance),
    ...provenance,
    unavailable_reason: null,
    terminals: list,
  }
}

/** A week whose waits rise from `low` to `high` minutes at 07:00 and 17:00 by the clock `utcOffset` hours from UTC. */
function weekOf(iata: string, low: number, high: number, utcOffset: number): ForecastSeries {
  const series = forecastFrom(iata, THIS_HOUR)
  const tenths = Array.from({ length: 168 }, (_, k) => {
    const hour = (THIS_HOUR / HOUR_MS + k + utcOffset + 24) % 24
    const rush = Math.exp(-(((hour - 7) / 2.5) ** 2)) + 0.8 * Math.exp(-(((hour - 17) / 2.5) ** 2))
    return Math.round(10 * (low + (high - low) * Math.min(1, rush)))
  })
  return Object.assign(series, {
    p10: Int16Array.from(tenths, (value) => value * 0.6),
    p50: Int16Array.from(tenths),
    p90: Int16Array.from(tenths, (value) => value * 1.6 + 10),
  })
}

/** The worldwide estimate of an airport that nothing is measured at. */
const estimateOf = (iata: string, utcOffset: number): ForecastSeries =>
  Object.assign(weekOf(iata, 3, 14, utcOffset), {
    model: {
      version: 'prior:typical-large@2026-11-21',
      trained_at: '2026-11-21T00:00:00Z',
      basis: 'typical',
      backtest: { mae_minutes: null, baseline_mae_minutes: null, coverage_80: null, samples: 0 },
    },
  })

const estimated = (minutes: number): QueueWait => ({
  ...NOTHING,
  average_wait_minutes: minutes,
  basis: 'typical',
  source: 'prior:typical-large@2026-11-21',
  unavailable_reason: null,
})

const EXAMPLE = exampleContent()
const delayOf = (example: DelayState, over: Partial<DelayState>): DelayState => ({
  ...example,
  ...live('faa-nas-status', 60),
  ...over,
})
const groundDelay = delayOf(EXAMPLE.delays!.JFK!, {
  programs: EXAMPLE.delays!.JFK!.programs.map((program) => ({
    ...program,
    reason: 'WX:Thunderstorms',
    average_minutes: 110,
    min_minutes: null,
    max_minutes: 241,
    end: '2026-11-22T07:45:00Z',
  })),
})
const quietDelays = delayOf(EXAMPLE.delays!.LGA!, {})

const weatherOf = (icao: string, over: Partial<WeatherReport>): WeatherReport => ({
  ...EXAMPLE.weather!.KJFK!,
  icao,
  ...over,
})

const DAYS = 60
const HOURS = Array.from({ length: DAYS * 24 }, (_, k) => THIS_HOUR - (DAYS * 24 - k) * HOUR_MS)
const usual = (start: number) => Math.round(60 + 140 * Math.max(0, Math.sin((((start / HOUR_MS + 19) % 24) - 4) / 5)))

const DFW_GATES = Object.fromEntries(
  Object.entries({ A: [8, 4], B: [6, 15, 7], C: [5, 9], D: [12, 10, 11], E: [4, 5] }).map(([name, minutes]) => [
    name,
    Object.fromEntries(minutes.map((wait, k) => [`${name}${12 + 9 * k}`, wait])),
  ]),
)

/** Tomorrow 03:15 in Sydney, where the instant of the snapshot is 01:20 at night. */
const SYDNEY_OPENS = '2026-11-21T16:15:00Z'

/** A source with a bad day, and one that was first requested ten days ago. */
const DAYS_OF_SOURCE = Array.from({ length: 30 }, (_, k) => (k === 22 ? 0.41 : 1 - (k % 7) / 500))
const NEW_SOURCE = Array.from({ length: 30 }, (_, k) => (k < 20 ? null : 1 - (k === 29 ? 0.3 : 0)))
const WINDOWS = ([24, 168, 720] as const).map((hours) => ({ hours, runs: hours, uptime: 0.972, freshness: 0.981 }))

/** The snapshot of the eight airports, with the records and the sources of an ordinary day. */
export const EIGHT_AIRPORTS: FakeSnapshotContent = {
  id: 'eight-airports',
  simulated: true,
  accuracy: ACCURACY,
  queues: {
    'SEA security': queueOf({ all: { 'Checkpoint 2': 6, 'Checkpoint 3': 4, 'Checkpoint 5': 5 } }, live('sea-cwt', 120)),
    'LGA security': queueOf({ A: { Main: 21 }, B: { Main: 44 }, C: { Main: 38 } }, live('panynj-graphql', 180)),
    'JFK security': queueOf(
      {
        T1: '2026-11-21T16:00:00Z',
        T4: { Main: 0 },
        T5: { Main: 0 },
        T7: '2026-11-21T16:00:00Z',
        T8: '2026-11-21T16:00:00Z',
      },
      live('panynj-graphql', 120),
    ),
    'PIT security': queueOf({ all: { all: 12 } }, live('mobi-pit', 240)),
    'DFW security': queueOf(DFW_GATES, live('mobi-dfw', 60)),
    'SYD security': closedUntil(NOW, SYDNEY_OPENS),
    'BOS security': estimated(9),
    'FRG security': estimated(9),
  },
  forecasts: [
    weekOf('SEA', 2, 18, -8),
    weekOf('LGA', 4, 34, -5),
    weekOf('JFK', 1, 22, -5),
    weekOf('PIT', 3, 16, -5),
    weekOf('DFW', 3, 19, -6),
    weekOf('SYD', 2, 24, 11),
    estimateOf('BOS', -5),
    estimateOf('FRG', -5),
  ],
  history: [
    historyOf('SEA', HOURS, usual),
    historyOf('LGA', HOURS, usual),
    historyOf('JFK', HOURS, usual),
    historyOf('JFK', HOURS, usual, 'T4'),
    historyOf('JFK', HOURS, usual, 'T5'),
    historyOf('PIT', HOURS.slice(-20), usual),
    historyOf('DFW', HOURS, usual),
  ],
  delays: {
    LGA: groundDelay,
    JFK: quietDelays,
    SEA: quietDelays,
    PIT: quietDelays,
    DFW: quietDelays,
    BOS: quietDelays,
  },
  weather: {
    KLGA: weatherOf('KLGA', { flight_category: 'IFR', visibility_sm: 1.5, ceiling_ft: 700, weather: '+TSRA BR' }),
    KJFK: weatherOf('KJFK', {}),
    KSEA: weatherOf('KSEA', {}),
    KDFW: weatherOf('KDFW', {}),
    KPIT: weatherOf('KPIT', {}),
  },
  coverage: {
    SEA: { live: true, sources: ['sea-cwt'] },
    LGA: { live: true, sources: ['panynj-graphql'] },
    JFK: { live: true, sources: ['panynj-graphql'] },
    PIT: { live: true, sources: ['mobi-pit'] },
    DFW: { live: true, sources: ['mobi-dfw'] },
    SYD: { live: true, sources: ['panynj-graphql'] },
  },
  health: [
    healthOf('panynj-graphql', { days: DAYS_OF_SOURCE, windows: WINDOWS }),
    healthOf('faa-nas-status'),
    healthOf('mobi-dfw'),
    healthOf('sea-cwt', {
      state: 'failing',
      last_error_code: 'FETCH_FAILED',
      last_error_message: 'no answer',
      days: NEW_SOURCE,
      windows: WINDOWS,
    }),
  ],
}
