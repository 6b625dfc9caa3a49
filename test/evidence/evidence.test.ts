import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoUtc, MINUTE_MS } from '../../config/domain.ts'
import type { Reading } from '../../warehouse/tables/readings.ts'
import { openHarness } from '../api/harness.ts'
import { EXHAUSTIVE, repetitions } from '../exhaustive.ts'
import { reading } from '../warehouse/test-rows.ts'
import { restAnswers, toolAnswers } from './all-answers.ts'
import { type Drawn, generatedAt, publishRows, randomDraws, rowsOn, type WarehouseRows } from './random-rows.ts'
import { type Json, type JsonObject, unexplained } from './unexplained.ts'

const RUNS = repetitions(2, 10)
const AGEING_AFTER_MS = 2 * MINUTE_MS

/** The instant of a snapshot's ages: its own, or the minute of the answer once it is two minutes old. */
const asOf = (generatedMs: number, now: number) =>
  now - generatedMs < AGEING_AFTER_MS ? generatedMs : Math.floor(now / MINUTE_MS) * MINUTE_MS

test('for any readings and forecasts, every published minute rests on an observation or a model', async () => {
  const harness = await openHarness()
  const seen = new Map<string, number>()
  let day = 0
  const offsets = fc.tuple(fc.integer({ min: 0, max: 119 }), fc.integer({ min: 120, max: 8 * 3_600 }))
  await fc.assert(
    fc.asyncProperty(randomDraws, offsets, async (drawn, delays) => {
      // The clock of the gate must not go back, so every draw has a day of its own.
      day += 1
      const rows = rowsOn(drawn, day)
      const generated_ms = generatedAt(day)
      const { snapshot, landed, issued, adjustments } = await publishRows(rows, day)
      harness.controls.snapshot = snapshot
      for (const delay of delays) {
        harness.controls.now = generated_ms + delay * 1_000
        const evidence = {
          readings: landed,
          forecasts: issued,
          adjustments,
          generated_ms,
          at_ms: asOf(generated_ms, harness.controls.now),
        }
        const ofRest = await restAnswers(harness, delay === delays[0])
        for (const { name, body } of [...ofRest, ...(await toolAnswers(harness))]) {
          expect(unexplained(body, evidence), name).toEqual([])
          for (const [basis] of JSON.stringify(body).matchAll(
            /"basis":"\w+"|"mean"|"entry":\{"wait|"samples":8\}|"expected_minutes"/g,
          ))
            seen.set(basis, (seen.get(basis) ?? 0) + 1)
        }
      }
    }),
    // Shrinking would take many times as long as all draws. A fixed seed, because a few draws do not always have every basis. EVIDENCE_SEED=8 sets another.
    { numRuns: RUNS, endOnFailure: true, seed: Number(process.env.EVIDENCE_SEED ?? 7) },
  )
  // The property would also hold for empty answers.
  for (const basis of ['measured', 'reported', 'predicted', 'typical'])
    expect(seen.get(`"basis":"${basis}"`), basis).toBeGreaterThan(0)
  for (const name of ['"mean"', '"entry":{"wait', '"samples":8}', '"expected_minutes"'])
    expect(seen.get(name), `${name}: observed hours, border waits, forecasts and adjustments`).toBeGreaterThan(0)
}, 600_000)

const ZURICH: Partial<Reading> = { iata: 'ZRH', kind: 'immigration', source: 'zrh-passport', lane: 'all', terminal: '' }

/** Rows of every kind. Their waits are close together, so that no wrong one is hidden by an average. */
function fullRows(): WarehouseRows {
  const at = (minutesAgo: number) => isoUtc(generatedAt(0) - minutesAgo * MINUTE_MS)
  const readingAgo = (minutesAgo: number, over: Partial<Reading>) =>
    reading({ iata: 'JFK', source: 'panynj-graphql', wait_minutes: 10, observed_at: at(minutesAgo), ...over })
  const drawn: Drawn = {
    readings: [],
    border: [],
    borderDays: 8,
    base: 40,
    hoursAgo: 0,
    series: [
      ['JFK', ''],
      ['JFK', '4'],
    ],
  }
  const rows = rowsOn(drawn, 0)
  return {
    ...rows,
    readings: [
      ...rows.readings,
      readingAgo(2, { terminal: '4', checkpoint: 'Main' }),
      readingAgo(9, {
        terminal: '4',
        checkpoint: 'North',
        wait_minutes: null,
        wait_minutes_low: 8,
        wait_minutes_high: 12,
      }),
      readingAgo(3, { terminal: '7', status: 'closed', wait_minutes: null }),
      readingAgo(5, { terminal: 'T4', source: 'delta-newshub' }),
      readingAgo(5, { terminal: 'T8', source: 'delta-newshub', wait_minutes: 12 }),
      readingAgo(15, { terminal: '4', source: 'crowd', wait_minutes: 11 }),
      readingAgo(15, { terminal: '1', source: 'crowd', wait_minutes: 9 }),
      readingAgo(1, { terminal: '4', checkpoint: 'Main', wait_minutes: 80, flags: ['implausible_spike'] }),
      readingAgo(100, { terminal: '4' }),
      readingAgo(170, { terminal: '4' }),
      readingAgo(1_500, { terminal: '4' }),
      readingAgo(20, { iata: 'GRU', kind: 'immigration', source: 'import-x', wait_minutes: 30 }),
      readingAgo(2, { ...ZURICH, checkpoint: 'Arrival D', wait_minutes: 12 }),
      readingAgo(3, { ...ZURICH, checkpoint: 'Arrival E', wait_minutes: 13 }),
      readingAgo(4, { ...ZURICH, checkpoint: 'Departure E', wait_minutes: 14 }),
      readingAgo(5, { ...ZURICH, checkpoint: 'Hall', status: 'closed', wait_minutes: null }),
    ],
  }
}

/** A wrong value for each field, made from the right one. */
const WRONG_VALUES: Record<string, (value: Json) => Json> = {
  ...Object.fromEntries(
    ['average_wait_minutes', 'wait_minutes', 'next_hour', 'low', 'high', 'mean', 'p50', 'p90', 'max'].map((name) => [
      name,
      (value: Json) => (typeof value === 'number' ? value + 30 : 12),
    ]),
  ),
  age_seconds: (value) => (typeof value === 'number' ? value + 90 : 60),
  observed_at: (value) => (value === null ? '2026-11-21T15:00:00Z' : '2026-11-21T14:00:00Z'),
  freshness: (value) => (value === 'live' ? 'recent' : 'live'),
  basis: (value) => (value === 'measured' ? 'reported' : 'measured'),
  source: () => 'nobody',
}

/** Copies of an answer, each with one wrong value, and its path. */
function falsified(answer: JsonObject): { path: string; copy: JsonObject }[] {
  const copies: { path: string; copy: JsonObject }[] = []
  const visit = (node: Json, path: (string | number)[]): void => {
    // Other tests check reference facts (test/config/reference.test.ts) and FAA delays.
    if (typeof node !== 'object' || node === null || 'as_of' in node || 'supported' in node) return
    for (const [key, value] of Object.entries(node)) {
      const other = WRONG_VALUES[key]
      if (!other || (typeof value === 'object' && value !== null)) visit(value, [...path, key])
      else {
        const copy = structuredClone(answer)
        const parent = path.reduce<Json>((at, step) => (at as JsonObject)[step] ?? null, copy) as JsonObject
        parent[key] = other(value)
        copies.push({ path: [...path, key].join('.'), copy })
      }
    }
  }
  visit(answer, [])
  return copies
}

/** Answers with these fields are about FAA delays, which other tests check. */
const FAA_FIELDS = ['delays', 'programs', 'flow_programs']

test.runIf(EXHAUSTIVE)(
  'the check fails for any changed figure, age, source or basis',
  async () => {
    const harness = await openHarness()
    const rows = fullRows()
    const { snapshot, landed, issued, adjustments } = await publishRows(rows, 0)
    harness.controls.snapshot = snapshot
    const counted = new Map<string, number>()
    for (const delay of [0, 4_000]) {
      harness.controls.now = generatedAt(0) + delay * 1_000
      const at_ms = asOf(generatedAt(0), harness.controls.now)
      const evidence = { readings: landed, forecasts: issued, adjustments, generated_ms: generatedAt(0), at_ms }
      const answers = [...(await restAnswers(harness)), ...(await toolAnswers(harness))]
      for (const { name, body } of answers.filter(({ body }) => !FAA_FIELDS.some((name) => name in body))) {
        expect(unexplained(body, evidence), name).toEqual([])
        // Three hours of the week are enough.
        const hours = Array.isArray(body.hours) && 'model' in body ? { hours: body.hours.slice(0, 3) } : {}
        for (const { path, copy } of falsified({ ...body, ...hours })) {
          expect(unexplained(copy, evidence), `${name} ${path}`).not.toEqual([])
          const key = path.split('.').at(-1) ?? ''
          counted.set(key, (counted.get(key) ?? 0) + 1)
        }
      }
    }
    for (const key of Object.keys(WRONG_VALUES)) expect(counted.get(key), key).toBeGreaterThan(0)
  },
  60_000,
)
