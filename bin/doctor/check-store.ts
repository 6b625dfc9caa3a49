import { partText } from '../../answers/statements/text.ts'
import { countText } from '../../config/count-text.ts'
import type { Settings } from '../../config/settings.ts'
import { turnHolder } from '../../warehouse/coordination/turns.ts'
import type { ObjectStore } from '../../warehouse/objects/s3.ts'
import { requireOwnBucket } from '../../warehouse/sharing/own-bucket.ts'
import { findLostFiles } from '../../warehouse/sharing/published-files.ts'
import { CATALOG } from '../../warehouse/storage/catalog.ts'
import { TABLE_NAMES } from '../../warehouse/storage/schema.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/storage/warehouse.ts'
import { openSharedStores, tablesPlace } from '../runtime/shared-stores.ts'
import { type Verdict, warning, wrong } from './finding.ts'

const PROBE = 'doctor/probe'

/** Whether the bucket and the tables can be used and belong together, and who leads. Writes and deletes one small object. */
export async function checkStore(settings: Settings): Promise<Verdict> {
  const stores = await openSharedStores(settings)
  const { store, url, close } = stores
  try {
    await store.put(PROBE, Buffer.from('probe'))
    await store.delete(PROBE)
    await requireOwnBucket({ store }, url)
    const place = await tablesPlace(settings)
    await using warehouse = await openWarehouse(settings.data_dir, place && { place })
    const { files, damaged } = await compareFiles(warehouse, store)
    if (damaged.length > 0)
      return wrong(
        `STORE_DAMAGED: ${damaged.length} of ${files} files of the tables are missing in ${store.address} or have another size (${partText(damaged.slice(0, 3), damaged.length)}); restore them from earlier versions of the bucket, or put back the catalog and the bucket of one backup`,
      )
    const published = await findLostFiles(stores)
    const named = published.lost.slice(0, 3).map(({ name, path }) => `${name}: ${path}`)
    if (published.lost.length > 0)
      return wrong(
        `STORE_DAMAGED: ${published.lost.length} of ${published.files} published files are missing in ${store.address} (${partText(named, published.lost.length)}); the pipeline that leads uploads a snapshot again with the next one, models when it starts, open data with the next export: restart it, or restore the objects from earlier versions of the bucket`,
      )
    const leader = await turnHolder(url, 'lead')
    const text = `${store.address} can be used; ${countText(files, 'file')} of the tables and ${countText(published.files, 'published file')}, all there`
    if (leader === null) return warning(`${text}; no pipeline leads: start \`holdshort work\``)
    return `${text}; the pipeline that leads is ${leader.holder}, since ${leader.since}`
  } finally {
    await close()
  }
}

/** How many files the catalog names, and the keys of those that the bucket lacks or has with another size. */
async function compareFiles(warehouse: Warehouse, store: ObjectStore): Promise<{ files: number; damaged: string[] }> {
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
  const stored = new Map((await store.list('warehouse/')).map(({ key, bytes }) => [key, bytes]))
  const keyOf = (path: string) => path.slice(store.address.length + 1)
  const damaged = named.filter(({ path, bytes }) => stored.get(keyOf(path)) !== bytes).map(({ path }) => keyOf(path))
  return { files: named.length, damaged: damaged.toSorted() }
}
