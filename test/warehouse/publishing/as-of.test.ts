import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { DAY_MS, HOUR_MS, isoUtc } from '../../../config/domain.ts'
import { type AsOf, forecastAsOf, historyAsOf, oldestForecast } from '../../../warehouse/publishing/as-of.ts'
import { forecastBlock } from '../../../warehouse/publishing/gather/forecasts.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/storage/warehouse.ts'
import { ARCHIVE_NOW, FORECAST_RUNS, OBSERVED_HOURS, openArchiveWarehouse } from '../../archive-fixture.ts'
import { repetitions } from '../../exhaustive.ts'

let folder: string
let warehouse: Warehouse
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdshort-past-'))
  warehouse = await openArchiveWarehouse(folder)
})
afterAll(async () => {
  await warehouse.close()
  await rm(folder, { recursive: true })
})

const hourOf = (ms: number) => Math.floor(ms / HOUR_MS) * HOUR_MS
/** The forecast of the hours from the hour of `as_of` on. */
const forecastAt = (as_of: number, hours = 24, over: Partial<AsOf> = {}) =>
  forecastAsOf(warehouse, {
    iata: 'JFK',
    as_of,
    from: hourOf(as_of),
    to: hourOf(as_of) + hours * HOUR_MS,
    terminals: true,
    now: ARCHIVE_NOW,
    ...over,
  })
const historyAt = (as_of: number, days = 2, terminals = true) =>
  historyAsOf(warehouse, { iata: 'JFK', as_of, from: hourOf(as_of) - days * DAY_MS, to: hourOf(as_of), terminals })

/** Instants of the last five days, the same in every run; every third at or near a full hour. */
const drawn = Array.from({ length: repetitions(9, 30) }, (_, k) => {
  const instant = ARCHIVE_NOW - Math.floor((((k + 1) * 0.618_034) % 1) * 5 * DAY_MS)
  return k % 3 === 0 ? hourOf(instant) + [0, 7_000, -1][(k / 3) % 3]! : instant
})

test('returns nothing that was issued or known after the instant, and everything that was known then', async () => {
  for (const as_of of [...drawn, FORECAST_RUNS[1]!.issued_ms, FORECAST_RUNS[1]!.issued_ms - 1]) {
    const vintage = await forecastAt(as_of, 168)
    const issue = FORECAST_RUNS.filter(({ issued_ms }) => issued_ms <= as_of).at(-1)
    expect([vintage?.issued_at, vintage?.model.version], isoUtc(as_of)).toEqual(
      issue ? [isoUtc(issue.issued_ms), issue.model] : [undefined, undefined],
    )

    const { series, withheld_hours } = await historyAt(as_of)
    const within = OBSERVED_HOURS.filter(
      ({ hour }) => Date.parse(hour) >= hourOf(as_of) - 2 * DAY_MS && Date.parse(hour) < hourOf(as_of),
    )
    const known = within.filter(({ available_at }) => Date.parse(available_at) <= as_of)
    const returned = series.flatMap(({ terminal, hour }) => [...hour].map((h) => `${terminal} ${isoUtc(h * HOUR_MS)}`))
    expect(returned.sort(), isoUtc(as_of)).toEqual(known.map(({ terminal, hour }) => `${terminal} ${hour}`).sort())
    expect(withheld_hours).toBe((within.length - known.length) / 2)
  }
})

test('returns the forecast that was served then, with the same rounding', async () => {
  const vintage = await forecastAt(ARCHIVE_NOW - DAY_MS, 168)
  // Publishing uses the newest vintage.
  const newest = await forecastAt(ARCHIVE_NOW, 168)
  const served = await forecastBlock({ warehouse, airports: [], now: ARCHIVE_NOW })
  const [offset = 0, length = 0] = [served.series.offset[0], served.series.length[0]]
  expect(newest!.series[0]!.p90).toEqual(served.p90.slice(offset, offset + length))
  expect(newest!.series[0]!.confidence).toEqual(served.confidence.slice(offset, offset + length))
  expect(vintage!.series.map(({ terminal, start_ms, p50 }) => [terminal, isoUtc(start_ms), p50.length])).toEqual([
    ['', '2026-11-20T14:00:00Z', 168],
    ['T4', '2026-11-20T14:00:00Z', 168],
  ])
  expect([...vintage!.series[0]!.p50.slice(0, 3)]).toEqual([200, 210, 220])
  expect([...vintage!.series[0]!.p90.slice(0, 3)]).toEqual([293, 303, 313])
})

