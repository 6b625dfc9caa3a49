import { expect, test } from 'vitest'
import { airportDirectory } from '../../../../config/airports/directory.ts'
import { DAY_MS, HOUR_MS, isoUtc } from '../../../../config/vocabulary.ts'
import { sourceHealth } from '../../../../warehouse/publishing/gather/source-health.ts'
import { readRecordedStates } from '../../../../warehouse/publishing/health/recorded-states.ts'
import { publish } from '../../../../warehouse/publishing/publish.ts'
import { loadSnapshot } from '../../../../warehouse/publishing/snapshot/load.ts'
import { rollUpSources } from '../../../../warehouse/storage/source-hours.ts'
import { openWarehouse, type Warehouse } from '../../../../warehouse/storage/warehouse.ts'
import { notice, notices } from '../../../../warehouse/tables/notices.ts'
import { type Reading, readings } from '../../../../warehouse/tables/readings.ts'
import { rollups } from '../../../../warehouse/tables/rollups.ts'
import { type Run, runs } from '../../../../warehouse/tables/runs.ts'
import { testSource } from '../../../pipeline/test-source.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'
import { newWarehouse } from '../../new-warehouse.ts'
import { failed, landedAt, reading, rollup, run } from '../../test-rows.ts'

const seattle = testSource({ id: 'sea-cwt', cadence_seconds: 300 })
const START = Date.parse('2026-11-20T06:00:00Z')
const MINUTE = 60_000
const airports = airportDirectory().all.filter(({ iata }) => iata === 'SEA')

/** Runs of Seattle every five minutes, from one minute after the start to another. */
const every5 = (from: number, to: number, over: Partial<Run> = {}) =>
  Array.from({ length: (to - from) / 5 }, (_, i) => run(isoUtc(START + (from + i * 5) * MINUTE), over))

async function land(warehouse: Warehouse, rows: Run[], minute: number) {
  await warehouse.land(runs, rows)
  await rollUpSources(warehouse, START + minute * MINUTE, { sources: [seattle] })
}

/** The health of Seattle as a snapshot of a minute after the start has it. */
async function healthAt(warehouse: Warehouse, minute: number) {
  const [health] = await sourceHealth(warehouse, START + minute * MINUTE, new Map(), [seattle])
  return health
}

/** Publishes at a minute after the start; returns the health of Seattle in that snapshot. */
async function publishedHealth(warehouse: Warehouse, minute: number) {
  await publish(warehouse, { now: START + minute * MINUTE, simulated: false, airports, sources: [seattle] })
  const [health] = (await loadSnapshot(`${warehouse.data_dir}/snapshots`))?.sourceHealth() ?? []
  return health
}

test('every field is filled from runs and hours', async () => {
  const warehouse = await newWarehouse()
  await land(warehouse, [...every5(0, 180), ...every5(180, 190, failed())], 200)
  const health = await publishedHealth(warehouse, 200)
  expect(health).toEqual({
    source: 'sea-cwt',
    state: 'failing',
    since: null,
    reason: 'Its last 2 runs failed (FETCH_FAILED).',
    last_success_at: '2026-11-20T08:55:00Z',
    newest_observed_at: '2026-11-20T08:55:00Z',
    content_changed_at: '2026-11-20T08:55:00Z',
    rows: 5,
    usual_rows: 5,
    last_error_code: 'FETCH_FAILED',
    last_error_message: 'FETCH_FAILED: the site is down',
    windows: [24, 168, 720].map((hours) => ({ hours, runs: 38, uptime: 36 / 38, freshness: 1 })),
    days: [...Array.from({ length: 29 }, () => null), 36 / 38],
  })
})

