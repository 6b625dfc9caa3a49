import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTable, tableToIPC } from 'apache-arrow'
import { asDiskFull, syncPath, writeWhole } from '../../storage/files.ts'
import type { HistorySeries } from '../published/history.ts'
import type { SnapshotContent } from './content.ts'

export const SNAPSHOT_FORMAT = 1
const POINTER = 'CURRENT'

/** Numeric columns lie in Arrow IPC files, the small things in JSON; the manifest holds every file's hash. */
function snapshotFiles(content: SnapshotContent): Record<string, Uint8Array> {
  const { forecasts, history, maps, ...rest } = content
  const { p10, p50, p90, confidence, ...index } = forecasts
  const json = (value: unknown) => Buffer.from(JSON.stringify(value))
  return {
    'facts.json': json(rest),
    'maps.txt': Buffer.from([...maps].map(([iata, map]) => `${iata} ${map}\n`).join('')),
    'forecasts.json': json(index),
    'forecasts.arrow': tableToIPC(makeTable({ p10, p50, p90, confidence }), 'file'),
    'history.json': json(
      history.map(({ iata, terminal, hour, sources }) => ({ iata, terminal, length: hour.length, sources })),
    ),
    'history.arrow': tableToIPC(makeTable(historyColumns(history)), 'file'),
  }
}

function historyColumns(history: HistorySeries[]) {
  const total = history.reduce((sum, { hour }) => sum + hour.length, 0)
  const columns = {
    hour: new Int32Array(total),
    mean: new Int16Array(total),
    p50: new Int16Array(total),
    p90: new Int16Array(total),
    max: new Int16Array(total),
    samples: new Int32Array(total),
    source: new Uint16Array(total),
  }
  let offset = 0
  for (const series of history) {
    for (const name of Object.keys(columns) as (keyof typeof columns)[]) columns[name].set(series[name], offset)
    offset += series.hour.length
  }
  return columns
}

/** Id of a snapshot from its instant: sorts by time. */
export function snapshotId(generatedAt: string): string {
  return generatedAt.replace(/[-:]/g, '').replace(/\.\d+/, '')
}

/**
 * Writes a snapshot beside the others and makes it the current one by a rename; returns its id.
 * A crash at any instant leaves the earlier snapshot current.
 */
export async function writeSnapshot(snapshotsDir: string, content: SnapshotContent): Promise<string> {
  const id = snapshotId(content.generated_at)
  const temporary = join(snapshotsDir, `${id}.${process.pid}.tmp`)
  try {
    await mkdir(temporary, { recursive: true })
    const files: Record<string, { bytes: number; sha256: string }> = {}
    for (const [name, bytes] of Object.entries(snapshotFiles(content))) {
      files[name] = { bytes: bytes.byteLength, sha256: createHash('sha256').update(bytes).digest('hex') }
      await writeSynced(join(temporary, name), bytes)
    }
    const manifest = {
      id,
      format: SNAPSHOT_FORMAT,
      generated_at: content.generated_at,
      simulated: content.simulated,
      files,
    }
    await writeSynced(join(temporary, 'manifest.json'), Buffer.from(JSON.stringify(manifest, null, 2)))
    const folder = join(snapshotsDir, id)
    await rm(folder, { recursive: true, force: true })
    await rename(temporary, folder)
    await syncPath(snapshotsDir)
    await writeWhole(join(snapshotsDir, POINTER), id)
    return id
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    throw asDiskFull(error)
  }
}

async function writeSynced(path: string, bytes: Uint8Array) {
  const file = await open(path, 'w')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Id of the current snapshot; null when none has been published. */
export async function currentSnapshotId(snapshotsDir: string): Promise<string | null> {
  const id = await readFile(join(snapshotsDir, POINTER), 'utf8').catch(() => null)
  return id?.trim() || null
}

/** Deletes old snapshots beyond `keep`, and more while they hold over `maxBytes`; never the current one. */
export async function sweepSnapshots(
  snapshotsDir: string,
  keep: number,
  bytesOf: (folder: string) => Promise<number>,
  maxBytes: number,
): Promise<number> {
  const current = await currentSnapshotId(snapshotsDir)
  const entries = await readdir(snapshotsDir, { withFileTypes: true }).catch(() => [])
  const older = entries.filter((entry) => entry.isDirectory() && entry.name !== current).map((entry) => entry.name)
  let [held, kept, dropped] = [current ? await bytesOf(join(snapshotsDir, current)) : 0, 1, 0]
  for (const name of older.sort().reverse()) {
    const bytes = await bytesOf(join(snapshotsDir, name))
    if (!name.endsWith('.tmp') && kept < keep && held + bytes <= maxBytes) {
      kept += 1
      held += bytes
      continue
    }
    await rm(join(snapshotsDir, name), { recursive: true, force: true })
    dropped += 1
  }
  return dropped
}
