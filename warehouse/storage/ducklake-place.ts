import type { DuckDBConnection } from '@duckdb/node-api'
import { HoldshortError } from '../../config/errors.ts'
import type { Settings } from '../../config/settings.ts'
import { GUARD_CATALOG, withCatalog } from '../coordination/catalog-database.ts'
import { type Turn, type TurnHolder, takeTurn, turnHolder, WRITER } from '../coordination/turns.ts'
import { type StoreSettings, storeCredentials } from '../objects/s3.ts'
import { DATE_COLUMN } from '../tables/define.ts'
import { allTables } from '../tables/index.ts'
import { type Access, CATALOG, type CatalogHolder, type CatalogPlace } from './catalog.ts'
import { bucketSql, connectionText, NO_BUCKET, passwordSql, secretSql } from './ducklake-address.ts'
import { ducklakeError } from './ducklake-errors.ts'
import { loadExtensions } from './ducklake-extensions.ts'
import { alteredText, canReadAllTables, createTables } from './schema.ts'
import { quoteName, quoteText } from './sql.ts'

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
