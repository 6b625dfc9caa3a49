import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Progress } from '../../bin/runtime/output.ts'
import { dataPaths } from '../../config/settings.ts'
import { exportOpenData } from '../../warehouse/export/export.ts'
import { selectTables } from '../../warehouse/export/exported-tables.ts'
import { type Manifest, readExportManifest } from '../../warehouse/export/manifest.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { rollups } from '../../warehouse/tables/rollups.ts'
import { type Measurement, timed } from './measurement.ts'

const AIRPORTS = 50
/** Rows an hour of each airport: itself and its checkpoints. */
const LEVELS = 5
const DAYS = 365

/** Hourly waits of a year: what an installation of a year has. */
async function landYear(dataDir: string): Promise<void> {
  const warehouse = await openWarehouse(dataDir)
  try {
    await warehouse.landSelect(
      rollups,
      `SELECT 'security' AS kind, CASE level WHEN 0 THEN 'airport' ELSE 'checkpoint' END AS level,
         'A' || chr((65 + place // 26)::INTEGER) || chr((65 + place % 26)::INTEGER) AS iata, CASE level WHEN 0 THEN '' ELSE 'T' || level % 2 END AS terminal,
         CASE level WHEN 0 THEN '' ELSE 'Checkpoint ' || level END AS checkpoint, 'standard' AS lane, hour, hour + INTERVAL 1 HOUR AS available_at,
         round(4 + hash(place, level, hour) % 300 / 10.0, 1) AS mean, hash(place, hour) % 30 AS p50, 30 + hash(level, hour) % 20 AS p90,
         50 + hash(hour) % 9 AS max, 2 + hash(place, level, hour) % 10 AS samples, 0 AS flagged, 'cbp-awt' AS source, NULL AS known_from
       FROM range(0, ${AIRPORTS}) places(place), range(0, ${LEVELS}) levels(level),
         generate_series('2025-01-01T00:00:00Z'::TIMESTAMPTZ, '2025-01-01T00:00:00Z'::TIMESTAMPTZ + INTERVAL ${DAYS * 24 - 1} HOUR, INTERVAL 1 HOUR) hours(hour)`,
    )
  } finally {
    await warehouse.close()
  }
}

/** Export of a year of hourly waits, and again without a change. */
export async function benchExport(bar: Progress): Promise<Measurement[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdshort-bench-'))
  try {
    bar.update(0, 3, 'landing')
    await landYear(dataDir)
    const warehouse = await openWarehouse(dataDir)
    const run = () =>
      exportOpenData({
        warehouse,
        folder: dataPaths(dataDir).open_data,
        tables: selectTables(['all']),
        terms: { simulated: false, own_licence: 'CC-BY-4.0', grants: new Map(), own_use: false },
      })
    bar.update(1, 3, 'exporting')
    const first = await timed(run)
    bar.update(2, 3, 'exporting again')
    const again = await timed(run)
    await warehouse.close()
    const manifest = (await readExportManifest(dataPaths(dataDir).open_data)) as Manifest
    const files = manifest.files.filter(({ table, airport }) => table === 'rollups' && airport === undefined)
    const parquetBytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
    const { rows } = first.result
    const info = (name: string, value: number, unit: string): Measurement => ({ name, value, unit, target: null })
    return [
      info('export: rows', rows, ''),
      info('export: rows a second', rows / first.seconds, '1/s'),
      info('export: Parquet a second', parquetBytes / 1e6 / first.seconds, 'MB/s'),
      info('export: Parquet a row', parquetBytes / rows, 'bytes'),
      info('export: nothing changed', again.seconds, 's'),
    ]
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
