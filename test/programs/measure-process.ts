/**
 * `node dist/test/programs/measure-process.js cost <airports>`: what the process costs for so many airports with a year of hours.
 * `node dist/test/programs/measure-process.js cold <folder> <from> <to>`: airports that are new: the mean error of the adapted prior, of
 * the process, and of the process of what is above or below the prior, after some days of own readings; the next 168 hours, means over airports.
 */
import { airportDirectory } from '../../config/airports/directory.ts'
import { DAY_MS, HOUR_MS } from '../../config/domain.ts'
import { localClock } from '../../config/time-zones/local-time.ts'
import { horizonHours } from '../../forecasting/features/features.ts'
import { type PreparedSeries, prepareSeries } from '../../forecasting/features/profile.ts'
import { processAt } from '../../forecasting/features/series-expectation.ts'
import { priorTableIndex, typicalClass } from '../../forecasting/prior/typical.ts'
import { mean, seededRandom } from '../../forecasting/statistics/statistics.ts'
import { readHistoryFolder } from '../../training/history/history-files.ts'
import { hoursFrom } from '../../training/history/hourly-series.ts'
import { adaptedHours } from '../../training/prior/adapted-forecast.ts'

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

/** Logarithms of waits relative to the prior lie around that of so many minutes. */
const MIDDLE = Math.log(12)

/** The waits in units of the prior of their hour. */
function aboveUsual(series: PreparedSeries, usual: (hour: number, weekday: number) => number): PreparedSeries {
  const { hour, weekday } = series.clock
  const above = (wait: number, row: number) =>
    Math.exp(Math.log(wait + 2) - usual(hour[row]!, weekday[row]!) + MIDDLE) - 2
  return { ...series, mean: series.mean.map(above) }
}

function cold(folder: string, from_ms: number, to_ms: number): void {
  for (const days of [1, 3, 7, 14, 21, 28]) {
    const errors: Record<'adapted' | 'alone' | 'on_prior', number[]> = { adapted: [], alone: [], on_prior: [] }
    for (const whole of readHistoryFolder(folder)) {
      if (whole.terminal !== '') continue
      const { table } = typicalClass(airportDirectory().byIata.get(whole.iata)!.size)
      const usual = (hour: number, weekday: number) => Math.log(table[priorTableIndex(hour, weekday)]!.p50 + 2)
      const truth = new Map(Array.from(whole.hour_ms, (hour, row) => [hour, whole.mean[row]!]))
      const sums = { adapted: 0, alone: 0, on_prior: 0, hours: 0 }
      for (let issued_ms = from_ms; issued_ms <= to_ms; issued_ms += 30 * HOUR_MS) {
        const series = prepareSeries(hoursFrom(whole, issued_ms - days * DAY_MS))
        const adapted = adaptedHours(series, issued_ms)
        if (!adapted || series.hour_ms[0]! > issued_ms - 2 * HOUR_MS) continue
        const alone = processAt(series, issued_ms)
        const above = processAt(aboveUsual(series, usual), issued_ms)
        const valid_ms = horizonHours(issued_ms)
        const { hour, weekday } = localClock(series.timezone, valid_ms)
        for (const [k, valid] of valid_ms.entries()) {
          const wait = truth.get(valid)
          if (wait === undefined) continue
          const weekHour = (weekday[k]! - 1) * 24 + hour[k]!
          const expectedAbove = Math.log(above.expected(valid / HOUR_MS, weekHour) + 2) - MIDDLE
          const onPrior = Math.max(0, Math.exp(expectedAbove + usual(hour[k]!, weekday[k]!)) - 2)
          sums.adapted += Math.abs(wait - adapted[k]!.p50)
          sums.alone += Math.abs(wait - alone.expected(valid / HOUR_MS, weekHour))
          sums.on_prior += Math.abs(wait - onPrior)
          sums.hours++
        }
      }
      if (sums.hours > 0)
        for (const name of ['adapted', 'alone', 'on_prior'] as const) errors[name].push(sums[name] / sums.hours)
    }
    const figures = Object.entries(errors).map(([name, of]) => `${name} ${mean(of).toFixed(3)}`)
    console.log(`${days} days: ${figures.join(', ')} (${errors.adapted.length} airports)`)
  }
}

const [what, ...args] = process.argv.slice(2)
if (what === 'cost') cost(Number(args[0] ?? 72))
else cold(args[0]!, Date.parse(args[1]!), Date.parse(args[2]!))
