import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { createGunzip } from 'node:zlib'
import { textTable } from '../../bin/runtime/output.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { mapKeys } from '../../config/map-keys.ts'
import { localClock, weekHourAt } from '../../config/time-zones/local-time.ts'
import { DAY_MS, HOUR_MS, WEEK_HOURS } from '../../config/vocabulary.ts'
import { forecastRows, horizonHours } from '../../forecasting/features/features.ts'
import { type PreparedSeries, prepareSeries } from '../../forecasting/features/profile.ts'
import { skill } from '../../forecasting/skill/metrics.ts'
import { solvePositiveDefinite } from '../../forecasting/statistics/linear-system.ts'
import { clamp, lowerBound } from '../../forecasting/statistics/statistics.ts'
import { ruleQuantiles } from '../../training/forecasters/rule.ts'
import { readHistoryFolder } from '../../training/research/history-files.ts'

/*
 * Whether the hourly throughput of past years, as a shape of demand, makes the rule better from 6 to 168 hours ahead. A regression on
 * that shape corrects the rule: fitted on the truths known at each day of issue, and in hindsight on the scored hours themselves, which
 * no honest use of the shape can beat by much.
 *
 *   npm run --silent build && node dist/tools/measure/demand-shape.js ../shared/history/security-us-2026 ../shared/history/tsa-throughput-2018-2022 --from 2026-06-08 --to 2026-07-01
 */

const FROM_HOURS = 6
/** The year that the shape is of. 365 weeks before a day of 2026 is the same weekday, within two days of the date. */
const SHAPE_FROM_MS = Date.parse('2018-12-30T00:00:00Z')
const SHAPE_TO_MS = Date.parse('2020-03-01T00:00:00Z')
const YEARS_BACK_MS = 365 * 7 * DAY_MS

/** The inputs from the throughput of 2019 about an hour, each about 0 if it says nothing. */
const INPUTS = ['weekday', 'season', 'special_day', 'load', 'constant'] as const
const SIZE = INPUTS.length
/** A ridge of this many hours of unit variance; the own part of an airport has a stronger one. */
const RIDGE = { pooled: 20, own: 200 } as const

/** Passengers of an airport by local hour. */
type Passengers = Map<number, number>

/** Passengers by airport and hour (epoch ms), all checkpoints together. */
async function readThroughput(folder: string): Promise<Map<string, Passengers>> {
  const airports = new Map<string, Passengers>()
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.csv.gz'))) {
    const lines = createInterface({ input: createReadStream(join(folder, name)).pipe(createGunzip()) })
    for await (const line of lines) {
      // No cell of these files is quoted before the instant but the checkpoint, which has no comma.
      const [iata = '', , , , observed_at = '', passengers = ''] = line.split(',')
      const hour_ms = Date.parse(observed_at)
      if (!(hour_ms >= SHAPE_FROM_MS && hour_ms < SHAPE_TO_MS)) continue
      const hours = airports.get(iata) ?? new Map<number, number>()
      airports.set(iata, hours.set(hour_ms, (hours.get(hour_ms) ?? 0) + Number(passengers)))
    }
  }
  return airports
}

/** The shape of an airport: means by hour of the week, and by local day. */
class Shape {
  private readonly week = new Float64Array(WEEK_HOURS)
  private readonly hours = new Float64Array(24)
  private readonly days = new Map<number, number>()
  private readonly timezone: string

  constructor(passengers: Passengers, timezone: string) {
    this.timezone = timezone
    const instants = Float64Array.from([...passengers.keys()].sort((a, b) => a - b))
    const clock = localClock(timezone, instants)
    const weeks = (instants.at(-1)! - instants[0]!) / (7 * DAY_MS)
    instants.forEach((instant, row) => {
      const count = passengers.get(instant)!
      this.week[weekHourAt(clock, row)]! += count / weeks
      this.hours[clock.hour[row]!]! += count / weeks / 7
      const day = localDay(instant, clock.hour[row]!)
      this.days.set(day, (this.days.get(day) ?? 0) + count)
    })
  }

