import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS, isoUtc } from '../config/domain.ts'
import { projectFile } from '../config/paths.ts'
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
  return Object.assign({}, queue, { hour, available_at: isoUtc(hour_ms + HOUR_MS) }, figures)
}

function stopAt(observed: number): Delay {
  const at = { observed_at: isoUtc(observed), fetched_at: isoUtc(observed), available_at: isoUtc(observed) }
  const unknown = {
    reason: 'weather',
    reason_category: 'weather',
    average_minutes: null,
    min_minutes: null,
    max_minutes: null,
    trend: null,
    start: null,
    end: null,
    closed_to_airlines: null,
    closed_hours_utc: null,
    scope: null,
  }
  return Object.assign(
    { source: 'faa', iata: 'JFK', faa_id: 'JFK', type: 'ground_stop' as const, capture_id: 'c' },
    unknown,
    at,
  )
}

function scoreOf(from_hours: number, loss: number): ScoreRow {
  const sums = Object.fromEntries(
    [
      'samples',
      'error_minutes',
      'pinball_minutes',
      'below',
      'above',
      'width_minutes',
      'within_5',
      'claimed',
      'confidence',
      'brier',
      'claimed_within_5',
      'compared',
      'compared_error_minutes',
      'compared_pinball_minutes',
      'baseline_error_minutes',
      'baseline_pinball_minutes',
      'contended',
      'model_error_minutes',
      'model_above_median',
      'rule_error_minutes',
    ].map((name) => [name, 10]),
  )
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

  const FOUND: Record<string, object> = {
    'thanksgiving.ipynb': { year: 2025, offset_days: -1, airports: 1, hours: 24, wait_minutes: 17, usual_minutes: 10 },
    'how-far-ahead.ipynb': { worth_more_from_hours_ahead: '0' },
    'ground-stops.ipynb': {
      after_hours: 1,
      airports: 1,
      hours: 1,
      wait_minutes: 15,
      usual_minutes: 10,
      more_minutes: 5,
    },
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

  test.each(NAMES)(
    '%s',
    async (name) => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [projectFile('notebooks', 'run.mjs'), projectFile('notebooks', name)],
        { env: Object.assign({}, process.env, { HOLDSHORT_DATA_DIR: folder }) },
      )
      const rows = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object)
      expect(rows).toContainEqual(expect.objectContaining(FOUND[name]))
    },
    60_000,
  )
})
