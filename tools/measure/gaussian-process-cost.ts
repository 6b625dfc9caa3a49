/** `node dist/tools/measure/gaussian-process-cost.js <airports>`: what the process costs for so many airports with a year of hours. */
import { HOUR_MS } from '../../config/vocabulary.ts'
import { prepareSeries } from '../../forecasting/features/profile.ts'
import { processAt } from '../../forecasting/features/series-expectation.ts'
import { seededRandom } from '../../forecasting/statistics/statistics.ts'

function cost(airports: number): void {
  const random = seededRandom(1)
  const hour_ms = Float64Array.from({ length: 8_760 }, (_, hour) => Date.UTC(2025, 0, 1) + hour * HOUR_MS)
  const series = prepareSeries({
    iata: 'JFK',
    terminal: '',
    timezone: 'America/New_York',
    country: 'US',
    hour_ms,
    available_ms: hour_ms.map((hour) => hour + HOUR_MS),
    mean: hour_ms.map(() => 30 * random()),
    samples: hour_ms.map(() => 4),
  })
  const before = process.cpuUsage()
  for (let airport = 0; airport < airports; airport++) processAt({ ...series }, hour_ms.at(-1)! + HOUR_MS)
  const { user } = process.cpuUsage(before)
  const seconds = user / 1e6
  const perHour = (seconds * 1_000) / (airports * hour_ms.length)
  console.log(
    `${airports} airports, a year each: ${seconds.toFixed(1)} s of one processor, ${perHour.toFixed(3)} ms an hour`,
  )
}

cost(Number(process.argv[2] ?? 72))