  /** The inputs of some hours as of an issue, INPUTS.length values each. */
  inputsOf(valid_ms: Float64Array, issued_ms: number): Float64Array {
    const x = new Float64Array(valid_ms.length * SIZE)
    const clock = localClock(this.timezone, valid_ms)
    const busiest = Math.max(...this.hours)
    const before = this.meanOf(localDay(issued_ms - YEARS_BACK_MS, 0), -28, 0)
    valid_ms.forEach((valid, row) => {
      const usual = this.hours[clock.hour[row]!]!
      const day = localDay(valid - YEARS_BACK_MS, clock.hour[row]!)
      const week = this.meanOf(day, -3, 4)
      const others = [-21, -14, -7, 7, 14, 21].map((offset) => this.days.get(day + offset) ?? Number.NaN)
      const sameWeekday = meanOfKnown(others)
      const dayValue = this.days.get(day) ?? Number.NaN
      const values = [
        usual === 0 ? 0 : this.week[weekHourAt(clock, row)]! / usual - 1,
        week / before - 1,
        dayValue / sameWeekday - 1,
        usual / busiest,
        1,
      ]
      values.forEach((value, k) => {
        x[row * SIZE + k] = Number.isFinite(value) ? clamp(value, -1, 1) : 0
      })
    })
    return x
  }

  private meanOf(day: number, from: number, to: number): number {
    return meanOfKnown(Array.from({ length: to - from }, (_, k) => this.days.get(day + from + k) ?? Number.NaN))
  }
}

/** Number of the local day that holds an instant with this local hour. */
const localDay = (instant_ms: number, hour: number) => Math.round((instant_ms - hour * HOUR_MS) / DAY_MS)

function meanOfKnown(values: readonly number[]): number {
  const known = values.filter((value) => !Number.isNaN(value))
  return known.reduce((sum, value) => sum + value, 0) / known.length
}

/** An observed forecast hour of an airport. */
interface Hour {
  issued_ms: number
  known_ms: number
  truth: number
  rule: number
  same_hour: number
  /** The value of a unit of the correction here, minutes. */
  unit: number
  x: Float64Array
}

/** The forecasts of an airport, every six hours, of the hours that were observed. */
function hoursOf(series: PreparedSeries, shape: Shape, from_ms: number, to_ms: number): Hour[] {
  const hours: Hour[] = []
  for (let issued_ms = from_ms; issued_ms < to_ms; issued_ms += 6 * HOUR_MS) {
    const rows = forecastRows(series, issued_ms)
    if (!rows) continue
    const { p50 } = ruleQuantiles(rows)
    const valid_ms = horizonHours(issued_ms)
    const x = shape.inputsOf(valid_ms, issued_ms)
    for (let k = FROM_HOURS; k < valid_ms.length; k++) {
      const row = lowerBound(series.hour_ms, valid_ms[k]!)
      if (series.hour_ms[row] !== valid_ms[k]) continue
      const base = { issued_ms, known_ms: series.available_ms[row]!, truth: series.mean[row]! }
      const medians = { rule: p50[k]!, same_hour: rows.same_hour_p50[k]! }
      hours.push({ ...base, ...medians, unit: Math.max(1, p50[k]!), x: x.subarray(k * SIZE, (k + 1) * SIZE) })
    }
  }
  return hours
}

const ROUNDS = 6
/** Errors below this share of a unit weigh alike. */
const MIN_ERROR = 0.05

/** Weights with the least absolute error of the corrected rule, in units, drawn towards `near`: a ridge regression, weighted anew by its errors. */
function regression(hours: readonly Hour[], ridge: number, near: Float64Array): Float64Array {
  let weights = near
  for (let round = 0; round < ROUNDS; round++) {
    const matrix = new Float64Array(SIZE * SIZE)
    const right = new Float64Array(SIZE)
    for (let k = 0; k < SIZE; k++) {
      matrix[k * SIZE + k] = ridge
      right[k] = ridge * near[k]!
    }
    for (const { truth, rule: median, unit, x } of hours) {
      const error = (truth - median) / unit
      let left = error
      for (let k = 0; k < SIZE; k++) left -= x[k]! * weights[k]!
      const weight = unit / Math.max(MIN_ERROR, Math.abs(left))
      for (let k = 0; k < SIZE; k++) {
        right[k]! += weight * x[k]! * error
        for (let j = 0; j <= k; j++) matrix[k * SIZE + j]! += weight * x[k]! * x[j]!
      }
    }
    weights = solvePositiveDefinite(matrix, right)
  }
  return weights
}

const corrected = ({ rule: median, unit, x }: Hour, weights: Float64Array) =>
  Math.max(0, median + unit * x.reduce((sum, value, k) => sum + value * weights[k]!, 0))

