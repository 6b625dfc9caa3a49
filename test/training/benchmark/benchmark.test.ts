import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { HORIZON_BUCKETS, HORIZON_HOURS, HOUR_MS, isoUtc } from '../../../config/domain.ts'
import type { HourlySeries } from '../../../forecasting/features/hourly-series.ts'
import { poolScores, score } from '../../../forecasting/skill/metrics.ts'
import { seededRandom } from '../../../forecasting/statistics/seeded-random.ts'
import type { SeriesBacktest } from '../../../training/backtest/backtest.ts'
import { openScorer, type ScoredFile } from '../../../training/benchmark/scorer.ts'
import { type BenchmarkContent, writeBenchmark } from '../../../training/benchmark/write-benchmark.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const FROM = Date.parse('2026-06-01T00:00:00Z')
const ISSUES = [FROM, FROM + 6 * HOUR_MS]

/** Quantiles drawn around a level, rounded as the files have them. */
function drawn(random: () => number, rows: number) {
  const round = (value: number) => Number(value.toFixed(3))
  const p10 = Float64Array.from({ length: rows }, () => round(20 * random()))
  const p50 = p10.map((value) => round(value + 5 * random()))
  const p90 = p50.map((value) => round(value + 9 * random()))
  return { p10, p50, p90, p_within_5: new Float64Array(rows) }
}

function contentOf(seed: number, over: Partial<BenchmarkContent> = {}): BenchmarkContent {
  const random = seededRandom(seed)
  const airports = ['LAX', 'JFK']
  const series = airports.map((iata): HourlySeries => {
    const hours = Float64Array.from({ length: 400 }, (_, k) => FROM + (k - 200) * HOUR_MS)
    const waits = hours.map(() => Math.round(300 * random()) / 10)
    const rest = { terminal: '', timezone: 'UTC', country: null, samples: hours.map(() => 3) }
    return { iata, hour_ms: hours, available_ms: hours.map((hour) => hour + HOUR_MS), mean: waits, ...rest }
  })
  const runs = series.map(({ iata, hour_ms, mean }): SeriesBacktest => {
    const truths = new Map(Array.from(hour_ms, (hour, k) => [hour, mean[k]!]))
    const valid_ms = Float64Array.from(
      ISSUES.flatMap((issued) => Array.from({ length: HORIZON_HOURS }, (_, k) => issued + k * HOUR_MS)),
    )
    const truth = valid_ms.map((hour) => (random() < 0.2 ? Number.NaN : truths.get(hour)!))
    // An hour is observed or not, whichever forecast is about it.
    const seen = new Map(Array.from(valid_ms, (hour, row) => [hour, truth[row]!]))
    const rows = valid_ms.length
    const calibrated = { model: drawn(random, rows), rule: drawn(random, rows), baseline: drawn(random, rows) }
    return {
      iata,
      terminal: '',
      issued_ms: Float64Array.from(ISSUES.flatMap((issued) => new Array(HORIZON_HOURS).fill(issued))),
      valid_ms,
      horizon: Uint8Array.from(ISSUES.flatMap(() => Array.from({ length: HORIZON_HOURS }, (_, k) => k))),
      truth: valid_ms.map((hour) => seen.get(hour)!),
      raw: calibrated,
      calibrated,
      served: new Uint8Array(rows),
      scored: new Uint8Array(rows).fill(1),
      calibrations: {} as SeriesBacktest['calibrations'],
      choice: 'model',
      adapted: null,
    }
  })
  const source = { id: 'import', credit: 'Nobody', licence: null, terms: 'Unknown.' }
  const about = { simulated: false, sources: [source], version: '0.0.0', every_hours: 6 }
  return { kind: 'security', series, runs, from_ms: FROM, to_ms: ISSUES[1]!, ...about, ...over }
}

const made = { folder: '', content: contentOf(1) }
beforeAll(async () => {
  made.folder = await mkdtemp(join(tmpdir(), 'holdshort-test-'))
  await writeBenchmark(made.folder, made.content)
  return async () => {
    await rm(made.folder, { recursive: true, force: true })
  }
})

