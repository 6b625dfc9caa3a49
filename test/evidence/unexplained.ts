import { DateTime } from 'luxon'
import { shownName } from '../../config/terminal-name.ts'
import { freshnessOf, HOUR_MS } from '../../config/vocabulary.ts'
import type { Reading } from '../../warehouse/tables/readings.ts'
import { DIRECTORY } from '../api/airport-directory.ts'
import { explainBorder } from './border-answers.ts'
import {
  adjustmentOf,
  currentReadings,
  type Evidence,
  forecastHour,
  isCurrentWait,
  isOpenStandard,
  isStandard,
  minutesOf,
  observedHour,
} from './evidence.ts'

/** A value of an answer. */
export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [key: string]: Json }

/** The context of a place in an answer. */
interface Scope {
  airport: string
  kind: string
  model: string
  path: string
}

/** Paths of numbers that are not minutes of a wait; every other number of an answer must be explained. */
const NOT_WAITS =
  /\.((status_)?age_seconds|open_probability|over_15|over_30|reopens_days|held_reports|observed_hours|confidence|probability|coverage|samples|page|limit|total|with_figure|total_pages|horizon_hours|day_of_week|hour|latitude|longitude|elevation_ft|(length|width|longest_runway)_ft|runway_count|((baseline|issued)_)?mae_minutes|coverage_80)$/

const KINDS: Record<string, string> = {
  security: 'security',
  security_by_source: 'security',
  by_source: 'security',
  check_in: 'checkin',
  immigration: 'immigration',
}
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const objects = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
export const sameSecond = (row: Reading, instant: Json | undefined) =>
  Math.floor(Date.parse(row.observed_at) / 1_000) === Math.floor(Date.parse(String(instant)) / 1_000)
export const text = (value: Json | undefined) => (typeof value === 'string' ? value : '')

/** A sentence for each figure of an answer that rests on no observation and no model, or has a wrong age. */
export function unexplained(answer: JsonObject, evidence: Evidence): string[] {
  const trace = new Trace(evidence)
  trace.walk(answer, { airport: '', kind: 'security', model: '', path: '$' })
  return trace.faults
}

/** A lane of which nobody says whether it is open is open while it has a wait. */
const statusOf = (row: Reading) => (row.status === 'unknown' && (minutesOf(row) ?? 0) > 0 ? 'open' : row.status)

/** The status of lanes that are not all closed and have no minutes. */
const statusOfRows = (rows: Reading[]) => (rows.some((row) => statusOf(row) === 'open') ? 'open' : 'unknown')

class Trace {
  readonly faults: string[] = []
  private readonly explained = new Set<string>()
  private readonly evidence: Evidence

  constructor(evidence: Evidence) {
    this.evidence = evidence
  }

  walk(value: Json, scope: Scope): void {
    if (typeof value === 'number' && !this.explained.has(scope.path) && !NOT_WAITS.test(scope.path))
      this.faults.push(`${scope.path}: no evidence for ${value}`)
    if (Array.isArray(value))
      for (const [index, element] of value.entries()) this.walk(element, { ...scope, path: `${scope.path}[${index}]` })
    if (!isObject(value)) return
    const airport = text(value.airport) || (isObject(value.airport) ? text(value.airport.iata) : '') || scope.airport
    const model = isObject(value.model) ? text(value.model.version) : scope.model
    const here = { ...scope, airport, model }
    this.explain(value, here)
    for (const [key, field] of Object.entries(value))
      this.walk(field, { ...here, kind: KINDS[key] ?? here.kind, path: `${here.path}.${key}` })
  }

