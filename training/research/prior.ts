import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { airportDirectory } from '../../config/airports/directory.ts'
import { HoldshortError } from '../../config/errors.ts'
import { mapKeys } from '../../config/map-keys.ts'
import { projectFile } from '../../config/paths.ts'
import { AirportSize, DAY_MS } from '../../config/vocabulary.ts'
import type { HourlySeries } from '../../forecasting/features/hourly-series.ts'
import { prepareSeries } from '../../forecasting/features/profile.ts'
import { type OwnReadings, PRIOR_FILE, Prior, type PriorClass } from '../../forecasting/prior/typical.ts'
import { isWithin5, QUANTILE_NAMES } from '../../forecasting/quantiles/quantiles.ts'
import type { WaitQuantiles } from '../../forecasting/quantiles/wait-quantile.ts'
import { type Score, score } from '../../forecasting/skill/metrics.ts'
import { ascending, clamp, mean, quantile, rounded } from '../../forecasting/statistics/statistics.ts'
import { weekOf, widen } from '../prior/own-readings.ts'
import { readHistoryFolder } from './history-files.ts'
import { learnOwnReadings, type NewAirport, STARTS_PER_AIRPORT } from './learn-own-readings.ts'
import { type AirportSlots, classTable, slotsOf } from './prior-table.ts'

/** No finite sample proves certainty. */
const MAX_CONFIDENCE = 0.97

/**
 * Derives the worldwide prior from a folder of historical sets: every `security-*` set, airports of the directory only.
 * @throws HoldshortError IMPORT_INVALID when there is no such set, or none that is long enough.
 */
export function buildPrior(historyDir: string, madeAt: string, starts_per_airport = STARTS_PER_AIRPORT): Prior {
  const sets = readdirSync(historyDir)
    .filter((name) => name.startsWith('security-'))
    .sort()
  if (sets.length === 0) throw new HoldshortError('IMPORT_INVALID', `${historyDir}: no security-* set`)
  const series = sets.flatMap((name) => readHistoryFolder(join(historyDir, name)))
  const airports = observedAirports(series)
  const asNew = newAirports(series, airports)
  if (asNew.length < 2)
    throw new HoldshortError(
      'IMPORT_INVALID',
      `${historyDir}: two airports with ${MIN_NEW_AIRPORT_DAYS} days are needed`,
    )
  return priorOf(airports, learnOwnReadings(asNew, airports, starts_per_airport), sets, madeAt)
}

/** A set that is shorter than this shows no new airport: after the first days nothing would be left to score. */
const MIN_NEW_AIRPORT_DAYS = 30

/** The airports of the longer sets, each with a prior that is made from the other airports. */
function newAirports(series: readonly HourlySeries[], airports: readonly AirportSlots[]): NewAirport[] {
  const isLong = ({ hour_ms }: HourlySeries) => hour_ms.at(-1)! - hour_ms[0]! >= MIN_NEW_AIRPORT_DAYS * DAY_MS
  return series
    .filter((queueSeries) => queueSeries.terminal === '' && isLong(queueSeries))
    .map((queueSeries) => ({
      iata: queueSeries.iata,
      series: prepareSeries(queueSeries),
      week: weekOf(
        classTable(
          airports.filter(({ iata }) => iata !== queueSeries.iata),
          airportDirectory().byIata.get(queueSeries.iata)!.size,
        ),
      ),
    }))
}

/** Writes a prior to the file that `forecasting/prior/typical.ts` reads; returns its path. */
export async function writePrior(prior: Prior): Promise<string> {
  const file = projectFile(...PRIOR_FILE)
  await writeFile(file, `${JSON.stringify(Prior.parse(prior), null, 1)}\n`)
  return file
}

/** The observed waits of each airport of some series, by slot of the prior's table. */
export function observedAirports(series: readonly HourlySeries[]): AirportSlots[] {
  const airportLevel = series.filter(({ terminal }) => terminal === '')
  const codes = [...new Set(airportLevel.map(({ iata }) => iata))].sort()
  return codes.map((iata) => {
    const own = airportLevel.filter((queueSeries) => queueSeries.iata === iata)
    return slotsOf(iata, airportDirectory().byIata.get(iata)!.size, own)
  })
}

/** The prior from the observed hours of some airports, each supporting all classes: table, backtest and confidence of every size class. */
function priorOf(
  airports: readonly AirportSlots[],
  own_readings: OwnReadings,
  madeFrom: string[],
  madeAt: string,
): Prior {
  const scored = airports.map((airport) => {
    const others = airports.filter((other) => other !== airport)
    return scoreHeldOut(airport, classTable(others, airport.size))
  })
  const classes = AirportSize.options.map((size) => classOf(size, airports, scored))
  return Prior.parse({ made_at: madeAt, made_from: madeFrom, classes, own_readings })
}

/** Scores of a table made from the other airports on the hours of one airport. */
interface HeldOutAirport {
  size: AirportSize
  /** An airport that was observed for a few days counts less than one that was observed for months. */
  weight: number
  /** Score with the interval widened by a factor (see `widen`). */
  scoreAt: (widenedBy: number) => Score
  hoursBySlot: number[]
  /** Fraction of hours within 5 minutes at each slot; NaN if the airport was not observed. */
  within5BySlot: number[]
}

/** An airport with fewer observed hours than this counts for less. */
const FULL_WEIGHT_HOURS = 800

