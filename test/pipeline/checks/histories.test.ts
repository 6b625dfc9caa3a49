import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { laneOfHistoryCell } from '../../../config/lanes.ts'
import { getOrCreate } from '../../../config/once.ts'
import { PROJECT_ROOT } from '../../../config/paths.ts'
import { HOUR_MS } from '../../../config/vocabulary.ts'
import { type RecentReading, runChecks, seriesKey } from '../../../pipeline/checks/index.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { testSource } from '../test-source.ts'
import { checkContext } from './check-context.ts'

const HISTORIES = join(PROJECT_ROOT, '..', 'shared', 'history')
const RECENT_MS = 6 * HOUR_MS

/** The sets of real security histories; empty where the shared folder is absent. */
const historySets = (): string[] =>
  existsSync(HISTORIES) ? readdirSync(HISTORIES).filter((name) => name.startsWith('security-')) : []

/** The readings of one set, grouped into captures: one airport, one poll. */
function captures(set: string): ParsedReading[][] {
  const polls = new Map<string, ParsedReading[]>()
  for (const file of readdirSync(join(HISTORIES, set)).filter((name) => name.endsWith('.csv.gz')))
    for (const row of parse<Record<string, string>>(gunzipSync(readFileSync(join(HISTORIES, set, file))), {
      columns: true,
    })) {
      const reading = readingOf(row)
      if (reading === null) continue
      const poll = `${reading.iata} ${reading.observed_at.slice(0, 16)}`
      getOrCreate(polls, poll, () => []).push(reading)
    }
  return [...polls.values()].sort(([a], [b]) => ((a?.observed_at ?? '') < (b?.observed_at ?? '') ? -1 : 1))
}

function readingOf(row: Record<string, string>): ParsedReading | null {
  const lane = laneOfHistoryCell(row.lane ?? '')
  if (lane === null) return null
  const minutes = (text: string | undefined) => (text ? Number(text) : null)
  return {
    kind: 'security',
    iata: row.airport ?? '',
    terminal: row.terminal ?? '',
    checkpoint: row.checkpoint ?? '',
    lane,
    observed_at: row.observed_at ?? '',
    observed_at_basis: 'fetch',
    wait_text: row.wait_raw ?? null,
    wait_minutes: minutes(row.wait_minutes),
    wait_minutes_low: minutes(row.wait_low),
    wait_minutes_high: minutes(row.wait_high),
    status: row.status === 'closed' || row.status === 'unknown' ? row.status : 'open',
  }
}

/** Runs the checks over a set of real readings, capture by capture as the pipeline does; returns the flagged rows with their codes. */
function checkHistory(set: string): { rows: number; flagged: { row: ParsedReading; codes: string[] }[] } {
  const recent = new Map<string, RecentReading[]>()
  const lanes = new Map<string, ReadonlySet<string>>()
  const polls = captures(set)
  const flagged: { row: ParsedReading; codes: string[] }[] = []
  const source = testSource()
  for (const rows of polls) {
    const [{ iata, observed_at } = { iata: '', observed_at: '' }] = rows
    const from = new Date(Date.parse(observed_at) - RECENT_MS).toISOString()
    const known = new Map(rows.map((row) => [seriesKey(row), sinceOf(recent.get(seriesKey(row)) ?? [], from)]))
    const before = lanes.get(iata)
    const lanes_before = new Map(before ? [[iata, before]] : [])
    const checked = runChecks(rows, checkContext(source, observed_at, { recent: known, lanes_before }))
    for (const [index, row] of rows.entries()) {
      const codes = checked.flags.get(index)
      if (codes) flagged.push({ row, codes })
    }
    lanes.set(iata, new Set(rows.map(seriesKey)))
    for (const [index, row] of rows.entries()) {
      const series = known.get(seriesKey(row)) ?? []
      series.push({
        observed_at: row.observed_at,
        wait_minutes: row.wait_minutes,
        flagged: checked.flags.has(index),
      })
      recent.set(seriesKey(row), series)
    }
  }
  return { rows: polls.flat().length, flagged }
}

const sinceOf = (series: RecentReading[], from: string) => {
  const first = series.findIndex(({ observed_at }) => observed_at > from)
  return first === -1 ? [] : series.slice(first)
}

/** The largest number of rows in 100,000 that all checks may flag, for the sets that are letEventLoopPoll as often as we do. */
const MAX_FLAGGED: [string, number][] = [
  ['security-nyc-2026', 50],
  ['security-atl-2025', 50],
  ['security-arn-2022', 50],
  // Its values are multiples of 5, so a steady queue looks frozen sooner.
  ['security-dub-2022', 400],
]

test.runIf(EXHAUSTIVE && historySets().length > 0).each(MAX_FLAGGED)(
  'does not flag real peaks and quiet nights: %s',
  (set, max) => {
    const { rows, flagged } = checkHistory(set)
    expect(rows).toBeGreaterThan(1_000)
    expect((flagged.length / rows) * 100_000).toBeLessThanOrEqual(max)
  },
)