const linesOf = async (name: string) => {
  const bytes = await readFile(join(made.folder, name))
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').trim().split('\n')
}

it('scores the references as the backtest does, to the last digit', async () => {
  const { readScores } = await openScorer()
  const { references } = readScores(made.folder)
  const runs = made.content.runs.toSorted((a, b) => (a.iata < b.iata ? -1 : 1))
  for (const [name, contender] of [
    ['model', 'model'],
    ['rule', 'rule'],
    ['same_hour', 'baseline'],
    ['holdshort', 'model'],
  ] as const) {
    const expected = runs.map((run) => score(run.truth, run.calibrated[contender]))
    expect(references[name]?.overall).toEqual(poolScores(expected))
    expect(references[name]?.airports.map(({ airport: _, ...rest }) => rest)).toEqual(expected)
    for (const [k, [from, to]] of HORIZON_BUCKETS.entries()) {
      const within = runs.map((run) =>
        score(run.truth, run.calibrated[contender], (row) => run.horizon[row]! >= from && run.horizon[row]! < to),
      )
      expect(references[name]?.horizons[k]).toEqual({ from_hours: from, to_hours: to, ...poolScores(within) })
    }
  }
})

it('holds the history up to the last issue only, every truth once, and says what may not be passed on', async () => {
  const [header, ...history] = await linesOf('history.csv.gz')
  expect(header).toBe('airport,hour,available_at,wait_minutes,readings,simulated')
  for (const line of history) expect(line.split(',')[2]! <= isoUtc(ISSUES[1]!)).toBe(true)
  const truth = (await linesOf('truth.csv')).slice(1).map((line) => line.split(',').slice(0, 2).join(' '))
  expect(new Set(truth).size).toBe(truth.length)
  const task = JSON.parse(await readFile(join(made.folder, 'task.json'), 'utf8'))
  expect(task).toMatchObject({ may_be_passed_on: false, simulated: false, airports: ['JFK', 'LAX'] })
  expect(await readFile(join(made.folder, 'README.md'), 'utf8')).toContain('**Not to be passed on** as it is')
})

it('names every fault of a CSV by line, and misses no wanted row', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'predictions.csv')
  const [, first = ''] = await linesOf('references/rule.csv.gz')
  const [airport, issued, valid] = first.split(',')
  const rows = [
    [airport, issued, valid, 3, 2, 9],
    ['jfk', issued, valid, 1, 2, 3],
    [airport, '2026-06-01 00:00', valid, 1, 2, 3],
    [airport, issued, '2026-06-01T00:30:00Z', 1, 2, 3],
    [airport, '2026-06-02T00:00:00Z', '2026-06-01T00:00:00Z', 1, 2, 3],
    [airport, issued, valid, 1, 'two', 3],
    [airport, issued, valid, -1, 2, 3],
    [airport, issued, '2026-06-01T02:00:00+00:00', 1, 2, 3],
    [airport, issued, '2026-06-01T04:00:00+02:00', 1, 2, 3],
    [airport, issued],
  ]
  await writeFile(
    path,
    `airport,issued_at,valid_at,p10,p50,p90\r\n${rows.map((row) => row.join(',')).join('\r\n')}\r\n`,
  )
  const { scoreFile } = await openScorer()
  const { faults, scored } = scoreFile(made.folder, path)
  expect(faults.slice(0, 9)).toEqual([
    'line 2: p10, p50, p90: are not in order',
    'line 3: airport: "jfk" is not a code such as JFK',
    'line 4: issued_at: "2026-06-01 00:00" is not an instant with a zone, such as 2026-11-21T00:00:00Z',
    'line 5: valid_at: is not the start of a UTC hour',
    'line 6: valid_at: lies before issued_at',
    'line 7: p50: "two" is not a number',
    'line 8: p10: a wait is not negative',
    'line 10: a second forecast of the same airport, issued_at and valid_at',
    'line 11: 2 cells, but the header has 6',
  ])
  expect(faults[9]).toMatch(/^missing: JFK 2026-06-01T00:00:00Z /)
  expect(scored).toBeLessThanOrEqual(1)
  await writeFile(path, 'airport,issued_at,p50\n')
  expect(scoreFile(made.folder, path).faults[0]).toBe('line 1: columns missing: valid_at, p10, p90')
})

