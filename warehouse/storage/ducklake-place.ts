import type { DuckDBConnection } from '@duckdb/node-api'
import { type ErrorCode, HoldshortError } from '../../config/errors.ts'
import type { Settings } from '../../config/settings.ts'
import { GUARD_CATALOG, TURN_IS_OVER, withCatalog } from '../coordination/catalog-database.ts'
import { type Turn, type TurnHolder, takeTurn, turnHolder, WRITER } from '../coordination/turns.ts'
import { type StoreCredentials, type StoreSettings, storeAddress, storeCredentials } from '../objects/s3.ts'
import { DATE_COLUMN } from '../tables/define.ts'
import { allTables } from '../tables/index.ts'
import { type Access, CATALOG, type CatalogHolder, type CatalogPlace } from './catalog.ts'
import { loadExtensions } from './ducklake-extensions.ts'
import { alteredText, canReadAllTables, createTables } from './schema.ts'
import { quoteName, quoteText } from './sql.ts'

/** SQL of the access to the bucket, but for its address. */
function secretSql(settings: StoreSettings, credentials: StoreCredentials): string {
  const { endpoint, region, addressing } = storeAddress(settings)
  const parts = [
    'TYPE s3',
    `KEY_ID ${quoteText(credentials.accessKeyId)}`,
    `SECRET ${quoteText(credentials.secretAccessKey)}`,
    credentials.sessionToken === undefined ? null : `SESSION_TOKEN ${quoteText(credentials.sessionToken)}`,
    `REGION ${quoteText(region)}`,
    endpoint ? `USE_SSL ${endpoint.protocol === 'https:'}` : null,
    `URL_STYLE ${quoteText(addressing === 'path' ? 'path' : 'vhost')}`,
  ]
  return `CREATE OR REPLACE SECRET holdshort_bucket (${parts.filter((part) => part !== null).join(', ')})`
}

/**
 * DuckLake 1.5.5 deletes the files of a transaction whose COMMIT fails, even if PostgreSQL made the COMMIT and its answer was
 * lost: then the catalog names files that are gone, and nothing can be read any more. It deletes them outside of any connection
 * of ours. So each connection gets the address of the bucket for itself, and what is outside of them has an address that nobody
 * can listen at. What a failed transaction leaves is deleted by the checkpoint, once no version names it.
 */
const NO_BUCKET = "SET GLOBAL s3_endpoint = '127.0.0.1:0'; SET GLOBAL http_retries = 0"
const bucketSql = (scope: 'SESSION' | 'GLOBAL', settings: StoreSettings) =>
  `SET ${scope} s3_endpoint = ${quoteText(storeAddress(settings).endpoint?.host ?? '')}; SET ${scope} http_retries = 3`

/** A connection that was cut off is given up after some seconds. */
const GIVE_UP = {
  connect_timeout: '5',
  keepalives_idle: '5',
  keepalives_interval: '2',
  keepalives_count: '3',
  tcp_user_timeout: '10000',
}

/**
 * An address as libpq's parameters, with further ones and without the password: the engine shows the address of what is attached, in
 * `duckdb_databases()` and in its errors, and the password only to PostgreSQL.
 */
function connectionText(url: string, parameters: Record<string, string>): string {
  const { hostname, port, pathname, username, searchParams } = new URL(url)
  const all = {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? '5432' : port,
    dbname: decodeURIComponent(pathname.slice(1)),
    user: decodeURIComponent(username),
    ...Object.fromEntries(searchParams),
    ...GIVE_UP,
    ...parameters,
  }
  return Object.entries(all)
    .map(([name, value]) => `${name}='${value.replaceAll(/[\\']/g, '\\$&')}'`)
    .join(' ')
}

const passwordSql = (url: string) =>
  `CREATE OR REPLACE SECRET holdshort_catalog (TYPE postgres, PASSWORD ${quoteText(decodeURIComponent(new URL(url).password))})`

/** The settings of tables in a bucket. */
export type DucklakeSettings = StoreSettings & Pick<Settings, 'duckdb_extensions'>

/** How long one attempt waits for the turn to write; the caller tries again. */
const TURN_MS = 600
/** Old versions of the tables can be read for this long; then their files are deleted, and those that no version ever named. */
const KEPT = '7 days'

