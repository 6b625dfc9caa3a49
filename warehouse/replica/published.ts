import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { z } from 'zod'
import { isoUtc, UtcInstant } from '../../config/domain.ts'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { createQueue } from '../../config/work-queue.ts'
import { jsonBytes, type ObjectStore, parseObject, readObject, replaceObject } from '../objects/object-store.ts'
import { hasSnapshot, MANIFEST_FILE, makeCurrent, storeSnapshot, sweepSnapshots } from '../serving/snapshot/write.ts'
import { Sha256 } from '../storage/file-identity.ts'
import { sha256Of } from './local-files.ts'
import { forEachFew } from './replica.ts'

const compress = promisify(brotliCompress)
const expand = promisify(brotliDecompress)

/** The object that says which snapshot is served; publishing is one conditional write of it. */
const KEY = 'snapshot.json'
const FILES = 'snapshot-files/'
const REQUEST_MS = 10_000
/** Of the qualities of Brotli the one that costs about as much as gzip and gives less. */
const QUALITY = 5
/** Contents of so many snapshots before the current one stay for readers that are fetching one. */
const RETAINED = 5

const FileName = z.string().regex(/^[a-z][a-z0-9-]*\.[a-z]+$/)

const Pointer = z.strictObject({
  format: z.literal(1),
  /** The epoch of the leader that published it. */
  epoch: z.int().min(1),
  /** Null before the first. */
  id: z
    .string()
    .regex(/^\d{8}T\d{6}Z$/)
    .nullable(),
  published_at: UtcInstant,
  files: z.record(FileName, z.strictObject({ sha256: Sha256, bytes: z.int().min(0), stored_bytes: z.int().min(0) })),
  /** The contents of the snapshots before it, newest first. */
  former: z.array(z.array(Sha256)),
})
type Pointer = z.infer<typeof Pointer>

const fileKey = (sha256: string) => `${FILES}${sha256}.br`

const readPointer = (store: ObjectStore) => readObject(store, KEY, Pointer, { within_ms: REQUEST_MS })

const fenced = () =>
  new HoldshortError('WRITE_FENCED', 'the pipeline of another machine leads now; the snapshot was not published')

/** Publishes the snapshots of a leader in the bucket. */
export interface SnapshotPublisher {
  /** Writes the epoch into the pointer, after which no earlier leader can publish. @throws HoldshortError WRITE_FENCED */
  takeOver: (epoch: number) => Promise<void>
  /** Uploads what a stored snapshot has that the bucket lacks, and makes it the one that is served. */
  publish: (snapshotsDir: string, id: string) => Promise<{ uploaded_bytes: number }>
  /** Deletes the contents of old snapshots; returns how many. @throws HoldshortError WRITE_FENCED */
  sweep: () => Promise<number>
}

