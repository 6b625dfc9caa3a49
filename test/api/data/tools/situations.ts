import { airportDirectory } from '../../../../config/airports/directory.ts'
import type { QueueWait } from '../../../../config/answers.ts'
import { HOUR_MS, isoUtc } from '../../../../config/domain.ts'
import { unseenImmigration } from '../../../../forecasting/prior/immigration.ts'
import type { BorderForecast } from '../../../../warehouse/publishing/read/border-forecasts.ts'
import { exampleContent, NOW, THIS_HOUR } from '../../example-snapshot.ts'
import { type FakeSnapshotContent, forecastFrom, historyOf, measured } from '../../fake-snapshot.ts'

/** Situations that a traveller may be in, and arguments for each tool: what the answers of all tools are tested with. */

const TERMINALS = ['1', '2', '4', '5', '7', '8', 'Terminal North of the New Building', 'T9']

/** A queue of many terminals with six lanes each. */
export function large(): QueueWait {
  const wait = measured(NOW, 14)
  const [terminal] = wait.terminals
  const [checkpoint] = terminal!.checkpoints
  const lanes = (['standard', 'precheck', 'clear', 'priority', 'family', 'crew'] as const).map((lane) =>
    Object.assign({ ...checkpoint! }, { lane, checkpoint: `Checkpoint ${lane} of the hall` }),
  )
  const terminals = TERMINALS.map((name) => Object.assign({ ...terminal! }, { terminal: name, checkpoints: lanes }))
  return { ...wait, terminals }
}

const closed: Partial<QueueWait> = {
  average_wait_minutes: null,
  status: 'closed',
  unavailable_reason: 'closed',
  reopens_at: isoUtc(NOW + 5 * HOUR_MS),
  reopens_basis: 'predicted',
  terminals: [],
}

const codes = airportDirectory()
  .all.filter(({ country, size }) => country === 'US' && size === 'large')
  .map(({ iata }) => iata)

function storm(): FakeSnapshotContent {
  const { delays, weather, tafs } = exampleContent()
  const jfk = delays!.JFK!
  const [program] = jfk.programs
  const programs = (['ground_stop', 'ground_delay', 'arrival_delay', 'departure_delay'] as const).map((type) =>
    Object.assign({ ...program! }, { type, reason: 'THUNDERSTORMS AND LOW CEILINGS AND RUNWAY CONSTRUCTION' }),
  )
  const closure = {
    reason: 'RWY 04L/22R CLSD DUE TO SNOW REMOVAL AND DISABLED AIRCRAFT',
    start: isoUtc(NOW),
    end: isoUtc(NOW + 9 * HOUR_MS),
    closed_to_airlines: true,
    closed_hours_utc: '1000-1300',
    in_force: true,
  }
  const state = Object.assign(
    { ...jfk },
    { programs, closures: Array(6).fill(closure), status: 'ground_stop' as const },
  )
  const taf = tafs!.KJFK!
  return {
    delays: Object.fromEntries(['JFK', 'LGA', ...codes].map((code) => [code, state])),
    weather: { KJFK: Object.assign({ ...weather!.KJFK! }, { flight_category: 'LIFR' as const, weather: '+TSRA FG' }) },
    tafs: { KJFK: Object.assign({ ...taf }, { periods: Array(14).fill(taf.periods[1]) }) },
  }
}

function full(): FakeSnapshotContent {
  const hours = Array.from({ length: 90 * 24 }, (_, at) => THIS_HOUR - (90 * 24 - at) * HOUR_MS)
  const place = { ref: 'A', operator: 'An operator', level: '2', access: 'private', airside: 'yes', fee: 'yes' }
  const kinds = ['terminal', 'lounge', 'checkpoint'] as const
  const places = Array.from({ length: 90 }, (_, at) =>
    Object.assign(
      { ...place },
      {
        kind: kinds[at % 3]!,
        name: `Place number ${at} of the airport`,
        opening_hours: 'Mo-Su 05:00-23:00',
        osm: `node/${at}`,
      },
    ),
  )
  return {
    queues: { 'JFK security': large() },
    forecasts: ['', ...TERMINALS].map((terminal) => forecastFrom('JFK', THIS_HOUR, terminal)),
    history: ['', ...TERMINALS].map((terminal) =>
      historyOf('JFK', hours, (start) => 60 + ((start / HOUR_MS) % 17) * 12, terminal),
    ),
    maps: [{ iata: 'JFK', fetched_at: isoUtc(NOW), places }],
  }
}

/** Passport control of which only what is typical is known, entry and exit apart. */
function typicalBorder(): BorderForecast[] {
  const hour = { p10: 4, p50: 15, p90: 33, samples: null, confidence: null }
  return (['entry', 'exit'] as const).map((direction) => {
    const { version, note, backtest } = unseenImmigration(direction)
    return {
      iata: 'ZRH',
      terminal: '',
      direction,
      basis: 'typical',
      version,
      trained_at: null,
      start_ms: THIS_HOUR,
      hours: Array.from({ length: 168 }, () => hour),
      backtest: Object.assign({ baseline_mae_minutes: null }, backtest),
      note,
    }
  })
}

export const SITUATIONS: Record<string, FakeSnapshotContent> = {
  'an ordinary day': {},
  'closed at night': { queues: { 'JFK security': Object.assign(measured(NOW, 0), closed) } },
  'a storm': storm(),
  'no data': {
    queues: {},
    forecasts: [],
    history: [],
    delays: {},
    flowPrograms: [],
    weather: {},
    tafs: {},
    coverage: {},
  },
  'a large airport with 90 days': full(),
  'borders known by what is typical': { borderForecasts: typicalBorder() },
}

/** Arguments beyond each tool's example: abroad, a small airport, a week, everything. */
export const ARGUMENTS: Record<string, object[]> = {
  search_airports: [{ query: 'london', limit: 50 }, { query: 'a', limit: 50 }, { query: 'zzzz' }],
  compare_airports: [{ airports: ['JFK', 'LGA', 'GRU', 'ZRH', 'DEL'] }],
  get_faa_delays: [{}],
  get_wait_time_predictions: [
    { iata: 'JFK', days: 7 },
    { iata: 'ZRH', days: 7 },
    { iata: 'JFK', date: '2026-11-22' },
  ],
  get_historical_wait_times: [
    { iata: 'JFK', days: 90 },
    { iata: 'JFK', days: 1 },
  ],
  get_airline_baggage_rankings: [{ period: '2023' }],
  get_airline_baggage_policy: ['AA', 'FR', 'LH', 'U2', 'NK', 'DL'].map((airline) => ({ airline })),
  get_ees_wait_times: [{}, { country: 'FR' }],
  discover_more_flight_tools: [{}, { topic: 'weather' }],
}

export const AIRPORTS = ['JFK', 'ZRH', 'GRU', 'BRD']

/** The situation of the everyday run: the one with the longest answers. */
export const EVERYDAY = 'a storm'
