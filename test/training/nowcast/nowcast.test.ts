import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { DAY_MS, HOUR_MS, isoUtc, MINUTE_MS } from '../../../config/vocabulary.ts'
import {
  MEDIAN_INPUTS,
  nowcastCoefficients,
  type SharedNowcast,
  WIDTH_INPUTS,
} from '../../../forecasting/nowcast/coefficients.ts'
import { nowcastOf, nowcastsAt } from '../../../forecasting/nowcast/nowcast.ts'
import { recentAt } from '../../../forecasting/nowcast/nowcast-inputs.ts'
import { type NowcastSeries, nowcastSeries, scansOf } from '../../../forecasting/nowcast/series.ts'
import { usualWaitsAt } from '../../../forecasting/nowcast/usual-waits.ts'
import { quantileRegression } from '../../../forecasting/quantiles/quantile-regression.ts'
import { mean, seededRandom } from '../../../forecasting/statistics/statistics.ts'
import { nowcastKeys } from '../../../training/nowcast/backtest-keys.ts'
import { type NowcastExample, nowcastExamples } from '../../../training/nowcast/examples.ts'
import { readKeys } from '../../../training/nowcast/keys.ts'
import { exampleNowcast, learnOwn, learnShared } from '../../../training/nowcast/learn.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { repetitions } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { newWarehouse } from '../../warehouse/new-warehouse.ts'
import { landedAt, reading } from '../../warehouse/test-rows.ts'

const FIRST = Date.parse('2026-06-01T00:00:00Z')
const JFK = { iata: 'JFK', timezone: 'America/New_York', size: 'large' } as const

const row = (minutes: number, wait_minutes: number | null, over = {}) => {
  const instant = isoUtc(FIRST + minutes * MINUTE_MS)
  return reading({
    iata: 'JFK',
    ...landedAt(instant),
    wait_minutes,
    ...over,
  })
}

/** A day shape with a morning peak, and a deviation that fades within two hours. */
function drawnDays(days: number, seed: number, every = 10) {
  const random = seededRandom(seed)
  let deviation = 0
  return Array.from({ length: (days * 1_440) / every }, (_, k) => {
    const hour = ((k * every) / 60) % 24
    deviation = deviation * Math.exp(-every / 60) + 3 * (random() - 0.5)
    return { minutes: k * every, wait: Math.max(0, 5 + 12 * Math.exp(-(((hour - 12) / 3) ** 2)) + deviation) }
  })
}

function seriesOf(waits: { minutes: number; wait: number }[]) {
  const lanes = waits.map(({ minutes, wait }) => ({
    lane: 'a',
    observed_ms: FIRST + minutes * MINUTE_MS,
    available_ms: FIRST + minutes * MINUTE_MS,
    minutes: wait,
  }))
  return nowcastSeries(JFK, scansOf(lanes))
}

test('the usual waits of a series that keeps its slots by time of day are those of one that does not', () => {
  const series = seriesOf(drawnDays(66, 5, 30))
  const keeping: NowcastSeries = { ...series, near_slots: new Map(), cache: { ...series.cache, entries: new Map() } }
  for (let day = 1; day < 66; day += 8)
    for (const [hour, ahead] of [
      [3, 15],
      [3, 120],
      [12, 15],
    ] as const) {
      const issued_ms = FIRST + day * DAY_MS + hour * HOUR_MS
      const valid_ms = issued_ms + ahead * MINUTE_MS
      expect(usualWaitsAt(keeping, issued_ms, valid_ms)).toEqual(usualWaitsAt(series, issued_ms, valid_ms))
    }
  expect(keeping.near_slots!.size).toBe(3)
})

