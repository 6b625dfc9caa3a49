/**
 * `node dist/tools/measure/assimilation.js <folder of security-* sets>`: how forecasts do before and after they are adjusted to
 * a reading, by hours ahead; means over airports. The prior is made without each airport; forecasts from own history are those of a
 * backtest of the last four weeks of each longer set, with the readings of the two hours after an issue.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { airportDirectory } from '../../config/airports/directory.ts'
import { groupBy } from '../../config/group-by.ts'
import { localClock } from '../../config/time-zones/local-time.ts'
import { DAY_MS, HORIZON_HOURS, HOUR_MS } from '../../config/vocabulary.ts'
import { type PreparedSeries, prepareSeries } from '../../forecasting/features/profile.ts'
import { adjustedHour, type ForecastBasis, type HourForecast } from '../../forecasting/nowcast/assimilate.ts'
import { priorTableIndex, typicalClass } from '../../forecasting/prior/typical.ts'
import { isWithin5 } from '../../forecasting/quantiles/quantiles.ts'
import { pinball } from '../../forecasting/skill/metrics.ts'
import { lowerBound, mean } from '../../forecasting/statistics/statistics.ts'
import { backtest } from '../../training/backtest/backtest.ts'
import { servedForecasts } from '../../training/backtest/results.ts'
import { widen } from '../../training/prior/own-readings.ts'
import { type LaneWait, readLaneWaits, seriesOfLaneWaits } from '../../training/research/history-files.ts'
import { observedAirports } from '../../training/research/prior.ts'
import { classTable } from '../../training/research/prior-table.ts'
import { trainingSettings } from '../../training/settings/training-settings.ts'

const LEADS = [1, 2, 3, 6, 12, 24]
const MIN_SAMPLES = 20
/** Readings closer together than this are nearly the same; those of lanes within a minute are one scan. */
const SPACING_MS = 25 * 60_000
const SCAN_MS = 60_000

interface Reading {
  observed_ms: number
  minutes: number
}
interface Example {
  iata: string
  lead_hours: number
  truth: number
  issued: HourForecast
  adjusted: HourForecast
}
type IssuedAt = (hour_ms: number) => HourForecast | null

/** The mean wait of an airport's lanes at each scan. */
function scansOf(lanes: readonly LaneWait[]): Reading[] {
  const scans: (Reading & { waits: number[] })[] = []
  for (const { observed_ms, minutes } of lanes.toSorted((a, b) => a.observed_ms - b.observed_ms)) {
    const last = scans.at(-1)
    if (last && observed_ms - last.observed_ms < SCAN_MS) last.waits.push(minutes)
    else if (!last || observed_ms - last.observed_ms >= SPACING_MS)
      scans.push({ observed_ms, minutes, waits: [minutes] })
  }
  return scans.map(({ observed_ms, waits }) => ({ observed_ms, minutes: mean(waits) }))
}

/** Each scan with the hours after its own; the hour of a scan is no truth, because the scan is part of its mean. */
function examplesOf(series: PreparedSeries, scans: readonly Reading[], issuedAt: IssuedAt, basis: ForecastBasis) {
  const truth = new Map(Array.from(series.hour_ms, (hour, row) => [hour, series.mean[row]!]))
  return scans.flatMap(({ observed_ms, minutes }) => {
    const hour_ms = Math.floor(observed_ms / HOUR_MS) * HOUR_MS
    const expected = issuedAt(hour_ms)
    if (!expected) return []
    return Array.from({ length: 25 }, (_, k) => hour_ms + (k + 1) * HOUR_MS).flatMap((valid_ms): Example[] => {
      const issued = issuedAt(valid_ms)
      const wait = truth.get(valid_ms)
      if (!issued || wait === undefined) return []
      const lead_hours = (valid_ms - observed_ms) / HOUR_MS + 0.5
      const adjusted = adjustedHour(issued, lead_hours, minutes, expected.p50, basis)
      return [{ iata: series.iata, lead_hours, truth: wait, issued, adjusted }]
    })
  })
}

interface HistorySet {
  series: PreparedSeries[]
  scans: Map<string, Reading[]>
}

function readSet(folder: string): HistorySet {
  const lanes = readLaneWaits(folder)
  const series = seriesOfLaneWaits(lanes).filter(({ terminal }) => terminal === '')
  const scans = new Map(series.map(({ iata }) => [iata, scansOf(lanes.filter((lane) => lane.iata === iata))]))
  return { series: series.map(prepareSeries), scans }
}