it('marks a simulated benchmark in file names, columns, task and README; the same content makes the same bytes', async () => {
  const [first, second] = [await temporaryFolder(), await temporaryFolder()]
  for (const folder of [first, second]) await writeBenchmark(folder, contentOf(2, { simulated: true }))
  const task = JSON.parse(await readFile(join(first, 'task.json'), 'utf8'))
  expect(task.simulated).toBe(true)
  expect(await readFile(join(first, 'README.md'), 'utf8')).toContain('**SIMULATED.**')
  for (const path of [
    task.files.truth,
    task.files.issues,
    task.files.history,
    ...Object.values(task.files.references),
  ] as string[]) {
    expect(path).toContain('-simulated.')
    const bytes = await readFile(join(first, path))
    const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
    expect(text.split('\n')[1]).toMatch(/,true$/)
    const digest = (content: Buffer) => createHash('sha256').update(content).digest('hex')
    expect(digest(await readFile(join(second, path)))).toBe(digest(bytes))
  }
})

const hasPython = spawnSync('python3', ['--version']).status === 0

it.runIf(EXHAUSTIVE && hasPython)('gives the same figures and faults in Python and in JavaScript', async () => {
  const { scoreFile } = await openScorer()
  const python = (path: string, ...flags: string[]) =>
    spawnSync('python3', [join(made.folder, 'score.py'), path, ...flags], { encoding: 'utf8', maxBuffer: 1e9 })
  const node = (path: string, ...flags: string[]) =>
    spawnSync('node', [join(made.folder, 'score.mjs'), path, ...flags], { encoding: 'utf8', maxBuffer: 1e9 })
  const folder = await temporaryFolder()
  const path = join(folder, 'predictions.csv')
  const [header = '', ...lines] = await linesOf('references/rule.csv.gz')
  const random = seededRandom(3)
  for (const share of [1, 0.7, 0.01]) {
    const some = lines.filter(() => random() < share).toReversed()
    await writeFile(path, `${[header, ...some].join('\n')}\n`)
    const flags = share === 1 ? ['--json'] : ['--json', '--partial']
    const ours: ScoredFile = scoreFile(made.folder, path, { partial: share < 1 })
    expect(JSON.parse(python(path, ...flags).stdout)).toEqual(JSON.parse(JSON.stringify(ours)))
    expect(JSON.parse(node(path, ...flags).stdout)).toEqual(JSON.parse(JSON.stringify(ours)))
  }
  await writeFile(
    path,
    `${header}\n${lines[0]!.replace('JFK', 'jfk')}\nJFK,2026-06-01T00:00:00Z,2026-06-01T01:00:00Z,9,x,1,false\n`,
  )
  const refused = [python(path), node(path)]
  expect(refused.map(({ status }) => status)).toEqual([1, 1])
  expect(refused[0]?.stderr).toBe(refused[1]?.stderr)
  const keys = [python('--keys'), node('--keys')].map(({ stdout }) => stdout)
  expect(keys[0]).toBe(keys[1])
  expect(keys[0]?.trim().split('\n')).toHaveLength(lines.length + 1)
  // The example of the README is a submission, and scores as the same-hour rule.
  const readme = await readFile(join(made.folder, 'README.md'), 'utf8')
  const example = /```python\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  expect(spawnSync('python3', ['-c', example], { cwd: made.folder }).status).toBe(0)
  const shown = JSON.parse(python(join(made.folder, 'predictions.csv'), '--json').stdout)
  const { readScores } = await openScorer()
  expect(shown.overall).toEqual(readScores(made.folder).references['same_hour']?.overall)
})
