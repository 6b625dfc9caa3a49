import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Progress, print, progress, textTable } from '../../bin/runtime/output.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/storage/warehouse.ts'
import { benchCycle } from './cycle.ts'
import { benchDemo } from './demo.ts'
import { benchHour } from './hour.ts'
import { benchMcp } from './mcp.ts'
import { type Measurement, reached } from './measurement.ts'
import { benchMixed } from './mixed.ts'
import { benchServe } from './serve.ts'
import { benchSnapshot } from './snapshot.ts'
import { benchStores } from './stores.ts'
import { benchTraining } from './training.ts'

const figure = (value: number) =>
  Number.isInteger(value) || value >= 1_000 ? String(Math.round(value)) : value.toPrecision(3)

function row(measurement: Measurement): string[] {
  const { name, value, unit, target } = measurement
  if (target === null) return [name, figure(value), unit, '', '']
  const bound = 'at_least' in target ? `≥ ${target.at_least}` : `≤ ${target.at_most}`
  return [name, figure(value), unit, bound, reached(measurement) ? 'ok' : 'MISSED']
}

type Benchmark = (bar: Progress, warehouse: Warehouse, now: number) => Promise<Measurement[]>

const PARTS: Record<string, { title: string; measure: Benchmark }> = {
  serve: { title: 'Request path', measure: benchServe },
  mixed: { title: 'Mixed load', measure: benchMixed },
  mcp: { title: 'MCP', measure: (bar, warehouse, now) => benchMcp(warehouse, now, bar) },
  cycle: { title: 'Collection cycle', measure: (_bar, { data_dir }) => benchCycle(data_dir) },
  demo: { title: 'Demo', measure: (_bar, { data_dir }) => benchDemo(data_dir) },
  hour: { title: 'Steady hour', measure: (_bar, { data_dir }) => benchHour(data_dir) },
  training: { title: 'Training', measure: (bar, _warehouse, now) => benchTraining(now, bar) },
  snapshot: { title: 'Snapshot', measure: (bar, warehouse, now) => benchSnapshot(warehouse, now, bar) },
  stores: { title: 'Stores', measure: (bar) => benchStores(bar) },
}

/** Measures the named parts, or all, in a temporary folder that is removed afterwards. */
async function measureParts(names: readonly string[]): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'holdshort-bench-'))
  const warehouse = await openWarehouse(folder)
  try {
    // Answers contain whole seconds, and snapshots are distinguished by them.
    const now = Math.floor(Date.now() / 1_000) * 1_000
    const measurements: Measurement[] = []
    for (const [name, { title, measure }] of Object.entries(PARTS)) {
      if (names.length > 0 && !names.includes(name)) continue
      const bar = progress(title)
      measurements.push(...(await measure(bar, warehouse, now)))
      bar.end()
    }
    return measurements
  } finally {
    await warehouse.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const { values, positionals } = parseArgs({ options: { json: { type: 'boolean' } }, allowPositionals: true })
const unknown = positionals.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0) {
  process.stderr.write(`unknown: ${unknown.join(', ')}; the parts are ${Object.keys(PARTS).join(', ')}\n`)
  process.exit(2)
}
const measurements = await measureParts(positionals)
const judged = measurements.map((measurement) => ({ ...measurement, ok: reached(measurement) }))
print(judged, values.json, () => textTable(['figure', 'value', 'unit', 'target', ''], measurements.map(row)))
if (judged.some(({ ok }) => !ok)) process.exitCode = 1
