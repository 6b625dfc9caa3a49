import { webcrypto } from 'node:crypto'
import { join } from 'node:path'
import { setImmediate as letRequestsRun } from 'node:timers/promises'
import { z } from 'zod'
import { HoldshortError } from '../../../config/errors.ts'
import { isExhausted, readOrdinaryFile, readOrdinaryText } from '../../storage/ordinary-file.ts'
import type { SnapshotFiles } from '../read/define-published.ts'
import { allPublished, type SnapshotContent } from '../read/index.ts'
import { CONTENT_FILE, currentSnapshotId, listSnapshotIds, MANIFEST_FILE, SNAPSHOT_FORMAT } from './names.ts'
import { type Snapshot, snapshotReader } from './snapshot.ts'

const Manifest = z.object({
  id: z.string(),
  format: z.literal(
    SNAPSHOT_FORMAT,
    `this release reads snapshots of format ${SNAPSHOT_FORMAT}: it is of another release`,
  ),
  files: z.record(z.string(), z.object({ bytes: z.int(), sha256: z.string() })),
})

/**
 * Loads the current snapshot; null when none has been published. Requests are answered between its steps.
 * @throws HoldshortError SNAPSHOT_INVALID when a file is missing, altered or of another format.
 */
export async function loadSnapshot(snapshotsDir: string): Promise<Snapshot | null> {
  const id = await currentSnapshotId(snapshotsDir)
  return id ? loadById(snapshotsDir, id) : null
}

/**
 * Loads the first sound snapshot of some ids: by default the current one, or the newest when the current one or the
 * pointer to it is damaged. Null when there is none. `onError` is called for each that cannot be loaded.
 */
export async function loadSoundSnapshot(
  snapshotsDir: string,
  onError: (id: string, error: unknown) => void,
  ids: string[] | null = null,
  without: Pick<ReadonlySet<string>, 'has'> = new Set(),
): Promise<Snapshot | null> {
  for (const id of ids ?? (await currentAndOlder(snapshotsDir))) {
    if (without.has(id)) continue
    try {
      return await loadById(snapshotsDir, id)
    } catch (error) {
      if (isExhausted(error)) throw error
      onError(id, error)
    }
  }
  return null
}

async function currentAndOlder(snapshotsDir: string): Promise<string[]> {
  const current = await currentSnapshotId(snapshotsDir)
  const others = (await listSnapshotIds(snapshotsDir)).filter((id) => id !== current)
  return current ? [current, ...others] : others
}

async function loadById(snapshotsDir: string, id: string): Promise<Snapshot> {
  try {
    return snapshotReader(id, await readContent(join(snapshotsDir, id)))
  } catch (error) {
    if (error instanceof HoldshortError || isExhausted(error)) throw error
    const message = error instanceof z.ZodError ? error.issues.map(faultText).join('; ') : (error as Error).message
    throw new HoldshortError('SNAPSHOT_INVALID', `snapshot ${id}: ${message}`, { cause: error })
  }
}

const faultText = ({ path, message }: z.core.$ZodIssue) => `${MANIFEST_FILE}: ${[...path, ''].join(': ')}${message}`

async function readContent(folder: string): Promise<SnapshotContent> {
  const files = await openFiles(folder)
  const parts: Partial<SnapshotContent>[] = [await files.json<Partial<SnapshotContent>>(CONTENT_FILE)]
  for (const { decode } of allPublished) {
    if (!decode) continue
    parts.push(await decode(files))
    await letRequestsRun()
  }
  return Object.assign({}, ...parts) as SnapshotContent
}

/** The files of a snapshot's folder; each is checked against the manifest when it is read. */
async function openFiles(folder: string): Promise<SnapshotFiles> {
  const manifest = Manifest.parse(JSON.parse(await readOrdinaryText(join(folder, MANIFEST_FILE))))
  const bytes = async (name: string) => {
    const content = await readOrdinaryFile(join(folder, name))
    const digest = Buffer.from(await webcrypto.subtle.digest('SHA-256', content)).toString('hex')
    if (digest !== manifest.files[name]?.sha256) throw new Error(`${name} is not the file that was published`)
    return content
  }
  return {
    bytes,
    async json<T>(name: string) {
      const value = JSON.parse((await bytes(name)).toString('utf8')) as T
      await letRequestsRun()
      return value
    },
  }
}
