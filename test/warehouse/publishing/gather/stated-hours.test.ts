import { describe, expect, test } from 'vitest'
import { getLeaveBy } from '../../../../api/data/departure/get-leave-by.ts'
import { getPredictions } from '../../../../api/data/queries/get-predictions.ts'
import { airportDirectory } from '../../../../config/airports/directory.ts'
import { DAY_MS, HOUR_MS, isoUtc, MINUTE_MS } from '../../../../config/domain.ts'
import { forecastAsOf } from '../../../../warehouse/publishing/as-of.ts'
import { gatherSnapshot } from '../../../../warehouse/publishing/publish.ts'
import { snapshotReader } from '../../../../warehouse/publishing/snapshot/snapshot.ts'
import { openPercentAt } from '../../../../warehouse/publishing/waits/learned-hours.ts'
import type { Warehouse } from '../../../../warehouse/storage/warehouse.ts'
import { forecasts } from '../../../../warehouse/tables/forecasts.ts'
import { type Reading, readings } from '../../../../warehouse/tables/readings.ts'
import { newWarehouse } from '../../new-warehouse.ts'
import { forecast, reading } from '../../test-rows.ts'

/** 14:00 in Washington, the day after the only night that was read. */
const NOW = Date.parse('2026-11-20T19:00:00Z')
const timezone = 'America/New_York'

/** A reading at a local time of the 20th; negative hours are those of the evening before. */
function at(localHour: number, over: Partial<Reading>): Reading {
  const observed_at = isoUtc(Date.parse('2026-11-20T05:00:00Z') + localHour * HOUR_MS)
  return reading({
    source: 'mwaa-dca',
    iata: 'DCA',
    terminal: '2',
    checkpoint: 'North',
    observed_at,
    fetched_at: observed_at,
    available_at: observed_at,
    ...over,
  })
}
const open = { status: 'open', wait_minutes: 8, wait_text: null } as const
const closed = (wait_text: string) => ({ status: 'closed', wait_minutes: null, wait_text }) as const

/** One night of two checkpoints that open at 04:00 and 05:00, closed since 22:30, as words of their source. */
const NIGHT = [
  at(-2, open),
  at(-1.5, closed('Opens 4am')),
  at(2, closed('Opens 4am')),
  at(-1.5, { checkpoint: 'South', ...closed('Opens 5am') }),
  at(9, { checkpoint: 'South', ...open }),
  at(13.9, open),
]

async function withWarehouse<Result>(rows: Reading[], work: (warehouse: Warehouse) => Promise<Result>) {
  const warehouse = await newWarehouse()
  try {
    await warehouse.land(readings, rows)
    return await work(warehouse)
  } finally {
    await warehouse.close()
  }
}

const snapshotOf = (rows: Reading[], now = NOW, iata = 'DCA') =>
  withWarehouse(rows, async (warehouse) => {
    const airports = [airportDirectory().byIata.get(iata)!]
    const { content } = await gatherSnapshot(warehouse, { now, simulated: false, airports })
    return snapshotReader('test', content)
  })

const contextOf = (snapshot: Awaited<ReturnType<typeof snapshotOf>>) =>
  ({ snapshot, directory: airportDirectory(), now: NOW, tier: 'enterprise', caller: null }) as never