test('nothing that becomes known after the issue changes what would have been served', async () => {
  const warehouse = await newWarehouse()
  const known = drawnDays(1, 3, 20).map(({ minutes, wait }) => row(minutes, wait))
  await warehouse.land(readings, known)
  const issued_ms = FIRST + DAY_MS
  const keys = [0, 15, 45, 360].map((ahead) => ({
    airport: 'JFK',
    issued_at: '',
    valid_at: '',
    issued_ms,
    valid_ms: issued_ms + ahead * MINUTE_MS,
  }))
  const before = await nowcastKeys(warehouse, keys)
  const end = 1_440
  const late = { available_at: isoUtc(issued_ms + HOUR_MS) }
  const poison = [1, 11, 21].map((after) => row(end + after, 90))
  poison.push(
    row(end - 5, 90, late),
    row(end - 5, 90, { available_at: late.available_at, checkpoint: 'Late' }),
    row(end - 720, 90, late),
    row(end + 12, null, { checkpoint: 'Main', status: 'closed' }),
  )
  await warehouse.land(readings, poison)
  expect(await nowcastKeys(warehouse, keys)).toEqual(before)
  const later = await nowcastKeys(
    warehouse,
    keys.map((key) => ({ ...key, issued_ms: issued_ms + 2 * HOUR_MS, valid_ms: key.valid_ms + 2 * HOUR_MS })),
  )
  expect(later[1]!.p50).toBeGreaterThan(before[1]!.p50! + 5)
  for (const { p10, p50, p90, p_closed } of before) {
    expect(p10).toBeLessThanOrEqual(p50!)
    expect(p50).toBeLessThanOrEqual(p90!)
    expect(p_closed ?? 0).toBeLessThan(0.5)
  }
})

test('a key has a row whatever is known: the prior without readings, a few readings, and nothing of an airfield', async () => {
  const warehouse = await newWarehouse()
  await warehouse.land(
    readings,
    [0, 10, 20].map((minutes) => row(minutes, 40, { iata: 'DEN' })),
  )
  const unscheduled = airportDirectory().all.find(({ scheduled_service }) => !scheduled_service)!
  const issued_ms = FIRST + 25 * MINUTE_MS
  const key = (airport: string) => ({ airport, issued_at: '', valid_at: '', issued_ms, valid_ms: issued_ms + HOUR_MS })
  const [prior, measured, airfield] = await nowcastKeys(warehouse, ['LAX', 'DEN', unscheduled.iata].map(key))
  expect(prior!.p50).toBeLessThan(15)
  expect(prior!.p_closed).toBeNull()
  // The airport has no history of a day, and its newest wait is far above the prior.
  expect(measured!.p50).toBeGreaterThan(20)
  expect(airfield).toEqual({ p10: null, p50: null, p90: null, p_closed: null })
})

test('the faults of a file of keys name the row and the field', async () => {
  const file = join(await temporaryFolder(), 'keys.csv')
  const read = async (text: string) => {
    await writeFile(file, text)
    try {
      return readKeys(file, FIRST, FIRST + DAY_MS).length
    } catch (error) {
      return (error as Error).message
    }
  }
  const good = 'JFK,2026-06-01T00:30:00Z,2026-06-01T00:45:00Z'
  expect(await read(`airport,issued_at,valid_at\n${good}\n`)).toBe(1)
  expect(await read('airport,issued_at\nJFK,x\n')).toContain('row 1: the header must have')
  expect(await read('airport,issued_at,valid_at\n')).toContain('no row')
  expect(await read(`airport,issued_at,valid_at\n${good}\nXXQ,2026-06-01T00:30:00Z,soon\n`)).toMatch(
    /row 3: airport: "XXQ".*row 3: valid_at: "soon"/,
  )
  expect(await read('airport,issued_at,valid_at\nJFK,2026-06-01T00:30:00Z,2026-06-01T07:00:00Z\n')).toContain(
    'row 2: valid_at: 2026-06-01T07:00:00Z is more than 6 hours',
  )
  expect(await read('airport,issued_at,valid_at\nJFK,2026-07-01T00:30:00Z,2026-07-01T00:40:00Z\n')).toContain(
    'row 2: issued_at: 2026-07-01T00:30:00Z is outside',
  )
  expect(await readFile(file, 'utf8')).toContain('2026-07-01')
})

