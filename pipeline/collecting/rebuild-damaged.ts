import { basename } from 'node:path'
import { DAY_MS, isoUtc } from '../../config/domain.ts'
import { partFiles } from '../../warehouse/storage/layout.ts'
import { quarantinedFiles } from '../../warehouse/storage/quarantined.ts'
import type { OpenWarehouse } from '../../warehouse/storage/warehouse.ts'
import { tables } from '../../warehouse/tables/index.ts'
import { replay } from './replay.ts'

/** The code of the notice about a file in quarantine. */
const FILE_DAMAGED = 'file_damaged'
/** The source of notices about our own files. */
const OWN_SOURCE = 'holdshort'

export interface RebuildReport {
  /** Path of the damaged file, relative to the quarantine. */
  file: string
  captures: number
  rows: number
}

/** The first and the last UTC day of a part file's rows by its path, e.g. readings/kind=security/month=2026-11/c-00000007-d20…; null for tables without days. */
function daysOf(file: string): { first: string; last: string } | null {
  const month = /(?:^|\/)month=(\d{4}-\d\d)\//.exec(file)?.[1]
  const days = partFiles([basename(file)])[0]?.days
  const [first] = days ?? []
  const last = days?.at(-1)
  if (month === undefined || first === undefined || last === undefined) return null
  const date = (day: number) => `${month}-${String(day).padStart(2, '0')}`
  return { first: date(first), last: date(last) }
}

/**
 * Parses again the raw captures of the days that lost a file to the quarantine, and lands a notice about the file. A file
 * that has its notice is done; tables that are derived from readings are derived again by the next refresh.
 */
export async function rebuildDamaged(warehouse: OpenWarehouse, now: number): Promise<RebuildReport[]> {
  const files = await quarantinedFiles(warehouse.data_dir)
  if (files.length === 0) return []
  const noticed = await warehouse.query<{ path: string }>(
    `SELECT path FROM notices WHERE source = '${OWN_SOURCE}' AND code = '${FILE_DAMAGED}'`,
  )
  const done = new Set(noticed.map(({ path }) => path))
  const reports: RebuildReport[] = []
  for (const file of files.filter((path) => !done.has(path))) {
    const days = daysOf(file)
    // A reading may be observed shortly before midnight and fetched after it.
    const to = days && isoUtc(Date.parse(days.last) + DAY_MS).slice(0, 10)
    const { captures, rows } = days && to ? await replay(warehouse, { from: days.first, to }) : { captures: 0, rows: 0 }
    reports.push({ file, captures, rows })
    await warehouse.land(tables.notices, [
      {
        source: OWN_SOURCE,
        code: FILE_DAMAGED,
        severity: 'error',
        path: file,
        value: null,
        message:
          captures > 0
            ? `The file was damaged or missing; what there was of it is in quarantine. ${captures} raw captures of its days were parsed again; imported rows must be imported again.`
            : 'The file was damaged or missing; what there was of it is in quarantine. No raw captures of its days are kept; import its rows again or restore a backup.',
        iata: null,
        noticed_at: isoUtc(now),
        capture_id: '',
      },
    ])
  }
  return reports
}