  /** Checks the figures of an object against the evidence, by the fields it has. */
  private explain(object: JsonObject, scope: Scope): void {
    if ('age_seconds' in object) this.age(object, scope)
    if ('reopens_days' in object) this.reopening(object, scope)
    if ('adjusted_to' in object) this.adjustedTo(object, scope)
    if (object.travellers !== undefined) this.travellers(object, scope)
    if ('shortest_minutes' in object) this.bounds(object, scope, ['shortest_minutes', 'longest_minutes'])
    if ('lane_minutes' in object) this.bounds(object, scope, ['lane_minutes'])
    const border = explainBorder(object, scope.airport, this.evidence)
    if (border) {
      this.faults.push(...border.faults.map((fault) => `${scope.path}${fault}`))
      for (const path of border.explained) this.explained.add(`${scope.path}${path}`)
      return
    }
    if ('average_wait_minutes' in object) this.queue(object, scope, 'average_wait_minutes')
    else if ('probability' in object && 'unavailable_reason' in object && 'wait_minutes' in object)
      this.queue(object, scope, 'wait_minutes')
    else if ('disagrees' in object) this.averageWithoutTerminals(object, scope, 'wait_minutes')
    else if ('checkpoints' in object) this.terminal(object, scope)
    else if ('next_hour' in object) this.nextHour(object, scope)
    else if ('local_time' in object) this.predictedHour(object, scope)
    else if ('quietest' in object && 'date' in object) this.predictedDay(object, scope)
    else if ('observed_hours' in object) this.historySummary(object, scope)
    else if ('mean' in object) this.observed(object, scope)
    else if ('pattern' in object) this.pattern(object, scope)
    else if (isObject(object.model)) {
      const version = text(object.model.version)
      const issued = this.evidence.forecasts.find(({ model }) => model === version)
      const basis = issued?.basis ?? (version.startsWith('prior:') ? 'typical' : 'predicted')
      this.expect(object.model, { ...scope, path: `${scope.path}.model` }, { basis })
    }
  }

  /** Marks figures as explained, and adds a fault for each that differs from the expected value. */
  private expect(object: JsonObject, { path }: Scope, expected: Record<string, Json | undefined>): void {
    for (const [key, value] of Object.entries(expected)) {
      this.explained.add(`${path}.${key}`)
      if (object[key] !== value) this.faults.push(`${path}.${key}: ${object[key]} should be ${value}`)
    }
  }

  /** Days are the evidence of learned opening hours, and of nothing else. */
  private reopening({ reopens_at, reopens_basis, reopens_days }: JsonObject, { path }: Scope): void {
    const isLearned = reopens_at !== null && reopens_basis === 'predicted'
    if ((typeof reopens_days === 'number') !== isLearned)
      this.faults.push(`${path}.reopens_days: ${reopens_days} beside a basis of ${reopens_basis}`)
  }

  /** The wait that a forecast was adjusted to is the recorded one, and rests on readings. */
  private adjustedTo(forecast: JsonObject, scope: Scope): void {
    const version = text(forecast.source) || scope.model
    const row = adjustmentOf(this.evidence, version, scope.airport, text(forecast.terminal))
    if (!isObject(forecast.adjusted_to)) {
      if (row) this.faults.push(`${scope.path}: does not name the wait it was adjusted to`)
      return
    }
    if (!row || !isCurrentWait(this.evidence, row)) {
      this.faults.push(`${scope.path}: was adjusted to no current wait`)
      return
    }
    this.expect(
      forecast.adjusted_to,
      { ...scope, path: `${scope.path}.adjusted_to` },
      {
        wait_minutes: Math.round(row.wait_minutes),
        observed_at: row.observed_at.replace(/\.\d+(?=Z$)/, ''),
        source: row.source,
        basis: row.basis,
        expected_minutes: Math.round(row.expected_p50),
      },
    )
  }

  /** No more travellers are named than reported, and none beside what was measured. */
  private travellers({ travellers, basis }: JsonObject, scope: Scope): void {
    this.explained.add(`${scope.path}.travellers`)
    const reports = currentReadings(this.evidence, scope.airport, scope.kind).filter(({ source }) => source === 'crowd')
    if (basis !== 'reported' || !(Number(travellers) >= 1 && Number(travellers) <= reports.length))
      this.faults.push(`${scope.path}.travellers: ${travellers} of ${reports.length} reports, basis ${basis}`)
  }

