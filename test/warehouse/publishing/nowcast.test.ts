import { afterAll, beforeAll, expect, test } from 'vitest'
import { disagreementNote } from '../../../answers/questions/adjustment.ts'
import { getPredictions, type Predictions } from '../../../answers/questions/get-predictions.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { HOUR_MS, isoUtc, MINUTE_MS } from '../../../config/vocabulary.ts'
import { seededRandom } from '../../../forecasting/statistics/statistics.ts'
import { trainNowcasts } from '../../../training/nowcast/train-nowcasts.ts'
import { publish } from '../../../warehouse/publishing/publish.ts'
import { loadSnapshot } from '../../../warehouse/publishing/snapshot/load.ts'
import type { Snapshot } from '../../../warehouse/publishing/snapshot/snapshot.ts'
import { readNowcastSeries } from '../../../warehouse/publishing/waits/nowcast-readings.ts'
import type { Warehouse } from '../../../warehouse/storage/warehouse.ts'
import { type Forecast, forecasts } from '../../../warehouse/tables/forecasts.ts'
import { nowcasts } from '../../../warehouse/tables/nowcasts.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { makeFolder } from '../../kept-folder.ts'
import { openOrCopy } from '../empty-warehouse.ts'
import { newWarehouse } from '../new-warehouse.ts'
import { forecast, landedAt, reading } from '../test-rows.ts'

const NOW = Date.parse('2026-06-17T10:23:00Z')
const HOUR = Math.floor(NOW / HOUR_MS) * HOUR_MS
const PRIOR_ONLY = ['IBZ', 'PMI', 'AGP', 'BCN', 'MAD', 'SVQ']
const TRAINED = ['JFK', 'LAX', 'DEN']
/** A small airport and a heliport with flights, of which nothing is observed. */
const UNOBSERVED = ['AAA', 'MCM']
const AIRPORTS = airportDirectory().all.filter(({ iata }) => [...PRIOR_ONLY, ...TRAINED, ...UNOBSERVED].includes(iata))
const DAYS = EXHAUSTIVE ? 7 : 2
const random = seededRandom(41)

const wait = (iata: string, minutesAgo: number, wait_minutes: number) =>
  reading({ iata, terminal: '', source: 'import-x', ...landedAt(isoUtc(NOW - minutesAgo * MINUTE_MS)), wait_minutes })

const vintage = (iata: string, p50: number): Forecast[] =>
  Array.from({ length: 168 }, (_, k) =>
    forecast(HOUR + MINUTE_MS, HOUR + k * HOUR_MS, p50, { iata, model: `model:${iata}@2026-06-17T04Z` }),
  )

/** Days of readings every quarter of an hour around a level, then a newest one that has nothing to do with them. */
function drawnReadings(iata: string, k: number) {
  const level = 2 + 20 * random()
  const rows = [wait(iata, Math.floor(random() * 15), Math.floor(random() * 90))]
  // Of every third airport only the newest reading is known.
  if (k % 3 !== 0)
    for (let ago = 15; ago < DAYS * 1_440; ago += 15)
      rows.push(wait(iata, ago, Math.max(0, Math.round(level + 8 * (random() - 0.5)))))
  return rows
}

const kept = makeFolder()
let warehouse: Warehouse
let snapshot: Snapshot
beforeAll(async () => {
  const folder = await kept.make()
  warehouse = await openOrCopy(folder)
  await warehouse.land(readings, [...PRIOR_ONLY, ...TRAINED].flatMap(drawnReadings))
  await warehouse.land(
    forecasts,
    TRAINED.flatMap((iata) => vintage(iata, 2 + 20 * random())),
  )
  await warehouse.land(nowcasts, await trainNowcasts(warehouse, { cutoff_ms: NOW, trained_ms: NOW }))
  await publish(warehouse, { now: NOW, simulated: false, airports: AIRPORTS })
  snapshot = (await loadSnapshot(`${folder}/snapshots`))!
})
afterAll(async () => {
  await warehouse.close()
  await kept.remove()
})

test('waits typical of airports are claimed of an unobserved airport with flights, and of no heliport', () => {
  expect(UNOBSERVED.map((iata) => snapshot.forecast(iata)?.model.basis ?? null)).toEqual(['typical', null])
  const reasons = ['MCM', 'ACO'].map((iata) => snapshot.queue(iata, 'security').unavailable_reason)
  expect(reasons).toEqual([
    expect.stringMatching(/: it is a heliport\.$/),
    expect.stringMatching(/: it has no scheduled service\.$/),
  ])
})

