import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HoldshortError } from '../../config/errors.ts'
import { groupBy } from '../../config/group-by.ts'
import { mapKeys } from '../../config/map-keys.ts'
import { projectFile } from '../../config/paths.ts'
import { weekHourAt } from '../../config/time-zones/local-time.ts'
import { DAY_MS, HOUR_MS, isoUtc, utcDayOf, WEEK_HOURS } from '../../config/vocabulary.ts'
import { HOUR_COLUMNS, type HourlySeries } from '../../forecasting/features/hourly-series.ts'
import { type PreparedSeries, prepareSeries } from '../../forecasting/features/profile.ts'
import { IMMIGRATION_PRIOR_FILE, ImmigrationPrior } from '../../forecasting/prior/immigration.ts'
import { type Score, score } from '../../forecasting/skill/metrics.ts'
import { clamp, mean, rounded } from '../../forecasting/statistics/statistics.ts'
import { sameHourForecast } from '../border/border-forecast.ts'
import { hoursWithin } from '../history/hourly-series.ts'
import { readHistoryFolder } from './history-files.ts'

/** Waits are counted by whole minutes up to this one. */
const MINUTES = 240
/** Figures of a queue's own are taken from the newest years: those of 2013 are worse in 2024 than figures of other airports. */
const OWN_DAYS = 730
/** A queue with fewer hours has no table of its own. */
const MIN_OWN_HOURS = 300
/** An airport with fewer hours is not scored. */
const MIN_SCORED_HOURS = 200
/** An hour of the week has figures when passengers arrived in this clock hour on this many days. */
const MIN_DAYS_OF_HOUR = 5
/** Weight of the neighbouring hours, of the other days of the same kind, and of other days. */
const NEIGHBOUR = 0.3
const SAME_KIND = 0.3
const OTHER_KIND = 0.15

type Triple = [p10: number, p50: number, p90: number]
/** Quantiles by weekday × 24 + hour; null if there are none. */
type WeekTable = (Triple | null)[]

/** How often each whole minute was observed, by hour of the week. */
function countsOf({ mean: waits, clock }: PreparedSeries): Float64Array[] {
  const counts = Array.from({ length: WEEK_HOURS }, () => new Float64Array(MINUTES))
  waits.forEach((minutes, row) => {
    const cell = weekHourAt(clock, row)
    counts[cell]![clamp(Math.round(minutes), 0, MINUTES - 1)]!++
  })
  return counts
}

const total = (counts: Float64Array) => counts.reduce((sum, count) => sum + count, 0)

function add(sum: Float64Array, counts: Float64Array, weight: number): void {
  for (let minute = 0; minute < MINUTES; minute++) sum[minute]! += weight * counts[minute]!
}

/** The smallest minutes that reach 10, 50 and 90 % of the weight; null without any. */
function quantilesOf(weights: Float64Array): Triple | null {
  const all = total(weights)
  if (all === 0) return null
  let minute = 0
  let reached = weights[0]!
  const next = (fraction: number) => {
    while (minute < MINUTES - 1 && reached < fraction * all - 1e-12) reached += weights[++minute]!
    return minute
  }
  return [next(0.1), next(0.5), next(0.9)]
}

const isWeekend = (day: number) => day > 4

/** The table of a queue's own by hour of the week, smoothed over neighbouring hours and days. */
export function ownTable(series: PreparedSeries): WeekTable {
  const counts = countsOf(series)
  const daysOfHour = Array.from({ length: 24 }, (_, hour) =>
    [0, 1, 2, 3, 4, 5, 6].reduce((sum, day) => sum + total(counts[day * 24 + hour]!), 0),
  )
  return counts.map((_, cell) => {
    const day = Math.floor(cell / 24)
    const hour = cell % 24
    if (daysOfHour[hour]! < MIN_DAYS_OF_HOUR) return null
    const sum = new Float64Array(MINUTES)
    for (let other = 0; other < 7; other++) {
      const otherDayWeight = isWeekend(other) === isWeekend(day) ? SAME_KIND : OTHER_KIND
      const dayWeight = other === day ? 1 : otherDayWeight
      add(sum, counts[other * 24 + hour]!, dayWeight)
      add(sum, counts[other * 24 + ((hour + 1) % 24)]!, dayWeight * NEIGHBOUR)
      add(sum, counts[other * 24 + ((hour + 23) % 24)]!, dayWeight * NEIGHBOUR)
    }
    return quantilesOf(sum)
  })
}

/** The counts of an airport's hours by clock hour; all airports weigh alike. */
function sharesByHour(series: readonly PreparedSeries[]): Float64Array[] {
  const shares = Array.from({ length: 24 }, () => new Float64Array(MINUTES))
  const hours = series.reduce((sum, queueSeries) => sum + queueSeries.mean.length, 0)
  for (const queueSeries of series)
    for (const [cell, counts] of countsOf(queueSeries).entries()) add(shares[cell % 24]!, counts, 1 / hours)
  return shares
}

