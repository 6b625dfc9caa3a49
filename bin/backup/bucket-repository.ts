import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { forEachOf } from '../../config/work-queue.ts'
import {
  CONTENTS,
  contentKey,
  jsonBytes,
  type ObjectStore,
  readObject,
  replaceObject,
} from '../../warehouse/objects/object-store.ts'
import { requirePreconditions } from '../../warehouse/objects/preconditions.ts'
import { readHead } from '../../warehouse/replica/head.ts'
import { type Lead, takeLead } from '../../warehouse/replica/lead.ts'
import { sha256Of } from '../../warehouse/replica/local-files.ts'
import type { Contents } from './contents.ts'
import { isDamagedPart } from './copy-file.ts'
import {
  type AboutBackup,
  type BackupFile,
  bytesOf,
  generationOf,
  invalid,
  type Manifest,
  manifestFile,
  readManifest,
} from './manifest.ts'
import {
  type BackupResult,
  type ContentStore,
  copyContents,
  faultsOf,
  type OnProgress,
  readChosen,
} from './repository.ts'

/**
 * Backups in a bucket. As in a folder, each content is stored once, as `objects/<first two digits>/<SHA-256>`, and a backup is
 * a manifest in `generations/`. Which backups there are stands in `backups.json`, which is written last and only if nobody has
 * changed it meanwhile: a backup that is killed, or frozen until another one has ended, leaves the others as they were.
 */
const KEY = 'backups.json'
const GENERATIONS = 'generations/'
/** A backup that was killed holds the bucket until its lead expires. */
const LEAD_WAIT_MS = 16_000
/** Contents are held in memory while they are sent. */
const CONCURRENT_FILES = 4

const Index = z.strictObject({
  format: z.literal(1),
  /** Whose backups these are; null where the state is on PostgreSQL or not created yet. */
  installation: z.string().nullable(),
  /** Names of the manifests, oldest first. */
  generations: z.array(z.string().refine((name) => generationOf(name) !== null)),
})
type Index = z.infer<typeof Index>

const readIndex = (store: ObjectStore) => readObject(store, KEY, Index)

/** Whether a bucket holds backups rather than an installation. */
export const holdsBackups = async (store: ObjectStore): Promise<boolean> => (await store.get(KEY)) !== null

export interface BucketRepository {
  write: (contents: Contents, about: AboutBackup, keep: number, onProgress: OnProgress) => Promise<BackupResult>
  release: () => Promise<void>
}

/**
 * Uses a bucket for backups, alone.
 * @throws UsageError where an installation lives; HoldshortError CONFLICT while another backup is written to it, STORE_UNSAFE,
 *   STORE_UNREACHABLE, STORE_REFUSED
 */
export async function openBucketRepository(store: ObjectStore): Promise<BucketRepository> {
  await requirePreconditions(store)
  if ((await readHead(store)) !== null)
    throw new UsageError(
      `target: an installation lives in ${store.address}; a backup must survive its loss, so name another bucket`,
    )
  const taken = await takeLead(store, { command: 'holdshort backup', wait_ms: LEAD_WAIT_MS })
  if (!('lead' in taken)) {
    const { command, pid, machine, since } = taken.holder ?? { command: '', pid: 0, machine: '', since: '' }
    throw new HoldshortError(
      'CONFLICT',
      `${store.address} is used by "${command}" (process ${pid} on ${machine}, since ${since})`,
    )
  }
  const { lead } = taken
  return {
    write: (contents, about, keep, onProgress) => writeBackup(store, lead, contents, about, keep, onProgress),
    release: lead.release,
  }
}

const overtaken = (store: ObjectStore) =>
  new HoldshortError(
    'CONFLICT',
    `another backup was written to ${store.address} meanwhile; this one is not kept, repeat it`,
  )

async function writeBackup(
  store: ObjectStore,
  lead: Lead,
  contents: Contents,
  about: AboutBackup,
  keep: number,
  onProgress: OnProgress,
): Promise<BackupResult> {
  const before = await readIndex(store)
  const { installation } = contents
  const owner = before?.value.installation ?? null
  if (owner !== null && installation !== null && owner !== installation)
    throw new UsageError(
      `target: ${store.address} holds the backups of another installation (or of an earlier state); name another prefix`,
    )
  const names = before?.value.generations ?? []
  const sizes = await storedSizes(store)
  const uploads = uploader(store, lead, sizes)
  const known = await knownContents(store, names.at(-1))
  const copied = await copyContents(contents.files, known, uploads, CONCURRENT_FILES, onProgress)
  const generation = Math.max(0, ...names.map((name) => generationOf(name) ?? 0)) + 1
  const { name, text } = manifestFile(generation, contents, about, copied.files)
  await store.put(GENERATIONS + name, Buffer.from(text))
  lead.lost.throwIfAborted()
  const index: Index = { format: 1, installation: installation ?? owner, generations: [...names, name].slice(-keep) }
  const precondition = before ? { etag: before.etag } : 'absent'
  const etag = await replaceObject(store, KEY, jsonBytes(index), precondition)
  if (etag === null) throw overtaken(store)
  await restoreMissing(store, contents, copied.files)
  await prune(store, lead, index, etag)
  const { copied_files, copied_bytes, damaged } = copied
  const bytes = bytesOf(copied.files)
  return { generation, files: copied.files.length, bytes, copied_files, copied_bytes, damaged }
}

