import fc from 'fast-check'
import { DAY_MS, HOUR_MS, isoUtc } from '../../config/domain.ts'
import { predictAll } from '../../training/predict.ts'
import { publish } from '../../warehouse/publishing/publish.ts'
import { loadSnapshot } from '../../warehouse/publishing/snapshot/load.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import type { AdjustmentRow } from '../../warehouse/tables/adjustments.ts'
import { type Forecast, forecasts } from '../../warehouse/tables/forecasts.ts'
import { type Reading, readings } from '../../warehouse/tables/readings.ts'
import { DIRECTORY } from '../api/airport-directory.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { forecast, reading } from '../warehouse/test-rows.ts'

/** The rows of a warehouse: readings of sources and forecasts of a model. */
export interface WarehouseRows {
  readings: Reading[]
  forecasts: Forecast[]
}

/** A Saturday in winter, 10:15 in New York. The warehouses of one test are days apart. */
const FIRST = Date.parse('2026-11-21T15:15:20Z')
export const generatedAt = (day: number) => FIRST + day * DAY_MS

const wait = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 240 }).map((halves) => ({ wait_minutes: halves / 2 })) },
  fc.constant({ wait_minutes: null }),
  fc
    .integer({ min: 0, max: 60 })
    .map((low) => ({ wait_minutes: null, wait_minutes_low: low, wait_minutes_high: low + 5 })),
  fc.integer({ min: 0, max: 60 }).map((low) => ({ wait_minutes: null, wait_minutes_low: low })),
)

/** Seconds before the snapshot: mostly in the last hours, some in the future, some days ago. */
const age = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 3_900 }) },
  fc.integer({ min: -600, max: 25_000 }),
  fc.integer({ min: 3_600, max: 4 * 86_400 }),
)

const drawnReading = fc.record({
  queue: fc.constantFrom(
    'JFK security',
    'JFK security',
    'LGA security',
    'GRU immigration',
    'XSM security',
    'JFK checkin',
  ),
  source: fc.constantFrom('panynj-graphql', 'delta-newshub', 'fromthetraytable', 'crowd', 'import-x', 'cbp-awt'),
  terminal: fc.constantFrom('', '4', 'T4', 'Terminal 8', '8'),
  checkpoint: fc.constantFrom('Main', 'North'),
  lane: fc.constantFrom('standard' as const, 'standard' as const, 'all' as const, 'precheck' as const),
  status: fc.constantFrom('open' as const, 'open' as const, 'unknown' as const, 'closed' as const),
  flags: fc.constantFrom<string[][]>(
    [],
    [],
    [],
    ['implausible_spike'],
    ['wait_on_closed'],
    ['frozen', 'wait_on_closed'],
  ),
  wait,
  age,
})

type Row = Omit<DrawnReading, 'queue' | 'source' | 'terminal' | 'checkpoint'> &
  Record<'queue' | 'source' | 'terminal' | 'checkpoint', string>

function readingOf({ queue, wait: minutes, age: seconds, ...row }: Row, day: number): Reading {
  const [iata = '', kind = 'security'] = queue.split(' ') as [string, Reading['kind']]
  const observed_at = isoUtc(generatedAt(day) - seconds * 1_000)
  return reading({ ...row, ...minutes, iata, kind, observed_at, fetched_at: observed_at, available_at: observed_at })
}

type DrawnReading = typeof drawnReading extends fc.Arbitrary<infer T> ? T : never

/** A week of forecast hours of an airport or terminal, each with another median, issued some hours before the snapshot. */
function forecastOf(iata: string, terminal: string, base: number, hoursAgo: number, day: number): Forecast[] {
  const start = Math.floor(generatedAt(day) / HOUR_MS) * HOUR_MS - hoursAgo * HOUR_MS
  const model = `model:${iata}@${isoUtc(start).slice(0, 13)}Z`
  return Array.from({ length: 168 }, (_, hour) => {
    const p50 = base + hour / 8
    return forecast(start, start + hour * HOUR_MS, p50, { iata, terminal, model, p10: p50 - 3.3, p90: p50 + 7.7 })
  })
}