/** The table of an unseen queue from the shares of some airports: one for all hours, or one by clock hour. */
function pooledTable(airports: readonly Float64Array[][], byHour: boolean): WeekTable {
  const sums = Array.from({ length: 24 }, () => new Float64Array(MINUTES))
  for (const shares of airports)
    for (let hour = 0; hour < 24; hour++)
      for (const around of byHour ? [hour] : sums.keys()) add(sums[around]!, shares[hour]!, 1)
  const table = sums.map(quantilesOf)
  return Array.from({ length: WEEK_HOURS }, (_, cell) => table[cell % 24]!)
}

/** The quantiles with p10 and p90 moved away from p50 by a factor, in whole minutes. */
function widened([p10, p50, p90]: Triple, factor: number): Triple {
  return [Math.max(0, Math.round(p50 - factor * (p50 - p10))), p50, Math.round(p50 + factor * (p90 - p50))]
}

function scoreTable({ mean: truth, clock }: PreparedSeries, table: WeekTable, factor: number): Score {
  const cells = Array.from(truth, (_, row) => table[weekHourAt(clock, row)] ?? null)
  const column = (level: 0 | 1 | 2) =>
    Float64Array.from(cells, (cell) => (cell ? widened(cell, factor)[level] : Number.NaN))
  return score(truth, { p10: column(0), p50: column(1), p90: column(2) }, (row) => cells[row] !== null)
}

function errorOf(scores: readonly Score[]): ImmigrationPrior['own']['backtest'] {
  return {
    airports: scores.length,
    samples: scores.reduce((sum, { samples }) => sum + samples, 0),
    mae_minutes: rounded(mean(scores.map((score) => score.mae_minutes)), 3),
    coverage_80: rounded(mean(scores.map((score) => score.coverage_80)), 3),
    within_5: rounded(mean(scores.map((score) => score.within_5)), 3),
  }
}

/** The smallest factor, in steps of 0.05 from 1 and at most 3, with which the airports' mean coverage is 80 %. */
function wideningOf(scoresAt: (factor: number) => Score[]): number {
  for (let step = 0; step < 40; step++) {
    const factor = 1 + step / 20
    if (mean(scoresAt(factor).map(({ coverage_80 }) => coverage_80)) >= 0.8) return factor
  }
  return 3
}

/** The series of several sets by queue: an hour that stands in two of them counts once. */
function joined(series: readonly HourlySeries[]): HourlySeries[] {
  const byQueue = groupBy(series, ({ iata, terminal }) => `${iata}/${terminal}`)
  return [...byQueue.values()].map((parts) => {
    const hours = new Map(
      parts.flatMap((part) => Array.from(part.hour_ms, (hour, row) => [hour, [part, row]] as const)),
    )
    const sorted = [...hours.values()].sort(([a, x], [b, y]) => a.hour_ms[x]! - b.hour_ms[y]!)
    const columns = mapKeys(HOUR_COLUMNS, (name) => Float64Array.from(sorted, ([part, row]) => part[name][row]!))
    return { ...parts[0]!, ...columns }
  })
}

/**
 * Derives the prior of immigration waits from a folder of historical sets: every `cbp-awt-*` set.
 * @throws HoldshortError IMPORT_INVALID when there is no such set.
 */
export function buildImmigrationPrior(historyDir: string, madeAt: string): ImmigrationPrior {
  const sets = readdirSync(historyDir)
    .filter((name) => name.startsWith('cbp-awt-'))
    .sort()
  if (sets.length === 0) throw new HoldshortError('IMPORT_INVALID', `${historyDir}: no cbp-awt-* set`)
  const series = joined(sets.flatMap((name) => readHistoryFolder(join(historyDir, name))))
  return ImmigrationPrior.parse({
    made_at: madeAt,
    made_from: sets,
    licence:
      'Airport Wait Times of US Customs and Border Protection (awt.cbp.gov): a work of the US government in the public domain',
    own: ownOf(series),
    unseen: unseenOf(series),
    rule: ruleOf(series),
  })
}

/** Writes the prior to the file that `forecasting/prior/immigration.ts` reads; returns its path. */
export async function writeImmigrationPrior(prior: ImmigrationPrior): Promise<string> {
  const file = projectFile(...IMMIGRATION_PRIOR_FILE)
  const { own, ...rest } = ImmigrationPrior.parse(prior)
  // One line a queue: the tables are long and nobody reads them by the number.
  const queues = own.queues.map((queue) => `   ${JSON.stringify(queue)}`).join(',\n')
  const text = JSON.stringify({ ...rest, own: { ...own, queues: [] } }, null, 1)
  await writeFile(file, `${text.replace('"queues": []', () => `"queues": [\n${queues}\n  ]`)}\n`)
  return file
}