test('quantile regression finds the quantiles of what it is shown and stays at its start without evidence', () => {
  const random = seededRandom(5)
  const inputs = Array.from({ length: 2_000 }, () => Float64Array.from([1, random() * 4]))
  const targets = Float64Array.from(inputs, ([, x]) => 2 + x! * (1 + random()))
  const fitted = (quantile: number) =>
    quantileRegression({
      inputs,
      targets,
      weights: new Float64Array(2_000).fill(1),
      quantile,
      toward: [0, 0],
      ridge: 0.01,
    })
  expect(fitted(0.5)[0]).toBeCloseTo(2, 0)
  expect(fitted(0.5)[1]).toBeCloseTo(1.5, 1)
  expect(fitted(0.9)[1]).toBeCloseTo(1.9, 1)
  const nothing = { inputs: [], targets: new Float64Array(0), weights: new Float64Array(0) }
  expect(quantileRegression({ ...nothing, quantile: 0.5, toward: [3, 4], ridge: 1 })).toEqual([3, 4])
})

test('an airport whose waits repeat exactly learns to trust the newest one less than one whose waits wander', () => {
  const shared = nowcastCoefficients().shared
  const examples = nowcastExamples(seriesOf(drawnDays(3, 11, 20)), FIRST, FIRST + 3 * DAY_MS)
  const own = learnOwn(examples, shared)!
  const error = (which: typeof own | null) =>
    mean(examples.map((example) => Math.abs(example.truth - exampleNowcast(example, shared, which).p50)))
  expect(error(own)).toBeLessThan(error(null))
  expect(learnOwn(examples.slice(0, 15), shared)).toBeNull()
})

test('waits that are published in steps are forecast as a step at an instant, and as any minute for the mean of an hour', () => {
  const { shared } = nowcastCoefficients()
  const inFives = drawnDays(3, 11, 15).map(({ minutes, wait }) => ({ minutes, wait: 5 * Math.round(wait / 5) }))
  const series = seriesOf(inFives)
  const own = learnOwn(nowcastExamples(series, FIRST, FIRST + 3 * DAY_MS), shared)!
  expect(own.steps!.minutes).toBe(5)
  expect(own.in_steps).toContain(true)
  const minutesOf = (subject: 'instant' | 'hour') =>
    Array.from({ length: 8 }, (_, k) => {
      const issued_ms = FIRST + 2 * DAY_MS + 2 * k * HOUR_MS
      const in_steps = own.in_steps.map(() => true)
      return nowcastOf(series, recentAt(series, issued_ms)!, issued_ms + HOUR_MS, shared, { ...own, in_steps }, subject)
        .p50
    })
  expect(minutesOf('instant').every((minutes) => minutes % 5 === 0)).toBe(true)
  expect(minutesOf('hour').some((minutes) => minutes % 5 !== 0)).toBe(true)
  const anyMinute = nowcastExamples(seriesOf(drawnDays(2, 11, 20)), FIRST, FIRST + 2 * DAY_MS)
  expect(learnOwn(anyMinute, shared)!.steps).toBeNull()
})

test('the next hour is learned from an issue every five minutes of a dense feed and every half hour of a sparse one', () => {
  const issuesOf = (every: number) => {
    const examples = nowcastExamples(seriesOf(drawnDays(1, 3, every)), FIRST, FIRST + DAY_MS)
    return [0, 3, 4].map((lead) => {
      // After the first readings it is known how often the feed is read.
      const issues = examples
        .filter((example) => example.lead === lead && example.issued_ms > FIRST + 2 * HOUR_MS)
        .map(({ issued_ms }) => issued_ms)
      return Math.min(...issues.slice(1).map((issued_ms, k) => (issued_ms - issues[k]!) / MINUTE_MS))
    })
  }
  expect(issuesOf(5)).toEqual([5, 15, 30])
  expect(issuesOf(30)).toEqual([30, 30, 30])
})