test('each window counts its own hours, and freshness falls when the newest reading is an hour old', async () => {
  const warehouse = await newWarehouse()
  const day = 24 * 60
  await land(warehouse, [...every5(0, 60), ...every5(2 * day, 2 * day + 60, failed())], 2 * day + 60)
  const windows = (await healthAt(warehouse, 2 * day + 60))?.windows ?? []
  expect(windows.map(({ runs: count, uptime }) => [count, uptime])).toEqual([
    [12, 0],
    [24, 0.5],
    [24, 0.5],
  ])
  const fresh = 115 / (2 * day + 60)
  expect(windows[0]?.freshness).toBe(0)
  expect(windows[1]?.freshness).toBeCloseTo(fresh, 3)
})

test('a state is recorded only when it changes, and `since` survives a restart', async () => {
  const folder = await temporaryFolder()
  const first = await newWarehouse(folder)
  expect(await publishedHealth(first, 0)).toMatchObject({
    state: 'not_asked',
    since: null,
    windows: [{ runs: 0, uptime: null, freshness: null }, {}, {}],
  })
  await land(first, every5(0, 30), 30)
  expect(await publishedHealth(first, 30)).toMatchObject({ state: 'healthy', since: isoUtc(START + 30 * MINUTE) })
  await land(first, every5(30, 60, failed()), 60)
  await first.close()

  const second = await openWarehouse(folder)
  const sixty = isoUtc(START + 60 * MINUTE)
  expect(await publishedHealth(second, 60)).toMatchObject({ state: 'failing', since: sixty })
  await land(second, every5(60, 90, failed('CIRCUIT_OPEN')), 90)
  const open = isoUtc(START + 90 * MINUTE)
  expect(await publishedHealth(second, 90)).toMatchObject({
    state: 'open_circuit',
    since: open,
    reason: 'It failed so often that only canary requests are sent (FETCH_FAILED).',
    last_error_code: 'FETCH_FAILED',
  })
  expect(await publishedHealth(second, 91)).toMatchObject({ state: 'open_circuit', since: open })
  const changes = await second.query(
    "SELECT state, since FROM state_changes WHERE subject = 'source:sea-cwt' ORDER BY since",
  )
  expect(changes.map(({ state }) => state)).toEqual(['not_asked', 'healthy', 'failing', 'open_circuit'])
  await second.close()
})

test('a run that is under way or was cut off is not judged by its first requests', async () => {
  const warehouse = await newWarehouse()
  const request = (minute: number, iata: string) =>
    run(isoUtc(START + minute * MINUTE), { iata, capture_id: `${minute}-${iata}`, parsed_rows: 4 })
  await land(
    warehouse,
    [0, 5, 10]
      .flatMap((minute) => ['JFK', 'EWR', 'LGA'].map((iata) => request(minute, iata)))
      .concat(request(15, 'JFK')),
    16,
  )
  const recordedStates = await readRecordedStates(warehouse, START + 20 * MINUTE)
  const rowsAt = async (minute: number) =>
    (await sourceHealth(warehouse, START + minute * MINUTE, recordedStates, [seattle]))[0]?.rows
  expect([await rowsAt(16), await rowsAt(20)]).toEqual([12, 12])
})

test('an empty answer has no reading, so the source ages, unless empty is usual at this hour; for delays it counts as one', async () => {
  const warehouse = await newWarehouse()
  const day = 24 * 60
  const empty = { parsed_rows: 0, new_rows: 0, outcome: 'empty' as const }
  await land(warehouse, [...every5(0, 60), ...every5(60, 180, empty), ...every5(180, 300)], 300)
  const stateAt = async (minute: number, source = seattle) => {
    const [health] = await sourceHealth(warehouse, START + minute * MINUTE, new Map(), [source])
    return [health?.state, health?.newest_observed_at?.slice(11, 16)]
  }
  expect(await stateAt(150)).toEqual(['degraded', '06:55'])
  expect(await stateAt(150, testSource({ id: 'sea-cwt', kind: 'delays' }))).toEqual(['healthy', '08:30'])
  await land(warehouse, [...every5(day, day + 60), ...every5(day + 60, day + 180, empty)], day + 170)
  expect(await stateAt(day + 150)).toEqual(['healthy', '06:55'])
})

