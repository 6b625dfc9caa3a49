import { expect, test } from 'vitest'
import { DAY_MS, isoUtc, MINUTE_MS } from '../../../../config/vocabulary.ts'
import { latestReadings } from '../../../../warehouse/publishing/waits/queue-wait.ts'
import { sourceFigures } from '../../../../warehouse/publishing/waits/source-figures.ts'
import { rollUp } from '../../../../warehouse/storage/rollup.ts'
import { type Reading, readings } from '../../../../warehouse/tables/readings.ts'
import { newWarehouse } from '../../new-warehouse.ts'
import { reading } from '../../test-rows.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const STEP_MS = 10 * MINUTE_MS

const msp = (source: string, observed_ms: number, wait_minutes: number | null, over: Partial<Reading> = {}) =>
  reading({
    source,
    iata: 'MSP',
    terminal: '1',
    observed_at: isoUtc(observed_ms),
    available_at: isoUtc(observed_ms),
    wait_minutes,
    ...over,
  })

/** What the airport and its airline said for some days, every ten minutes: the airline up to six minutes more. */
const past = (days: number): Reading[] =>
  Array.from({ length: (days * DAY_MS) / STEP_MS }, (_, step) => NOW - 3 * STEP_MS - step * STEP_MS).flatMap(
    (instant, step) => [msp('msp-html', instant, 10), msp('delta-newshub', instant, 10 + (step % 7))],
  )

async function figuresOf(rows: Reading[]) {
  const warehouse = await newWarehouse()
  await warehouse.land(readings, rows)
  await rollUp(warehouse, { now: NOW })
  return sourceFigures(warehouse, await latestReadings(warehouse, NOW), NOW)
}

const nowAt = (airport: number, airline: number) => [
  msp('delta-newshub', NOW - MINUTE_MS, airline),
  msp('msp-html', NOW - 2 * MINUTE_MS, airport),
]

test('names what each source says, the nearest to the queue first, and when they are further apart than usual', async () => {
  expect(await figuresOf([...past(10), ...nowAt(12, 25)])).toEqual([
    {
      iata: 'MSP',
      kind: 'security',
      figures: [
        {
          source: 'msp-html',
          wait_minutes: 12,
          observed_at: '2026-11-20T11:58:00Z',
          basis: 'measured',
          age_seconds: 120,
          freshness: 'live',
          usual_difference_minutes: null,
          disagrees: false,
        },
        {
          source: 'delta-newshub',
          wait_minutes: 25,
          observed_at: '2026-11-20T11:59:00Z',
          basis: 'measured',
          age_seconds: 60,
          freshness: 'live',
          usual_difference_minutes: 6,
          disagrees: true,
        },
      ],
    },
  ])
})

const secondOf = async (rows: Reading[]) => (await figuresOf(rows))[0]?.figures[1]

test('a usual difference is no disagreement, nor one of observations at different times', async () => {
  expect(await secondOf([...past(10), ...nowAt(12, 18)])).toMatchObject({
    disagrees: false,
    usual_difference_minutes: 6,
  })
  const late = [msp('msp-html', NOW - 19 * MINUTE_MS, 12), msp('delta-newshub', NOW - MINUTE_MS, 40)]
  expect(await secondOf([...past(10), ...late])).toMatchObject({ wait_minutes: 40, disagrees: false })
})

test('where they were compared on too few days, nothing is said of what is usual', async () => {
  expect(await secondOf([...past(5), ...nowAt(12, 60)])).toMatchObject({
    wait_minutes: 60,
    usual_difference_minutes: null,
    disagrees: false,
  })
})

test('one fresh source alone, travellers and sources of history are not compared', async () => {
  const [airline, airport] = nowAt(12, 25)
  expect(await figuresOf([airport!, msp('delta-newshub', NOW - 61 * MINUTE_MS, 25)])).toEqual([])
  expect(await figuresOf([airline!, msp('crowd', NOW, 3), msp('cbp-awt', NOW, 4)])).toEqual([])
})

test('keeps the periods in which several sources gave a wait, each lane once', async () => {
  const warehouse = await newWarehouse()
  const instant = Date.parse('2026-11-20T10:01:00Z')
  await warehouse.land(readings, [
    msp('msp-html', instant, 10, { checkpoint: 'North' }),
    msp('msp-html', instant + MINUTE_MS, 12, { checkpoint: 'North' }),
    msp('msp-html', instant, 21, { checkpoint: 'South' }),
    msp('msp-html', instant, 1, { checkpoint: 'South', lane: 'precheck' }),
    msp('msp-html', instant, 99, { checkpoint: 'West', flags: ['frozen'] }),
    msp('delta-newshub', instant, 20),
    msp('crowd', instant, 50),
    msp('msp-html', instant + STEP_MS, 10),
  ])
  await rollUp(warehouse, { now: NOW })
  expect(await warehouse.query('SELECT slot, source, wait_minutes FROM source_waits ORDER BY ALL')).toEqual([
    { slot: '2026-11-20T10:00:00Z', source: 'delta-newshub', wait_minutes: 20 },
    { slot: '2026-11-20T10:00:00Z', source: 'msp-html', wait_minutes: 16 },
  ])
})