function typicalExamples(sets: readonly HistorySet[]): Example[] {
  const airports = observedAirports(sets.flatMap(({ series }) => series))
  return sets.flatMap(({ series, scans }) =>
    series.flatMap((queueSeries) => {
      const { size, timezone } = airportDirectory().byIata.get(queueSeries.iata)!
      const others = airports.filter(({ iata }) => iata !== queueSeries.iata)
      const shipped = typicalClass(size)
      const table = classTable(others, size).map((cell) => widen(cell, shipped.widened_by))
      return examplesOf(
        queueSeries,
        scans.get(queueSeries.iata)!,
        (hour_ms) => {
          const { hour, weekday } = localClock(timezone, [hour_ms])
          const slot = priorTableIndex(hour[0]!, weekday[0]!)
          return { ...table[slot]!, confidence: shipped.table[slot]!.confidence }
        },
        'typical',
      )
    }),
  )
}

async function ownExamples({ series, scans }: HistorySet): Promise<Example[]> {
  const first = Math.min(...series.map(({ hour_ms }) => hour_ms[0]!))
  const to_ms = Math.max(...series.map(({ hour_ms }) => hour_ms.at(-1)!)) - 2 * DAY_MS
  if (to_ms - first < 58 * DAY_MS) return []
  // Not a divisor of the day, so that every hour of the day is an origin.
  const settings = trainingSettings({ backtest: { every_hours: 5 } })
  const runs = await backtest(series, { from_ms: to_ms - 28 * DAY_MS, to_ms, settings })
  return runs.flatMap((run) => {
    const { p10, p50, p90, p_within_5 } = servedForecasts(run)
    const own = series.find(({ iata }) => iata === run.iata)!
    const all = scans.get(run.iata)!
    const examples: Example[] = []
    for (let start = 0; start < run.valid_ms.length; start += HORIZON_HOURS) {
      if (run.scored[start] !== 1) continue
      const issued_ms = run.issued_ms[start]!
      const from = lowerBound(
        all.map(({ observed_ms }) => observed_ms),
        issued_ms,
      )
      const near = all.slice(from).filter(({ observed_ms }) => observed_ms < issued_ms + 2 * HOUR_MS)
      const issuedAt: IssuedAt = (hour_ms) => {
        const row = start + Math.round((hour_ms - run.valid_ms[start]!) / HOUR_MS)
        return { p10: p10[row]!, p50: p50[row]!, p90: p90[row]!, confidence: p_within_5[row]! }
      }
      examples.push(...examplesOf(own, near, issuedAt, 'predicted'))
    }
    return examples
  })
}

/** A row by hours ahead: figures of whole minutes as they are shown, issued and adjusted. */
function print(name: string, examples: readonly Example[]): void {
  for (const lead of LEADS) {
    const near = examples.filter(({ lead_hours }) => Math.abs(lead_hours - lead) <= 0.5)
    const groups = [...groupBy(near, ({ iata }) => iata).values()].filter(({ length }) => length >= MIN_SAMPLES)
    if (groups.length === 0) continue
    const average = (figureOf: (example: Example) => number) => mean(groups.map((group) => mean(group.map(figureOf))))
    const figures = (which: 'issued' | 'adjusted') => {
      const loss = ({ truth, [which]: { p10, p50, p90 } }: Example) =>
        (pinball(0.1, truth, p10) + pinball(0.5, truth, p50) + pinball(0.9, truth, p90)) / 3
      const isInside = ({ truth, [which]: { p10, p90 } }: Example) =>
        truth >= Math.round(p10) && truth <= Math.round(p90)
      return [
        average(({ truth, [which]: { p50 } }) => Math.abs(truth - p50)).toFixed(2),
        average(loss).toFixed(3),
        (100 * average((example) => Number(isInside(example)))).toFixed(1),
      ]
    }
    const within5 = average(({ truth, adjusted }) => Number(isWithin5(truth, adjusted.p50)))
    const confidence = average(({ adjusted }) => adjusted.confidence ?? Number.NaN)
    const [before, after] = [figures('issued'), figures('adjusted')]
    const pairs = before.map((figure, k) => `${figure} → ${after[k]}`)
    console.log(
      `${name}, ${groups.length} airports, ${lead} h: ${pairs.join(' | ')} | within 5 ${(100 * within5).toFixed(1)}, said ${(100 * confidence).toFixed(1)}`,
    )
  }
}

const folder = process.argv[2]!
const sets = readdirSync(folder)
  .filter((name) => name.startsWith('security-'))
  .sort()
  .map((name) => readSet(join(folder, name)))
console.log('mean error, pinball loss (minutes) and coverage (%) issued → adjusted')
print('prior', typicalExamples(sets))
const own: Example[] = []
for (const set of sets) own.push(...(await ownExamples(set)))
print('own history', own)