  /** Bounds of the lanes that are open: each is the wait of one, or an end of the range that its source gives. */
  private bounds(object: JsonObject, scope: Scope, names: string[]): void {
    const open = currentReadings(this.evidence, scope.airport, scope.kind).filter(({ status }) => status !== 'closed')
    const waits = new Set(
      open
        .flatMap((row) => [minutesOf(row), row.wait_minutes_low, row.wait_minutes_high])
        .map((wait) => Math.round(wait ?? -1)),
    )
    for (const name of names) {
      this.explained.add(`${scope.path}.${name}`)
      if (object[name] !== null && !waits.has(Number(object[name])))
        this.faults.push(`${scope.path}.${name}: ${object[name]} is no wait of an open lane`)
    }
  }

  private age(object: JsonObject, scope: Scope): void {
    const { observed_at, age_seconds, freshness, basis } = object
    const observed = basis === 'measured' || basis === 'reported'
    if (basis !== undefined && observed !== (observed_at !== null))
      this.faults.push(`${scope.path}: ${basis}, observed at ${observed_at}`)
    if (observed_at === null) {
      this.expect(object, scope, { age_seconds: null, freshness: null })
      return
    }
    const age = Math.max(0, (this.evidence.at_ms - Date.parse(text(observed_at))) / 1_000)
    // Answers have instants in whole seconds.
    if (!(Math.abs(Number(age_seconds) - age) <= 1.01))
      this.faults.push(`${scope.path}: ${age_seconds} s is not ${age} s`)
    this.expect(object, scope, { freshness: freshnessOf(Number(age_seconds)) })
    if (freshness === 'expired') this.faults.push(`${scope.path}: is shown although it has expired`)
  }

  /** The figure of a queue (its field is `name`), and its interval when it was not observed. */
  private queue(queue: JsonObject, scope: Scope, name: string): void {
    const { basis, unavailable_reason, [name]: wait } = queue
    const observed = basis !== 'predicted' && basis !== 'typical'
    if ('low' in queue && observed) this.expect(queue, scope, { low: null, high: null, probability: null })
    if (queue.status === 'closed' && basis !== 'predicted') {
      this.closed(queue, scope, name)
      return
    }
    if (wait === null || basis === null) {
      if (text(unavailable_reason) === '') this.faults.push(`${scope.path}: no figure and no reason`)
      this.expect(queue, scope, { [name]: null, basis: null, source: null, observed_at: null })
      return
    }
    const terminals = objects(queue.terminals)
    const rows = terminals.flatMap((terminal) => this.lanes(terminal, scope))
    if (!observed) this.forecastNow(queue, scope, name, '')
    else if (terminals.length > 0) this.average(queue, scope, name, rows)
    else this.averageWithoutTerminals(queue, scope, name)
  }

  /** An average without terminals is between the waits of its sources, and one of them was observed at the given time. */
  private averageWithoutTerminals(queue: JsonObject, scope: Scope, name: string): void {
    const { source, [name]: wait = null } = queue
    const behind = currentReadings(this.evidence, scope.airport, scope.kind).filter(
      (row) => text(source).split('+').includes(row.source) && isOpenStandard(row) && minutesOf(row) !== null,
    )
    const waits = behind.map((row) => minutesOf(row) ?? Number.NaN)
    const within = Number(wait) >= Math.floor(Math.min(...waits)) && Number(wait) <= Math.ceil(Math.max(...waits))
    if (!within || !behind.some((row) => sameSecond(row, queue.observed_at)))
      this.faults.push(`${scope.path}: ${wait} does not follow from ${waits}`)
    this.expect(queue, scope, {
      [name]: wait,
      basis: text(source).includes('crowd') ? 'reported' : 'measured',
    })
  }

