import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { airportDirectory } from '../../config/airports/directory.ts'
import { AirportSize } from '../../config/domain.ts'
import { HoldshortError } from '../../config/errors.ts'
import { projectFile } from '../../config/paths.ts'
import { PRIOR_FILE, Prior, type PriorClass } from '../../config/prior/typical.ts'
import { readHistoryFolder } from '../history/history-files.ts'
import type { HourlySeries } from '../history/hourly-series.ts'
import { ascending, clamp, mean, sortedQuantile } from '../scoring/statistics.ts'
import { type AirportCells, type CellQuantiles, cellsOf, classTable } from './prior-table.ts'

/** The prior never claims more, whatever the backtest says: the observed airports are not the world's. */
const MAX_CONFIDENCE = 0.75

/**
 * Derives the worldwide prior from a folder of historical sets: every `security-*` set, airports of the directory only.
 * @throws HoldshortError IMPORT_INVALID when there is no such set.
 */
export function buildPrior(historyDir: string, madeAt: string): Prior {
  const sets = readdirSync(historyDir)
    .filter((name) => name.startsWith('security-'))
    .sort()
  if (sets.length === 0) throw new HoldshortError('IMPORT_INVALID', `${historyDir}: no security-* set`)
  return priorOf(observedAirports(sets.flatMap((name) => readHistoryFolder(join(historyDir, name)))), sets, madeAt)
}

/** Writes a prior where `config/prior/typical.ts` reads it. */
export async function writePrior(prior: Prior): Promise<string> {
  const file = projectFile(...PRIOR_FILE)
  await writeFile(file, `${JSON.stringify(Prior.parse(prior), null, 1)}\n`)
  return file
}

function observedAirports(series: readonly HourlySeries[]): AirportCells[] {
  const whole = series.filter((one) => one.terminal === '')
  return [...new Set(whole.map((one) => one.iata))].sort().map((iata) =>
    cellsOf(
      iata,
      airportDirectory().byIata.get(iata)!.size,
      whole.filter((one) => one.iata === iata),
    ),
  )
}

/** The prior of some airports' observed hours: tables, backtest and confidence of every class. */
export function priorOf(airports: readonly AirportCells[], madeFrom: string[], madeAt: string): Prior {
  const judged = airports.map((airport) => {
    const others = airports.filter((other) => other !== airport)
    return judgeAirport(airport, classTable(others, airport.size))
  })
  const classes = AirportSize.options.map((size) => classOf(size, airports, judged))
  return Prior.parse({ made_at: madeAt, made_from: madeFrom, classes })
}

/** How an airport was forecast by the others. */
interface Judged {
  size: AirportSize
  samples: number
  mae_minutes: number
  within_5: number
  /** Fraction inside p10–p90, were both moved away from p50 by a factor. */
  coverage: (widenedBy: number) => number
  /** Fraction within 5 minutes at each place; NaN where the airport was not observed. */
  near: number[]
}

function judgeAirport({ size, cells }: AirportCells, table: readonly CellQuantiles[]): Judged {
  const all = cells.flatMap((waits, place) => waits.map((minutes) => ({ minutes, cell: table[place]! })))
  const missed = all.map(({ minutes, cell }) => Math.abs(minutes - cell.p50))
  return {
    size,
    samples: all.length,
    mae_minutes: mean(missed),
    within_5: missed.filter((minutes) => minutes <= 5).length / all.length,
    coverage: (widenedBy) =>
      all.filter(({ minutes, cell }) => {
        const { p10, p90 } = widen(cell, widenedBy)
        return minutes >= p10 && minutes <= p90
      }).length / all.length,
    near: cells.map((waits, place) =>
      mean(waits.map((minutes) => (Math.abs(minutes - table[place]!.p50) <= 5 ? 1 : 0))),
    ),
  }
}

function widen({ p10, p50, p90 }: CellQuantiles, factor: number): CellQuantiles {
  return { p10: Math.max(0, p50 - factor * (p50 - p10)), p50, p90: p50 + factor * (p90 - p50) }
}

/**
 * What a class may claim from what its airports got: their mean. A class that nobody observed gets what the worst quarter
 * of all observed airports got: it may well be unlike them.
 */
function claim(shares: readonly number[], observed: boolean): number {
  return observed ? mean(shares) : sortedQuantile(ascending(shares), 0.25)
}

/** The smallest factor, in steps of 0.05 up to 3, that covers 80 % of a left-out airport's hours. */
function wideningOf(judged: readonly Judged[], observed: boolean): number {
  for (let step = 0; step < 40; step++) {
    const factor = 1 + step / 20
    if (
      claim(
        judged.map((one) => one.coverage(factor)),
        observed,
      ) >= 0.8
    )
      return factor
  }
  return 3
}

function classOf(size: AirportSize, airports: readonly AirportCells[], judged: readonly Judged[]): PriorClass {
  const own = airports.filter((airport) => airport.size === size)
  const ownJudged = judged.filter((one) => one.size === size)
  const observed = own.length > 0
  const evidence = observed ? ownJudged : judged
  const widened_by = wideningOf(evidence, observed)
  const average = (figure: (one: Judged) => number) => rounded(mean(ownJudged.map(figure)), 3)
  return {
    size,
    airports: own.map(({ iata }) => iata),
    hours: own.reduce((sum, { hours }) => sum + hours, 0),
    extrapolated_from: observed ? null : 'large',
    widened_by: rounded(widened_by, 2),
    leave_one_airport_out: observed
      ? {
          airports: own.length,
          samples: ownJudged.reduce((sum, { samples }) => sum + samples, 0),
          mae_minutes: average((one) => one.mae_minutes),
          coverage_80: average((one) => one.coverage(widened_by)),
          within_5: average((one) => one.within_5),
        }
      : null,
    table: classTable(airports, size).map((cell, place) => {
      const { p10, p50, p90 } = widen(cell, widened_by)
      return {
        local_hour: place % 24,
        weekend: place >= 24,
        p10: rounded(p10, 1),
        p50: rounded(p50, 1),
        p90: rounded(p90, 1),
        confidence: rounded(confidenceAt(place, evidence, observed), 2),
      }
    }),
  }
}

/** Fraction of hours around a place within 5 minutes at airports left out, as the class may claim it, capped. */
function confidenceAt(place: number, judged: readonly Judged[], observed: boolean): number {
  const around = (one: Judged, reach: number) => {
    const day = place - (place % 24)
    const near = Array.from(
      { length: 2 * reach + 1 },
      (_, k) => one.near[day + (((place % 24) + k - reach + 24) % 24)]!,
    )
    return near.filter((share) => !Number.isNaN(share))
  }
  const shares = judged
    .map((one) => around(one, 2))
    .filter((near) => near.length > 0)
    .map(mean)
  if (shares.length === 0) return 0
  return clamp(claim(shares, observed), 0, MAX_CONFIDENCE)
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
