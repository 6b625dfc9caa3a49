import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { dataPaths } from '../../config/settings.ts'
import { allTables } from '../tables/index.ts'
import { attachCatalogues, createAsOf, createQuestions, withLocalTime } from './analyst-views.ts'
import { asCatalogError, CATALOG, type CatalogPlace, catalogBusy } from './catalog.ts'
import { engineMemory, openDuckdb, requireStatements, withConnection } from './duckdb.ts'
import { filePlace } from './file-place.ts'
import { asDiskFull, makeFolder } from './files.ts'
import { shareDataFolder } from './folder-use.ts'
import { requireReadOnly } from './read-only-sql.ts'
import { quoteName, quoteText } from './sql.ts'
import { streamAsText, type TextResult } from './text-result.ts'

/** SQL that a person types, over a warehouse that it cannot change. It holds the warehouse until it is closed. */
export interface AnalystSession {
  /**
   * Runs SQL and gives the result of its last statement as text, a few rows at a time.
   * @throws HoldshortError USAGE; WAREHOUSE_CORRUPT, STORE_DAMAGED, STORE_UNREACHABLE where the tables cannot be read
   */
  stream: (sql: string, shape?: 'cells' | 'lines') => Promise<TextResult>
  close: () => Promise<void>
}

export interface AnalystOptions {
  /** Every statement, and every file that this user may read or write. The warehouse itself stays as it is. */
  unsafe?: boolean
  /** How long to wait for a process that writes, milliseconds. */
  waitMs?: number
  place?: CatalogPlace
  /** Called when all is ready but the warehouse: what it awaits can take long and holds up no process that writes. */
  whenPrepared?: () => Promise<void>
  /** Bytes that the engine may use, and write to the disk while it works. */
  limits?: { memory: string; spill: string }
}

const WAIT_MS = 30_000
const RETRY_MS = 20
const LIMITS = { memory: engineMemory(1e9), spill: '4GB' }

/**
 * Opens a session of its own engine: no statement of it can reach the engine that collects, so it belongs into a process of its own.
 * Airports and sources are tables to join with, and rows have their local time.
 * @throws HoldshortError WAREHOUSE_LOCKED, WAREHOUSE_CORRUPT
 */
export async function openAnalystSession(dataDir: string, options: AnalystOptions = {}): Promise<AnalystSession> {
  const { unsafe = false, waitMs = WAIT_MS, limits = LIMITS } = options
  const use = await shareDataFolder(dataDir)
  await makeFolder(dataDir, 'warehouse')
  const scratchDir = await makeFolder(dataDir, 'scratch', String(process.pid))
  // A reader that ends early (`| head`) ends this process.
  const clean = () => rmSync(scratchDir, { recursive: true, force: true })
  process.once('exit', clean)
  const place = options.place ?? filePlace(dataDir)
  const { warehouse_file } = dataPaths(dataDir)
  const engine = await openDuckdb(scratchDir, { ...limits, threads: '2' })
  const connection = await engine.connect()
  const close = async () => {
    connection.closeSync()
    engine.closeSync()
    process.off('exit', clean)
    clean()
    await use.release()
  }
  try {
    await attachCatalogues(connection, dataDir, scratchDir)
    await options.whenPrepared?.()
    await attach(connection, place, waitMs)
    for (const table of allTables) {
      const rows = `SELECT * FROM ${CATALOG}.main.${quoteName(table.name)}`
      await connection.run(`CREATE VIEW ${quoteName(table.name)} AS ${withLocalTime(table, rows)}`)
    }
    await createQuestions(connection)
    await createAsOf(connection)
    if (!unsafe) await restrict(connection, place.folders ?? [])
  } catch (error) {
    await close()
    throw asDiskFull(error)
  }
  const requireAllowed = async (sql: string) => {
    if (!unsafe) await withConnection(engine, (checking) => requireReadOnly(checking, sql))
    await requireStatements(connection, sql)
  }
  const named = (error: unknown): never => {
    throw isOfTables(error, unsafe, warehouse_file)
      ? asCatalogError(place.asError?.(error).error ?? error)
      : asDiskFull(error)
  }
  async function* withNamedErrors<T>(chunks: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* chunks
    } catch (error) {
      named(error)
    }
  }
  return {
    stream: async (sql, shape) => {
      await requireAllowed(sql)
      const result = await streamAsText(connection, sql, shape).catch(named)
      return { ...result, chunks: withNamedErrors(result.chunks) }
    },
    close,
  }
}

/** The engine's errors about what it reads. `Invalid Input` may also be about a value of the statement. */
const OF_FILES = /^(IO|HTTP|FATAL|Serialization|TransactionContext|Invalid) Error/
const OF_OBJECTS = /^Invalid Input Error: (?:Parquet footer|.*['"]s3:)/
/** The pointer to the place in a statement that an error is about, such as the name of a person's own file. */
const POINTER = /^LINE \d+:/m

const QUOTED_PATH = /['"]([^'"]+)['"]/

/** Whether an error is about the tables: not about the statement, whatever words it quotes, and not about a file of the person's own. */
function isOfTables(error: unknown, unsafe: boolean, warehouseFile: string): boolean {
  const { message } = error as Error
  if (POINTER.test(message) || !(OF_FILES.test(message) || OF_OBJECTS.test(message))) return false
  const [, path] = QUOTED_PATH.exec(message) ?? []
  return !unsafe || path === undefined || path === warehouseFile || /^(s3|https?):/.test(path)
}

/** Lets the engine reach some folders only, and change no setting any more. */
async function restrict(connection: DuckDBConnection, folders: readonly string[]): Promise<void> {
  await connection.run(
    `SET GLOBAL allowed_directories = [${folders.map(quoteText).join(', ')}];
     SET GLOBAL enable_external_access = false; SET GLOBAL lock_configuration = true`,
  )
}

async function attach(connection: DuckDBConnection, place: CatalogPlace, waitMs: number): Promise<void> {
  for (
    const end = performance.now() + waitMs;
    !(await place.attach(connection, 'read', () => undefined));
    await sleep(RETRY_MS)
  )
    if (performance.now() > end) throw catalogBusy(place)
}
