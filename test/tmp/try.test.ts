import { test } from 'vitest'
import { getLeaveBy } from '../../api/data/departure/get-leave-by.ts'
import { sizedAnswer } from '../../api/data/tools/answer-size.ts'
import { getBestTimeToFlyTool } from '../../api/data/tools/get-best-time-to-fly.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { localClock } from '../../config/local-time.ts'
import { typicalModel, typicalQuantiles } from '../../config/prior/typical.ts'
import { NOW, snapshotAt, THIS_HOUR } from '../api/example-snapshot.ts'

const directory = airportDirectory()
function typical(iata: string) {
  const { size, timezone } = directory.byIata.get(iata)!
  const at = Float64Array.from({ length: 168 }, (_, h) => THIS_HOUR + h * 3_600_000)
  const { hour, weekday } = localClock(timezone, at)
  const q = Array.from(at, (_, h) => typicalQuantiles(size, hour[h]!, weekday[h]!))
  return {
    iata,
    terminal: '',
    start_ms: THIS_HOUR,
    p10: Int16Array.from(q, (x) => x.p10 * 10),
    p50: Int16Array.from(q, (x) => x.p50 * 10),
    p90: Int16Array.from(q, (x) => x.p90 * 10),
    confidence: new Uint8Array(168).fill(60),
    model: typicalModel(size),
  }
}
const cases: [object, string?][] = [
  [{ iata: 'JFK', departure: '2026-11-22T17:30', travel_minutes: 45 }],
  [
    {
      iata: 'JFK',
      departure: '2026-11-22T17:30',
      destination: 'LHR',
      bags: true,
      travel_minutes: 45,
      travel_p90_minutes: 75,
      airline: 'BA',
    },
  ],
  [{ iata: 'DEN', departure: '2026-11-25T07:30', bags: 1, airline: 'UA', travel_minutes: 50 }, 'enterprise'],
  [{ iata: 'ATL', departure: '2026-11-25T07:30', bags: 1, airline: 'DL' }, 'free'],
  [{ iata: 'LIS', departure: '2026-11-23T08:00', destination: 'LHR', bags: true }, 'enterprise'],
  [{ iata: 'DUB', departure: '2026-11-22T11:00', destination: 'JFK', bags: true, airline: 'EI' }],
  [{ iata: 'YYZ', departure: '2026-11-22T11:00', international: true }],
  [{ iata: 'BTV', departure: '2026-11-22T05:10' }],
  [{ iata: 'JFK', departure: '2026-11-21T10:20', bags: true, travel_minutes: 30 }],
  [{ iata: 'JFK', departure: '2026-11-21T09:40', bags: true, travel_minutes: 30 }],
  [{ iata: 'SIN', departure: '2026-12-24T23:10', travel_minutes: 25, bags: true }],
  [{ iata: 'LHR', departure: '2027-03-01T07:30', destination: 'EDI', airline: 'BA' }],
  [{ iata: 'JFK', departure: '2026-11-22T17:30', lane: 'precheck' }],
]
test('try', () => {
  const all = ['JFK', 'ATL', 'DEN', 'LIS', 'DUB', 'YYZ', 'BTV', 'SIN', 'LHR'].map(typical)
  const snapshot = snapshotAt(NOW, { forecasts: all })
  for (const [input, tier = 'pro'] of cases) {
    const t = performance.now()
    const answer = getLeaveBy.run(input, { snapshot, directory, tier: tier as 'pro', now: NOW })
    for (let i = 0; i < 30; i++) getLeaveBy.run(input, { snapshot, directory, tier: tier as 'pro', now: NOW })
    const t2 = process.cpuUsage().user
    for (let i = 0; i < 20; i++) getLeaveBy.run(input, { snapshot, directory, tier: tier as 'pro', now: NOW })
    const ms = (process.cpuUsage().user - t2) / 20_000
    void t
    const sized = sizedAnswer(getBestTimeToFlyTool, answer, {
      view: { detail: 'brief', page: 1 },
      input,
      site_url: 'https://h.example',
    })
    console.log(
      JSON.stringify(input),
      tier,
      ms.toFixed(1),
      'ms',
      JSON.stringify(sized.structured).length,
      JSON.stringify(answer).length,
    )
    console.log(sized.text)
    if (process.env.FULL) console.log(JSON.stringify(answer, null, 1))
  }
})
