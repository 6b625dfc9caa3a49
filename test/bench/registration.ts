import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../../api/app.ts'
import { openState } from '../../api/state/open.ts'
import type { Progress } from '../../bin/runtime/output.ts'
import { readSettings } from '../../config/settings.ts'
import { DIRECTORY } from '../api/airport-directory.ts'
import { postgresqlPrograms, startCluster } from '../api/state/cluster.ts'
import { type Measurement, median } from './measurement.ts'

const SECONDS = 1
const ROUNDS = 5
const IN_FLIGHT = 64
const MIN_PER_SECOND = 300

/** Registrations per second through the app, each from its own network and on the disk before it is answered. */
async function registrationRate(environment: Record<string, string>): Promise<number> {
  const data_dir = await mkdtemp(join(tmpdir(), 'holdshort-bench-'))
  const pepper = { HOLDSHORT_KEY_PEPPER: 'pepper of the bench, 16 and more' }
  const settings = readSettings({ HOLDSHORT_DATA_DIR: data_dir, ...pepper, ...environment })
  const state = await openState(settings)
  const app = await buildApp({ settings, state, directory: DIRECTORY, holder: { current: () => null } })
  let network = 0
  const round = async (): Promise<number> => {
    const start = performance.now()
    let made = 0
    const lane = async () => {
      while (performance.now() - start < SECONDS * 1_000) {
        const remoteAddress = `2001:db8:${(network >> 16).toString(16)}:${(network++ & 0xffff).toString(16)}::1`
        const payload = { agent_name: 'bench' }
        const answer = await app.inject({ method: 'POST', url: '/api/agent/register', payload, remoteAddress })
        if (answer.statusCode !== 201) throw new Error(`${answer.statusCode} ${answer.body}`)
        made++
      }
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
    return made / ((performance.now() - start) / 1_000)
  }
  try {
    await round()
    const rates: number[] = []
    for (let i = 0; i < ROUNDS; i++) rates.push(await round())
    return median(rates)
  } finally {
    await app.close()
    await state.close()
    await rm(data_dir, { recursive: true, force: true })
  }
}

/** Measures anonymous registration, many at once, on SQLite and, where it is installed, on PostgreSQL with fsync. */
export async function benchRegistration(bar: Progress): Promise<Measurement[]> {
  const target = { at_least: MIN_PER_SECOND }
  bar.update(0, 2, 'SQLite')
  const value = await registrationRate({})
  const found: Measurement[] = [{ name: 'registration: durable, SQLite', value, unit: '1/s', target }]
  if (postgresqlPrograms() === null) return found
  bar.update(1, 2, 'PostgreSQL')
  const cluster = await startCluster({ durable: true })
  try {
    const rate = await registrationRate({ DATABASE_URL: cluster.url('postgres') })
    return [...found, { name: 'registration: durable, PostgreSQL', value: rate, unit: '1/s', target }]
  } finally {
    await cluster.remove()
  }
}