function scoreHeldOut({ size, waits, hours }: AirportSlots, table: readonly WaitQuantiles[]): HeldOutAirport {
  const slots = waits.flatMap((minutes, slot) => minutes.map(() => slot))
  const truth = Float64Array.from(waits.flat())
  return {
    size,
    weight: Math.min(1, hours / FULL_WEIGHT_HOURS),
    scoreAt: (widenedBy) => {
      const widened = table.map((cell) => shown(widen(cell, widenedBy)))
      const column = (name: keyof WaitQuantiles) => Float64Array.from(slots, (slot) => widened[slot]![name])
      return score(truth, { p10: column('p10'), p50: column('p50'), p90: column('p90') })
    },
    hoursBySlot: waits.map(({ length }) => length),
    within5BySlot: waits.map((minutes, slot) =>
      mean(minutes.map((wait) => (isWithin5(wait, table[slot]!.p50) ? 1 : 0))),
    ),
  }
}

/** An interval as it is shown: in whole minutes. */
const shown = ({ p10, p50, p90 }: WaitQuantiles) => ({ p10: Math.round(p10), p50, p90: Math.round(p90) })

/**
 * The share that a class may claim from the shares of its held-out airports: their mean. A class without observed
 * airports gets the lower quartile of all observed airports, because it may differ from them.
 */
function claimedShare(shares: readonly number[], weights: readonly number[], observed: boolean): number {
  return observed ? weightedMean(shares, weights) : quantile(ascending(shares), 0.25)
}

function weightedMean(values: readonly number[], weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return values.reduce((sum, value, k) => sum + value * weights[k]!, 0) / total
}

/** The few airports that are unlike all others pull the mean down: when it is aimed at this, the median airport is covered by over 80 %. */
const AIMED_COVERAGE = 0.77

/** The smallest factor, in steps of 0.02 from 0.5 and at most 3, that covers what is aimed at on held-out airports. */
function wideningOf(airports: readonly HeldOutAirport[], observed: boolean): number {
  const weights = airports.map(({ weight }) => weight)
  for (let step = 0; step < 125; step++) {
    const factor = 0.5 + step / 50
    const coverages = airports.map(({ scoreAt }) => scoreAt(factor).coverage_80)
    if (claimedShare(coverages, weights, observed) >= AIMED_COVERAGE) return factor
  }
  return 3
}

function classOf(size: AirportSize, airports: readonly AirportSlots[], heldOut: readonly HeldOutAirport[]): PriorClass {
  const own = airports.filter((airport) => airport.size === size)
  const ownHeldOut = heldOut.filter((airport) => airport.size === size)
  const observed = own.length > 0
  const widened_by = wideningOf(heldOut, observed)
  return {
    size,
    airports: own.map(({ iata }) => iata),
    hours: own.reduce((sum, { hours }) => sum + hours, 0),
    extrapolated_from: observed ? null : 'large',
    widened_by: rounded(widened_by, 2),
    leave_one_airport_out: observed ? leaveOneOut(ownHeldOut, heldOut, widened_by) : null,
    table: classTable(airports, size).map((cell, slot) => {
      const widened = widen(cell, widened_by)
      return {
        local_hour: slot % 24,
        weekend: slot >= 24,
        ...mapKeys(QUANTILE_NAMES, (name) => rounded(widened[name], 1)),
        confidence: observed ? confidenceAt(slot, heldOut) : null,
      }
    }),
  }
}

/** Leave-one-airport-out backtest of some airports: means over airports, which weigh the same. */
function leaveOneOut(
  airports: readonly HeldOutAirport[],
  all: readonly HeldOutAirport[],
  widened_by: number,
): PriorClass['leave_one_airport_out'] {
  const scores = airports.map(({ scoreAt }) => scoreAt(widened_by))
  const average = (name: keyof Score) => rounded(mean(scores.map((score) => score[name])), 3)
  return {
    airports: scores.length,
    samples: scores.reduce((sum, { samples }) => sum + samples, 0),
    mae_minutes: average('mae_minutes'),
    coverage_80: average('coverage_80'),
    within_5: average('within_5'),
    confidence: rounded(mean(airports.map((airport) => claimedFor(airport, all))), 3),
  }
}

/** Mean of the confidence that would be claimed in the hours of an airport without it. */
function claimedFor(airport: HeldOutAirport, all: readonly HeldOutAirport[]): number {
  const others = all.filter((other) => other !== airport)
  const hours = airport.hoursBySlot.reduce((sum, count) => sum + count, 0)
  return airport.hoursBySlot.reduce((sum, count, slot) => sum + (count / hours) * (confidenceAt(slot, others) ?? 0), 0)
}

/** Hours on each side of a slot whose results count for its confidence. */
const CONFIDENCE_REACH = 2

/** Fraction of hours within 5 minutes around a slot at held-out airports, at most MAX_CONFIDENCE; null without any. */
function confidenceAt(slot: number, airports: readonly HeldOutAirport[]): number | null {
  const dayStart = slot - (slot % 24)
  const around = ({ within5BySlot }: HeldOutAirport) =>
    Array.from(
      { length: 2 * CONFIDENCE_REACH + 1 },
      (_, k) => within5BySlot[dayStart + (((slot % 24) + k - CONFIDENCE_REACH + 24) % 24)]!,
    ).filter((share) => !Number.isNaN(share))
  const known = airports
    .map((airport) => ({ shares: around(airport), weight: airport.weight }))
    .filter(({ shares }) => shares.length > 0)
  if (known.length === 0) return null
  const share = weightedMean(
    known.map(({ shares }) => mean(shares)),
    known.map(({ weight }) => weight),
  )
  return rounded(clamp(share, 0, MAX_CONFIDENCE), 2)
}
