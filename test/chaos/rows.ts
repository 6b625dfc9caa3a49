import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { projectFile } from '../../config/paths.ts'
import { listCaptures } from '../../warehouse/storage/raw-captures.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { allTables } from '../../warehouse/tables/index.ts'

const run = promisify(execFile)
const ATTEMPTS = 5

export interface RowCounts {
  /** Readings in the bucket. */
  readings: number
  /** Rows that a run reported as landed and that are not there. */
  lost: number
  /** Rows beyond the first of one key. */
  doubled: number
  /** Captures in the bucket that nobody has landed or tried to. */
  not_landed: number
  captures: number
}

/** What is in the bucket, from a folder that is restored from it as after the loss of every machine. */
export async function countRows(environment: NodeJS.ProcessEnv, folder: string): Promise<RowCounts> {
  const restored = join(folder, 'restored')
  const cli = projectFile('dist', 'bin', 'holdshort.js')
  const restore = () =>
    run(process.execPath, [cli, 'restore', '--data-dir', restored, '--json'], {
      env: environment,
      maxBuffer: 64_000_000,
    })
  // The store of the tests lists many captures slowly; what was restored stays for the next attempt.
  let restoring: Promise<{ stdout: string }> = restore()
  for (let attempt = 2; attempt <= ATTEMPTS; attempt += 1)
    restoring = restoring.catch(async () => {
      await sleep(5_000)
      return restore()
    })
  const { stdout } = await restoring
  const { captures } = JSON.parse(stdout) as { captures: number }
  const warehouse = await openWarehouse(restored)
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
    const stored = await listCaptures(restored)
    const not_landed = stored.filter((path) => !ids.has(path.split('/').at(-1)?.replace(/\.gz$/, '') ?? '')).length
    const { readings = 0, keys = 0 } = rows ?? {}
    return { readings, lost: lost?.lost ?? 0, doubled: readings - keys, not_landed, captures }
  } finally {
    await warehouse.close()
  }
}
