import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '../../../config/domain.ts'
import { dataPaths, readSettings } from '../../../config/settings.ts'
import { unfinishedDays } from '../../../warehouse/storage/incomplete-days.ts'
import { listPartitions, livePaths } from '../../../warehouse/storage/layout.ts'
import { quarantinedFiles } from '../../../warehouse/storage/quarantined.ts'
import { applyRetention } from '../../../warehouse/storage/retention.ts'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import { type OpenWarehouse, openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { asFenced } from '../../../warehouse/storage/write.ts'
import { openHours } from '../../../warehouse/tables/open-hours.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { rollups } from '../../../warehouse/tables/rollups.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { HARMS, randomFrom } from '../../faults/harms.ts'
import { CHANGES, runKilled, runStopping, stopAtSteps } from '../../stopped-writer.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { reading } from '../test-rows.ts'

/** What is made of readings must neither be lost with a part of them, nor be made of a part of them. */
stopAtSteps()

const NOW = Date.parse('2026-11-20T12:00:00Z')
const DAYS = 6
/** Retention deletes the readings of two of the days. */
const KEPT_DAYS = 4
const HOURS = ['06', '07', '08']
const dayOf = (age: number) => new Date(NOW - age * DAY_MS).toISOString().slice(0, 10)

const rowsOf = (hour: string) =>
  Array.from({ length: DAYS }, (_, age) =>
    [5, 25, 45].map((minute) =>
      reading({
        observed_at: `${dayOf(age)}T${hour}:${String(minute).padStart(2, '0')}:00Z`,
        wait_minutes: minute,
        capture_id: `${age}-${hour}`,
      }),
    ),
  ).flat()

/** A warehouse whose days have a file of readings for each hour, rolled up. */
async function rolledUp(): Promise<OpenWarehouse> {
  const warehouse = await openWarehouse(await temporaryFolder())
  onTestFinished(() => warehouse.close())
  for (const hour of HOURS) await warehouse.land(readings, rowsOf(hour))
  await warehouse.maintain((context) => rollUp(context, { now: NOW }))
  return warehouse
}

const settingsOf = ({ data_dir }: OpenWarehouse) => ({
  ...readSettings({}),
  data_dir,
  readings_days: KEPT_DAYS - 1,
  min_free_bytes: 1,
})

/** All that was made of readings, apart from when it became known. */
const derived = async (warehouse: OpenWarehouse) => {
  await warehouse.refresh()
  return {
    hours: await warehouse.query('SELECT * EXCLUDE (known_from) FROM rollups ORDER BY ALL'),
    open: await warehouse.query('SELECT * FROM open_hours ORDER BY ALL'),
  }
}

const daysLeft = async ({ context }: OpenWarehouse) => (await listPartitions(context.warehouseDir, readings)).length
const retain = (warehouse: OpenWarehouse) => applyRetention(warehouse.context, settingsOf(warehouse), NOW)
const roll = (warehouse: OpenWarehouse) => rollUp(warehouse.context, { now: NOW + 3_600_000 })

test('retention that is killed at any step costs no rolled up hour, is no damage, and is done to its end by the next', {
  timeout: 120_000,
}, async () => {
  const steps = EXHAUSTIVE ? Array.from({ length: 30 }, (_, step) => step) : [8, 12]
  let kills = 0
  for (const step of steps) {
    const warehouse = await rolledUp()
    const before = await derived(warehouse)
    if (await runKilled(step, () => retain(warehouse), CHANGES)) kills += 1
    // Another process goes on, which verifies all files.
    const next = await openWarehouse(warehouse.data_dir)
    await roll(next)
    expect(await derived(next), `step ${step}`).toEqual(before)
    expect(await quarantinedFiles(next.data_dir), `step ${step}`).toEqual([])
    await retain(next)
    await roll(next)
    expect([await daysLeft(next), await derived(next)], `step ${step}`).toEqual([KEPT_DAYS, before])
    expect(await unfinishedDays(next.context.warehouseDir)).toEqual([])
    await next.close()
  }
  expect(kills).toBeGreaterThan(0)
})

test.runIf(EXHAUSTIVE).each([
  ['retention', 'rollup', retain, roll],
  ['rollup', 'retention', roll, retain],
] as const)(
  '%s that is frozen at any step while %s runs costs no rolled up hour',
  { timeout: 120_000 },
  async (_, __, first, second) => {
    for (let step = 0, isReached = true; isReached; step += 1) {
      const warehouse = await rolledUp()
      // The rollup has something to do.
      await warehouse.land(readings, [reading({ observed_at: `${dayOf(5)}T09:05:00Z`, capture_id: 'late' })])
      const complete = await openWarehouse(warehouse.data_dir)
      const [a, b] = [warehouse, complete]
      isReached = false
      const meanwhile = async () => {
        isReached = true
        await second(b)
      }
      await runStopping<unknown>(step, meanwhile, () => first(a), CHANGES).catch((cause) => {
        expect(asFenced(cause)).toMatchObject({ code: 'WRITE_FENCED' })
      })
      await roll(b)
      const { hours } = await derived(b)
      const ofOldest = hours.filter(({ hour, level }) => level === 'airport' && String(hour).startsWith(dayOf(5)))
      expect(ofOldest.length, `step ${step}`).toBeGreaterThanOrEqual(HOURS.length)
      await retain(b)
      expect(await daysLeft(b), `step ${step}`).toBe(KEPT_DAYS)
      await complete.close()
    }
  },
)

test('hours stay as they were when a file of their readings is damaged, and follow the readings when these are back', async () => {
  const warehouse = await rolledUp()
  const before = await derived(warehouse)
  const [day] = (await listPartitions(warehouse.context.warehouseDir, readings)).slice(-1)
  const [lost] = livePaths([day!])
  await HARMS['cut in its middle']!(lost!, lost!, randomFrom(1))
  const next = await openWarehouse(warehouse.data_dir)
  onTestFinished(() => next.close())
  expect(await quarantinedFiles(next.data_dir)).toHaveLength(1)
  await roll(next)
  expect(await derived(next)).toEqual(before)
  expect(await roll(next), 'days that are due again').toBe(0)
  // The same rows, and further ones of another lane, are landed again.
  for (const hour of HOURS) await next.land(readings, rowsOf(hour))
  await next.land(readings, [reading({ observed_at: `${dayOf(0)}T06:55:00Z`, wait_minutes: 100, capture_id: 'new' })])
  await roll(next)
  const { hours } = await derived(next)
  const first = hours.find(({ hour, level }) => level === 'airport' && String(hour).startsWith(`${dayOf(0)}T06`))
  expect(first).toMatchObject({ samples: 4, max: 100 })
})

test.runIf(EXHAUSTIVE).each(Object.keys(HARMS))(
  'rolled up files that are %s are made again from the readings',
  async (harm) => {
    const warehouse = await rolledUp()
    const before = await derived(warehouse)
    for (const table of [rollups, openHours]) {
      const paths = livePaths(await listPartitions(warehouse.context.warehouseDir, table))
      await HARMS[harm]!(paths[0]!, paths[1]!, randomFrom(7))
    }
    const next = await openWarehouse(warehouse.data_dir)
    onTestFinished(() => next.close())
    await roll(next)
    expect(await derived(next)).toEqual(before)
  },
)

test.runIf(EXHAUSTIVE)(
  'rolled up hours that are newer than their readings, as after a restore, follow the readings and stay in the history',
  async () => {
    const warehouse = await rolledUp()
    const before = await derived(warehouse)
    const { warehouse: root } = dataPaths(warehouse.data_dir)
    const older = join(await temporaryFolder(), 'readings')
    await cp(join(root, 'readings'), older, { recursive: true })
    await warehouse.land(readings, [reading({ observed_at: `${dayOf(0)}T10:05:00Z`, capture_id: 'newer' })])
    await roll(warehouse)
    expect((await derived(warehouse)).hours.length).toBeGreaterThan(before.hours.length)
    await warehouse.close()
    await rm(join(root, 'readings'), { recursive: true })
    await cp(older, join(root, 'readings'), { recursive: true })
    await rm(join(root, 'verified.json'), { force: true })
    const next = await openWarehouse(warehouse.data_dir)
    onTestFinished(() => next.close())
    await rollUp(next.context, { now: NOW + 2 * 3_600_000 })
    expect(await derived(next)).toEqual(before)
    const [history] = await next.query<{ n: number }>('SELECT count(*) AS n FROM rollup_history')
    expect(history?.n).toBeGreaterThan(0)
  },
)
