import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { isoUtc, UtcInstant } from '../../config/domain.ts'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { DOCUMENTS, readExportManifest } from '../export/manifest.ts'
import { jsonBytes, type ObjectStore, parseObject, readObject, replaceObject } from '../objects/object-store.ts'
import { InnerPath, Sha256 } from '../storage/file-identity.ts'
import { makeFolder, writeWhole } from '../storage/files.ts'
import { sha256Of } from './local-files.ts'

/** The object that says which files are the open data; each content is stored once, below `open-data/`. */
const KEY = 'open-data.json'
const FILES = 'open-data/'
/** How often an api asks for another export, at most. */
const LOOK_MS = 5_000
const LOOK_WITHIN_MS = 4_000

const Pointer = z.strictObject({
  format: z.literal(1),
  /** The epoch of the leader that published it. */
  epoch: z.int().min(1),
  exported_at: UtcInstant,
  files: z.record(InnerPath, Sha256),
  /** The contents of the export before it, for readers of its manifest. */
  former: z.array(Sha256),
})
type Pointer = z.infer<typeof Pointer>

const fileKey = (sha256: string) => `${FILES}${sha256}`

/**
 * Uploads what an exported folder has that the bucket lacks, and makes it the open data that every api serves; returns the
 * bytes that went up. Only a leader does.
 * @throws HoldshortError WRITE_FENCED when a later leader has published one
 */
export async function publishExport(store: ObjectStore, folder: string, epoch: number): Promise<number> {
  const manifest = await readExportManifest(folder)
  if (!manifest?.may_be_passed_on) return 0
  const before = await readObject(store, KEY, Pointer)
  if (before && before.value.epoch > epoch)
    throw new HoldshortError('WRITE_FENCED', 'the pipeline of another machine leads now; the export was not published')
  const stored = new Set(Object.values(before?.value.files ?? {}))
  const digests = new Map(manifest.files.map(({ path, sha256 }) => [path, sha256]))
  const files: Pointer['files'] = {}
  let uploaded = 0
  for (const path of [...digests.keys(), ...Object.keys(DOCUMENTS)]) {
    const digest = digests.get(path)
    if (digest !== undefined && stored.has(digest)) {
      files[path] = digest
      continue
    }
    const bytes = await readFile(join(folder, path))
    const sha256 = sha256Of(bytes)
    if (!stored.has(sha256)) {
      await store.put(fileKey(sha256), bytes)
      uploaded += bytes.byteLength
    }
    files[path] = sha256
  }
  if (before && isSame(files, before.value.files)) return uploaded
  const former = [...new Set(Object.values(before?.value.files ?? {}))]
  const next: Pointer = { format: 1, epoch, exported_at: isoUtc(Date.now()), files, former }
  const etag = await replaceObject(store, KEY, jsonBytes(next), before ? { etag: before.etag } : 'absent')
  if (etag === null) throw new HoldshortError('WRITE_FENCED', 'the pipeline of another machine published an export')
  const used = new Set([...Object.values(files), ...former].map(fileKey))
  for (const { key } of await store.list(FILES)) if (!used.has(key)) await store.delete(key)
  return uploaded
}

const isSame = (one: Pointer['files'], other: Pointer['files']) =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([path, sha256]) => other[path] === sha256)

/** The open data of a bucket. */
export interface FetchedExport {
  /** Changes with each export, and is the same on every machine. */
  version: string
  exported_ms: number
  /** The digest of a file; null for a path that the export does not have. */
  digestOf: (path: string) => string | null
  /** Where a file lies on this machine, after fetching it if necessary. @throws HoldshortError STORE_UNREACHABLE, STORE_DAMAGED */
  localPath: (path: string) => Promise<string>
}

/** Finds the newest open data of a bucket; null where there is none. @throws HoldshortError STORE_UNREACHABLE before the first answer */
export type ExportFetcher = () => Promise<FetchedExport | null>

/** Fetches files of the open data into a data folder when they are asked for. */
export function openExportFetcher(store: ObjectStore, dataDir: string): ExportFetcher {
  const folder = dataPaths(dataDir).open_data
  const fetching = new Map<string, Promise<string>>()
  let known: { etag: string; found: FetchedExport } | null = null
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> = Promise.resolve()

  const fetchContent = async (sha256: string): Promise<string> => {
    const path = join(folder, sha256)
    if (await stat(path).catch(() => null)) return path
    const found = await store.get(fileKey(sha256))
    if (!found || sha256Of(found.bytes) !== sha256)
      throw new HoldshortError(
        'STORE_DAMAGED',
        `${store.address}/${fileKey(sha256)} is missing or not what was written`,
      )
    await makeFolder(dataDir, 'open-data')
    await writeWhole(path, found.bytes)
    return path
  }
  /** Requests for one file share one download. */
  const sharedFetch = (sha256: string): Promise<string> => {
    const underWay = fetching.get(sha256) ?? fetchContent(sha256).finally(() => fetching.delete(sha256))
    fetching.set(sha256, underWay)
    return underWay
  }
  const look = async () => {
    const options = { within_ms: LOOK_WITHIN_MS }
    const found = known ? await store.getUnless(KEY, known.etag, options) : await store.get(KEY, options)
    if (found === null || found === 'unchanged') return
    const { files, former, exported_at } = parseObject(store, KEY, found, Pointer)
    const digestOf = (path: string) => (Object.hasOwn(files, path) ? (files[path] ?? null) : null)
    known = {
      etag: found.etag,
      found: {
        version: sha256Of(jsonBytes(files)).slice(0, 20),
        exported_ms: Date.parse(exported_at),
        digestOf,
        localPath: async (path) => sharedFetch(digestOf(path) ?? ''),
      },
    }
    const used = new Set([...Object.values(files), ...former])
    for (const name of await readdir(folder).catch(() => []))
      if (Sha256.safeParse(name).success && !used.has(name)) await rm(join(folder, name), { force: true })
  }
  return async () => {
    if (performance.now() - lookedAt >= LOOK_MS) {
      lookedAt = performance.now()
      looking = look()
    }
    await looking.catch((error) => {
      // The export of before is still true.
      if (known === null) throw error
    })
    return known?.found ?? null
  }
}
