import { dataPaths } from '../../../config/settings.ts'
import { type ExportOptions, type ExportReport, exportOpenData } from '../../../warehouse/export/export.ts'
import { selectTables } from '../../../warehouse/export/exported-tables.ts'
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

/** Exports all tables, to where the service of the data folder publishes them or to another folder. */
export function exportAll(
  dataDir: string,
  folder = dataPaths(dataDir).open_data,
  simulated = false,
): Promise<ExportReport> {
  return exportOf(dataDir, {
    folder,
    tables: selectTables(['all']),
    terms: { simulated, own_licence: 'CC-BY-4.0', grants: new Map(), own_use: false },
  })
}
