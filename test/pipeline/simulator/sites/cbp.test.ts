import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { repetitions } from '../../../exhaustive.ts'
import { NOW, runningSimulator } from '../running-simulator.ts'

const { fetchFrom } = runningSimulator()
const BUCKETS = ['0_15', '16_30', '31_45', '46_60', '61_90', '91_120', '121'].map(
  (bounds) => `Average_${bounds}_PassengerCount`,
)
const FIELDS = [
  ...BUCKETS,
  'AirportCode AirportName TerminalName SiteId FlightDate HourRange AverageWait MaxWait',
  'UsaPassengerAverageWait UsaPassengerMaxWait UsaPassengerCount NonUsaPassengerAverageWait NonUsaPassengerMaxWait',
  'NonUsaPassengerCount GlobalEntryPassengerCount ExcludedPassengerCount TotalPassengerCount FlightCount BoothsUsed LastUpdated',
].flatMap((names) => names.split(' '))

async function rows(id: string): Promise<Record<string, string | number>[]> {
  const body = JSON.stringify({ Id: id, FromDate: '2026-10-25', ToDate: '2026-11-20' })
  const answer = await fetchFrom('awt.cbp.gov/api/waitTime', { method: 'POST', body })
  const row = z.record(z.string(), z.union([z.string(), z.number()]))
  return z.object({ Items: z.array(row) }).parse(await answer.json()).Items
}

describe('the simulated CBP', () => {
  it.each(['JFK', 'ATL', 'LAX', 'MIA', 'ORD'].slice(0, repetitions(1, 5)))(
    'has consistent rows at %s',
    async (iata) => {
      const items = await rows(iata)
      expect(items.length).toBeGreaterThan(200)
      const keys = items.map((row) => `${row.SiteId} ${row.FlightDate} ${row.HourRange}`)
      expect(new Set(keys).size).toBe(keys.length)
      for (const row of items) {
        expect(Object.keys(row).sort()).toEqual([...FIELDS].sort())
        const number = (name: string) => Number(row[name])
        const inBuckets = BUCKETS.reduce((sum, name) => sum + number(name), 0)
        expect(inBuckets + number('ExcludedPassengerCount')).toBe(number('TotalPassengerCount'))
        expect(number('UsaPassengerCount') + number('NonUsaPassengerCount')).toBe(number('TotalPassengerCount'))
        expect(number('MaxWait')).toBe(Math.max(number('UsaPassengerMaxWait'), number('NonUsaPassengerMaxWait')))
        expect(number('AverageWait')).toBeLessThanOrEqual(number('MaxWait'))
        expect(number('GlobalEntryPassengerCount')).toBeLessThanOrEqual(number('UsaPassengerCount'))
        for (const name of BUCKETS) expect(number(name)).toBeGreaterThanOrEqual(0)
        expect(number('FlightCount')).toBeGreaterThan(0)
        expect(row.HourRange).toMatch(/^\d\d00 - \d\d00$/)
      }
    },
  )

  it('is two days late, and answers for one hall too', async () => {
    const items = await rows('A471')
    expect(new Set(items.map((row) => row.TerminalName))).toEqual(new Set(['Terminal 1']))
    const newest = items
      .map((row) => String(row.FlightDate))
      .sort()
      .at(-1)!
    expect(NOW - Date.parse(newest)).toBeGreaterThan(2 * 86_400_000)
    expect(NOW - Date.parse(newest)).toBeLessThan(4 * 86_400_000)
  })
})
