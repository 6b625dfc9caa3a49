import { withCatalog } from '../coordination/catalog-database.ts'
import type { ObjectStore, StoredObject } from '../objects/s3.ts'
import { CATALOG } from '../storage/catalog.ts'
import { TABLE_NAMES } from '../storage/schema.ts'
import type { Warehouse } from '../storage/warehouse.ts'
import { forEachFew } from './published-files.ts'

/** The bucket and the catalog database of the tables. */
interface TableStores {
  store: ObjectStore
  url: string
}

/** What the catalog database knows of a file of the tables. */
interface KnownFile {
  path: string
  etag: string
  sha256: string
}

/** A file of the tables as the catalog names it, and what the bucket has in its place. */
interface NamedFile {
  path: string
  bytes: number
  object: StoredObject | undefined
}

/** The files of the tables that the catalog names, and what the bucket has in their places. */
async function namedFiles(warehouse: Warehouse, store: ObjectStore): Promise<NamedFile[]> {
  const listed = TABLE_NAMES.map((name) => `FROM ducklake_list_files('${CATALOG}', '${name}')`)
  const named = await warehouse.query<{ path: string; bytes: number }>(
    [
      ...listed.map((from) => `SELECT data_file AS path, data_file_size_bytes::DOUBLE AS bytes ${from}`),
      ...listed.map(
        (from) => `SELECT delete_file, delete_file_size_bytes::DOUBLE ${from} WHERE delete_file IS NOT NULL`,
      ),
    ].join(' UNION '),
  )
  // Listed after the catalog was read: a file that nothing names any more stays for days.
  const stored = new Map((await store.list('warehouse/')).map((object) => [object.key, object]))
  return named.map(({ path, bytes }) => {
    const key = path.slice(store.address.length + 1)
    return { path: key, bytes, object: stored.get(key) }
  })
}

const knownFiles = (url: string): Promise<ReadonlyMap<string, KnownFile>> =>
  withCatalog(url, 'holdshort', async (client) => {
    const { rows } = await client.query<KnownFile>('SELECT path, etag, sha256 FROM holdshort.table_files')
    return new Map(rows.map((file) => [file.path, file]))
  })

/** The paths of the files that are missing, cut or altered. A file is only read where it was written again. */
async function damagedOf(
  store: ObjectStore,
  files: readonly NamedFile[],
  known: ReadonlyMap<string, KnownFile>,
): Promise<string[]> {
  const damaged: string[] = []
  await forEachFew(files, async ({ path, bytes, object }) => {
    const before = known.get(path)
    const isWhole =
      object?.bytes === bytes &&
      (before === undefined || before.etag === object.etag || before.sha256 === (await store.digest(path)))
    if (!isWhole) damaged.push(path)
  })
  return damaged.toSorted()
}

/**
 * Compares the files of the tables with what the catalog says of them, and with the digests that `recordTableFiles` has recorded.
 * Returns how many there are and the paths of those that are missing, cut or altered.
 * @throws HoldshortError STORE_UNREACHABLE, STORE_REFUSED
 */
export async function compareTableFiles(
  warehouse: Warehouse,
  { store, url }: TableStores,
): Promise<{ files: number; damaged: string[] }> {
  const files = await namedFiles(warehouse, store)
  return { files: files.length, damaged: await damagedOf(store, files, await knownFiles(url)) }
}

/**
 * Records the digests of new files of the tables, and forgets those of deleted files: a file is never changed once it is written.
 * Returns the paths of those that are missing, cut or altered since.
 * @throws HoldshortError STORE_UNREACHABLE, STORE_REFUSED
 */
export async function recordTableFiles(warehouse: Warehouse, { store, url }: TableStores): Promise<string[]> {
  const known = await knownFiles(url)
  const files = await namedFiles(warehouse, store)
  const made: KnownFile[] = []
  await forEachFew(files, async ({ path, bytes, object }) => {
    if (known.has(path) || object?.bytes !== bytes) return
    const sha256 = await store.digest(path)
    if (sha256 !== null) made.push({ path, etag: object.etag, sha256 })
  })
  await withCatalog(url, 'holdshort', async (client) => {
    await client.query(
      `INSERT INTO holdshort.table_files (path, etag, sha256)
       SELECT path, etag, sha256 FROM json_to_recordset($1) AS made (path text, etag text, sha256 text) ON CONFLICT DO NOTHING`,
      [JSON.stringify(made)],
    )
    const paths = files.map(({ path }) => path)
    await client.query('DELETE FROM holdshort.table_files WHERE path <> ALL ($1)', [paths])
  })
  return damagedOf(store, files, known)
}
