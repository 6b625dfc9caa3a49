import { expect, test } from 'vitest'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { checks } from '../../../pipeline/checks/index.ts'
import { readHistory } from '../../../training/history/hourly-series.ts'
import { currentWaits } from '../../../warehouse/publishing/waits/choice-of-source.ts'
import { latestReadings } from '../../../warehouse/publishing/waits/queue-wait.ts'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { rollups } from '../../../warehouse/tables/rollups.ts'
import { newWarehouse } from '../new-warehouse.ts'
import { reading, rollup } from '../test-rows.ts'

const NOW = Date.parse('2026-11-20T10:20:00Z')

/** A warehouse where checkpoint 1 of each airport had 7 minutes, followed by a reading with the flags of that airport. */
async function warehouseWith(flagsOf: Record<string, string[]>, over: Parameters<typeof reading>[0] = {}) {
  const warehouse = await newWarehouse()
  for (const [iata, flags] of Object.entries(flagsOf))
    await warehouse.land(readings, [
      reading({ iata }),
      reading({ iata, observed_at: '2026-11-20T10:15:00Z', wait_minutes: 55, flags, ...over }),
    ])
  await rollUp(warehouse)
  return warehouse
}

test('a reading with any flag is stored, but not used for labels, rollups or waits', async () => {
  const airports = airportDirectory().all.filter(({ timezone }) => timezone === 'America/New_York')
  const codeOf = new Map(checks.map(({ code }, k) => [airports[k]!.iata, code]))
  const warehouse = await warehouseWith(Object.fromEntries([...codeOf].map(([iata, code]) => [iata, [code]])))
  const stored = await warehouse.query('SELECT iata, wait_minutes, flags FROM readings ORDER BY observed_at, iata')
  const rolledUp = await warehouse.query(
    "SELECT iata, mean, max, samples, flagged FROM rollups WHERE level = 'airport' ORDER BY iata",
  )
  const labels = await readHistory(warehouse, { kind: 'security' })
  const waits = currentWaits(await latestReadings(warehouse, NOW), NOW)
  for (const [iata, code] of codeOf) {
    expect(stored.filter((row) => row['iata'] === iata)).toEqual([
      { iata, wait_minutes: 7, flags: [] },
      { iata, wait_minutes: 55, flags: [code] },
    ])
    expect(rolledUp.filter((row) => row['iata'] === iata)).toEqual([{ iata, mean: 7, max: 7, samples: 1, flagged: 1 }])
    expect([...(labels.find((series) => series.iata === iata && series.terminal === '')?.mean ?? [])]).toEqual([7])
    if (code !== 'wait_on_closed')
      expect(waits.find((candidate) => candidate.iata === iata)).toMatchObject({
        wait: { average_wait_minutes: 7, observed_at: '2026-11-20T10:05:00Z', age_seconds: 900 },
      })
  }
})

test('a closed lane is shown as closed, without its number', async () => {
  const open = { checkpoint: '2', wait_minutes: 9, observed_at: '2026-11-20T10:15:00Z' }
  const warehouse = await warehouseWith({ SEA: ['wait_on_closed'] }, { status: 'closed', wait_minutes_low: 50 })
  await warehouse.land(readings, [reading(open)])
  expect(currentWaits(await latestReadings(warehouse, NOW), NOW)).toMatchObject([
    {
      wait: {
        average_wait_minutes: 9,
        terminals: [
          {
            checkpoints: [
              { checkpoint: '1', wait_minutes: null, range: null, open: false },
              { checkpoint: '2', wait_minutes: 9 },
            ],
          },
        ],
      },
    },
  ])
})

test('a closed lane with a second flag is not used', async () => {
  const warehouse = await warehouseWith({ SEA: ['observed_in_future', 'wait_on_closed'] }, { status: 'closed' })
  expect(currentWaits(await latestReadings(warehouse, NOW), NOW)).toMatchObject([{ wait: { average_wait_minutes: 7 } }])
})

test('a wait that has hardly moved for a day where waits usually move is not shown, a closure is', async () => {
  const warehouse = await newWarehouse()
  const lengthsOf: Record<string, (hoursAgo: number) => number> = {
    // A week of waits up to 24 minutes, then a day of 0 or of two figures, and the same with a figure that moves.
    SEA: (hoursAgo) => (hoursAgo > 24 ? (hoursAgo * 7) % 25 : 0),
    BWI: (hoursAgo) => (hoursAgo > 24 ? (hoursAgo * 7) % 25 : 17 + (hoursAgo % 2)),
    PDX: (hoursAgo) => (hoursAgo > 24 ? (hoursAgo * 7) % 25 : hoursAgo % 3),
    // Usually without a queue.
    GEG: (hoursAgo) => (hoursAgo > 24 ? hoursAgo % 3 : 0),
  }
  for (const [iata, lengthOf] of Object.entries(lengthsOf)) {
    const rows = Array.from({ length: 8 * 24 }, (_, k) => k + 1).map((hoursAgo) =>
      rollup(NOW - hoursAgo * 3_600_000, lengthOf(hoursAgo), { iata, source: 'sea-cwt' }),
    )
    await warehouse.land(rollups, rows)
    await warehouse.land(readings, [reading({ iata, source: 'sea-cwt', wait_minutes: 0, status: 'open' })])
  }
  const shown = async () =>
    currentWaits(await latestReadings(warehouse, NOW), NOW).map(({ iata, wait }) => [iata, wait.status])
  expect(await shown()).toEqual([
    ['GEG', 'open'],
    ['PDX', 'open'],
  ])
  await warehouse.land(readings, [
    reading({
      iata: 'SEA',
      source: 'sea-cwt',
      wait_minutes: null,
      status: 'closed',
      observed_at: '2026-11-20T10:15:00Z',
    }),
  ])
  expect(await shown()).toContainEqual(['SEA', 'closed'])
})
