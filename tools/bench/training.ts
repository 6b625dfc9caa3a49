import type { Progress } from '../../bin/runtime/output.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { localClock } from '../../config/time-zones/local-time.ts'
import { DAY_MS, HOUR_MS } from '../../config/vocabulary.ts'
import type { HourlySeries } from '../../forecasting/features/hourly-series.ts'
import { seededRandom } from '../../forecasting/statistics/statistics.ts'
import { predictAirport } from '../../training/predict.ts'
import { trainSeries } from '../../training/train.ts'
import type { Measurement } from './measurement.ts'

const AIRPORTS = 70
const TERMINALS = 2
const LANES = 4
const DAYS = 90
const PREDICTED_AIRPORTS = 500

/** Hourly waits of an airport, a terminal or a lane while it is open, from five to eleven at night. */
function seriesOf(airport: number, name: string, from_ms: number, seed: number): HourlySeries {
  const { iata, timezone, country } = airportDirectory().all.filter(({ size }) => size === 'large')[airport]!
  const all = Float64Array.from({ length: DAYS * 24 }, (_, k) => from_ms + k * HOUR_MS)
  const { hour, weekday } = localClock(timezone, all)
  const isOpen = (_: number, k: number) => hour[k]! >= 5 && hour[k]! < 23
  const random = seededRandom(seed)
  const level = 4 + 10 * random()
  const mean = all.map((_, k) => {
    const peaks = Math.exp(-((hour[k]! - 7) ** 2) / 6) + 0.7 * Math.exp(-((hour[k]! - 17) ** 2) / 8)
    return level * (0.4 + peaks * (weekday[k] === 5 ? 1.4 : 1)) * (0.7 + 0.6 * random())
  })
  const hour_ms = all.filter(isOpen)
  return {
    iata,
    terminal: name,
    timezone,
    country,
    hour_ms,
    available_ms: hour_ms.map((start) => start + HOUR_MS),
    mean: mean.filter(isOpen),
    samples: new Float64Array(hour_ms.length).fill(4),
  } as HourlySeries
}

/** Measures the weekly training of 70 airports with terminals and lanes over 90 days, and the hourly forecast of 500 airports. */
export async function benchTraining(now: number, bar: Progress): Promise<Measurement[]> {
  const cutoff_ms = Math.floor(now / DAY_MS) * DAY_MS
  const from_ms = cutoff_ms - DAYS * DAY_MS
  const named = (airport: number, prefix: string, count: number) =>
    Array.from({ length: count }, (_, k) => seriesOf(airport, `${prefix}${k + 1}`, from_ms, airport * 100 + k + 1))
  const airports = Array.from({ length: AIRPORTS }, (_, airport) => airport)
  const series = airports.flatMap((airport) => [
    seriesOf(airport, '', from_ms, airport * 100),
    ...named(airport, '', TERMINALS),
  ])
  const lanes = airports.flatMap((airport) => named(airport, 'lane ', LANES))
  const before = process.cpuUsage()
  const start = performance.now()
  const { trained } = await trainSeries(series, {
    kind: 'security',
    cutoff_ms,
    trained_ms: now,
    lanes,
    onProgress: (done, total) => bar.update(done, total, 'refits'),
  })
  const spent = process.cpuUsage(before)
  const seconds = (performance.now() - start) / 1_000
  if (trained.length !== AIRPORTS) throw new Error(`only ${trained.length} of ${AIRPORTS} airports were trained`)
  const memory = process.resourceUsage().maxRSS / 1_024
  const predictedBefore = process.cpuUsage()
  for (let k = 0; k < PREDICTED_AIRPORTS; k++) {
    const { artifact } = trained[k % AIRPORTS]!
    const own = series.filter(({ iata }) => iata === artifact.card.iata)
    if (predictAirport(artifact, own, cutoff_ms).length === 0) throw new Error(`${artifact.card.iata} has no forecast`)
  }
  const predicted = process.cpuUsage(predictedBefore)
  const cpu = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000_000
  return [
    {
      name: `training ${AIRPORTS} airports with ${TERMINALS} terminals and ${LANES} lanes each, ${DAYS} days`,
      value: seconds,
      unit: 's',
      target: { at_most: 600 },
    },
    { name: 'the same, CPU', value: cpu(spent), unit: 's', target: null },
    { name: 'the same, memory', value: memory, unit: 'MB', target: { at_most: 2_048 } },
    {
      name: `hourly forecast of ${PREDICTED_AIRPORTS} airports with terminals, CPU`,
      value: cpu(predicted),
      unit: 's',
      target: { at_most: 60 },
    },
  ]
}
