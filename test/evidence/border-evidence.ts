import { readFileSync } from 'node:fs'
import { DateTime } from 'luxon'
import { DAY_MS, HOUR_MS } from '../../config/domain.ts'
import { projectFile } from '../../config/paths.ts'
import { publisherOf, publisherRank } from '../../config/publishers.ts'
import { IMMIGRATION_PRIOR_FILE, ImmigrationPrior } from '../../forecasting/prior/immigration.ts'
import type { Reading } from '../../warehouse/tables/readings.ts'
import { DIRECTORY } from '../api/airport-directory.ts'
import { currentReadings, type Evidence, isOpenStandard, minutesOf } from './evidence.ts'

export const DIRECTIONS = ['entry', 'exit', 'unknown_direction'] as const
export type Direction = (typeof DIRECTIONS)[number]

/** The direction of a border queue of these tests, from its name. */
export function directionOf({ checkpoint }: Pick<Reading, 'checkpoint'>): Direction {
  if (checkpoint.startsWith('Arrival')) return 'entry'
  return checkpoint.startsWith('Departure') ? 'exit' : 'unknown_direction'
}

const usable = (row: Reading, direction: Direction) =>
  isOpenStandard(row) && directionOf(row) === direction && minutesOf(row) !== null

/** Readings of the given sources that a current border wait may rest on. */
export function borderReadings(evidence: Evidence, iata: string, direction: Direction, sources: string[]): Reading[] {
  return currentReadings(evidence, iata, 'immigration').filter(
    (row) => sources.includes(row.source) && usable(row, direction) && row.flags.length === 0,
  )
}

/** The mean wait of every observed UTC hour of one direction, by the publisher nearest to the queue. */
function observedHours({ readings }: Evidence, iata: string, direction: Direction): Map<number, number> {
  const hours = new Map<number, Reading[]>()
  for (const row of readings.filter((one) => one.iata === iata && one.kind === 'immigration')) {
    const hour = Math.floor(Date.parse(row.observed_at) / HOUR_MS) * HOUR_MS
    hours.set(hour, [...(hours.get(hour) ?? []), row])
  }
  const means = new Map<number, number>()
  for (const [hour, rows] of hours) {
    const nearest = Math.min(...rows.map(({ source }) => publisherRank(publisherOf(source))))
    const waits = rows
      .filter(
        (row) => publisherRank(publisherOf(row.source)) === nearest && usable(row, direction) && row.flags.length === 0,
      )
      .map((row) => minutesOf(row) ?? 0)
    if (waits.length > 0) means.set(hour, waits.reduce((sum, wait) => sum + wait, 0) / waits.length)
  }
  return means
}

const PRIOR = ImmigrationPrior.parse(JSON.parse(readFileSync(projectFile(...IMMIGRATION_PRIOR_FILE), 'utf8')))
/** The rule forecasts so many hours. */
const HOURS_OF_RULE = 36

/** The forecast of an hour: from the queue's own days, else what is typical; null where it was observed too rarely. */
export function borderExpected(evidence: Evidence, iata: string, direction: Direction, start_ms: number) {
  const cutoff = Math.floor(evidence.generated_ms / HOUR_MS) * HOUR_MS
  const isForecast = Array.from({ length: HOURS_OF_RULE }, (_, ahead) => cutoff + ahead * HOUR_MS).some(
    (hour) => expectedByRule(evidence, iata, direction, hour) !== null,
  )
  if (isForecast) return expectedByRule(evidence, iata, direction, start_ms)
  if (direction === 'unknown_direction') return null
  const [low, wait_minutes, high] = PRIOR.unseen.quantiles
  return { low, wait_minutes, high, samples: null }
}

/** The forecast of an hour from the same local hour of the last 28 days; null where it was observed too rarely. */
function expectedByRule(evidence: Evidence, iata: string, direction: Direction, start_ms: number) {
  const zone = DIRECTORY.byIata.get(iata)!.timezone
  const cutoff = Math.floor(evidence.generated_ms / HOUR_MS) * HOUR_MS
  const local = DateTime.fromMillis(start_ms, { zone })
  const same = [...observedHours(evidence, iata, direction)]
    .map(([hour, wait]) => ({ hour, wait, local: DateTime.fromMillis(hour, { zone }) }))
    .filter(({ hour }) => hour + HOUR_MS <= cutoff && hour >= cutoff - 28 * DAY_MS)
    .filter((one) => one.local.hour === local.hour)
  const own = same.filter((one) => one.local.isWeekend === local.isWeekend)
  const split = own.length >= 4 && same.length - own.length >= 4
  if (!split && same.length < 7) return null
  const waits = (split ? own : same).map(({ wait }) => wait).sort((a, b) => a - b)
  const at = (fraction: number) => {
    const place = fraction * (waits.length - 1)
    const low = waits[Math.floor(place)]!
    const high = waits[Math.ceil(place)]!
    return low + (high - low) * (place % 1)
  }
  const p50 = at(0.5)
  const widened = (fraction: number) => Math.max(0, p50 + PRIOR.rule.widened_by * (at(fraction) - p50))
  return { low: widened(0.1), wait_minutes: p50, high: widened(0.9), samples: waits.length }
}
