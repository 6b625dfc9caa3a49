import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { quantileMinutes } from '../../answers/departure/durations.ts'
import { securityWait } from '../../answers/departure/security-wait.ts'
import { type Trip, tripOf } from '../../answers/departure/trip.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { laneOfHistoryCell } from '../../config/lanes.ts'
import { getOrCreate } from '../../config/once.ts'
import { projectFile } from '../../config/paths.ts'
import { sourceFolder } from '../../config/reference/build/source-folder.ts'
import { WAIT_VOLUME_EXPONENT } from '../../config/reference/departure-steps.ts'
import { PEAK_VOLUMES } from '../../config/reference/peak-volumes.ts'
import { DAY_MS, HOUR_MS, type Lane } from '../../config/vocabulary.ts'
import { NOW } from '../api/example-snapshot.ts'
import { fakeSnapshot, historyOf } from '../api/fake-snapshot.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'

/**
 * How often the security step of a departure stays within its stated minutes, on real waits. `TESTS=all npx vitest run
 * test/evidence/leave-by-calibration.test.ts` prints the shares; it needs ../shared.
 */

const SHARED = projectFile('..', 'shared')
const FILE = 'security-us-2026/security_us_2026.csv.gz'
/** Near-constant or stale in this history, as its description says. */
const STALE = ['BNA', 'DAL', 'DCA', 'IAD', 'JAX', 'ORD', 'OMA']
const WARM_UP_DAYS = 21
const LANES = ['standard', 'precheck', 'clear', 'priority'] as const

interface Reading {
  hour: number
  lane: Lane
  wait_minutes: number
}

let byAirport = new Map<string, Reading[]>()

function readings(): Map<string, Reading[]> {
  const found = new Map<string, Reading[]>()
  for (const row of sourceFolder(SHARED).history(FILE)) {
    const cell = laneOfHistoryCell(row['lane'] ?? '')
    const iata = row['airport'] ?? ''
    if (!cell || !row['wait_minutes'] || row['status'] === 'closed' || STALE.includes(iata)) continue
    const reading: Reading = {
      hour: Math.floor(Date.parse(row['observed_at'] ?? '') / HOUR_MS),
      lane: cell === 'all' ? 'standard' : cell,
      wait_minutes: Number(row['wait_minutes']),
    }
    getOrCreate(found, iata, () => []).push(reading)
  }
  return found
}

/** The mean of the standard lanes by hour, as a rollup has it, in tenths of a minute. */
function standardMeans(rows: readonly Reading[]): Map<number, number> {
  const waits = new Map<number, number[]>()
  for (const { hour, lane, wait_minutes } of rows)
    if (lane === 'standard') waits.set(hour, [...(waits.get(hour) ?? []), wait_minutes])
  return new Map(
    [...waits].map(([hour, all]) => [hour, Math.round((10 * all.reduce((sum, wait) => sum + wait, 0)) / all.length)]),
  )
}

const FRACTIONS = [0.5, 0.9, 0.95] as const
type Counts = { all: number; within: number[] }

/** Counts the readings of a lane that lay within the stated minutes, as planned some days before from what was known then. */
function countWithin(iata: string, lane: Trip['lane'], counts: Counts, daysAhead = 2): void {
  const directory = airportDirectory()
  const airport = directory.byIata.get(iata)!
  const own = byAirport.get(iata)!
  const means = [...standardMeans(own)].toSorted(([a], [b]) => a - b)
  const first = means[0]![0] * HOUR_MS
  const last = means.at(-1)![0] * HOUR_MS
  const trip = tripOf({ bags: false, lane, check_in: 'online', international: false }, airport, directory)
  const ofLane = own.filter((reading) => reading.lane === lane)
  for (let day = first + WARM_UP_DAYS * DAY_MS; day < last; day += 3 * DAY_MS) {
    const known = means.filter(([hour]) => hour * HOUR_MS < day - daysAhead * DAY_MS)
    const meanOf = new Map(known)
    const hours = known.map(([hour]) => hour * HOUR_MS)
    const history = historyOf(iata, hours, (start) => meanOf.get(start / HOUR_MS) ?? 0)
    const snapshot = fakeSnapshot(NOW, { history: [history] })
    const now = day - daysAhead * DAY_MS
    const wait = securityWait(snapshot, { trip, terminal: null, departure_ms: day, horizon_ms: now, now, peak: null })
    if (wait?.kind !== 'usual') continue
    for (const { hour, wait_minutes } of ofLane) {
      if (hour * HOUR_MS < day || hour * HOUR_MS >= day + DAY_MS) continue
      const taken = wait.minutesAt(hour * HOUR_MS)
      counts.all += 1
      FRACTIONS.forEach((fraction, index) => {
        if (Math.floor(wait_minutes) <= quantileMinutes(taken, fraction)) counts.within[index]! += 1
      })
    }
  }
}