test('a vintage begins with the requested hour and ends with its last hour', async () => {
  const vintage = await forecastAt(ARCHIVE_NOW - 2 * DAY_MS, 168)
  expect(vintage!.issued_at).toBe('2026-11-18T14:00:07Z')
  // A day after the issue its 25th hour is the first, and 144 hours remain.
  expect(vintage!.series[0]).toMatchObject({ start_ms: hourOf(ARCHIVE_NOW - 2 * DAY_MS) })
  expect(vintage!.series[0]!.p50).toHaveLength(144)
  expect(vintage!.series[0]!.p50[0]).toBe(140)
  expect((await forecastAt(ARCHIVE_NOW, 24, { terminals: false }))!.series).toHaveLength(1)
})

test('adds the waits observed since, whenever they became known, for hours that have ended', async () => {
  const { series } = (await forecastAt(ARCHIVE_NOW - DAY_MS, 26))!
  for (const { terminal, observed } of series) {
    const means = Array.from({ length: 24 }, (_, hour) => {
      const start = isoUtc(hourOf(ARCHIVE_NOW) - DAY_MS + hour * HOUR_MS)
      return OBSERVED_HOURS.find((row) => row.terminal === terminal && row.hour === start)!.mean * 10
    })
    expect([...observed]).toEqual([...means, Number.NaN, Number.NaN])
  }
  const sooner = (await forecastAt(ARCHIVE_NOW - DAY_MS, 26, { now: ARCHIVE_NOW - 23 * HOUR_MS } as Partial<AsOf>))!
  expect([...sooner.series[0]!.observed].filter((mean) => !Number.isNaN(mean))).toHaveLength(1)
})

test('backtest figures are those of the served forecast; without a backtest only the version is given', async () => {
  const [baseline, model, unknown] = await Promise.all(FORECAST_RUNS.map(({ issued_ms }) => forecastAt(issued_ms, 1)))
  expect(baseline!.model).toMatchObject({ trained_at: '2026-11-18T04:00:00Z', backtest: { mae_minutes: 4.1 } })
  expect(model!.model).toMatchObject({ trained_at: '2026-11-20T04:00:00Z', backtest: { mae_minutes: 3.2 } })
  expect(unknown!.model).toMatchObject({ trained_at: null, backtest: { mae_minutes: null, samples: 0 } })
})

test('returns no forecast for an airport without vintages, or at instants before or long after them', async () => {
  expect(await forecastAt(ARCHIVE_NOW, 24, { iata: 'DEL' })).toBeNull()
  expect(await oldestForecast(warehouse, 'DEL')).toBeNull()
  expect(await forecastAt(ARCHIVE_NOW - 4 * DAY_MS)).toBeNull()
  expect(await oldestForecast(warehouse, 'JFK')).toBe('2026-11-18T14:00:07Z')
  expect(await forecastAt(ARCHIVE_NOW + 8 * DAY_MS)).toBeNull()
})

test('publications in one hour reuse what the hour has in common, and give what a new process gives', async () => {
  const airports = airportDirectory()
    .all.filter(({ scheduled_service }) => scheduled_service)
    .slice(0, 40)
  const blockAt = async (now: number, of = warehouse) =>
    serialize(await forecastBlock({ warehouse: of, airports, now })).toString('base64')
  const hours = [ARCHIVE_NOW, ARCHIVE_NOW + 60_000, ARCHIVE_NOW + HOUR_MS, ARCHIVE_NOW]
  const blocks: string[] = []
  for (const now of hours) blocks.push(await blockAt(now))
  expect(blocks.map((block) => block === blocks[0])).toEqual([true, true, false, true])
  const another = await openWarehouse(warehouse.data_dir)
  expect((await blockAt(ARCHIVE_NOW + HOUR_MS, another)) === blocks[2]).toBe(true)
  await another.close()
})
