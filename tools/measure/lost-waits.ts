import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { textTable } from '../../bin/runtime/output.ts'
import { laneOfHistoryCell } from '../../config/lanes.ts'
import { HOUR_MS, isoUtc, QueueStatus } from '../../config/vocabulary.ts'
import { historyRows } from '../../training/research/history-files.ts'
import { withoutWaits } from '../../warehouse/publishing/waits/without-waits.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { type Reading, readings } from '../../warehouse/tables/readings.ts'

/*
 * In how many hours of real history the rule of lost waits finds a feed, each airport taken for a source of its own.
 *
 *   npm run --silent build && node dist/tools/measure/lost-waits.js ../shared/history/security-us-2026
 */

const { positionals } = parseArgs({ allowPositionals: true })
const [folder = '../shared/history/security-us-2026'] = positionals

const minutesOf = (cell: string | undefined) => (cell === undefined || cell === '' ? null : Number(cell))

function readingOf(row: Partial<Record<string, string>>, index: number): Reading {
  const at = isoUtc(Date.parse(row.observed_at!))
  return {
    kind: 'security',
    source: row.airport!.toLowerCase(),
    iata: row.airport!,
    terminal: row.terminal!,
    checkpoint: row.checkpoint!,
    lane: laneOfHistoryCell(row.lane!) ?? 'all',
    observed_at: at,
    observed_at_basis: 'source',
    fetched_at: at,
    available_at: at,
    wait_minutes: minutesOf(row.wait_minutes),
    wait_minutes_low: minutesOf(row.wait_low),
    wait_minutes_high: minutesOf(row.wait_high),
    wait_text: null,
    status: QueueStatus.parse(row.status),
    flags: [],
    capture_id: `history-${index}`,
  }
}

const rows = historyRows(folder).map(readingOf)
const data_dir = await mkdtemp(join(tmpdir(), 'holdshort-measure-'))
try {
  await using warehouse = await openWarehouse(data_dir)
  await warehouse.land(readings, rows)
  await rollUp(warehouse, { all: true })
  const hoursOf = new Map<string, Set<number>>()
  for (const { source, observed_at } of rows) {
    const hour = Math.floor(Date.parse(observed_at) / HOUR_MS) * HOUR_MS + HOUR_MS
    hoursOf.set(source, (hoursOf.get(source) ?? new Set()).add(hour))
  }
  const found = new Map<string, number>()
  const all = [...new Set([...hoursOf.values()].flatMap((hours) => [...hours]))].toSorted((a, b) => a - b)
  for (const hour of all)
    for (const { source } of await withoutWaits(warehouse, hour))
      if (hoursOf.get(source)?.has(hour)) found.set(source, (found.get(source) ?? 0) + 1)
  const table = [...hoursOf].map(([source, hours]) => ({
    airport: source.toUpperCase(),
    hours: hours.size,
    found: found.get(source) ?? 0,
  }))
  const sum = (field: 'hours' | 'found') => table.reduce((total, row) => total + row[field], 0)
  const shown = table.filter((row) => row.found > 0).toSorted((a, b) => b.found - a.found)
  console.log(
    textTable(
      ['airport', 'hours with readings', 'found'],
      [...shown.map((row) => [row.airport, row.hours, row.found]), ['all', sum('hours'), sum('found')]],
    ),
  )
} finally {
  await rm(data_dir, { recursive: true, force: true })
}