const drawnBorderReading = fc.record({
  source: fc.constantFrom('zrh-passport', 'zrh-passport', 'crowd'),
  checkpoint: fc.constantFrom('Arrival D', 'Arrival E', 'Departure E', 'Hall'),
  status: fc.constantFrom('open' as const, 'open' as const, 'closed' as const),
  flags: fc.constantFrom<string[][]>([], [], ['implausible_spike']),
  wait,
  age,
})

const BORDER_QUEUES: [checkpoint: string, more: number][] = [
  ['Arrival D', 4],
  ['Arrival E', 7],
  ['Departure E', 0],
]

/** Past days of Zurich’s passport queues, at the hour of the snapshot and the next hour. */
function borderDays(days: number, base: number, day: number): Reading[] {
  const hours = Array.from({ length: days }, (_, back) => [24 * (back + 1), 24 * (back + 1) - 1]).flat()
  return hours.flatMap((hoursAgo) =>
    BORDER_QUEUES.map(([checkpoint, more]) => {
      const observed_at = isoUtc(generatedAt(day) - hoursAgo * HOUR_MS)
      return reading({
        kind: 'immigration',
        source: 'zrh-passport',
        iata: 'ZRH',
        lane: 'all',
        checkpoint,
        observed_at,
        fetched_at: observed_at,
        available_at: observed_at,
        wait_minutes: base / 4 + more + ((hoursAgo * 7) % 11),
      })
    }),
  )
}

const drawn = fc.record({
  border: fc.array(drawnBorderReading, { maxLength: 12 }),
  borderDays: fc.constantFrom(0, 5, 8),
  readings: fc.array(drawnReading, { maxLength: 60, size: 'max' }),
  series: fc.constantFrom<[string, string][]>(
    [],
    [['JFK', '']],
    [
      ['JFK', ''],
      ['JFK', '4'],
    ],
    [['GRU', '']],
  ),
  base: fc.integer({ min: 0, max: 80 }),
  hoursAgo: fc.constantFrom(0, 1, 30, 167),
})
export type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never

/** Random sources and models; some draws are nearly empty. */
export const randomDraws: fc.Arbitrary<Drawn> = drawn

/** The rows of a draw, dated for a snapshot on a day. */
export function rowsOn(
  { readings: rows, border: queues, borderDays: days, series, base, hoursAgo }: Drawn,
  day: number,
): WarehouseRows {
  const passport = queues.map((row) => ({ ...row, queue: 'ZRH immigration', terminal: '', lane: 'all' as const }))
  return {
    readings: [
      ...rows.map((row) => readingOf(row, day)),
      ...passport.map((row) => readingOf(row, day)),
      ...borderDays(days, base, day),
    ],
    forecasts: series.flatMap(([iata, terminal]) => forecastOf(iata, terminal, base, hoursAgo, day)),
  }
}

/** Lands the rows, rolls them up, publishes and loads the snapshot. `landed` has rows with the same key once. */
export async function publishRows(
  rows: WarehouseRows,
  day: number,
): Promise<{ snapshot: Snapshot; landed: Reading[]; issued: Forecast[]; adjustments: AdjustmentRow[] }> {
  const folder = await temporaryFolder()
  const warehouse = await openWarehouse(folder)
  await warehouse.land(readings, rows.readings)
  await warehouse.land(forecasts, rows.forecasts)
  await rollUp(warehouse)
  await predictAll(warehouse, { now: generatedAt(day), modelsDir: `${folder}/models` })
  await publish(warehouse, { now: generatedAt(day), simulated: false, airports: DIRECTORY.all })
  const landed = await warehouse.query<Reading>('SELECT * EXCLUDE (date) FROM readings')
  const adjustments = await warehouse.query<AdjustmentRow>('SELECT * EXCLUDE (date) FROM adjustments')
  const issued = await warehouse.query<Forecast>('SELECT * EXCLUDE (date) FROM forecasts')
  await warehouse.close()
  const snapshot = await loadSnapshot(`${folder}/snapshots`)
  if (!snapshot) throw new Error('nothing was published')
  return { snapshot, landed, issued, adjustments }
}