test('a measurement just made is inside the interval of this hour and the next, or the answer says why', () => {
  const context = { snapshot, directory: airportDirectory(), tier: 'pro' as const, now: NOW }
  let outside = 0
  for (const iata of [...PRIOR_ONLY, ...TRAINED]) {
    const { hours, note, adjusted_to } = getPredictions.run({ iata }, context) as Predictions
    expect(adjusted_to, iata).not.toBeNull()
    const minutes = Math.round(adjusted_to!.wait_minutes)
    for (const { low, high, wait_minutes } of hours.slice(0, 2)) {
      expect(low!).toBeLessThanOrEqual(wait_minutes!)
      expect(wait_minutes!).toBeLessThanOrEqual(high!)
      if (minutes >= low! && minutes <= high!) continue
      outside += 1
      expect(note, iata).toContain(`${minutes} min, measured at`)
    }
  }
  expect(outside).toBeGreaterThan(0)
})

test('a wait that takes in terminals of a further source says so where the forecast does not agree', () => {
  const series = snapshot.forecast('JFK')!
  const observed_at = isoUtc(NOW - 2 * MINUTE_MS)
  const noteOf = (source: string) =>
    disagreementNote(
      { wait_minutes: 200, basis: 'measured', observed_at, age_seconds: 120 },
      { ...series, adjusted_to: { ...series.adjusted_to!, observed_at, source } },
      HOUR,
      'America/New_York',
    )
  expect(noteOf('panynj-graphql+waitport')).toContain(
    'it takes in terminals of waitport, and the forecast is learned from panynj-graphql alone',
  )
  // Sources that are equally close are learned from alike.
  for (const source of ['panynj-graphql', 'import-a+import-b']) expect(noteOf(source)).toContain('expects the wait')
})

test('where days were observed, the next hour lies between the newest wait and what is usual then', () => {
  const learned = PRIOR_ONLY.filter((_, k) => k % 3 !== 0)
  for (const iata of learned) {
    const series = snapshot.forecast(iata)!
    const next = series.p50[(HOUR - series.start_ms) / HOUR_MS + 1]! / 10
    const newest = series.adjusted_to!.wait_minutes
    const usual = series.p50[(HOUR - series.start_ms) / HOUR_MS + 6]! / 10
    expect(next, iata).toBeGreaterThanOrEqual(Math.min(newest, usual) - 3)
    expect(next, iata).toBeLessThanOrEqual(Math.max(newest, usual) + 3)
  }
})

test('the first hours of a nowcast are recorded as they were served', async () => {
  const [recorded] = await warehouse.query<{ with_hours: number }>(
    'SELECT count(hours)::INTEGER AS with_hours FROM adjustments',
  )
  expect(recorded!.with_hours).toBeGreaterThan(3)
})

test('a lane that is read more often than another counts no more in the usual waits', async () => {
  const lanes = await newWarehouse()
  const often = Array.from({ length: 10 }, (_, k) => wait('VLC', 60 + k, 10))
  const seldom = wait('VLC', 64, 40)
  await lanes.land(readings, [...often, Object.assign(seldom, { checkpoint: 'B' })])
  const airports = airportDirectory().all.filter(({ iata }) => iata === 'VLC')
  const series = (await readNowcastSeries(lanes, airports, NOW))('VLC', '')!
  const slot = series.slots.middle_ms.findLastIndex(
    (middle) => Math.abs(middle - (NOW - 64 * MINUTE_MS)) <= 5 * MINUTE_MS,
  )
  expect(series.slots.minutes[slot]).toBe(25)
})

test('training learns an own part of each airport with a history, and says how good it was', async () => {
  const rows = await warehouse.query<{ iata: string; samples: number; mae_minutes: number | null }>(
    'SELECT iata, samples, mae_minutes FROM nowcasts ORDER BY iata',
  )
  const known = [...PRIOR_ONLY, ...TRAINED].filter((iata) => rows.some((row) => row.iata === iata))
  expect(known.length).toBe(rows.length)
  for (const { samples, mae_minutes } of rows) if (samples > 50) expect(mae_minutes).toBeLessThan(10)
})