test('few rows degrade a source only at hours that usually have more', async () => {
  const warehouse = await newWarehouse()
  const day = 24 * 60
  const rows = [0, 1, 2].flatMap((n) => [
    ...every5(n * day, n * day + 120, { parsed_rows: 1 }),
    ...every5(n * day + 120, n * day + 900, { parsed_rows: 8 }),
  ])
  await land(warehouse, rows, 3 * day)
  const now = 3 * day
  await land(warehouse, every5(now, now + 20, { parsed_rows: 1 }), now + 20)
  expect(await healthAt(warehouse, now + 20)).toMatchObject({ state: 'healthy', rows: 1, usual_rows: 8 })
  await land(warehouse, every5(now + 20, now + 400, { parsed_rows: 1 }), now + 400)
  expect(await healthAt(warehouse, now + 400)).toMatchObject({
    state: 'degraded',
    reason: 'It gives 1 of its usual 8 rows.',
  })
})

test('a clock that is an hour ahead in each of the last answers degrades a source, even where empty answers are usual', async () => {
  const warehouse = await newWarehouse()
  const day = 24 * 60
  const empty = { parsed_rows: 0, new_rows: 0, outcome: 'empty' as const }
  const ahead = every5(0, day + 60, empty)
  await land(warehouse, ahead, day + 60)
  const noticeOf = ({ capture_id, finished_at }: Run) => ({
    ...notice('source_clock_ahead', 'warning', '$', 'The clock is ahead.', '1 h ahead in America/Los_Angeles', 'SEA'),
    source: 'sea-cwt',
    noticed_at: finished_at,
    capture_id,
  })
  await warehouse.land(notices, ahead.slice(-2).map(noticeOf))
  expect((await healthAt(warehouse, day + 61))?.reason).not.toMatch(/clock/)
  await warehouse.land(notices, ahead.slice(-3).map(noticeOf))
  expect(await healthAt(warehouse, day + 61)).toMatchObject({
    state: 'degraded',
    reason: expect.stringMatching(/^Its clock is 1 h ahead in America\/Los_Angeles in each of its last 3 answers/),
  })
  await land(warehouse, every5(day + 60, day + 65), day + 66)
  expect((await healthAt(warehouse, day + 66))?.reason ?? '').not.toMatch(/clock/)
})

test('without any rolled-up hour the state follows from the runs alone', async () => {
  const warehouse = await newWarehouse()
  await warehouse.land(runs, every5(0, 10))
  expect(await healthAt(warehouse, 10)).toMatchObject({
    state: 'healthy',
    rows: 5,
    usual_rows: null,
    content_changed_at: null,
  })
  expect(await healthAt(warehouse, 180)).toMatchObject({
    state: 'degraded',
    reason: 'Its newest reading is 3 hours old.',
  })
})

test('runs of live requests, which cover one airport, are not compared with whole runs', async () => {
  const warehouse = await newWarehouse()
  const whole = every5(0, 300).flatMap((entry) =>
    ['SEA', 'PDX', 'GEG'].map((iata) => ({ ...entry, iata, capture_id: `${entry.capture_id}-${iata}` })),
  )
  const short = Array.from({ length: 60 }, (_, index) =>
    run(isoUtc(START + (241 + index) * MINUTE + 30_000), { iata: 'SEA' }),
  )
  await land(warehouse, [...whole, ...short], 300)
  expect(await healthAt(warehouse, 300)).toMatchObject({ state: 'healthy', rows: 15, usual_rows: 15 })
})