  /** A closure that was observed has no minutes and rests on the newest readings of its sources, all of them closed. */
  private closed(queue: JsonObject, scope: Scope, name: string): void {
    const { basis = null, observed_at = null, source = null, age_seconds = null } = queue
    this.expect(queue, scope, { [name]: null, unavailable_reason: 'closed' })
    // A brief answer has the provenance of the closure only once.
    if ('status_basis' in queue)
      this.expect(queue, scope, {
        status_basis: basis,
        status_observed_at: observed_at,
        status_source: source,
        status_age_seconds: age_seconds,
      })
    const behind = currentReadings(this.evidence, scope.airport, scope.kind).filter(
      (row) => text(source).split('+').includes(row.source) && isStandard(row) && row.status === 'closed',
    )
    if (!behind.some((row) => sameSecond(row, observed_at))) this.faults.push(`${scope.path}: closed by no reading`)
    const closedAt = Date.parse(text(observed_at))
    const fresherWait = currentReadings(this.evidence, scope.airport, scope.kind).find(
      (row) =>
        text(source) === row.source &&
        isOpenStandard(row) &&
        (minutesOf(row) ?? 0) > 0 &&
        Date.parse(row.observed_at) > closedAt + 1_800_000,
    )
    if (fresherWait) this.faults.push(`${scope.path}: closed, though ${fresherWait.source} has a fresher wait`)
  }

  private terminal(terminal: JsonObject, scope: Scope): void {
    const { basis, wait_minutes, unavailable_reason } = terminal
    const lanes = objects(terminal.checkpoints)
    for (const [index, lane] of lanes.entries())
      this.lane(lane, terminal, { ...scope, path: `${scope.path}.checkpoints[${index}]` })
    const rows = this.lanes(terminal, scope)
    if (basis === 'predicted' || basis === 'typical')
      this.forecastNow(terminal, scope, 'wait_minutes', text(terminal.terminal))
    else if (wait_minutes !== null) this.average(terminal, scope, 'wait_minutes', rows)
    else {
      if (text(unavailable_reason) === '' || rows.length > 0)
        this.faults.push(`${scope.path}: no figure, though lanes have one or there is no reason`)
      const shown = this.shown(terminal, scope)
      const standard = shown.filter(isStandard)
      this.expectOrigin(terminal, scope, standard.length > 0 ? standard : shown)
      const isClosed = shown.length > 0 && shown.every(({ status }) => status === 'closed')
      this.expect(terminal, scope, { status: isClosed ? 'closed' : statusOfRows(shown) })
    }
  }

  /** The readings behind the lanes of a terminal. */
  private shown(terminal: JsonObject, scope: Scope): Reading[] {
    return objects(terminal.checkpoints).flatMap((lane) => this.readingOf(lane, terminal, scope) ?? [])
  }

  /** The readings behind the lanes that are averaged. */
  private lanes(terminal: JsonObject, scope: Scope): Reading[] {
    return this.shown(terminal, scope).filter((row) => isOpenStandard(row) && minutesOf(row) !== null)
  }

  private average(object: JsonObject, scope: Scope, name: string, rows: Reading[]): void {
    const wait = rows.length === 0 ? null : Math.round(mean(rows.map((row) => minutesOf(row) ?? 0)))
    this.expect(object, scope, { [name]: wait })
    this.expectOrigin(object, scope, rows)
  }

  /** Expects the sources of some readings, and the time of the oldest of them. */
  private expectOrigin(object: JsonObject, scope: Scope, rows: Reading[]): void {
    const [oldest] = rows.toSorted((a, b) => Date.parse(a.observed_at) - Date.parse(b.observed_at))
    const sources = [...new Set(rows.map(({ source }) => source))].sort()
    this.expect(object, scope, { basis: sources.includes('crowd') ? 'reported' : 'measured' })
    if (text(object.source).split('+').sort().join() !== sources.join())
      this.faults.push(`${scope.path}: of ${object.source}, not ${sources}`)
    if (oldest && !sameSecond(oldest, object.observed_at))
      this.faults.push(`${scope.path}: is not as old as its oldest reading`)
  }

  private lane(lane: JsonObject, terminal: JsonObject, scope: Scope): void {
    const row = this.readingOf(lane, terminal, scope)
    if (!row) {
      this.faults.push(`${scope.path}: has no reading`)
      return
    }
    const minutes = row.status === 'closed' ? null : minutesOf(row)
    const { wait_minutes_low: low, wait_minutes_high: high } = row
    const ranged = row.status !== 'closed' && (low !== null || high !== null)
    this.expect(lane, scope, { wait_minutes: minutes === null ? null : Math.round(minutes) })
    this.expect(lane, scope, { basis: row.source === 'crowd' ? 'reported' : 'measured' })
    const status = statusOf(row)
    this.expect(lane, scope, { status, open: status === 'unknown' ? null : status === 'open' })
    if (isObject(lane.range)) this.expect(lane.range, { ...scope, path: `${scope.path}.range` }, { low, high })
    if (ranged !== isObject(lane.range)) this.faults.push(`${scope.path}: the range is missing or has no basis`)
  }

