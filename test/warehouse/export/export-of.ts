import { type ExportOptions, type ExportReport, exportOpenData } from '../../../warehouse/export/export.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'

/** Exports the warehouse of a data folder as open data. */
export async function exportOf(dataDir: string, options: Omit<ExportOptions, 'warehouse'>): Promise<ExportReport> {
  const warehouse = await openWarehouse(dataDir)
  try {
    return await exportOpenData({ ...options, warehouse })
  } finally {
    await warehouse.close()
  }
}