const partitionsOf = (table: string, columns: Record<string, string>): string => {
  if (!(DATE_COLUMN in columns) || !allTables.some(({ name }) => name === table)) return ''
  const isByKind = allTables.some(({ name, by_kind }) => name === table && by_kind)
  const parts = [...(isByKind ? ['kind'] : []), `year(${DATE_COLUMN})`, `month(${DATE_COLUMN})`]
  return `ALTER TABLE ${CATALOG}.${quoteName(table)} SET PARTITIONED BY (${parts.join(', ')})`
}

/** Creates what the catalog lacks, and sets how long old versions and unnamed files are kept. */
async function createAll(connection: DuckDBConnection): Promise<void> {
  await connection.run('BEGIN')
  await createTables(connection, { whenCreated: partitionsOf })
  await connection.run('COMMIT')
  await connection.run(`CALL ${CATALOG}.set_option('expire_older_than', '${KEPT}')`)
  await connection.run(`CALL ${CATALOG}.set_option('delete_older_than', '${KEPT}')`)
}

/** The steps of DuckLake's own CHECKPOINT before it deletes unnamed files; that one would open a connection that reaches no bucket. */
const TIDY = ['expire_snapshots', 'merge_adjacent_files', 'rewrite_data_files', 'cleanup_old_files']

/** The holder of the turn to write; null when nobody has it. */
function holderOf(held: TurnHolder | null): CatalogHolder | null {
  if (held === null) return null
  const [, pid, command = 'another process'] = /, process (\d+) \((.*)\)$/.exec(held.holder) ?? []
  return { text: held.holder, name: command, pid: pid === undefined ? null : Number(pid), since: held.since }
}

/**
 * The warehouse as DuckLake: its catalog in PostgreSQL, its rows as Parquet in a bucket. Any process of any machine reads; the one
 * that has the turn to write changes rows, and keeps the turn until another process waits for it.
 */
export function ducklakePlace(settings: DucklakeSettings, url: string, purpose = 'holdshort'): CatalogPlace {
  let turn: Turn | null = null
  let holder: CatalogHolder | null = null
  let isCompared = false
  /** Once in a process: requires that nobody has altered our columns. @throws HoldshortError STORE_DAMAGED */
  const requireOwnColumns = async (connection: DuckDBConnection) => {
    if (isCompared) return
    const altered = await alteredText(connection, CATALOG, null)
    isCompared = altered === null
    if (altered !== null)
      throw new HoldshortError(
        'STORE_DAMAGED',
        `the catalog of ${settings.store} is not as this release makes it: ${altered}. Alter them back, or put back the catalog and the bucket of one backup`,
      )
  }
  const dataPath = `${settings.store.replace(/\/+$/, '')}/warehouse/`

  const credentials = storeCredentials(settings)
  /** The statement that gave the engine its present credentials; null before one did. */
  let currentSecret: string | null = null
  /** Lets a connection reach the bucket, with the credentials of the moment. */
  const prepare = async (connection: DuckDBConnection) => {
    await connection.run(bucketSql('SESSION', settings))
    const secret = secretSql(settings, await credentials())
    if (secret === currentSecret) return
    // Before it runs, so that another connection does not give it at the same time.
    currentSecret = secret
    await connection.run(secret)
  }
  const attachAs = async (connection: DuckDBConnection, epoch: number | null) => {
    const parameters = epoch === null ? {} : { application_name: WRITER, options: `-c holdshort.epoch=${epoch}` }
    const options = [
      `DATA_PATH ${quoteText(dataPath)}`,
      'DATA_INLINING_ROW_LIMIT 0',
      "META_SECRET 'holdshort_catalog'",
      ...(epoch === null ? ['READ_ONLY'] : []),
    ]
    await connection.run(`${NO_BUCKET}; ${passwordSql(url)}`)
    currentSecret = null
    await prepare(connection)
    await connection.run(
      `ATTACH ${quoteText(`ducklake:postgres:${connectionText(url, parameters)}`)} AS ${CATALOG} (${options.join(', ')})`,
    )
  }
  const release = async () => {
    await turn?.release()
    turn = null
  }
  return {
    key: `${url} ${dataPath}`,
    isExclusive: false,
    folders: [dataPath],
    holder: () => holder,
    detached: release,
    prepare,
    checkpoint: async (connection) => {
      for (const name of TIDY) await connection.run(`CALL ducklake_${name}('${CATALOG}')`)
      // This lists the bucket on a connection of DuckLake's own, and commits nothing.
      await connection.run(bucketSql('GLOBAL', settings))
      await connection.run(`CALL ducklake_delete_orphaned_files('${CATALOG}')`).finally(() => connection.run(NO_BUCKET))
    },
    attach: async (connection: DuckDBConnection, access: Access, onWanted: () => void) => {
      await loadExtensions(connection, settings.duckdb_extensions)
      if (access === 'read') {
        try {
          await attachAs(connection, null)
          await requireOwnColumns(connection)
        } catch (error) {
          throw ducklakeError(error, settings.store).error
        }
        return true
      }
      const taken = await takeTurn(url, 'write', { purpose, wait_ms: TURN_MS, onWanted: onWanted })
      if (taken === null) {
        holder = holderOf(await turnHolder(url, 'write').catch(() => null))
        return false
      }
      turn = taken
      taken.lost.addEventListener('abort', onWanted)
      try {
        await attachAs(connection, taken.epoch)
        if (!(await canReadAllTables(connection))) {
          await createAll(connection)
          await withCatalog(url, 'holdshort store', (client) => client.query(GUARD_CATALOG))
        }
        await requireOwnColumns(connection)
        return true
      } catch (error) {
        await connection.run('ROLLBACK').catch(() => undefined)
        await connection.run(`DETACH DATABASE IF EXISTS ${CATALOG}`).catch(() => undefined)
        await release()
        throw ducklakeError(error, settings.store).error
      }
    },
    asError: (error) => ducklakeError(error, settings.store),
  }
}