  private readingOf(lane: JsonObject, { terminal }: JsonObject, { airport, kind }: Scope): Reading | undefined {
    return currentReadings(this.evidence, airport, kind).find(
      (row) =>
        row.source === lane.source &&
        shownName(row.terminal) === terminal &&
        shownName(row.checkpoint) === lane.checkpoint &&
        row.lane === lane.lane &&
        sameSecond(row, lane.observed_at),
    )
  }

  /** A current figure from a model's forecast. */
  private forecastNow(object: JsonObject, scope: Scope, name: string, terminal: string): void {
    const hour = Math.floor(this.evidence.at_ms / HOUR_MS) * HOUR_MS
    const found = forecastHour(this.evidence, text(object.source), scope.airport, terminal, hour)
    const kind = scope.kind === 'security' ? found : null
    this.expect(object, scope, { [name]: kind?.wait ?? null, basis: kind?.basis ?? null, observed_at: null })
    if ('low' in object) this.expect(object, scope, { low: kind?.low ?? null, high: kind?.high ?? null })
  }

  /** An hour in which the queue is closed has no minutes, and a closure was observed here. */
  private closedHour(hour: JsonObject, scope: Scope, minutes: JsonObject): void {
    this.expect(hour, scope, minutes)
    for (const name of ['low', 'high', 'confidence']) if (name in hour) this.expect(hour, scope, { [name]: null })
    const isObserved = this.evidence.readings.some(
      ({ iata, kind, status }) => iata === scope.airport && kind === 'security' && status === 'closed',
    )
    if (!isObserved) this.faults.push(`${scope.path}: closed without evidence`)
    if ('open_probability' in hour && !(Number(hour.open_probability) <= 0.1))
      this.faults.push(`${scope.path}: closed, but open with ${hour.open_probability}`)
  }

  private nextHour(next: JsonObject, scope: Scope): void {
    if (next.status === 'closed') {
      this.closedHour(next, scope, { next_hour: null, unavailable_reason: 'closed' })
      return
    }
    if (next.next_hour === null) {
      if (text(next.unavailable_reason) === '') this.faults.push(`${scope.path}: no figure and no reason`)
      this.expect(next, scope, { low: null, high: null, source: null, basis: null })
      return
    }
    const start = Date.parse(text(next.valid_at))
    const found = forecastHour(this.evidence, text(next.source), scope.airport, '', start)
    const { wait = null, low = null, high = null, basis = null } = found ?? {}
    this.expect(next, scope, { next_hour: wait, low, high, basis, observed_at: null })
  }

  private predictedHour(hour: JsonObject, scope: Scope): void {
    const rows = [{ row: hour, terminal: '', path: scope.path }].concat(
      objects(hour.terminals).map((row, index) => ({
        row,
        terminal: text(row.terminal),
        path: `${scope.path}.terminals[${index}]`,
      })),
    )
    for (const { row, terminal, path } of rows) {
      if (row.status === 'closed') {
        this.closedHour(row, { ...scope, path }, { wait_minutes: null })
        continue
      }
      const start = Date.parse(text(hour.time) || text(hour.local_time))
      // The card is of the airport's model; in these tests the terminals have the same version.
      const found = forecastHour(this.evidence, scope.model, scope.airport, terminal, start)
      this.expect(
        row,
        { ...scope, path },
        {
          wait_minutes: found?.wait ?? null,
          low: found?.low ?? null,
          high: found?.high ?? null,
        },
      )
    }
  }

