import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectFile } from '../config/paths.ts'
import { HOUR_MS, isoUtc } from '../config/vocabulary.ts'
import { delayRow } from '../pipeline/collectors/faa/delay-row.ts'
import { openWarehouse } from '../warehouse/storage/warehouse.ts'
import { type Delay, delays } from '../warehouse/tables/delays.ts'
import { type Rollup, rollups } from '../warehouse/tables/rollups.ts'
import { type ScoreRow, scores } from '../warehouse/tables/scores.ts'
import { EXHAUSTIVE } from './exhaustive.ts'

const FIRST = Date.parse('2025-09-15T04:00:00Z')
const HOURS = 24 * 80
/** The Wednesday before Thanksgiving 2025, in New York. */
const WEDNESDAY = Date.parse('2025-11-26T05:00:00Z')
const STOP = Date.parse('2025-11-10T15:00:00Z')
const NAMES = readdirSync(projectFile('notebooks')).filter((name) => name.endsWith('.ipynb'))

/** The Python of Debian, whose pandas and matplotlib CI installs. */
const PYTHON = process.env.PYTHON ?? '/usr/bin/python3'
const HAS_PANDAS = spawnSync(PYTHON, ['-c', 'import pandas, matplotlib']).status === 0
/** Runs the code cells one after the other, and prints every table that they made, as JSON by name. */
const EXECUTE = `
import json, sys
import matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot
matplotlib.pyplot.show = lambda: None
cells = [''.join(cell['source']) for cell in json.load(open(sys.argv[1]))['cells'] if cell['cell_type'] == 'code']
known = {}
for cell in cells: exec(cell, known)
tables = {name: json.loads(value.to_json(orient='records')) for name, value in known.items() if hasattr(value, 'to_json')}
assert [figure for figure in matplotlib.pyplot.get_fignums() if matplotlib.pyplot.figure(figure).axes], 'no picture'
print(json.dumps(tables))`

/** Ten minutes in every hour, seventeen on that Wednesday, fifteen in the hour after a ground stop. */
function waitAt(hour: number): number {
  if (hour >= WEDNESDAY && hour < WEDNESDAY + 24 * HOUR_MS) return 17
  return hour === STOP + HOUR_MS ? 15 : 10
}

function rollupAt(hour_ms: number): Rollup {
  const wait = waitAt(hour_ms)
  const hour = isoUtc(hour_ms)
  const figures = { mean: wait, p50: wait, p90: wait, max: wait, samples: 4, flagged: 0, source: 'example' }
  const queue = {
    kind: 'security',
    level: 'airport',
    iata: 'JFK',
    terminal: '',
    checkpoint: '',
    lane: 'standard',
  } as const
  return { ...queue, hour, available_at: isoUtc(hour_ms + HOUR_MS), ...figures }
}

function stopAt(observedMs: number): Delay {
  const observed_at = isoUtc(observedMs)
  const document = { observed_at, observedMs, iataOf: () => null, notices: [] }
  const known = { source: 'faa', iata: 'JFK', capture_id: 'c', fetched_at: observed_at, available_at: observed_at }
  return Object.assign(delayRow('JFK', 'ground_stop', document), known)
}

function scoreOf(from_hours: number, loss: number): ScoreRow {
  const sums = Object.fromEntries(Object.keys(scores.columns).map((name) => [name, 10]))
  const subject = {
    day: '2025-11-20T00:00:00Z',
    kind: 'security',
    iata: 'JFK',
    terminal: '',
    direction: null,
    from_hours,
    confidence_tenth: 8,
    basis: 'predicted',
    served: 'model',
  }
  return Object.assign(sums, subject, { compared_pinball_minutes: loss }) as unknown as ScoreRow
}

describe.runIf(EXHAUSTIVE)('the notebooks run, cell by cell, and find what is in the data', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdshort-test-'))
    const warehouse = await openWarehouse(folder)
    await warehouse.land(
      rollups,
      Array.from({ length: HOURS }, (_, k) => rollupAt(FIRST + k * HOUR_MS)),
    )
    await warehouse.land(delays, [stopAt(STOP)])
    await warehouse.land(scores, [scoreOf(0, 5), scoreOf(24, 11)])
    await warehouse.close()
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const FOUND: Record<string, [table: string, row: object]> = {
    'thanksgiving.ipynb': [
      'days',
      { year: 2025, offset_days: -1, airports: 1, hours: 24, wait_minutes: 17, usual_minutes: 10 },
    ],
    'how-far-ahead.ipynb': ['worth', { from_hours: 0, airports: 1, skill: 0.5 }],
    'ground-stops.ipynb': [
      'effect',
      { after_hours: 1, airports: 1, hours: 1, wait_minutes: 15, usual_minutes: 10, more_minutes: 5 },
    ],
  }

  /** Each ends in a sentence. */
  const SENTENCES: Record<string, RegExp> = {
    'thanksgiving.ipynb':
      /^The worst day was the day before Thanksgiving 2025: \+7\.0 min against the usual, at 1 airports\.$/,
    'how-far-ahead.ipynb':
      /^Forecasts are worth more than the usual from 0 to 0 hours ahead, most at 0 hours: 50% less loss\.$/,
    'ground-stops.ipynb':
      /^Queues differ most 1 h after a ground stop: \+5\.0 min against the usual, in 1 hours of 1 airports\.$/,
  }

  test('each has an expectation, and no stored output', () => {
    expect(NAMES.sort()).toEqual(Object.keys(FOUND).sort())
    for (const name of NAMES) {
      const { cells } = JSON.parse(readFileSync(projectFile('notebooks', name), 'utf8')) as {
        cells: { outputs?: [] }[]
      }
      expect(cells.flatMap(({ outputs }) => outputs ?? [])).toEqual([])
    }
  })

  test.skipIf(!HAS_PANDAS).each(NAMES)(
    '%s',
    async (name) => {
      const { stdout } = await promisify(execFile)(PYTHON, ['-c', EXECUTE, projectFile('notebooks', name)], {
        env: {
          ...process.env,
          HOLDSHORT_DATA_DIR: folder,
          HOLDSHORT: `${process.execPath} ${projectFile('dist', 'bin', 'holdshort.js')}`,
        },
      })
      const [table, row] = FOUND[name]!
      const [sentence, tables_text] = stdout.trim().split('\n').slice(-2)
      expect(sentence).toMatch(SENTENCES[name]!)
      const tables = JSON.parse(tables_text!) as Record<string, object[]>
      expect(tables[table]).toContainEqual(expect.objectContaining(row))
      if (table === 'worth') expect(tables[table]).toHaveLength(1)
    },
    60_000,
  )
})
