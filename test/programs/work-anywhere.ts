import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openAnalystSession } from '../../warehouse/storage/analyst-session.ts'
import { importCsv } from '../../warehouse/storage/import.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { reading } from '../warehouse/test-rows.ts'

/** Lands, imports, rolls up and queries in a data folder, and prints all that it reads, to be compared between surroundings. */
const folder = process.argv[2] ?? ''
const csv = join(folder, 'history.csv')
await writeFile(
  csv,
  'airport,terminal,checkpoint,lane,observed_at,wait_minutes\nSEA,,2,standard,2026-03-08T09:30:00Z,12\nSEA,,2,standard,2024-02-29T23:59:59-08:00,3\nYYT,,1,standard,2025-12-31T23:30:00-03:30,4\n',
)
const warehouse = await openWarehouse(folder)
await warehouse.land(readings, [
  reading(),
  reading({ iata: 'DEL', checkpoint: 'ทดสอบ', observed_at: '2026-10-25T00:30:00.250Z', wait_minutes: 1_234 }),
])
await importCsv(warehouse, csv, { kind: 'security', source: 'import-surroundings' })
await rollUp(warehouse, { now: Date.parse('2026-11-21T00:00:00Z') })
const stored = await warehouse.query('SELECT * FROM readings ORDER BY iata, observed_at')
const hours = await warehouse.query('SELECT * FROM rollups ORDER BY ALL')
await warehouse.close()
const session = await openAnalystSession(folder)
const answers: unknown[] = []
for (const sql of [
  'SELECT * EXCLUDE (fetched_at, available_at) FROM readings ORDER BY iata, observed_at',
  'SELECT * FROM rollups ORDER BY ALL',
  "SELECT observed_at::VARCHAR, date, year(observed_at), dayname(observed_at), monthname(date), strftime(observed_at, '%Y-%m-%d %A %B %p'), date_trunc('week', observed_at), observed_at AT TIME ZONE 'Asia/Kolkata', observed_at::DATE, '2026-01-02 03:04:05'::TIMESTAMPTZ FROM readings ORDER BY iata, observed_at",
  "SELECT format('{:,}', 1234567), 1234.5::VARCHAR, current_setting_free FROM (SELECT 'x' AS current_setting_free)",
]) {
  const { columns, chunks } = await session.stream(sql)
  answers.push(columns.map(({ name }) => name))
  for await (const chunk of chunks) answers.push(chunk)
}
await session.close()
process.stdout.write(JSON.stringify({ stored: stored.map(withoutNow), hours, answers }, null, 1))

/** An import is available from when it was made. */
function withoutNow(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'fetched_at' && name !== 'available_at'))
}
