import { expect, onTestFinished, test } from 'vitest'
import { HOUR_MS, isoUtc } from '../../config/domain.ts'
import { examplesOf } from '../../forecasting/features/examples.ts'
import { prepareSeries } from '../../forecasting/features/profile.ts'
import type { WaitReport } from '../../jobs/calls/reports.ts'
import { createReportLander } from '../../pipeline/land-reports.ts'
import { readHistory } from '../../training/history/hourly-series.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import { type Reading, readings } from '../../warehouse/tables/readings.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
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
  onTestFinished(() => warehouse.close())
  return { warehouse, land: createReportLander(warehouse, () => NOW) }
}

test('reports of every kind of queue land as readings of travellers; landing them again changes nothing', async () => {
  const { warehouse, land } = await openLander()
  const reports = (['security', 'baggage', 'lounge', 'ees_kiosk'] as const).map((queue) =>
    report({ queue, id: `report_${queue}` }),
  )
  const rows = () => warehouse.query<Reading>('SELECT * EXCLUDE (date) FROM readings ORDER BY kind')
  expect(await land({ reports })).toEqual({ landed: reports.map(({ id }) => id) })
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
  expect(await land({ reports })).toEqual({ landed: reports.map(({ id }) => id) })
  expect(await rows()).toEqual(before)
})

test.runIf(EXHAUSTIVE)(
  'a landed report is used for history and training where no other source has a reading, and not where one has',
  async () => {
    const { warehouse, land } = await openLander()
    const hours = Array.from({ length: 20 * 24 }, (_, back) => NOW - 10 * 60_000 - (back + 3) * HOUR_MS)
    const import_x = hours.map((ms) =>
      reading({ iata: 'GRU', source: 'import-x', wait_minutes: 10, observed_at: isoUtc(ms), available_at: isoUtc(ms) }),
    )
    await warehouse.land(readings, import_x)
    const trainingTruth = async () => {
      await rollUp(warehouse)
      const [series] = await readHistory(warehouse, { kind: 'security', iata: 'GRU' })
      return examplesOf(prepareSeries(series!), NOW + HOUR_MS, 1)
    }
    const before = await trainingTruth()
    expect(new Set(before.truth)).toEqual(new Set([10]))
    await land({ reports: [report({ id: 'same-hour', observed_at: isoUtc(hours[0]! + 1_000), wait_minutes: 60 })] })
    expect([...(await trainingTruth()).truth]).toEqual([...before.truth])
    await land({ reports: [report()] })
    const after = await trainingTruth()
    expect(after.truth.length).toBeGreaterThan(before.truth.length)
    expect(new Set(after.truth)).toEqual(new Set([10, 25]))
  },
)
