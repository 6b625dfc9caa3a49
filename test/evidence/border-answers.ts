import { readFileSync } from 'node:fs'
import { DateTime } from 'luxon'
import { projectFile } from '../../config/paths.ts'
import { publisherOf, publisherRank } from '../../config/publishers.ts'
import { BORDER_WAIT_FIGURES } from '../../config/reference/schengen.ts'
import { isSchengenAirport } from '../../config/reference/schengen-airports.ts'
import { DAY_MS, HOUR_MS } from '../../config/vocabulary.ts'
import { IMMIGRATION_PRIOR_FILE, ImmigrationPrior, typicalImmigration } from '../../forecasting/prior/immigration.ts'
import type { Reading } from '../../warehouse/tables/readings.ts'
import { DIRECTORY } from '../api/airport-directory.ts'
import { currentReadings, type Evidence, isOpenStandard, minutesOf } from './evidence.ts'
import { isObject, type JsonObject, sameSecond, text } from './unexplained.ts'

const DIRECTIONS = ['entry', 'exit', 'unknown_direction'] as const
type Direction = (typeof DIRECTIONS)[number]

/** The direction of a border queue of these tests, from its name. */
function directionOf({ checkpoint }: Pick<Reading, 'checkpoint'>): Direction {
  if (checkpoint.startsWith('Arrival')) return 'entry'
  return checkpoint.startsWith('Departure') ? 'exit' : 'unknown_direction'
}

const usable = (row: Reading, direction: Direction) =>
  isOpenStandard(row) && directionOf(row) === direction && minutesOf(row) !== null

/** Readings of the given sources that a current border wait may rest on. */
function borderReadings(evidence: Evidence, iata: string, direction: Direction, sources: string[]): Reading[] {
  return currentReadings(evidence, iata, 'immigration').filter(
    (row) => sources.includes(row.source) && usable(row, direction) && row.flags.length === 0,
  )
}