test('a source whose waits stand still for a day is degraded where they are usually long, and nowhere else', async () => {
  const warehouse = await newWarehouse()
  /** The state of an airport after a week of usual waits, up to `usual` minutes, and one or more days of `minutes`. */
  const stateAfter = async (iata: string, usual: number, minutes: (hour: number) => number, days = 1) => {
    const hours = (7 + days) * 24
    const rows = Array.from({ length: hours }, (_, hour) => {
      const wait = hour < 7 * 24 ? (hour * 7) % (usual + 1) : minutes(hour)
      return rollup(START - (hours - hour) * 60 * MINUTE, wait, { iata, source: 'sea-cwt' })
    })
    await warehouse.land(rollups, rows)
    const health = await healthAt(warehouse, 0)
    return [health?.state, health?.reason]
  }
  await land(warehouse, every5(-120, 0), 0)
  expect(await stateAfter('AAA', 24, (hour) => hour % 3)).toEqual(['healthy', null])
  expect(await stateAfter('BBB', 9, () => 0)).toEqual(['healthy', null])
  expect(await stateAfter('SEA', 24, () => 3)).toEqual([
    'degraded',
    'Every wait of SEA has been 3 min for a day; in the four weeks before, eight of ten hours had 2 to 22 min.',
  ])
  expect(await stateAfter('CCC', 24, () => 3)).toEqual(['degraded', expect.stringContaining('of CCC')])
  // Between two figures, and hours in place of minutes.
  expect(await stateAfter('DDD', 26, (hour) => 17 + (hour % 2))).toEqual([
    'degraded',
    'Every wait of DDD has been 17 to 18 min for a day; in the four weeks before, eight of ten hours had 2 to 24 min.',
  ])
  expect(await stateAfter('EEE', 60, (hour) => ((hour * 7) % 61) / 60)).toEqual([
    'degraded',
    'Every wait of EEE has been 0 to 1 min for a day; in the four weeks before, eight of ten hours had 5 to 55 min.',
  ])
  // For twenty days.
  expect(await stateAfter('FFF', 200, () => 3, 20)).toEqual(['degraded', expect.stringContaining('of FFF')])
})

test('a source whose rows lost their waits is degraded until they have one, not when its queues are closed or usually have none now', async () => {
  /** The state of Seattle after ten days with a wait in some hours of the day, of which the last are given, and rows of the last three hours. */
  const stateAfter = async (hoursOfDay: number[], daysAgo: number, over: Partial<Reading>) => {
    const warehouse = await newWarehouse()
    await land(warehouse, every5(-180, 0), 0)
    const days = Array.from({ length: 10 }, (_, day) => day + daysAgo)
    const hours = days.flatMap((day) => hoursOfDay.map((hour) => START - day * DAY_MS - hour * HOUR_MS))
    await warehouse.land(
      rollups,
      hours.map((hour) => rollup(hour, 9, { iata: 'SEA', source: 'sea-cwt+crowd' })),
    )
    const rows = Array.from({ length: 36 }, (_, index) => {
      const at = isoUtc(START - (175 - index * 5) * MINUTE)
      return reading({ ...landedAt(at), ...over })
    })
    await warehouse.land(readings, rows)
    const health = await healthAt(warehouse, 0)
    return [health?.state, health?.reason]
  }
  const lost: Partial<Reading> = { wait_minutes: null, status: 'open' }
  const sayingThat = (hours: string) =>
    `Its rows have had no wait for ${hours}; at this time of day they had one on 7 of the 7 days before. A field may have another name.`
  expect(await stateAfter([1, 2, 3, 4], 1, lost)).toEqual(['degraded', sayingThat('24 hours')])
  // A feed that sends no wait for days is not forgotten.
  expect(await stateAfter([1, 2, 3, 4], 12, lost)).toEqual(['degraded', sayingThat('12 days')])
  expect(await stateAfter([1, 2, 3, 4], 1, { ...lost, wait_minutes_low: 5 })).toEqual(['healthy', null])
  expect(await stateAfter([1, 2, 3, 4], 1, { ...lost, status: 'closed' })).toEqual(['healthy', null])
  expect(await stateAfter([8, 9, 10], 1, lost)).toEqual(['healthy', null])
})
