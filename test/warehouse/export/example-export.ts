import { type Manifest, readExportManifest } from '../../../warehouse/export/manifest.ts'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { landedAt, reading } from '../test-rows.ts'
import { exportAll } from './export-of.ts'

/**
 * Exports, from a new data folder into another, three hours of two airports whose source may be passed on, and leaves out one of a
 * source that may not.
 */
export async function exampleExport(dataDir: string, folder: string): Promise<Manifest> {
  const warehouse = await openWarehouse(dataDir)
  const rows = ['JFK', 'LAX'].flatMap((iata) =>
    [9, 10, 11].map((hour) => {
      const instant = `2026-11-20T${String(hour).padStart(2, '0')}:05:00Z`
      return reading({
        iata,
        kind: 'immigration',
        source: 'cbp-awt',
        ...landedAt(instant),
      })
    }),
  )
  await warehouse.land(readings, [...rows, reading({ source: 'sea-cwt' })])
  await rollUp(warehouse)
  await warehouse.close()
  await exportAll(dataDir, folder)
  return (await readExportManifest(folder))!
}
