import { join } from 'node:path'
import { readSettings } from '../../config/settings.ts'
import { catalogUrl } from '../../warehouse/coordination/catalog-database.ts'
import { openS3 } from '../../warehouse/objects/s3.ts'
import { ducklakePlace } from '../../warehouse/storage/ducklake-place.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { allTables } from '../../warehouse/tables/index.ts'

export interface RowCounts {
  readings: number
  /** Rows that a run reported as landed and that are not there. */
  lost: number
  /** Rows beyond the first of one key. */
  doubled: number
  /** Captures in the bucket that nobody has landed or tried to. */
  not_landed: number
  captures: number
}

/** What the stores hold, read from a new machine as after the loss of every other. */
export async function countRows(environment: NodeJS.ProcessEnv, folder: string): Promise<RowCounts> {
  const settings = readSettings(Object.assign({}, environment, { HOLDSHORT_DATA_DIR: join(folder, 'counting') }))
  const warehouse = await openWarehouse(settings.data_dir, { place: ducklakePlace(settings, catalogUrl(settings)) })
  try {
    const [rows] = await warehouse.query<{ readings: number; keys: number }>(
      `SELECT count(*)::INTEGER AS readings, count(DISTINCT (kind, source, iata, terminal, checkpoint, lane, observed_at))::INTEGER AS keys FROM readings`,
    )
    const [lost] = await warehouse.query<{ lost: number }>(
      `WITH reported AS (SELECT capture_id, max(new_rows) AS new_rows FROM runs
         WHERE outcome = 'landed' AND capture_id IS NOT NULL GROUP BY 1),
       stored AS (SELECT capture_id, count(*) AS n FROM readings GROUP BY 1)
       SELECT coalesce(sum(greatest(0, r.new_rows - s.n)), 0)::INTEGER AS lost FROM reported r JOIN stored s USING (capture_id)`,
    )
    const withCaptures = allTables.filter(({ columns }) => 'capture_id' in columns)
    const known = await warehouse.query<{ id: string }>(
      withCaptures.map(({ name }) => `SELECT DISTINCT capture_id AS id FROM ${name}`).join(' UNION '),
    )
    const ids = new Set(known.map(({ id }) => id))
    const stored = await openS3(settings).list('raw/')
    const not_landed = stored.filter(({ key }) => !ids.has(key.split('/').at(-1)?.replace(/\.gz$/, '') ?? '')).length
    const { readings = 0, keys = 0 } = rows ?? {}
    return { readings, lost: lost?.lost ?? 0, doubled: readings - keys, not_landed, captures: stored.length }
  } finally {
    await warehouse.close()
  }
}