const percent = (counts: Counts) => counts.within.map((within) => Math.round((1_000 * within) / counts.all) / 10)

describe.runIf(EXHAUSTIVE && existsSync(SHARED))('the security step on real waits (needs ../shared)', () => {
  beforeAll(() => {
    byAirport = readings()
  })

  it.each(LANES)('%s: nine of ten waits lie within its p90', { timeout: 120_000 }, (lane) => {
    const counts: Counts = { all: 0, within: [0, 0, 0] }
    const shares: string[] = []
    for (const iata of byAirport.keys()) {
      const own: Counts = { all: 0, within: [0, 0, 0] }
      countWithin(iata, lane, own)
      if (own.all < 50) continue
      shares.push(`${iata} ${percent(own)[1]}`)
      counts.all += own.all
      counts.within = counts.within.map((within, index) => within + own.within[index]!)
    }
    const [p50 = 0, p90 = 0, p95 = 0] = percent(counts)
    process.stdout.write(
      `${lane}: of ${counts.all} waits ${p50} % lay within p50, ${p90} % within p90, ${p95} % within p95 (p90 by airport: ${shares.join(', ')})\n`,
    )
    expect(counts.all).toBeGreaterThan(500)
    expect(p90).toBeGreaterThan(86)
    expect(p90).toBeLessThan(98)
  })

  it('over Memorial Day 2026 waits grew as the number of travellers to the power that plans use', () => {
    const start = Date.parse('2026-05-21T05:00:00Z')
    const days = [start, start + DAY_MS, start + 4 * DAY_MS, start + 5 * DAY_MS]
    const ofAirports = [...byAirport.values()].flatMap((own) => {
      const means = standardMeans(own)
      const sums = { peak: 0, usual: 0 }
      for (const [hour, mean] of means) {
        if (!days.some((day) => hour * HOUR_MS >= day && hour * HOUR_MS < day + DAY_MS)) continue
        const before = [1, 2, 3, 4].flatMap((weeks) => means.get(hour - weeks * 168) ?? [])
        const near = [...means].flatMap(([other, mean]) =>
          other < hour && hour - other < 33 * 24 && (hour - other) % 24 === 0 ? [mean] : [],
        )
        const usual = (before.length >= 3 ? before : near).toSorted((a, b) => a - b)
        if (usual.length < 3) continue
        sums.peak += mean
        sums.usual += usual[Math.floor(usual.length / 2)]!
      }
      return sums.usual === 0 ? [] : [sums.peak / sums.usual]
    })
    const waits = ofAirports.toSorted((a, b) => a - b)[Math.floor(ofAirports.length / 2)]!
    const offsets = [-4, -3, 0, 1]
    const ratios = PEAK_VOLUMES.rows().flatMap(({ holiday, day_offset, volume_ratio }) =>
      holiday === 'Memorial Day' && offsets.includes(day_offset) ? [volume_ratio] : [],
    )
    const volume = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
    const exponent = Math.log(waits) / Math.log(volume)
    process.stdout.write(
      `Memorial Day 2026: waits ${waits.toFixed(2)} times the usual at the median of ${ofAirports.length} airports, travellers usually ${volume.toFixed(2)} times: exponent ${exponent.toFixed(2)}\n`,
    )
    expect(Math.abs(exponent - WAIT_VOLUME_EXPONENT)).toBeLessThan(0.3)
  })
})
