import { openDuckdb, readRows, withConnection } from '../../warehouse/storage/duckdb.ts'

/** Runs SQL on a file of the engine, attached as `f`. */
export async function onFile(path: string, sql: string, options = ''): Promise<Record<string, unknown>[]> {
  const engine = await openDuckdb('/tmp')
  try {
    return await withConnection(engine, async (connection) => {
      await connection.run(`ATTACH '${path}' AS f${options}`)
      return readRows(connection, sql)
    })
  } finally {
    engine.closeSync()
  }
}
