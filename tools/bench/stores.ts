import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Progress } from '../../bin/runtime/output.ts'
import { projectFile } from '../../config/paths.ts'
import { createPlace, PARTS_MISSING, startSharedStores } from '../../test/shared-store/installation.ts'
import type { Measurement } from './measurement.ts'
import type { StoreReport } from './store-process.ts'

const DAYS = [60, 400]

/** Runs one task of the measuring process to its end; returns what it wrote. */
async function run(environment: Record<string, string>, ...task: string[]): Promise<string> {
  const child = spawn(process.execPath, [projectFile('dist', 'tools', 'bench', 'store-process.js'), ...task], {
    env: { ...process.env, HOLDSHORT_LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [written, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`the task ${task.join(' ')} ended with ${code}`)
  return written
}

const measurementsOf = (store: string, days: string, report: StoreReport): Measurement[] => {
  const named = (name: string, value: number, unit: string): Measurement => {
    return { name: `${store}, ${days} days: ${name}`, value, unit, target: null }
  }
  return [
    named(`land ${report.rows_of_cycle} rows`, report.land, 'ms'),
    named('roll up what landed', report.roll_up, 'ms'),
    named('first publication of a process', report.first_publication, 'ms'),
    named('publish', report.publish, 'ms'),
    named('a new reader loads what is published', report.first_load, 'ms'),
    named('memory of the process', report.memory_mb, 'MB'),
  ]
}

/**
 * Measures the same work of a pipeline on both stores: the file of one machine, and DuckLake on PostgreSQL and an S3 server where these
 * are installed.
 */
export async function benchStores(bar: Progress): Promise<Measurement[]> {
  const measurements: Measurement[] = []
  const steps = DAYS.length * (PARTS_MISSING === null ? 4 : 2)
  let done = 0
  const measure = async (store: string, days: string, environment: Record<string, string>) => {
    bar.update(done++, steps, `${store}: ${days} days`)
    await run(environment, 'fill', days)
    bar.update(done++, steps, `${store}: at work`)
    measurements.push(...measurementsOf(store, days, JSON.parse(await run(environment, 'measure'))))
  }
  for (const days of DAYS.map(String)) {
    const folder = await mkdtemp(join(tmpdir(), 'holdshort-store-'))
    await measure('file', days, { HOLDSHORT_DATA_DIR: folder })
    await rm(folder, { recursive: true })
  }
  if (PARTS_MISSING !== null) {
    process.stderr.write(`several machines are not measured: ${PARTS_MISSING}\n`)
    return measurements
  }
  const stores = await startSharedStores({ durable: true })
  try {
    for (const days of DAYS.map(String)) {
      const folder = stores.folder()
      await createPlace(stores.settings(folder, `days${days}`))
      await measure('S3', days, stores.environment(folder, `days${days}`))
    }
  } finally {
    await stores.remove()
  }
  return measurements
}