/** The mean wait of every observed UTC hour of one direction, by the publisher nearest to the queue. */
function observedHours({ readings }: Evidence, iata: string, direction: Direction): Map<number, number> {
  const hours = new Map<number, Reading[]>()
  for (const row of readings.filter((row) => row.iata === iata && row.kind === 'immigration')) {
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
function borderExpected(evidence: Evidence, iata: string, direction: Direction, start_ms: number) {
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
    .filter((row) => row.local.hour === local.hour)
  const own = same.filter((row) => row.local.isWeekend === local.isWeekend)
  const split = own.length >= 4 && same.length - own.length >= 4
  if (!split && same.length < 7) return null
  const waits = (split ? own : same).map(({ wait }) => wait).sort((a, b) => a - b)
  const quantileAt = (fraction: number) => {
    const place = fraction * (waits.length - 1)
    const low = waits[Math.floor(place)]!
    const high = waits[Math.ceil(place)]!
    return low + (high - low) * (place % 1)
  }
  const p50 = quantileAt(0.5)
  const widened = (fraction: number) => Math.max(0, p50 + PRIOR.rule.widened_by * (quantileAt(fraction) - p50))
  return { low: widened(0.1), wait_minutes: p50, high: widened(0.9), samples: waits.length }
}

/** The faults of an object of a border answer, and the paths of its figures that rest on evidence. */
interface Explained {
  faults: string[]
  explained: string[]
}
type Explain = (object: JsonObject, airport: string, evidence: Evidence) => Explained

/** Explains an object of a border answer; null for any other object. */
export function explainBorder(object: JsonObject, airport: string, evidence: Evidence): Explained | null {
  const explain = EXPLAIN.find(([fields]) => fields.every((name) => name in object))?.[1]
  return explain ? explain(object, airport, evidence) : null
}

/** The wait of each direction is between the waits of its queues, and one of them was observed at the given time. */
const currentWaits: Explain = (row, airport, evidence) => {
  const { faults, explained }: Explained = { faults: [], explained: [] }
  if ((row.entry === null || row.exit === null) && text(row.unavailable_reason) === '')
    faults.push(': no figure and no reason')
  for (const name of DIRECTIONS) {
    const wait = row[name]
    if (!isObject(wait)) continue
    explained.push(`.${name}.wait_minutes`)
    const rows = borderReadings(evidence, airport, name, text(wait.source).split('+'))
    const waits = rows.map((row) => minutesOf(row) ?? Number.NaN)
    const minutes = Number(wait.wait_minutes)
    const within = minutes >= Math.floor(Math.min(...waits)) && minutes <= Math.ceil(Math.max(...waits))
    if (!within || !rows.some((row) => sameSecond(row, wait.observed_at)))
      faults.push(`.${name}: ${minutes} does not follow from ${waits}`)
    if (wait.basis !== (text(wait.source).includes('crowd') ? 'reported' : 'measured'))
      faults.push(`.${name}.basis: ${wait.basis} of ${wait.source}`)
  }
  return { faults, explained }
}

/** The minutes of a past figure are those of the reference file. */
const pastFigure: Explain = (figure) => {
  const row = BORDER_WAIT_FIGURES.rows().find(({ fact, place }) => fact === figure.fact && place === figure.place)
  const same = row?.min_minutes === figure.min_minutes && row?.max_minutes === figure.max_minutes
  return { faults: same ? [] : [': is not in the reference file'], explained: ['.min_minutes', '.max_minutes'] }
}

const forecastHour: Explain = (hour, airport, evidence) => {
  const { faults, explained }: Explained = { faults: [], explained: [] }
  for (const name of DIRECTIONS) {
    const forecast = hour[name]
    const expected = borderExpected(evidence, airport, name, Date.parse(text(hour.time)))
    if (isObject(forecast) !== (expected !== null)) faults.push(`.${name}: is missing or has no basis`)
    if (!isObject(forecast) || !expected) continue
    for (const figure of ['wait_minutes', 'low', 'high', 'samples'] as const) {
      explained.push(`.${name}.${figure}`)
      // Rounded to tenths first, then to minutes.
      if (!(Math.abs(Number(forecast[figure]) - Number(expected[figure])) <= 0.56))
        faults.push(`.${name}.${figure}: ${forecast[figure]} should be ${expected[figure]}`)
    }
  }
  return { faults, explained }
}

const forecastModels: Explain = (answer, airport) => {
  const versionPrefix = (name: Direction) => `baseline:${airport}/${name.replace('_direction', '')}@`
  const faults = DIRECTIONS.flatMap((name) => {
    const forecast = answer[name]
    if (!isObject(forecast)) return []
    const isValid =
      (forecast.model === null && forecast.basis === null && text(forecast.unavailable_reason) !== '') ||
      (forecast.basis === 'predicted' && text(forecast.model).startsWith(versionPrefix(name))) ||
      (forecast.basis === 'typical' &&
        text(forecast.model).startsWith('prior:immigration@') &&
        text(forecast.note) !== '')
    return isValid ? [] : [`.${name}: ${forecast.model} is not its model, or the reason is missing`]
  })
  return { faults, explained: [] }
}

/**
 * The wait of arrivals in an overview: observed at border queues, or the forecast of the hour, whose figures are checked for
 * Schengen airports; the other airports of these tests have only figures of the prior.
 */
const arrivals: Explain = (wait, airport, evidence) => {
  const { faults, explained }: Explained = { faults: [], explained: ['.wait_minutes', '.low', '.high'] }
  const minutes = wait.wait_minutes
  if (minutes === null) {
    const isEmpty = ['basis', 'source', 'low', 'high'].every((name) => wait[name] === null)
    if (!isEmpty || text(wait.unavailable_reason) === '') faults.push(': no figure, but an origin, or no reason')
  } else if (wait.basis === 'measured' || wait.basis === 'reported') {
    const sources = text(wait.source).split('+')
    const rows = currentReadings(evidence, airport, 'immigration').filter(({ source }) => sources.includes(source))
    const waits = rows.flatMap((row) => minutesOf(row) ?? [])
    const within = Number(minutes) >= Math.floor(Math.min(...waits)) && Number(minutes) <= Math.ceil(Math.max(...waits))
    if (!within || wait.low !== null || wait.high !== null) faults.push(`: ${minutes} does not follow from ${waits}`)
  } else {
    const isTypical = wait.basis === 'typical' && text(wait.source).startsWith('prior:immigration@')
    if (!isTypical && wait.basis !== 'predicted') faults.push(`: ${wait.basis} of ${wait.source}`)
    faults.push(...arrivalHourFaults(wait, airport, evidence, evidence.at_ms))
  }
  return { faults, explained }
}

/** The hour of the longest wait of arrivals. */
const longestHour: Explain = (hour, airport, evidence) => ({
  faults: arrivalHourFaults(hour, airport, evidence, Date.parse(text(hour.local_time))),
  explained: ['.wait_minutes', '.low', '.high'],
})

/** The figures of the hour of an instant that the forecast of arrivals does not have. */
function arrivalHourFaults(hour: JsonObject, airport: string, evidence: Evidence, at_ms: number): string[] {
  const expected = isSchengenAirport(DIRECTORY.byIata.get(airport)!)
    ? borderExpected(evidence, airport, 'entry', Math.floor(at_ms / HOUR_MS) * HOUR_MS)
    : typicalHour(airport, at_ms)
  return (['wait_minutes', 'low', 'high'] as const).flatMap((figure) =>
    // Rounded to tenths first, then to minutes.
    Math.abs(Number(hour[figure]) - Number(expected?.[figure])) <= 0.56
      ? []
      : [`.${figure}: ${hour[figure]} should be ${expected?.[figure]}`],
  )
}

/** The prior of an airport outside of the Schengen area at an instant, which has a table for airports of CBP only. */
function typicalHour(iata: string, at_ms: number) {
  const { hour, weekday } = DateTime.fromMillis(at_ms, { zone: DIRECTORY.byIata.get(iata)!.timezone })
  const quantiles = typicalImmigration(iata)?.quantilesAt(weekday, hour)
  return quantiles && { low: quantiles[0], wait_minutes: quantiles[1], high: quantiles[2] }
}

/** Objects are recognised by fields that only they have. */
const EXPLAIN: [fields: string[], Explain][] = [
  [['longest', 'wait_minutes'], arrivals],
  [['local_time', 'basis', 'wait_minutes'], longestHour],
  [['publisher_known'], currentWaits],
  [['place', 'fact'], pastFigure],
  [['unknown_direction', 'local_time'], forecastHour],
  [['unknown_direction', 'hours'], forecastModels],
]
