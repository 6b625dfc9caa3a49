import type { TestProject } from 'vitest/node'
import { postgresqlPrograms, startCluster } from './cluster.ts'
import { makeLargeState } from './large-state.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the server for tests, with a database `postgres`; null if PostgreSQL is not installed. */
    postgresql: string | null
    /** Address of a large state, of which only plans are asked. */
    largeState: string
  }
}

/** One PostgreSQL for all tests of the project `postgresql`. */
export default async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (postgresqlPrograms() === null) {
    process.stderr.write('PostgreSQL is not installed: the tests of the state on it are skipped\n')
    provide('postgresql', null)
    provide('largeState', '')
    return undefined
  }
  const cluster = await startCluster()
  provide('postgresql', cluster.url('postgres'))
  provide('largeState', await makeLargeState(cluster.url('postgres'), cluster.url('large_state')))
  return cluster.remove
}
