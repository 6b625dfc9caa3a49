import { cp, mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataPaths } from '../../config/settings.ts'
import { loadSnapshot } from '../../warehouse/publishing/snapshot/load.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { rowCounts } from './file-faults.ts'
import { collectAt, copyOf, NOW, refreshAt, upkeepAt } from './installation.ts'
import type { Outcome } from './outcome.ts'

/** Folders of a data folder that operators move to a larger or a faster disk. */
const PARTS = ['warehouse', 'raw', 'snapshots', 'models', 'scratch', 'locks'] as const
/** A disk in memory, which every Linux has: renaming and linking between it and the usual disk fails with EXDEV. */
const OTHER_DISK = '/dev/shm'

async function isOtherDisk(): Promise<boolean> {
  const [here, there] = await Promise.all([stat(tmpdir()), stat(OTHER_DISK).catch(() => null)])
  return there !== null && there.dev !== here.dev
}

/** One part of the data folder lies on another disk, behind a link of the operator. */
export async function splitFaults(installation: string): Promise<Outcome[]> {
  if (!(await isOtherDisk())) {
    process.stderr.write(`split disks: ${OTHER_DISK} is not another disk, so nothing is tried\n`)
    return []
  }
  const outcomes: Outcome[] = []
  for (const part of PARTS) outcomes.push(await trySplit(installation, part))
  return outcomes
}

/** Collects, publishes and maintains, as on one disk. */
async function trySplit(installation: string, part: (typeof PARTS)[number]): Promise<Outcome> {
  const problems: string[] = []
  const folder = await copyOf(installation)
  const elsewhere = await mkdtemp(join(OTHER_DISK, 'holdshort-fault-'))
  const started = performance.now()
  let lost = 0
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    await work().catch((error: NodeJS.ErrnoException) =>
      problems.push(`${what} fails with ${error.code ?? ''} ${error.message}`.slice(0, 200)),
    )
  }
  try {
    const path = join(folder, part)
    await cp(path, elsewhere, { recursive: true, preserveTimestamps: true }).catch(() => undefined)
    await rm(path, { recursive: true, force: true })
    await symlink(elsewhere, path)
    const before = await rowCounts(folder)
    await attempt('collecting', () => collectAt(folder, [NOW + 600_000, NOW + 660_000]))
    const warehouse = await openWarehouse(folder)
    await attempt('a refresh', () => refreshAt(warehouse, NOW + 720_000))
    await attempt('upkeep', () => upkeepAt(warehouse, NOW + 780_000))
    await warehouse.close()
    const after = await rowCounts(folder)
    if ((after.get('readings') ?? 0) <= (before.get('readings') ?? 0)) problems.push('no reading was landed')
    for (const [table, rows] of before) lost += Math.max(0, rows - (after.get(table) ?? 0))
    if (lost > 0) problems.push(`${lost} rows are lost`)
    if ((await loadSnapshot(dataPaths(folder).snapshots)) === null) problems.push('no snapshot can be served')
  } catch (error) {
    problems.push((error as Error).message)
  } finally {
    await rm(folder, { recursive: true, force: true })
    await rm(elsewhere, { recursive: true, force: true })
  }
  return { kind: `split: ${part}`, what: part, lost, problems, healthyMs: performance.now() - started }
}