async function storedSizes(store: ObjectStore): Promise<Map<string, number>> {
  return new Map((await store.list(CONTENTS)).map(({ key, bytes }) => [key, bytes]))
}

function uploader(store: ObjectStore, { lost }: Lead, sizes: Map<string, number>): ContentStore {
  const has = async (sha256: string, bytes: number) => sizes.get(contentKey(sha256)) === bytes
  return {
    has,
    add: async ({ source, path }) => {
      lost.throwIfAborted()
      const content = await readFile(source)
      const digest = { sha256: sha256Of(content), bytes: content.byteLength }
      if (isDamagedPart(path, digest)) return null
      const isNew = !(await has(digest.sha256, digest.bytes))
      if (isNew) {
        await store.put(contentKey(digest.sha256), content)
        sizes.set(contentKey(digest.sha256), digest.bytes)
      }
      return { digest, isNew }
    },
  }
}

/** The files of the newest backup by path; none when it cannot be read. */
async function knownContents(store: ObjectStore, newest: string | undefined): Promise<Map<string, BackupFile>> {
  const found = newest === undefined ? null : await store.get(GENERATIONS + newest)
  try {
    const { files } = readManifest(newest ?? '', Buffer.from(found?.bytes ?? []).toString('utf8'))
    return new Map(files.map((file) => [file.path, file]))
  } catch {
    return new Map()
  }
}

/** Uploads again what an earlier backup, frozen until now, has deleted meanwhile because no backup needed it then. */
async function restoreMissing(store: ObjectStore, contents: Contents, files: readonly BackupFile[]): Promise<void> {
  const sizes = await storedSizes(store)
  const sources = new Map(contents.files.map(({ path, source }) => [path, source]))
  const missing = files.filter(({ sha256, bytes }) => sizes.get(contentKey(sha256)) !== bytes)
  await forEachOf(missing, CONCURRENT_FILES, async ({ path, sha256 }) => {
    const content = await readFile(sources.get(path) ?? '')
    if (sha256Of(content) !== sha256) throw invalid(`${path} changed while it was being copied; repeat the backup`)
    await store.put(contentKey(sha256), content)
  })
}

/** Deletes the manifests that the index does not name, and the contents that no backup has any more. */
async function prune(store: ObjectStore, { lost }: Lead, index: Index, etag: string): Promise<void> {
  const named = new Set(index.generations.map((name) => GENERATIONS + name))
  const needed = new Set<string>()
  for (const name of index.generations) {
    const found = await store.get(GENERATIONS + name)
    try {
      for (const { sha256 } of readManifest(name, Buffer.from(found?.bytes ?? []).toString('utf8')).files)
        needed.add(contentKey(sha256))
    } catch {
      // What a damaged manifest needs is unknown, so nothing is deleted.
      return
    }
  }
  const manifests = (await store.list(GENERATIONS)).map(({ key }) => key).filter((key) => !named.has(key))
  const objects = [...(await storedSizes(store)).keys()].filter((key) => !needed.has(key))
  for (const key of [...manifests, ...objects]) {
    // Asked each time: a later backup may rely on what this one, frozen meanwhile, found to be unneeded.
    if (lost.aborted || (await store.getUnless(KEY, etag)) !== 'unchanged') return
    await store.delete(key)
  }
}

/** A backup in a bucket: the newest one, or a given generation. @throws HoldshortError BACKUP_INVALID */
export async function readBucketGeneration(store: ObjectStore, generation: number | null): Promise<Manifest> {
  const names = (await readIndex(store))?.value.generations ?? []
  return readChosen(store.address, names, generation, async (name) => {
    const stored = await store.get(GENERATIONS + name)
    if (!stored) throw invalid(`${name} is missing`)
    return Buffer.from(stored.bytes).toString('utf8')
  })
}

/** Why the contents of a backup in a bucket are not what was written; empty when all are. */
export const verifyBucketGeneration = (
  store: ObjectStore,
  { files }: Manifest,
  onProgress: OnProgress,
): Promise<string[]> =>
  faultsOf(files, CONCURRENT_FILES, onProgress, async ({ sha256 }) => {
    const key = contentKey(sha256)
    const found = await store.get(key)
    if (found === null) return `${key} is missing`
    return sha256Of(found.bytes) === sha256 ? null : `${key} is damaged`
  })

/** Gives the content of each file of a backup in a bucket. */
export async function extractBucketGeneration(
  store: ObjectStore,
  { files }: Manifest,
  write: (file: BackupFile, content: NodeJS.ReadableStream) => Promise<void>,
): Promise<void> {
  await forEachOf(files, CONCURRENT_FILES, async (file) => {
    const found = await store.get(contentKey(file.sha256))
    if (found === null) throw invalid(`${file.path} was deleted while it was being restored`)
    await write(file, Readable.from([Buffer.from(found.bytes)]))
  })
}
