import { DuckDBInstance } from '@duckdb/node-api'

const create = DuckDBInstance.create.bind(DuckDBInstance)

/** Opens the engine with one thread: a second one gains nothing with a test's few rows, and the first spins while it waits for it. */
function createWithOneThread(path?: string, options?: Record<string, string>): Promise<DuckDBInstance> {
  return create(path, { ...options, threads: '1' })
}

// Workers run this once for each file.
if (create.name === 'bound create') Object.assign(DuckDBInstance, { create: createWithOneThread })
