import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { isoUtc } from '../../../config/vocabulary.ts'
import { rollUpSources } from '../../../warehouse/storage/source-hours.ts'
import type { Warehouse } from '../../../warehouse/storage/warehouse.ts'
import { type Run, runs } from '../../../warehouse/tables/runs.ts'
import { type SourceHour, sourceHours } from '../../../warehouse/tables/source-hours.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { newWarehouse } from '../new-warehouse.ts'
import { failed, run } from '../test-rows.ts'

let warehouse: Warehouse
beforeEach(async () => {
  warehouse = await newWarehouse()
})

const instantAt = (time: string, day = '2026-11-20') => `${day}T${time}Z`

/** Lands runs, rolls them up as of an instant, and returns the hours by their time of day. */
async function hoursOf(rows: Run[], now: string) {
  await warehouse.land(runs, rows)
  await rollUpSources(warehouse, Date.parse(now))
  const hours = await warehouse.query<SourceHour>('SELECT * EXCLUDE (date) FROM source_hours ORDER BY source, hour')
  for (const hour of hours) expect(sourceHours.row.safeParse(hour).error).toBeUndefined()
  return hours
}

/** Sets the modification time of every file of the warehouse. */
async function writtenAt(instant: string) {
  const folder = join(warehouse.data_dir, 'warehouse')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((candidate) => candidate.isFile()))
    await utimes(join(entry.parentPath, entry.name), new Date(instant), new Date(instant))
}

test('the requests of one run count as one run, with the share that answered and the sum of their rows', async () => {
  const request = (iata: string, over: Partial<Run> = {}) =>
    run(instantAt('10:00:00'), { source: 'catsa-html', iata, capture_id: iata, parsed_rows: 2, ...over })
  const [hour] = await hoursOf(
    [request('YYZ'), request('YUL'), request('YYC'), request('YVR', failed())],
    instantAt('10:30:00'),
  )
  expect(hour).toMatchObject({ runs: 1, answered: 0.75, failed: 0, left_out: 0, rows: 6 })
})

test('counts failed and skipped runs; rows are the median of the runs that answered', async () => {
  const [hour] = await hoursOf(
    [
      run(instantAt('10:00:00'), { parsed_rows: 4 }),
      run(instantAt('10:05:00'), { parsed_rows: 6 }),
      run(instantAt('10:10:00'), { parsed_rows: 9 }),
      run(instantAt('10:15:00'), failed()),
      run(instantAt('10:20:00'), failed('CIRCUIT_OPEN')),
    ],
    instantAt('10:30:00'),
  )
  expect(hour).toMatchObject({ runs: 5, answered: 3, failed: 2, left_out: 1, rows: 6, new_rows: 15 })
  expect(hour).toMatchObject({ newest_observed_at: instantAt('10:10:00'), last_success_at: instantAt('10:10:00') })
})

test('fresh time is when a reading under an hour old was available: overlaps count once, no future, across midnight', async () => {
  const rows = [
    run(instantAt('22:50:00'), { observed_at: instantAt('22:40:00') }),
    run(instantAt('23:10:00'), { observed_at: instantAt('23:05:00') }),
  ]
  const soon = await hoursOf(rows, instantAt('23:30:00'))
  expect(soon.map(({ hour, fresh_seconds }) => [hour.slice(11, 13), fresh_seconds])).toEqual([
    ['22', 600],
    ['23', 1_800],
  ])
  await writtenAt(instantAt('23:30:00'))
  const next = await hoursOf([run(instantAt('00:30:00', '2026-11-21'), failed())], instantAt('03:00:00', '2026-11-21'))
  expect(next.map(({ hour, fresh_seconds, runs: count }) => [hour.slice(11, 13), fresh_seconds, count])).toEqual([
    ['22', 600, 1],
    ['23', 3_600, 1],
    ['00', 300, 1],
  ])
})

test('an airport without rows does not make the readings of other airports newer', async () => {
  const runOf = (iata: string, over: Partial<Run>) => run(instantAt('10:00:00'), { iata, capture_id: iata, ...over })
  const [hour] = await hoursOf(
    [runOf('YYZ', { observed_at: instantAt('09:10:00') }), runOf('YUL', { outcome: 'empty', parsed_rows: 0 })],
    instantAt('10:30:00'),
  )
  expect(hour).toMatchObject({ newest_observed_at: instantAt('09:10:00'), fresh_seconds: 600, answered: 1 })
})