const IS_GONE =
  /server closed|Failed to execute query|connection to server|could not (?:connect|receive|send)|terminating connection|no connection|transaction is aborted|Connection (?:refused|reset)|SSL connection|invalidated|FATAL/i
/** An object is missing, cut, or not Parquet (any more). */
const IS_DAMAGED =
  /NoSuchKey|HTTP 416|Content-Length from server mismatches|magic bytes|too small to be a Parquet|Failed to read file|Missing data page header|Out of buffer|TProtocolException|Parquet footer|found in Parquet file|don't know what type/i
/** A retry with the same credentials and rights is refused again. */
const IS_REFUSED = /\bHTTP (?:code )?40[13]\b/
/** The engine talks to the bucket, and to nothing else, by HTTP. */
const IS_OF_BUCKET = /\bHTTP\b/
const IS_STORE = /HTTP|IO Error|Could not establish connection/i

/**
 * An error of DuckLake's, with our code and a way out where its words are known. `isBroken`: the connection is of no more use.
 * `store`: the address of the bucket. Source of the words: DuckDB 1.5.5 with the extensions of `EXTENSIONS_VERSION`.
 */
function ducklakeError(error: unknown, store: string): { error: unknown; isBroken: boolean } {
  if (error instanceof HoldshortError) return { error, isBroken: error.code === 'STORE_UNREACHABLE' }
  const { message } = error as Error
  const broken = (code: ErrorCode, text: string) => ({
    error: new HoldshortError(code, text, { cause: error }),
    isBroken: true,
  })
  if (message.includes(TURN_IS_OVER) || /could not serialize access/.test(message))
    return broken('WRITE_FENCED', `nothing was written: ${TURN_IS_OVER}`)
  if (/database "[^"]*" does not exist|no DuckLake found/i.test(message))
    return broken('STORE_REFUSED', `the catalog is not prepared; run \`holdshort store create\` (${message})`)
  if (IS_GONE.test(message) && !IS_OF_BUCKET.test(message))
    return broken('STORE_UNREACHABLE', `the catalog database does not answer: ${message}`)
  if (/DATA_PATH parameter .* does not match/.test(message))
    return broken(
      'STORE_REFUSED',
      `the catalog database is that of another bucket or prefix: correct HOLDSHORT_STORE, or HOLDSHORT_CATALOG_URL (${firstLine(error as Error)})`,
    )
  if (IS_DAMAGED.test(message))
    return broken(
      'STORE_DAMAGED',
      `a file of the tables in ${store} is missing or not what was written (${firstLine(error as Error)}); \`holdshort doctor\` names all that are missing, cut or altered. Restore it from an earlier version of the bucket, or put back the catalog and the bucket of one backup`,
    )
  if (IS_REFUSED.test(message)) return broken('STORE_REFUSED', `${store} refuses: ${message}`)
  if (IS_STORE.test(message)) return broken('STORE_UNREACHABLE', `${store} does not answer: ${message}`)
  return { error, isBroken: false }
}

const firstLine = ({ message }: Error) => message.split('\n')[0]
