import { expect, test } from 'vitest'
import { checks } from '../../../pipeline/checks/index.ts'
import { readHistory } from '../../../training/history/hourly-series.ts'
import { currentWaits } from '../../../warehouse/serving/waits/choice-of-source.ts'
import { latestReadings } from '../../../warehouse/serving/waits/queue-wait.ts'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { reading } from '../test-rows.ts'

const NOW = Date.parse('2026-11-20T10:20:00Z')

/** A warehouse where checkpoint 1 had 7 minutes, followed by a reading with these flags. */
async function warehouseWith(flags: string[], over: Parameters<typeof reading>[0] = {}) {
  const warehouse = await openWarehouse(await temporaryFolder())
  await warehouse.land(readings, [
    reading(),
    reading({ observed_at: '2026-11-20T10:15:00Z', wait_minutes: 55, flags, ...over }),
  ])
  await warehouse.maintain((context) => rollUp(context))
  return warehouse
}

test.each(checks.map(({ code }) => code))(
  'a reading flagged %s is stored, but not used for labels, rollups or waits',
  async (code) => {
    const warehouse = await warehouseWith([code])
    expect(await warehouse.query('SELECT wait_minutes, flags FROM readings ORDER BY observed_at')).toEqual([
      { wait_minutes: 7, flags: [] },
      { wait_minutes: 55, flags: [code] },
    ])
    expect(await warehouse.query("SELECT mean, max, samples, flagged FROM rollups WHERE level = 'airport'")).toEqual([
      { mean: 7, max: 7, samples: 1, flagged: 1 },
    ])
    const [labels] = await readHistory(warehouse, { kind: 'security' })
    expect([...(labels?.mean ?? [])]).toEqual([7])
    if (code !== 'wait_on_closed')
      expect(currentWaits(await latestReadings(warehouse, NOW), NOW)).toMatchObject([
        { wait: { average_wait_minutes: 7, observed_at: '2026-11-20T10:05:00Z', age_seconds: 900 } },
      ])
    await warehouse.close()
  },
)

test('a closed lane is shown as closed, without its number', async () => {
  const open = { checkpoint: '2', wait_minutes: 9, observed_at: '2026-11-20T10:15:00Z' }
  const warehouse = await warehouseWith(['wait_on_closed'], { status: 'closed', wait_minutes_low: 50 })
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
  await warehouse.close()
})

test('a closed lane with a second flag is not used', async () => {
  const warehouse = await warehouseWith(['observed_in_future', 'wait_on_closed'], { status: 'closed' })
  expect(currentWaits(await latestReadings(warehouse, NOW), NOW)).toMatchObject([{ wait: { average_wait_minutes: 7 } }])
  await warehouse.close()
})
