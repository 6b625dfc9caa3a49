import { createHash, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { isoUtc, UtcInstant } from '../../config/domain.ts'
import { HoldshortError } from '../../config/errors.ts'
import { jsonBytes, type ObjectStore, parseObject, replaceObject } from '../objects/object-store.ts'
import { InnerPath, Sha256 } from '../storage/file-identity.ts'

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** The object that says which files are the warehouse now; each change of the warehouse is one conditional write of it. */
const KEY = 'warehouse.json'
const MANIFESTS = 'manifests/'
/** The changes since the last whole list stand in the head itself, up to this number. */
const MAX_CHANGES = 500
const REQUEST_MS = 15_000

const FileEntry = z.tuple([Sha256, z.int().min(0)])
/** The SHA-256 and the bytes of a file. */
export type FileEntry = z.infer<typeof FileEntry>
/** The files of a warehouse by their path, relative to the data folder. */
export type Files = ReadonlyMap<string, FileEntry>

const Head = z.strictObject({
  format: z.literal(1),
  /** Identifies the installation whose bucket this is. */
  installation: z.uuid(),
  simulated: z.boolean(),
  /** The epoch of the leader that wrote it. */
  epoch: z.int().min(1),
  /** Grows by one with each change. */
  sequence: z.int().min(0),
  written_at: UtcInstant,
  /** Host name of the machine. */
  machine: z.string(),
  /** The key of the last whole list of files; null for an empty one. */
  base: z.string().nullable(),
  /** What has changed since; null for a file that is gone. */
  changes: z.record(InnerPath, FileEntry.nullable()),
})
export type Head = z.infer<typeof Head>

const Manifest = z.strictObject({ files: z.record(InnerPath, FileEntry) })

/** A version of the head with all files. */
export interface HeadVersion {
  head: Head
  etag: string
  files: Files
}

/** Reads the head; `known` saves reading what has not changed. Null when the bucket has none. */
export async function readHead(
  store: ObjectStore,
  known: HeadVersion | null = null,
): Promise<HeadVersion | 'unchanged' | null> {
  const options = { within_ms: REQUEST_MS }
  const found = known ? await store.getUnless(KEY, known.etag, options) : await store.get(KEY, options)
  if (found === null || found === 'unchanged') return found
  const head = parseObject(store, KEY, found, Head)
  return { head, etag: found.etag, files: withChanges(await readBase(store, head.base), head.changes) }
}

/** The whole list that was read last, so that it is not read again with every change. */
let lastBase: { address: string; key: string; files: Files } | null = null

async function readBase(store: ObjectStore, key: string | null): Promise<Files> {
  if (key === null) return new Map()
  const cached = lastBase?.key === key && lastBase.address === store.address ? lastBase.files : null
  if (cached) return cached
  const found = await store.get(key)
  if (!found || key !== manifestKey(sequenceIn(key), found.bytes))
    throw new HoldshortError('STORE_DAMAGED', `${store.address}/${key} is missing or not what was written`)
  const text = { bytes: await expand(found.bytes) }
  const files = new Map(Object.entries(parseObject(store, key, text, Manifest).files))
  lastBase = { address: store.address, key, files }
  return files
}

const sequenceIn = (key: string) => Number(/(\d+)-[0-9a-f]{16}\.json\.gz$/.exec(key)?.[1] ?? 0)
const manifestKey = (sequence: number, bytes: Uint8Array) =>
  `${MANIFESTS}${String(sequence).padStart(12, '0')}-${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.json.gz`

function withChanges(base: Files, changes: Head['changes']): Files {
  const files = new Map(base)
  for (const [path, entry] of Object.entries(changes)) {
    if (entry === null) files.delete(path)
    else files.set(path, entry)
  }
  return files
}

/**
 * Writes the next version of the head, if the bucket still has the version before it; null when it has another one.
 * `before` null creates the head of a new bucket.
 */
export async function writeHead(
  store: ObjectStore,
  before: HeadVersion | null,
  { epoch, simulated, changes }: { epoch: number; simulated: boolean; changes: Head['changes'] },
): Promise<HeadVersion | null> {
  const sequence = (before?.head.sequence ?? 0) + 1
  const files = withChanges(before?.files ?? new Map(), changes)
  const all = Object.assign({}, before?.head.changes, changes)
  const isWhole = Object.keys(all).length > MAX_CHANGES
  const head: Head = {
    format: 1,
    installation: before?.head.installation ?? randomUUID(),
    simulated: before?.head.simulated ?? simulated,
    epoch,
    sequence,
    written_at: isoUtc(Date.now()),
    machine: hostname(),
    base: isWhole ? await writeManifest(store, sequence, files) : (before?.head.base ?? null),
    changes: isWhole ? {} : all,
  }
  const precondition = before ? { etag: before.etag } : 'absent'
  const etag = await replaceObject(store, KEY, jsonBytes(head), precondition, { within_ms: REQUEST_MS })
  return etag === null ? null : { head, etag, files }
}

async function writeManifest(store: ObjectStore, sequence: number, files: Files): Promise<string> {
  const bytes = await compress(jsonBytes({ files: Object.fromEntries(files) }))
  const key = manifestKey(sequence, bytes)
  await store.put(key, bytes)
  return key
}

/** Keys of the whole lists that the head no longer names. */
export async function formerManifests(store: ObjectStore, { base }: Head): Promise<string[]> {
  return (await store.list(MANIFESTS)).flatMap(({ key }) => (key === base ? [] : [key]))
}