test('a late reading is fresh only from its arrival, and a reading from the future is ignored', async () => {
  const hours = await hoursOf(
    [
      run(instantAt('10:45:00'), { observed_at: instantAt('10:00:00') }),
      run(instantAt('12:00:00'), { observed_at: instantAt('15:00:00') }),
    ],
    instantAt('13:00:00'),
  )
  expect(hours.map(({ fresh_seconds }) => fresh_seconds)).toEqual([900, 0])
  expect(hours[1]?.newest_observed_at).toBeNull()
})

test('the content changes when the bodies do, also across midnight; a failed request is no change', async () => {
  const body = (sha256: string, over: Partial<Run> = {}) => ({ sha256, ...over })
  await hoursOf(
    [
      run(instantAt('22:00:00'), body('a')),
      run(instantAt('22:10:00'), body('b')),
      run(instantAt('22:20:00'), body('b')),
      run(instantAt('23:00:00'), body('b')),
    ],
    instantAt('23:59:00'),
  )
  const day = '2026-11-21'
  const hours = await hoursOf(
    [
      run(instantAt('00:10:00', day), body('b')),
      run(instantAt('01:00:00', day), body('c', { capture_id: 'c1', iata: 'SEA' })),
      run(instantAt('01:00:00', day), body('d', { capture_id: 'c2', iata: 'JFK' })),
      run(instantAt('01:10:00', day), body('c', { capture_id: 'c3', iata: 'SEA' })),
      run(instantAt('01:10:00', day), { ...failed(), capture_id: 'c4', iata: 'JFK' }),
      run(instantAt('01:20:00', day), body('c', { capture_id: 'c5', iata: 'SEA' })),
      run(instantAt('01:20:00', day), body('e', { capture_id: 'c6', iata: 'JFK' })),
      run(instantAt('01:30:00', day), body('f', { capture_id: 'c7', iata: 'SEA' })),
      run(instantAt('01:30:00', day), body('e', { capture_id: 'c8', iata: 'JFK' })),
    ],
    instantAt('02:00:00', day),
  )
  expect(hours.map(({ content_changes, content_changed_at }) => [content_changes, content_changed_at])).toEqual([
    [2, instantAt('22:10:00')],
    [0, null],
    [0, null],
    [1, instantAt('01:30:00', day)],
  ])
})

test('rolls up only days that are not over, have newer runs, or were not over at the last rollup; repeating changes nothing', async () => {
  const roll = (now: string, all = false) => rollUpSources(warehouse, Date.parse(now), { all })
  await warehouse.land(runs, [
    run(instantAt('10:00:00', '2026-11-18')),
    run(instantAt('10:00:00', '2026-11-19')),
    run(instantAt('10:00:00')),
  ])
  expect(await roll(instantAt('12:00:00'))).toBe(3)
  expect(await roll(instantAt('12:00:00'))).toBe(1)
  await warehouse.land(runs, [run(instantAt('11:00:00', '2026-11-19'))])
  expect(await roll(instantAt('12:00:00'))).toBe(2)
  const before = await warehouse.query('SELECT * FROM source_hours ORDER BY ALL')
  expect(before.filter(({ runs: count }) => Number(count) > 0)).toHaveLength(4)
  expect(await roll(instantAt('12:00:00'), true)).toBe(3)
  expect(await warehouse.query('SELECT * FROM source_hours ORDER BY ALL')).toEqual(before)
})

test.runIf(EXHAUSTIVE)('a day made in steps, with hours without runs, equals a day made at once', async () => {
  const rows = () => warehouse.query('SELECT * FROM source_hours ORDER BY source, hour')
  const roll = (now: number, all = false) => rollUpSources(warehouse, now, { all })
  const start = Date.parse(instantAt('00:00:00'))
  const step = 13 * 60_000
  const minute = 60_000
  let waiting: Run[] = []
  for (let now = start, turn = 0; now < start + 24 * 60 * minute; now += step, turn += 1) {
    if (now > start + 300 * minute && now < start + 620 * minute) continue
    const over =
      turn % 5 === 0 ? failed() : { observed_at: isoUtc(now - (turn % 9) * 10 * minute), sha256: `${turn >> 2}` }
    const source = turn % 3 === 0 ? 'jax-html' : 'sea-cwt'
    const begun = run(isoUtc(now), { source, capture_id: `${turn}`, parsed_rows: turn % 4, ...over })
    waiting.push({ ...begun, finished_at: isoUtc(now + minute) })
    if (turn % 4 !== 0) continue
    await warehouse.land(runs, waiting)
    waiting = []
    await roll(now + 2 * minute)
  }
  const last = start + 24 * 60 * minute - minute
  await warehouse.land(runs, waiting)
  await roll(last)
  const bitByBit = await rows()
  await roll(last, true)
  expect(bitByBit).toEqual(await rows())
  expect(bitByBit.length).toBeGreaterThan(30)
})
