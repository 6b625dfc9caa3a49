import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR_MS } from '../../config/domain.ts'
import { folderSharers } from './folder-use.ts'

/** Files and folders that a killed process left half written, by path relative to the data folder; the group is its id. */
const HALF_WRITTEN: RegExp[] = [
  /^(?:world\.json|key-pepper)\.(\d+)(?:\.tmp)?$/,
  /^warehouse\/verified\.json\.(\d+)\.tmp$/,
  /^raw\/source=[^/]+\/date=[^/]+\/[^/]+\.gz\.(\d+)\.tmp$/,
  /^models\/.+\.(\d+)\.tmp$/,
  /^snapshots\/(?:CURRENT|\d{8}T\d{6}Z)\.(\d+)\.tmp$/,
  /^locks\/[^/]+\.lease\.[0-9a-f]{12}\.tmp$/,
]
/** The folders that such files are looked for in, with the depth below them. */
const PLACES: Record<string, number> = { '': 0, warehouse: 0, raw: 2, models: 4, snapshots: 0, locks: 0 }
/** A half written file that is younger may still be in use. */
const MIN_AGE_MS = HOUR_MS

/**
 * Deletes what processes that were killed left in a data folder: the scratch folders of processes that no longer use it,
 * and half written files older than an hour. Returns the deleted paths, relative to the folder.
 */
export async function sweepLeftovers(dataDir: string, now: number): Promise<string[]> {
  // The names are read before the users: whoever makes a scratch folder already uses the data folder.
  const scratch = (await readdir(join(dataDir, 'scratch')).catch(() => [])).filter((name) => /^\d+$/.test(name))
  const halfWritten = (
    await Promise.all(Object.entries(PLACES).map(([folder, depth]) => halfWrittenBelow(dataDir, folder, depth)))
  ).flat()
  const users = new Set([process.pid, ...(await folderSharers(dataDir)).map(({ pid }) => pid)])
  const deleted: string[] = []
  const remove = async (path: string) => {
    await rm(join(dataDir, path), { recursive: true, force: true })
    deleted.push(path)
  }
  for (const name of scratch) if (!users.has(Number(name))) await remove(`scratch/${name}`)
  for (const { path, pid } of halfWritten) {
    const written = await stat(join(dataDir, path)).catch(() => null)
    if (written && now - written.mtimeMs > MIN_AGE_MS && !users.has(pid)) await remove(path)
  }
  return deleted
}

async function halfWrittenBelow(
  dataDir: string,
  folder: string,
  depth: number,
): Promise<{ path: string; pid: number }[]> {
  const entries = await readdir(join(dataDir, folder), { withFileTypes: true }).catch(() => [])
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      const match = HALF_WRITTEN.map((pattern) => pattern.exec(path)).find((result) => result !== null)
      if (match) return [{ path, pid: Number(match[1] ?? 0) }]
      return depth > 0 && entry.isDirectory() ? halfWrittenBelow(dataDir, path, depth - 1) : []
    }),
  )
  return found.flat()
}