export function openPublisher(store: ObjectStore): SnapshotPublisher {
  let current: Awaited<ReturnType<typeof readPointer>> = null
  let epoch = 0

  /** What is being uploaded is not in the pointer yet, so that nothing is deleted meanwhile. */
  const inTurn = createQueue()

  /** Replaces the pointer; `make` gets the present one, of this leader or an earlier one. */
  const replace = async (make: (before: Pointer | null) => Pointer): Promise<void> => {
    for (;;) {
      const next = make(current?.value ?? null)
      const precondition = current ? { etag: current.etag } : 'absent'
      const etag = await replaceObject(store, KEY, jsonBytes(next), precondition, { within_ms: REQUEST_MS })
      if (etag !== null) {
        current = { value: next, etag }
        return
      }
      current = await readPointer(store)
      if (current && current.value.epoch > epoch) throw fenced()
    }
  }

  return {
    takeOver: async (newEpoch) => {
      epoch = newEpoch
      current = await readPointer(store)
      if (current && current.value.epoch > epoch) throw fenced()
      const none = { format: 1 as const, id: null, published_at: isoUtc(Date.now()), files: {}, former: [] }
      await replace((before) => Object.assign({}, before ?? none, { epoch }))
    },
    publish: (snapshotsDir, id) =>
      inTurn(async () => {
        const folder = join(snapshotsDir, id)
        const known = new Map(Object.values(current?.value.files ?? {}).map((file) => [file.sha256, file]))
        const files: Pointer['files'] = {}
        let uploaded_bytes = 0
        // At once: each waits for the bucket, and readers wait for the last one.
        await forEachFew(await readdir(folder), async (name) => {
          const bytes = await readFile(join(folder, name))
          const sha256 = sha256Of(bytes)
          let file = known.get(sha256)
          if (!file) {
            const params = {
              [constants.BROTLI_PARAM_QUALITY]: QUALITY,
              [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
            }
            const stored = await compress(bytes, { params })
            await store.put(fileKey(sha256), stored)
            file = { sha256, bytes: bytes.byteLength, stored_bytes: stored.byteLength }
            uploaded_bytes += stored.byteLength
          }
          files[name] = file
        })
        await replace((before) => {
          const contents = Object.values(before?.files ?? {}).map(({ sha256 }) => sha256)
          const former = [contents, ...(before?.former ?? [])].slice(0, RETAINED)
          return { format: 1, epoch, id, published_at: isoUtc(Date.now()), files, former }
        })
        return { uploaded_bytes }
      }),
    sweep: () =>
      inTurn(async () => {
        // Listed before the pointer is read: what a later leader uploads is not in the list, or its epoch is in the pointer.
        const stored = await store.list(FILES)
        current = await readPointer(store)
        if (!current) return 0
        if (current.value.epoch !== epoch) throw fenced()
        const { files, former } = current.value
        const used = new Set([...Object.values(files).map(({ sha256 }) => sha256), ...former.flat()].map(fileKey))
        const unused = stored.filter(({ key }) => !used.has(key))
        for (const { key } of unused) await store.delete(key)
        return unused.length
      }),
  }
}

/** Fetches the published snapshot whenever there is a new one. */
export interface SnapshotFetcher {
  /** Looks once; returns the id of a new snapshot, or null. @throws HoldshortError STORE_UNREACHABLE, STORE_DAMAGED */
  look: () => Promise<string | null>
}

/**
 * Fetches published snapshots into a data folder: only contents that the folder does not have, each compared with its digest,
 * then the snapshot becomes the current one of the folder.
 */
export function openFetcher(
  store: ObjectStore,
  dataDir: string,
  retain: { count: number; bytes: number },
): SnapshotFetcher {
  const { snapshots } = dataPaths(dataDir)
  let etag: string | null = null
  /** Where the contents of the last snapshot lie, by digest. */
  let local = new Map<string, string>()

  const contentOf = async (sha256: string): Promise<Uint8Array> => {
    const path = local.get(sha256)
    const own = path && (await readFile(path).catch(() => null))
    if (own && sha256Of(own) === sha256) return own
    const found = await store.get(fileKey(sha256), { within_ms: 30_000 })
    const bytes = found && (await expand(found.bytes).catch(() => null))
    if (!bytes || sha256Of(bytes) !== sha256)
      throw new HoldshortError(
        'STORE_DAMAGED',
        `${store.address}/${fileKey(sha256)} is missing or not what was written`,
      )
    return bytes
  }

  return {
    look: async () => {
      const options = { within_ms: 4_000 }
      const found = etag === null ? await store.get(KEY, options) : await store.getUnless(KEY, etag, options)
      if (found === null || found === 'unchanged') return null
      const { id, files } = parseObject(store, KEY, found, Pointer)
      if (id === null) {
        etag = found.etag
        return null
      }
      const isThere = await hasSnapshot(snapshots, id)
      if (!isThere || !(await hasManifest(join(snapshots, id), files[MANIFEST_FILE]?.sha256))) {
        const contents: Record<string, Uint8Array> = {}
        await forEachFew(Object.entries(files), async ([name, { sha256 }]) => {
          contents[name] = await contentOf(sha256)
        })
        await storeSnapshot(snapshots, id, contents)
      }
      await makeCurrent(snapshots, id)
      etag = found.etag
      local = new Map(Object.entries(files).map(([name, { sha256 }]) => [sha256, join(snapshots, id, name)]))
      await sweepSnapshots(dataDir, retain.count, retain.bytes)
      return id
    },
  }
}

/** Whether a stored snapshot has this manifest: two leaders can have made two snapshots of one second. */
async function hasManifest(folder: string, sha256: string | undefined): Promise<boolean> {
  const bytes = await readFile(join(folder, MANIFEST_FILE)).catch(() => null)
  return bytes !== null && sha256Of(bytes) === sha256
}
