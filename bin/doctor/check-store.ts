import type { Settings } from '../../config/settings.ts'
import { turnHolder } from '../../warehouse/coordination/turns.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { openSharedStores, tablesPlace } from '../runtime/shared-stores.ts'
import { type Verdict, warning } from './finding.ts'

const PROBE = 'doctor/probe'

/** Whether the bucket and the tables can be used, and who leads. Writes and deletes one small object. */
export async function checkStore(settings: Settings): Promise<Verdict> {
  const { store, url, close } = await openSharedStores(settings)
  try {
    await store.put(PROBE, Buffer.from('probe'))
    await store.delete(PROBE)
    const place = await tablesPlace(settings)
    const warehouse = await openWarehouse(settings.data_dir, place && { place })
    try {
      const [row] = await warehouse.query<{ n: number }>(
        "SELECT sum(file_count)::BIGINT AS n FROM ducklake_table_info('warehouse')",
      )
      const leader = await turnHolder(url, 'lead')
      const text = `${store.address} can be used; the tables have ${row?.n ?? 0} files`
      if (leader === null) return warning(`${text}; no pipeline leads: start \`holdshort work\``)
      return `${text}; the pipeline that leads is ${leader.holder}, since ${leader.since}`
    } finally {
      await warehouse.close()
    }
  } finally {
    await close()
  }
}