describe('published opening hours', () => {
  test('bind a typical forecast and a plan after one night, which is not enough to learn them', async () => {
    const snapshot = await snapshotOf(NIGHT)
    const { hours } = getPredictions.run({ iata: 'DCA', date: '2026-11-21' }, contextOf(snapshot)) as never as {
      hours: { local_time: string; status: string; wait_minutes: number | null }[]
    }
    const byClock = new Map(hours.map((hour) => [hour.local_time.slice(11, 13), hour]))
    for (const clock of ['00', '01', '02', '03'])
      expect(byClock.get(clock), clock).toMatchObject({ status: 'closed', wait_minutes: null })
    expect(byClock.get('04')).toMatchObject({ status: 'open' })
    expect(byClock.get('04')!.wait_minutes).not.toBeNull()
    expect(snapshot.forecast('DCA')!.model.basis).toBe('typical')

    const plan = (departure: string) =>
      getLeaveBy.run({ iata: 'DCA', departure }, contextOf(snapshot)) as never as {
        leave_times: { p50: { leave_at_local: string } | null }
        security_closes_at_local: string | null
        security_opens_at_local: string | null
        recommended: { arrive_at_local: string } | null
      }
    // Nobody gets through between the closing of the evening and the opening.
    const night = plan('2026-11-21T03:30')
    expect(night.security_closes_at_local).toBe('2026-11-20T23:00:00-05:00')
    expect(night.leave_times.p50!.leave_at_local < '2026-11-20T23').toBe(true)
    const early = plan('2026-11-21T05:30')
    expect(early.security_opens_at_local).toBe('2026-11-21T04:00:00-05:00')
    // Beyond the forecast they count as well.
    expect(plan('2026-12-10T03:30').leave_times.p50!.leave_at_local < '2026-12-09T23').toBe(true)
  })

  test('say when a closed queue opens, as published', async () => {
    const snapshot = await snapshotOf(NIGHT)
    const night = snapshot.asOf(Date.parse('2026-11-21T07:00:00Z')).queue('DCA', 'security')
    expect(night).toMatchObject({
      status: 'closed',
      reopens_at: '2026-11-21T09:00:00Z',
      reopens_basis: 'measured',
      reopens_days: null,
    })
  })

  test('are those of the last lane to close and the first to open, and of no queue with a lane that states none', async () => {
    const dfw = (name: string, wait_text: string | null) =>
      at(12, { source: 'mobi-dfw', iata: 'DFW', terminal: '', checkpoint: name, status: 'open', wait_text })
    const bounds = async (rows: Reading[]) => {
      const hours = (await snapshotOf(rows, NOW, 'DFW')).openingHours('DFW', 'security')
      // From midnight in Dallas on.
      return hours && Array.from({ length: 24 }, (_, hour) => openPercentAt(hours, NOW + (hour + 11) * HOUR_MS))
    }
    const both = await bounds([dfw('A12', 'Open 04:30 - 20:00'), dfw('B9', 'Open 05:00 - 22:00')])
    expect(both!.map((percent, hour) => (percent <= 10 ? hour : -1)).filter((hour) => hour >= 0)).toEqual([
      0, 1, 2, 3, 22, 23,
    ])
    expect(both![4]).toBe(50)
    expect(both!.slice(5, 22).every((percent) => percent >= 90)).toBe(true)
    expect(await bounds([dfw('A12', 'Open 04:00 - 20:00'), dfw('B9', null)])).toBeNull()
    expect(await bounds([dfw('A12', 'Open 00:00 - 24:00')])).toBeNull()
  })

  test('of the past are those known then', async () => {
    const issued = Date.parse('2026-11-20T08:00:00Z')
    const rows = Array.from({ length: 48 }, (_, ahead) =>
      forecast(issued - DAY_MS, issued - DAY_MS + ahead * HOUR_MS, 8, {
        iata: 'DCA',
        model: 'model:DCA@2026-11-19T04Z',
      }),
    )
    const openOf = (as_of: number) =>
      withWarehouse(NIGHT, async (warehouse) => {
        await warehouse.land(forecasts, rows)
        const from = Math.floor(as_of / HOUR_MS) * HOUR_MS
        const question = { iata: 'DCA', as_of, from, to: from + 4 * HOUR_MS, terminals: false, now: NOW }
        return [...(await forecastAsOf(warehouse, question))!.series[0]!.open]
      })
    // At 03:10 the words of the night were known, a day before nothing was.
    expect(await openOf(issued + 10 * MINUTE_MS)).toEqual([1, 99, 255, 255])
    expect(await openOf(issued - DAY_MS + 10 * MINUTE_MS)).toEqual([255, 255, 255, 255])
  })

  test('follow the local clock', async () => {
    const hours = (await snapshotOf(NIGHT)).openingHours('DCA', 'security', '2')!
    expect(hours).toMatchObject({ timezone, terminal: '2', published: { source: 'mwaa-dca', opening_hour: 4 } })
    // 03:00 in summer is 07:00 UTC.
    expect(openPercentAt(hours, Date.parse('2027-07-01T07:00:00Z'))).toBe(1)
    expect(openPercentAt(hours, Date.parse('2027-07-01T08:00:00Z'))).toBe(99)
  })
})
