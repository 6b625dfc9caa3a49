import { partText } from '../../answers/statements/text.ts'
import { countText } from '../../config/count-text.ts'
import type { Settings } from '../../config/settings.ts'
import { turnHolder } from '../../warehouse/coordination/turns.ts'
import { requireOwnBucket } from '../../warehouse/sharing/own-bucket.ts'
import { findDamagedFiles, type PublishedFile } from '../../warehouse/sharing/published-files.ts'
import { compareTableFiles } from '../../warehouse/sharing/table-files.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { openSharedStores, tablesPlace } from '../runtime/shared-stores.ts'
import { type Verdict, warning, wrong } from './finding.ts'

const PROBE = 'doctor/probe'

const firstOf = (files: readonly PublishedFile[]) =>
  partText(
    files.slice(0, 3).map(({ name, path }) => `${name}: ${path}`),
    files.length,
  )

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
    const { files, damaged } = await compareTableFiles(warehouse, stores)
    if (damaged.length > 0)
      return wrong(
        `STORE_DAMAGED: ${damaged.length} of ${files} files of the tables are missing in ${store.address}, or not what was written (${partText(damaged.slice(0, 3), damaged.length)}); restore them from earlier versions of the bucket, or put back the catalog and the bucket of one backup`,
      )
    const published = await findDamagedFiles(stores)
    if (published.lost.length > 0)
      return wrong(
        `STORE_DAMAGED: ${published.lost.length} of ${published.files} published files are missing in ${store.address} (${firstOf(published.lost)}); the pipeline that leads uploads a snapshot again with the next one, models when it starts, open data with the next export: restart it, or restore the objects from earlier versions of the bucket`,
      )
    if (published.altered.length > 0)
      return wrong(
        `STORE_DAMAGED: ${published.altered.length} of ${published.files} published files in ${store.address} are not what was written (${firstOf(published.altered)}); delete ${partText([...new Set(published.altered.slice(0, 3).map(({ key }) => key))], published.altered.length)} and restart the pipeline that leads, which uploads them again, or restore the objects from earlier versions of the bucket`,
      )
    const leader = await turnHolder(url, 'lead')
    const text = `${store.address} can be used; ${countText(files, 'file')} of the tables and ${countText(published.files, 'published file')}, all there`
    if (leader === null) return warning(`${text}; no pipeline leads: start \`holdshort work\``)
    return `${text}; the pipeline that leads is ${leader.holder}, since ${leader.since}`
  } finally {
    await close()
  }
}