test('the next minutes of a dense feed are learned from dense feeds, and from sparse ones only where there are no others', () => {
  const random = seededRandom(6)
  /** Waits that keep this share of their deviation over the next quarter of an hour. */
  const examples = (count: number, sparsity: number, share: number): NowcastExample[] =>
    Array.from({ length: count }, (_, k) => {
      const deviation = 4 * random() - 2
      const median = Float64Array.from(MEDIAN_INPUTS, (name) => (name === 'deviation' ? deviation : 0))
      const truth = 20 + share * deviation + 0.2 * (random() - 0.5)
      const times = { issued_ms: k, known_ms: k, half_hours: 1 }
      const width = Float64Array.from(WIDTH_INPUTS, (name) => (name === 'constant' ? 1 : 0))
      return { ...times, lead: 0, sparsity, centre: 20, scale: 1, median, width, last: 20 + deviation, truth }
    })
  const kept = ({ dense }: SharedNowcast) => dense.p50[0]![MEDIAN_INPUTS.indexOf('deviation')]!
  const sparse = Array.from({ length: 40 }, () => examples(60, 1, 0.2))
  expect(kept(learnShared([examples(60, 0, 0.9), ...sparse]))).toBeGreaterThan(0.7)
  expect(kept(learnShared(sparse))).toBeCloseTo(0.2, 1)
})

test('the interval of a queue that has become less steady grows within some hundred forecasts, and that of a steady one does not', () => {
  const { shared } = nowcastCoefficients()
  const random = seededRandom(4)
  const unchanged = {
    lead: 2,
    sparsity: 0,
    centre: 40,
    scale: 2,
    median: new Float64Array(MEDIAN_INPUTS.length),
    width: Float64Array.from(WIDTH_INPUTS, (_, k) => (k < 3 ? 1 : 0)),
    last: 40,
    half_hours: 1,
  }
  const { p10, p90 } = exampleNowcast({ ...unchanged, issued_ms: 0, known_ms: 0, truth: 40 }, shared, null)
  const key = (hour: number, spread: number) => {
    const issued_ms = FIRST + hour * HOUR_MS
    const truth = 40 + spread * (random() < 0.5 ? (p10 - 40) * random() : (p90 - 40) * random())
    return { ...unchanged, issued_ms, known_ms: issued_ms + HOUR_MS, truth }
  }
  const coverage = (spreads: readonly number[], after: number) => {
    const own = learnOwn(
      spreads.map((spread, hour) => key(hour, spread)),
      shared,
    )!
    const coming = Array.from({ length: 600 }, (_, k) => key(spreads.length + k, after))
    const inside = coming.filter((example) => {
      const interval = exampleNowcast(example, shared, own)
      return example.truth >= interval.p10 && example.truth <= interval.p90
    })
    return inside.length / coming.length
  }
  // Five weeks, then three in which the waits lie twice as far from their median.
  const calm = Array<number>(5 * 168).fill(1)
  const restless = Array<number>(3 * 168).fill(2)
  expect(coverage([...calm, ...restless], 2)).toBeGreaterThan(0.64)
  expect(Math.abs(coverage(calm, 1) - 0.8)).toBeLessThan(0.1)
})

test('quantiles are ordered, not below zero, and the median follows a wait that was just made, whatever the history', () => {
  const shared = nowcastCoefficients().shared
  fc.assert(
    fc.property(
      fc.array(fc.record({ gap: fc.integer({ min: 1, max: 300 }), wait: fc.integer({ min: 0, max: 180 }) }), {
        minLength: 1,
        maxLength: 60,
      }),
      fc.integer({ min: 0, max: 600 }),
      (drawn, delay) => {
        let minutes = 0
        const waits = drawn.map(({ gap, wait }) => {
          minutes += gap
          return { minutes, wait }
        })
        const issued_ms = FIRST + (minutes + delay) * MINUTE_MS
        const valid = [0, 15, 37, 60, 240, 360].map((ahead) => issued_ms + ahead * MINUTE_MS)
        for (const { p10, p50, p90, confidence } of nowcastsAt(seriesOf(waits), issued_ms, valid, shared, null)!) {
          expect(p10).toBeGreaterThanOrEqual(0)
          expect(p50).toBeGreaterThanOrEqual(p10)
          expect(p90).toBeGreaterThanOrEqual(p50)
          expect(confidence).toBeGreaterThanOrEqual(0)
          expect(confidence).toBeLessThanOrEqual(1)
        }
      },
    ),
    { numRuns: repetitions(15, 40) },
  )
})