  /** The quietest and the busiest hour of a day, by the local clock of the airport. */
  private predictedDay(day: JsonObject, scope: Scope): void {
    const zone = DIRECTORY.byIata.get(scope.airport)?.timezone ?? 'UTC'
    for (const name of ['quietest', 'busiest']) {
      const hour = day[name]
      if (!isObject(hour)) continue
      const start = DateTime.fromISO(`${text(day.date)}T${text(hour.hour)}`, { zone }).toMillis()
      const found = forecastHour(this.evidence, scope.model, scope.airport, '', start)
      this.expect(
        hour,
        { ...scope, path: `${scope.path}.${name}` },
        { wait_minutes: found?.wait ?? null, low: found?.low ?? null, high: found?.high ?? null },
      )
    }
  }

  /** What is usual: between the least and the greatest observed wait of the period, by sources that observed it. */
  private historySummary(summary: JsonObject, scope: Scope): void {
    const waits: number[] = []
    const sources = new Set<string>()
    for (let start = Date.parse(text(summary.from)); start < Date.parse(text(summary.to)); start += HOUR_MS)
      for (const publisher of observedHour(this.evidence, scope.airport, null, start)) {
        waits.push(...publisher.waits)
        for (const source of publisher.source.split('+')) sources.add(source)
      }
    const named = text(summary.source).split('+')
    if (summary.observed_hours === 0) {
      this.expect(summary, scope, { source: null, basis: null })
      return
    }
    this.expect(summary, scope, { basis: named.includes('crowd') ? 'reported' : 'measured' })
    for (const source of named) if (!sources.has(source)) this.faults.push(`${scope.path}: ${source} observed nothing`)
    this.explainWithin(summary, scope.path, Math.min(...waits) - 1, Math.max(...waits) + 1)
  }

  /** Marks the numbers of a summary as explained, and adds a fault for each number of minutes outside two bounds. */
  private explainWithin(value: Json, path: string, least: number, most: number): void {
    if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) this.explainWithin(element, `${path}[${index}]`, least, most)
      return
    }
    if (isObject(value)) {
      for (const [key, field] of Object.entries(value)) this.explainWithin(field, `${path}.${key}`, least, most)
      return
    }
    if (typeof value !== 'number') return
    this.explained.add(path)
    if (/_minutes$/.test(path) && !(value >= least && value <= most))
      this.faults.push(`${path}: ${value} was never observed`)
  }

  private observed(hour: JsonObject, scope: Scope): void {
    const terminal = hour.terminal === null ? null : text(hour.terminal)
    const publishers = observedHour(this.evidence, scope.airport, terminal, Date.parse(text(hour.time)))
    const near = (value: Json | undefined, wait: number) => Math.abs(Number(value) - wait) <= 0.56
    const behind = publishers.find(
      ({ waits, source }) =>
        source === hour.source &&
        waits.length === hour.samples &&
        near(hour.mean, mean(waits)) &&
        near(hour.max, Math.max(...waits)),
    )
    if (!behind) {
      this.faults.push(`${scope.path}: no readings give ${JSON.stringify(hour)}`)
      return
    }
    const least = Math.min(...behind.waits) - 0.56
    const most = Math.max(...behind.waits) + 0.56
    for (const name of ['p50', 'p90'])
      if (Number(hour[name]) < least || Number(hour[name]) > most)
        this.faults.push(`${scope.path}.${name} follows from no reading`)
    const { mean: average = null, p50 = null, p90 = null, max = null } = hour
    const basis = behind.source.split('+').includes('crowd') ? 'reported' : 'measured'
    this.expect(hour, scope, { mean: average, p50, p90, max, basis })
  }

  private pattern(history: JsonObject, scope: Scope): void {
    const means = objects(history.hours).flatMap((hour) => (hour.terminal === null ? [Number(hour.mean)] : []))
    for (const [index, slot] of objects(history.pattern).entries()) {
      const path = `${scope.path}.pattern[${index}]`
      const { p50 = null, p90 = null } = slot
      for (const value of [p50, p90])
        if (!(Number(value) >= Math.min(...means) - 1 && Number(value) <= Math.max(...means) + 1))
          this.faults.push(`${path}: ${value} follows from no hour`)
      this.expect(slot, { ...scope, path }, { p50, p90 })
    }
  }
}
