import { expect, test } from 'vitest'
import { HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import type { WaitReport } from '../../jobs/calls/reports.ts'
import { createReportLander } from '../../pipeline/land-reports.ts'
import { readHistory } from '../../training/history/hourly-series.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import { slotsSelect } from '../../warehouse/storage/rollup-sql.ts'
import { type Reading, readings } from '../../warehouse/tables/readings.ts'
import { newWarehouse } from '../warehouse/new-warehouse.ts'
import { reading } from '../warehouse/test-rows.ts'

const NOW = Date.parse('2026-11-21T14:20:00Z')

function report(over: Partial<WaitReport> = {}): WaitReport {
  return {
    id: 'report_1',
    iata: 'GRU',
    queue: 'security',
    terminal: '',
    lane: 'all',
    wait_minutes: 25,
    observed_at: '2026-11-21T14:10:00.000Z',
    filed_at: '2026-11-21T14:11:00.000Z',
    ...over,
  }
}

async function openLander() {
  const warehouse = await newWarehouse()
  return { warehouse, land: createReportLander(warehouse, () => NOW) }
}

test('reports of every kind of queue land as readings of travellers; landing them again changes nothing', async () => {
  const { warehouse, land } = await openLander()
  const reports = (['security', 'baggage', 'lounge', 'ees_kiosk'] as const).map((queue) =>
    report({ queue, id: `report_${queue}` }),
  )
  const rows = () => warehouse.query<Reading>('SELECT * EXCLUDE (date) FROM readings ORDER BY kind')
  expect(await land({ reports })).toEqual({ landed: reports.map(({ id }) => id), removed: [] })
  const before = await rows()
  expect(before).toHaveLength(4)
  expect(before[3]).toEqual({
    kind: 'security',
    source: 'crowd',
    iata: 'GRU',
    terminal: '',
    checkpoint: '',
    lane: 'all',
    status: 'open',
    observed_at: '2026-11-21T14:10:00Z',
    observed_at_basis: 'source',
    fetched_at: '2026-11-21T14:11:00Z',
    // Not available before it landed.
    available_at: '2026-11-21T14:20:00Z',
    wait_minutes: 25,
    wait_minutes_low: null,
    wait_minutes_high: null,
    wait_text: null,
    flags: [],
    capture_id: 'crowd-report_security',
  })
  expect(await land({ reports })).toEqual({ landed: reports.map(({ id }) => id), removed: [] })
  expect(await rows()).toEqual(before)
})

test('a report that counts no more is removed, and only it', async () => {
  const { warehouse, land } = await openLander()
  const second = report({ id: 'report_2', observed_at: '2026-11-21T14:12:00.000Z' })
  await land({ reports: [report(), second] })
  const leaving = { id: 'report_1', observed_at: report().observed_at }
  for (const _ of [1, 2])
    expect(await land({ reports: [], removed: [leaving] })).toEqual({ landed: [], removed: ['report_1'] })
  expect(await warehouse.query('SELECT capture_id FROM readings')).toEqual([{ capture_id: 'crowd-report_2' }])
})

test('reports enter no hour, no opening hours, no history and no training, and hours of an earlier release go', async () => {
  const { warehouse, land } = await openLander()
  const hours = Array.from({ length: 3 * 24 }, (_, back) => NOW - 10 * 60_000 - (back + 3) * HOUR_MS)
  const measured = hours.map((ms) =>
    reading({ iata: 'GRU', source: 'import-x', wait_minutes: 10, observed_at: isoUtc(ms), available_at: isoUtc(ms) }),
  )
  await warehouse.land(readings, measured)
  const made = async () => {
    await rollUp(warehouse)
    const [series] = await readHistory(warehouse, { kind: 'security', iata: 'GRU' })
    const slots = await warehouse.query(slotsSelect('SELECT * FROM readings'))
    const rows = await warehouse.query(
      'SELECT * EXCLUDE (known_from) FROM rollups UNION ALL BY NAME SELECT * FROM open_hours ORDER BY ALL',
    )
    return { series, slots, rows }
  }
  const before = await made()
  expect(before.rows.length).toBeGreaterThan(0)
  await land({
    reports: [report(), report({ id: 'same-hour', observed_at: isoUtc(hours[0]! + 1_000), wait_minutes: 60 })],
  })
  expect(await made()).toEqual(before)
  await warehouse.write(async ({ connection }) => {
    await connection.run(`UPDATE rollups SET source = 'crowd'`)
  })
  expect((await made()).rows, 'rolled up anew').toEqual(before.rows)
})