const COMPARED = ['same_hour', 'rule', 'known', 'constant', 'hindsight', 'hindsight_constant'] as const
type ComparedModel = (typeof COMPARED)[number]
const ABOUT: Record<ComparedModel, string> = {
  same_hour: 'same hour of 28 days',
  rule: 'rule',
  known: 'rule with the shape, fitted on what was known',
  constant: 'rule with a constant in place of the shape, the same',
  hindsight: 'rule with the shape, fitted on the scored hours (hindsight)',
  hindsight_constant: 'rule with a constant, the same',
}

/** The hours with the shape left out: the constant alone. */
const withoutShape = (hours: readonly Hour[]): Hour[] =>
  hours.map((hour) => ({ ...hour, x: Float64Array.from(INPUTS, (name) => (name === 'constant' ? 1 : 0)) }))

/** Predicts scored hours day by day of issue, with weights from the hours known when the day began. */
function predictedOnTheWay(all: readonly (readonly Hour[])[], from_ms: number, to_ms: number): number[][] {
  const predictions: number[][] = all.map(() => [])
  for (let day_ms = from_ms; day_ms < to_ms; day_ms += DAY_MS) {
    const known = all.map((hours) => hours.filter(({ known_ms }) => known_ms <= day_ms))
    const pooled = regression(known.flat(), RIDGE.pooled, new Float64Array(SIZE))
    for (const [place, hours] of all.entries()) {
      const weights = regression(known[place]!, RIDGE.own, pooled)
      const dayHours = hours.filter(
        ({ issued_ms }) => issued_ms >= day_ms && issued_ms < Math.min(day_ms + DAY_MS, to_ms),
      )
      predictions[place]!.push(...dayHours.map((hour) => corrected(hour, weights)))
    }
  }
  return predictions
}

function predictedInHindsight(scored: readonly (readonly Hour[])[]): number[][] {
  const pooled = regression(scored.flat(), RIDGE.pooled, new Float64Array(SIZE))
  return scored.map((hours) => {
    const weights = regression(hours, RIDGE.own, pooled)
    return hours.map((hour) => corrected(hour, weights))
  })
}

const { values, positionals } = parseArgs({
  options: { from: { type: 'string' }, to: { type: 'string' } },
  allowPositionals: true,
})
const from_ms = Date.parse(values.from ?? '')
const to_ms = Date.parse(values.to ?? '')
if (positionals.length !== 2 || !(from_ms < to_ms)) {
  process.stderr.write(
    'usage: demand-shape.js <folder of waits> <folder of throughput> --from <instant> --to <instant>\n',
  )
  process.exit(2)
}
const throughput = await readThroughput(positionals[1]!)
/** Days of issue before the scored ones, to learn from. */
const LEARNED_DAYS = 21
const all = readHistoryFolder(positionals[0]!).flatMap((series) => {
  const passengers = throughput.get(series.iata)
  if (series.terminal !== '' || !passengers) return []
  const shape = new Shape(passengers, airportDirectory().byIata.get(series.iata)!.timezone)
  return [hoursOf(prepareSeries(series), shape, from_ms - LEARNED_DAYS * DAY_MS, to_ms)]
})
const scored = all.map((hours) => hours.filter(({ issued_ms }) => issued_ms >= from_ms))
const forecasts: Record<ComparedModel, number[][]> = {
  same_hour: scored.map((hours) => hours.map(({ same_hour }) => same_hour)),
  rule: scored.map((hours) => hours.map((hour) => hour.rule)),
  known: predictedOnTheWay(all, from_ms, to_ms),
  constant: predictedOnTheWay(all.map(withoutShape), from_ms, to_ms),
  hindsight: predictedInHindsight(scored),
  hindsight_constant: predictedInHindsight(scored.map(withoutShape)),
}
const observed = scored.flatMap((hours, place) => (hours.length > 0 ? [place] : []))
const errors = mapKeys(COMPARED, (name) =>
  meanOfKnown(
    observed.map((place) =>
      meanOfKnown(scored[place]!.map(({ truth }, row) => Math.abs(truth - forecasts[name][place]![row]!))),
    ),
  ),
)
const rows = COMPARED.map((name) => [
  ABOUT[name],
  errors[name].toFixed(3),
  `${(100 * skill(errors[name], errors.same_hour)).toFixed(1)} %`,
  `${(100 * skill(errors[name], errors.rule)).toFixed(1)} %`,
])
const count = scored.reduce((sum, hours) => sum + hours.length, 0)
process.stdout.write(
  `${textTable([`${observed.length} airports, ${count} forecast hours 6 to 168 h ahead`, 'MAE', 'below the same hour', 'below the rule'], rows)}\n`,
)
