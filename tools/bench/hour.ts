import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectFile } from '../../config/paths.ts'
import { MINUTE_MS } from '../../config/vocabulary.ts'
import { USUAL_RANDOM_FAULTS } from '../../pipeline/simulator/faults.ts'
import { startSimulatedWorld } from '../../pipeline/simulator/server.ts'
import { statFields } from './cycle.ts'
import { benchDemo } from './demo.ts'
import type { Measurement } from './measurement.ts'

/** After its start a process reads the whole history once. */
const FIRST_MINUTES = 2
const MINUTES = 5

/** Runs the pipeline on the folder of a whole demo, of 70 sources and 90 days, and measures its processor time once it runs steadily. */
export async function benchHour(data_dir: string): Promise<Measurement[]> {
  const folder = join(data_dir, 'demo')
  if (!existsSync(folder)) await benchDemo(data_dir)
  const world = await startSimulatedWorld({ seed: 1, random_faults: USUAL_RANDOM_FAULTS })
  const child = spawn(process.execPath, [projectFile('dist', 'bin', 'holdshort.js'), 'work', '--data-dir', folder], {
    env: { ...process.env, HOLDSHORT_SIMULATED_WORLD: world.url, HOLDSHORT_LOG_LEVEL: 'silent' },
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  /** Processor seconds of the process so far, in Linux's hundredths. */
  const used = async () => {
    const fields = await statFields(child.pid!)
    return (Number(fields[11]) + Number(fields[12])) / 100
  }
  try {
    await Promise.race([sleep(FIRST_MINUTES * MINUTE_MS), exited])
    const before = await used()
    await Promise.race([sleep(MINUTES * MINUTE_MS), exited])
    const value = ((await used()) - before) * (60 / MINUTES)
    if (child.exitCode !== null) throw new Error(`the pipeline ended with ${child.exitCode}`)
    return [{ name: 'pipeline: processor of an hour', value, unit: 's', target: null }]
  } finally {
    child.kill()
    await exited
    await world.close()
  }
}
