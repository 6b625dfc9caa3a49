#!/usr/bin/env node
// Checks and scores a CSV of forecasts against a benchmark folder. Needs Node.js 20 and nothing else.
//   node score.mjs predictions.csv            prints a table
//   node score.mjs predictions.csv --json     prints the figures
//   node score.mjs --keys                     prints every row that a forecast is wanted for
// score.py gives the same figures.
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'

const HOUR_MS = 3_600_000
const QUANTILES = [
  ['p10', 0.1],
  ['p50', 0.5],
  ['p90', 0.9],
]
const NEAR_MINUTES = 5
const MAX_FAULTS = 20
const COLUMNS = ['airport', 'issued_at', 'valid_at', 'p10', 'p50', 'p90']
const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/

/** The lines of a CSV, plain or .gz, as cells; cells may be quoted but hold no line breaks. */
function readCsv(path) {
  // A device like /dev/zero has no end.
  const stats = statSync(path)
  if (!stats.isFile() && !stats.isFIFO()) throw new Error(`${path} is not a file`)
  const bytes = readFileSync(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').replace(/^\ufeff/, '')
  const lines = text.split(/\r?\n/)
  while (lines.at(-1) === '') lines.pop()
  return lines.map((line) => line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1')))
}

/** Epoch milliseconds of an instant with a zone; NaN for anything else. */
const instantOf = (text) => (INSTANT.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN)
const isoOf = (ms) => new Date(ms).toISOString().replace('.000Z', 'Z')
const hourOf = (ms) => Math.floor(ms / HOUR_MS) * HOUR_MS

/** What is asked and what came true: the task, the truth by airport and hour, and the instants of issue by airport. */
export function readBenchmark(folder) {
  const task = JSON.parse(readFileSync(join(folder, 'task.json'), 'utf8'))
  const truth = new Map()
  for (const [airport, hour, wait] of readCsv(join(folder, task.files.truth)).slice(1)) {
    if (!truth.has(airport)) truth.set(airport, new Map())
    truth.get(airport).set(Date.parse(hour), Number(wait))
  }
  const issues = new Map()
  for (const [airport, issued] of readCsv(join(folder, task.files.issues)).slice(1)) {
    if (!issues.has(airport)) issues.set(airport, [])
    issues.get(airport).push(Date.parse(issued))
  }
  return { task, truth, issues }
}

/** Every row that a forecast is wanted for, in the order in which it is scored: hours whose wait was observed. */
export function* keysOf({ task, truth, issues }) {
  for (const airport of [...issues.keys()].sort())
    for (const issued of [...issues.get(airport)].sort((a, b) => a - b))
      for (let ahead = 0; ahead < task.horizon_hours; ahead++) {
        const valid = hourOf(issued) + ahead * HOUR_MS
        if (truth.get(airport)?.has(valid)) yield { airport, issued, valid, ahead }
      }
}

const keyOf = (airport, issued, valid) => `${airport} ${issued} ${valid}`

const noInstant = (name, text) => `${name}: "${text}" is not an instant with a zone, such as 2026-11-21T00:00:00Z`
const numberOf = (text) => (NUMBER.test(text) ? Number(text) : Number.NaN)

/** A forecast from the cells of a row by name, or the text of what is wrong with it. */
function forecastOf(cells) {
  const { airport } = cells
  const issued = instantOf(cells.issued_at)
  const valid = instantOf(cells.valid_at)
  const [p10, p50, p90] = QUANTILES.map(([name]) => numberOf(cells[name]))
  const notNumber = QUANTILES.find(([name]) => !Number.isFinite(numberOf(cells[name])))
  if (!/^[A-Z]{3}$/.test(airport)) return `airport: "${airport}" is not a code such as JFK`
  if (Number.isNaN(issued)) return noInstant('issued_at', cells.issued_at)
  if (Number.isNaN(valid)) return noInstant('valid_at', cells.valid_at)
  if (valid < hourOf(issued)) return 'valid_at: lies before issued_at'
  if (valid !== hourOf(valid)) return 'valid_at: is not the start of a UTC hour'
  if (notNumber) return `${notNumber[0]}: "${cells[notNumber[0]]}" is not a number`
  if (p10 < 0) return 'p10: a wait is not negative'
  if (p10 > p50 || p50 > p90) return 'p10, p50, p90: are not in order'
  return { airport, issued, valid, ahead: (valid - hourOf(issued)) / HOUR_MS, p10, p50, p90 }
}

/** Reads a CSV of forecasts: the rows by key, and what is wrong with it, at most 20 faults. */
export function readForecasts(path) {
  const faults = []
  const [header = [], ...rows] = readCsv(path)
  const missing = COLUMNS.filter((name) => !header.includes(name))
  if (missing.length > 0) return { forecasts: new Map(), faults: [`line 1: columns missing: ${missing.join(', ')}`] }
  const columns = COLUMNS.map((name) => [name, header.indexOf(name)])
  const forecasts = new Map()
  for (const [k, cells] of rows.entries()) {
    const read =
      cells.length === header.length
        ? forecastOf(Object.fromEntries(columns.map(([name, at]) => [name, cells[at]])))
        : `${cells.length} cells, but the header has ${header.length}`
    const key = typeof read === 'string' ? null : keyOf(read.airport, read.issued, read.valid)
    const isSecond = key !== null && forecasts.has(key)
    if (key !== null && !isSecond) forecasts.set(key, read)
    else if (faults.length < MAX_FAULTS)
      faults.push(`line ${k + 2}: ${isSecond ? 'a second forecast of the same airport, issued_at and valid_at' : read}`)
  }
  return { forecasts, faults }
}

const emptySums = () => ({ samples: 0, error: 0, loss: 0, inside: 0, near: 0 })

function add(sums, observed, { p10, p50, p90 }) {
  sums.samples += 1
  sums.error += Math.abs(observed - p50)
  if (Math.abs(observed - p50) <= NEAR_MINUTES) sums.near += 1
  if (observed >= p10 && observed <= p90) sums.inside += 1
  let loss = 0
  for (const [value, quantile] of [
    [p10, 0.1],
    [p50, 0.5],
    [p90, 0.9],
  ]) {
    const error = observed - value
    loss += Math.max(quantile * error, (quantile - 1) * error)
  }
  sums.loss += loss / QUANTILES.length
}

const scoreOf = ({ samples, error, loss, inside, near }) => ({
  samples,
  mae_minutes: error / samples,
  pinball_minutes: loss / samples,
  coverage_80: inside / samples,
  within_5: near / samples,
})

/** The mean of the scores of airports: each counts alike. */
function pooled(scores) {
  const mean = (name) => scores.reduce((sum, each) => sum + each[name], 0) / scores.length
  return {
    samples: scores.reduce((sum, { samples }) => sum + samples, 0),
    mae_minutes: mean('mae_minutes'),
    pinball_minutes: mean('pinball_minutes'),
    coverage_80: mean('coverage_80'),
    within_5: mean('within_5'),
  }
}

/** Scores of forecasts with what came true, in the order in which they are given: overall, by hours ahead and by airport. */
export function scoreRows(rows, buckets) {
  const airports = new Map()
  for (const { airport, ahead, observed, forecast } of rows) {
    if (!airports.has(airport)) airports.set(airport, { all: emptySums(), buckets: buckets.map(emptySums) })
    const sums = airports.get(airport)
    add(sums.all, observed, forecast)
    buckets.forEach(([from, to], k) => {
      if (ahead >= from && ahead < to) add(sums.buckets[k], observed, forecast)
    })
  }
  const each = [...airports.values()]
  return {
    overall: each.length === 0 ? null : pooled(each.map(({ all }) => scoreOf(all))),
    horizons: buckets.map(([from_hours, to_hours], k) => {
      const known = each.map((sums) => sums.buckets[k]).filter(({ samples }) => samples > 0)
      return { from_hours, to_hours, ...(known.length === 0 ? { samples: 0 } : pooled(known.map(scoreOf))) }
    }),
    airports: [...airports].map(([airport, { all }]) => ({ airport, ...scoreOf(all) })),
  }
}

/**
 * Checks and scores a CSV of forecasts. Every wanted row must be there, unless `partial`: then the figures are of fewer rows, and
 * cannot be compared with those of scores.json.
 */
export function scoreFile(folder, path, { partial = false } = {}) {
  const benchmark = readBenchmark(folder)
  const { forecasts, faults } = readForecasts(path)
  const rows = []
  let missing = 0
  for (const { airport, issued, valid, ahead } of keysOf(benchmark)) {
    const forecast = forecasts.get(keyOf(airport, issued, valid))
    if (forecast) rows.push({ airport, ahead, observed: benchmark.truth.get(airport).get(valid), forecast })
    else {
      missing += 1
      if (!partial && faults.length < MAX_FAULTS) faults.push(`missing: ${airport} ${isoOf(issued)} ${isoOf(valid)}`)
    }
  }
  const not_scored = forecasts.size - rows.length
  return {
    forecasts: forecasts.size,
    scored: rows.length,
    missing,
    not_scored,
    faults,
    ...scoreRows(rows, benchmark.task.horizon_buckets),
  }
}

const fixed = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : '-')

/** The figures beside those of the benchmark, as a table. Skill is 1 - pinball loss / that of the same-hour rule. */
export function scoreTable(result, { references }) {
  const baseline = references.same_hour
  const rows = [...Object.entries(references), ['yours', result]]
  const cells = rows.map(([name, { overall }]) => [
    name,
    String(overall.samples),
    fixed(overall.mae_minutes, 3),
    fixed(overall.pinball_minutes, 4),
    `${fixed(100 * (1 - overall.pinball_minutes / baseline.overall.pinball_minutes), 1)} %`,
    `${fixed(100 * overall.coverage_80, 1)} %`,
    `${fixed(100 * overall.within_5, 1)} %`,
  ])
  const ahead = result.horizons
    .map((bucket, k) => ({ bucket, reference: references.holdshort.horizons[k] }))
    .filter(({ bucket }) => bucket.samples > 0)
    .map(({ bucket, reference }) => [
      `yours, ${bucket.from_hours} to ${bucket.to_hours - 1} h ahead`,
      String(bucket.samples),
      fixed(bucket.mae_minutes, 3),
      fixed(bucket.pinball_minutes, 4),
      '',
      `${fixed(100 * bucket.coverage_80, 1)} %`,
      `holdshort: ${fixed(reference.pinball_minutes, 4)}`,
    ])
  const table = [['forecasts', 'hours', 'MAE', 'pinball', 'skill', 'coverage 80 %', 'within 5 min'], ...cells, ...ahead]
  const widths = table[0].map((_, k) => Math.max(...table.map((row) => row[k].length)))
  return table
    .map((row) => row.map((cell, k) => (k === 0 ? cell.padEnd(widths[k]) : cell.padStart(widths[k]))).join('  '))
    .join('\n')
}

/** The scores of the forecasts that the benchmark was made with. */
export const readScores = (folder) => JSON.parse(readFileSync(join(folder, 'scores.json'), 'utf8'))

function main(words) {
  const flags = words.filter((word) => word.startsWith('--'))
  const [path] = words.filter((word) => !word.startsWith('--'))
  const folder = dirname(fileURLToPath(import.meta.url))
  if (flags.includes('--keys')) {
    const lines = ['airport,issued_at,valid_at']
    for (const { airport, issued, valid } of keysOf(readBenchmark(folder)))
      lines.push(`${airport},${isoOf(issued)},${isoOf(valid)}`)
    process.stdout.write(`${lines.join('\n')}\n`)
    return 0
  }
  if (path === undefined) {
    process.stderr.write('usage: node score.mjs predictions.csv [--json] [--partial], or node score.mjs --keys\n')
    return 2
  }
  const result = scoreFile(folder, path, { partial: flags.includes('--partial') })
  if (result.faults.length > 0)
    process.stderr.write(`${path} cannot be scored:\n${result.faults.map((text) => `  ${text}\n`).join('')}`)
  else if (flags.includes('--json')) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
  else process.stdout.write(`${result.overall ? scoreTable(result, readScores(folder)) : 'no row is scored'}\n`)
  return result.faults.length > 0 ? 1 : 0
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = main(process.argv.slice(2))