function ownOf(all: readonly HourlySeries[]): ImmigrationPrior['own'] {
  const last = Math.max(...all.map(({ hour_ms }) => hour_ms.at(-1)!))
  const recent = all.map((queueSeries) => hoursWithin(queueSeries, last - OWN_DAYS * DAY_MS, last + HOUR_MS))
  const queues = recent
    .filter(({ hour_ms }) => hour_ms.length >= MIN_OWN_HOURS)
    .sort((a, b) => (`${a.iata}/${a.terminal}` < `${b.iata}/${b.terminal}` ? -1 : 1))
  const halves = queues
    .filter(({ terminal }) => terminal === '')
    .flatMap((queueSeries) => {
      const middle = (queueSeries.hour_ms[0]! + queueSeries.hour_ms.at(-1)!) / 2
      const first = prepareSeries(hoursWithin(queueSeries, 0, middle))
      const second = prepareSeries(hoursWithin(queueSeries, middle, Number.POSITIVE_INFINITY))
      if (first.mean.length < MIN_SCORED_HOURS || second.mean.length < MIN_SCORED_HOURS) return []
      return [{ table: ownTable(first), second }]
    })
  const scoresAt = (factor: number) => halves.map(({ table, second }) => scoreTable(second, table, factor))
  const widened_by = wideningOf(scoresAt)
  return {
    from: isoUtc(Math.min(...queues.map(({ hour_ms }) => hour_ms[0]!))).slice(0, 10),
    to: utcDayOf(last),
    widened_by,
    backtest: errorOf(scoresAt(widened_by)),
    queues: queues.map((queue) => ({
      iata: queue.iata,
      terminal: queue.terminal,
      hours: queue.hour_ms.length,
      table: ownTable(prepareSeries(queue)).map((cell) => cell && widened(cell, widened_by)),
    })),
  }
}

function unseenOf(all: readonly HourlySeries[]): ImmigrationPrior['unseen'] {
  const airports = all
    .filter(({ terminal, mean: waits }) => terminal === '' && waits.length >= MIN_SCORED_HOURS)
    .map(prepareSeries)
  const shares = airports.map((queueSeries) => sharesByHour([queueSeries]))
  const scoresBy = (byHour: boolean) => {
    const tables = airports.map((_, held) =>
      pooledTable(
        shares.filter((_, k) => k !== held),
        byHour,
      ),
    )
    return (factor: number) => airports.map((queueSeries, k) => scoreTable(queueSeries, tables[k]!, factor))
  }
  const flat = scoresBy(false)
  // A queue of another kind may differ more than one US airport from another: the interval covers 80 % at three airports in four.
  const widened_by = wideningOf((factor) => {
    const scores = flat(factor).sort((a, b) => a.coverage_80 - b.coverage_80)
    return [scores[Math.floor(scores.length / 4)]!]
  })
  return {
    quantiles: widened(pooledTable(shares, false)[0]!, widened_by),
    widened_by,
    leave_one_airport_out: errorOf(flat(widened_by)),
    by_hour: errorOf(scoresBy(true)(widened_by)),
  }
}

/** Origins of the rule's backtest lie this far apart. */
const RULE_STEP_DAYS = 7
const RULE_WEEKS = 8

/** The rule of short histories on the last weeks of each queue, 24 hours from each origin. */
function ruleOf(all: readonly HourlySeries[]): ImmigrationPrior['rule'] {
  const parts = all
    .filter(({ terminal, mean: waits }) => terminal === '' && waits.length >= MIN_SCORED_HOURS)
    .map(prepareSeries)
    .map((queueSeries) => {
      const observed = new Map(Array.from(queueSeries.hour_ms, (hour, row) => [hour, queueSeries.mean[row]!]))
      const last = Math.floor(queueSeries.hour_ms.at(-1)! / DAY_MS) * DAY_MS
      return Array.from({ length: RULE_WEEKS }, (_, week) => last - (week + 1) * RULE_STEP_DAYS * DAY_MS).flatMap(
        (origin) =>
          sameHourForecast(queueSeries, origin, 24, 1).flatMap((hour, ahead) => {
            const truth = observed.get(origin + ahead * HOUR_MS)
            return hour && truth !== undefined ? [{ truth, cell: [hour.p10, hour.p50, hour.p90] as Triple }] : []
          }),
      )
    })
    .filter((rows) => rows.length > 0)
  const scoresAt = (factor: number) =>
    parts.map((rows) => {
      const column = (level: 0 | 1 | 2) => Float64Array.from(rows, ({ cell }) => widened(cell, factor)[level])
      return score(
        Float64Array.from(rows, ({ truth }) => truth),
        { p10: column(0), p50: column(1), p90: column(2) },
      )
    })
  const widened_by = wideningOf(scoresAt)
  return { widened_by, backtest: errorOf(scoresAt(widened_by)) }
}
