const Database = require(workerData.libsql)
const connections = new Map()
function connect({ file, pragmas }) {
  const database = new Database(file)
  try {
    for (const pragma of pragmas) database.pragma(pragma)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
function execute(database, { sql, parameters }) {
  const statement = database.prepare(sql)
  if (statement.reader) return { rows: statement.all(parameters) }
  const { changes, lastInsertRowid } = statement.run(parameters)
  return { rows: [], changes, lastInsertRowid }
}
const actions = {
  open: ({ connection, ...options }) => void connections.set(connection, { options, database: connect(options) }),
  exec: ({ connection, sql }) => connections.get(connection).database.exec(sql),
  run(request) {
    const entry = connections.get(request.connection)
    try {
      return execute(entry.database, request)
    } catch (error) {
      if (/^SQLITE_BUSY/.test(error.code) && !entry.database.inTransaction) {
        entry.database.close()
        entry.database = connect(entry.options)
      }
      throw error
    }
  },
  write(request) {
    const { database } = connections.get(request.connection)
    database.exec('begin immediate')
    try {
      const result = execute(database, request)
      database.exec('commit')
      return result
    } catch (error) {
      if (database.inTransaction) database.exec('rollback')
      throw error
    }
  },
  close({ connection }) {
    connections.get(connection)?.database.close()
    connections.delete(connection)
  },
}
// biome-ignore lint/correctness/noUnusedVariables: the listener of `startThread` calls it
function respond({ action, request }) {
  return actions[action](request)
}
