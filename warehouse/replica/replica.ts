import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { createQueue, forEachOf } from '../../config/work-queue.ts'
import { CONTENTS, contentKey, type ObjectStore } from '../objects/object-store.ts'
import { makeFolder, moveFile, writeWhole } from '../storage/files.ts'
import { isReplacedBy, partFiles } from '../storage/layout.ts'
import type { WarehouseKeeper } from '../storage/warehouse.ts'
import {
  type FileEntry,
  type Files,
  formerManifests,
  type Head,
  type HeadVersion,
  readHead,
  writeHead,
} from './head.ts'
import {
  digestCache,
  folderOf,
  innerPath,
  livePartsIn,
  otherFiles,
  partFolders,
  partOf,
  sha256Of,
} from './local-files.ts'

const CONCURRENT_FILES = 6
/** A content that no version names is deleted after this time: another machine may still be reading an older version. */
const UNUSED_GRACE_MS = 3_600_000
const MAX_PULL_ATTEMPTS = 10

/** In the data folder: which bucket it is a copy of, and the version that it had when this was written. */
const Mark = z.object({ address: z.string(), installation: z.string(), epoch: z.int(), sequence: z.int() })
type Mark = z.infer<typeof Mark>

/**
 * A data folder and the bucket that holds the same warehouse, models and mark. A follower's folder follows the bucket; what
 * the leader writes is in the bucket before it is acknowledged.
 */
export interface Replica extends WarehouseKeeper {
  /** The version of the bucket that the folder has; null for a bucket without any. */
  version: () => Head | null
  files: () => Files
  /** Brings the folder to the newest version of the bucket; returns whether anything changed. */
  pull: (onProgress?: (done: number, total: number) => void) => Promise<boolean>
  /**
   * Begins to lead: brings the folder to the newest version and writes the epoch into the head, after which no earlier
   * leader can write it any more.
   * @throws HoldshortError WRITE_FENCED when a later leader has begun.
   */
  takeOver: (epoch: number) => Promise<void>
  /** Stops leading: nothing is written any more. */
  stepDown: () => void
  /** Deletes contents that nothing has named for an hour; returns how many. Only the leader does. */
  sweepUnused: () => Promise<number>
  /** Files of the folder that a full comparison would upload, and when the bucket last had everything (performance.now). */
  pending: () => { folders: number; committed_at: number | null }
}

const fenced = (cause?: unknown) =>
  new HoldshortError('WRITE_FENCED', 'the pipeline of another machine leads now; nothing was replaced', { cause })

/**
 * Opens a folder as the copy of a bucket. The warehouse must not be open yet, because files that the bucket does not have are
 * deleted.
 * @throws HoldshortError STORE_MISMATCH when the folder holds the data of another installation, WORLD_MISMATCH
 */
export async function openReplica(
  dataDir: string,
  store: ObjectStore,
  { simulated }: { simulated: boolean },
): Promise<Replica> {
  const paths = dataPaths(dataDir)
  const found = await readHead(store)
  let version: HeadVersion | null = found === 'unchanged' ? null : found
  let mark = await readMark(paths.store_mark)
  await requireMatch(dataDir, store, version, mark, simulated)
  let epoch: number | null = null
  /** The files that the folder has of the version of the mark. */
  let held: Files = new Map()
  const touched = new Set<string>()
  let isAllTouched = false
  const dropped = new Set<string>()
  const digestOf = digestCache()
  const unusedSince = new Map<string, number>()
  let committedAt: number | null = null
  let opened = version
  let isPulled = false
  let mayBeAhead = false

  /** Comparisons, downloads and writes of the head never overlap. */
  const inTurn = createQueue()

  const saveMark = async ({ head }: HeadVersion) => {
    mark = { address: store.address, installation: head.installation, epoch: head.epoch, sequence: head.sequence }
    await writeWhole(paths.store_mark, JSON.stringify(mark))
  }

  const download = async (path: string, [sha256]: FileEntry): Promise<boolean> => {
    const object = await store.get(contentKey(sha256))
    if (object === null) return false
    if (sha256Of(object.bytes) !== sha256)
      throw new HoldshortError(
        'STORE_DAMAGED',
        `${store.address}/${contentKey(sha256)} (${path}) is not what was written`,
      )
    const scratch = await makeFolder(dataDir, 'scratch', String(process.pid))
    const draft = join(scratch, `pull-${randomBytes(6).toString('hex')}`)
    const target = join(dataDir, path)
    await writeWhole(draft, object.bytes)
    await makeFolder(dataDir, ...path.split('/').slice(0, -1))
    await moveFile(draft, target)
    return true
  }

  /** Whether the folder has a file as the bucket does. Parts have their digest in their name. */
  const hasFile = async (path: string, [sha256]: FileEntry): Promise<boolean> => {
    const part = partOf(path)
    if (part?.digest) {
      const names = await livePartsIn(folderOf(dataDir, path))
      return sha256.startsWith(part.digest) && names.some(({ name }) => name === part.name)
    }
    const local = await digestOf(join(dataDir, path)).catch(() => null)
    return local?.entry[0] === sha256
  }

  /** Downloads what a version has and the folder lacks. False when a content has been deleted since: there is a newer version. */
  const fetchFiles = async (files: Files, onProgress: (done: number, total: number) => void): Promise<boolean> => {
    const candidates = [...files].filter(([path, [sha256]]) => held.get(path)?.[0] !== sha256)
    let done = 0
    let isWhole = true
    await forEachFew(candidates, async ([path, entry]) => {
      if (!(await hasFile(path, entry)) && !(await download(path, entry))) isWhole = false
      done += 1
      onProgress(done, candidates.length)
    })
    return isWhole
  }

  /** Deletes what a version no longer has. Replaced parts stay for their readers until they are swept. */
  const deleteGone = async (files: Files): Promise<void> => {
    for (const path of held.keys()) {
      if (files.has(path)) continue
      const part = partOf(path)
      const isSwept = part !== null && isReplacedBy(part, await livePartsIn(folderOf(dataDir, path)))
      if (isSwept) continue
      replica.onDropped(innerPath(dataDir, folderOf(dataDir, path)))
      await rm(join(dataDir, path), { force: true })
    }
  }

  /** Deletes what only this folder has: what a leader wrote that was fenced before it was acknowledged. */
  const deleteDiverged = async (files: Files): Promise<void> => {
    for (const folder of await partFolders(dataDir)) {
      const parts = partFiles(await readdir(folder).catch(() => []))
      const own = (name: string) => innerPath(dataDir, join(folder, name))
      const known = parts.filter(({ name }) => files.has(own(name)))
      for (const part of parts) {
        if (files.has(own(part.name)) || isReplacedBy(part, known)) continue
        replica.onDropped(innerPath(dataDir, folder))
        await rm(join(folder, part.name), { force: true })
      }
    }
  }

  const pull = async (onProgress: (done: number, total: number) => void = () => undefined): Promise<boolean> => {
    for (let attempt = 1; attempt <= MAX_PULL_ATTEMPTS; attempt += 1) {
      const isFirst = !isPulled
      const read: HeadVersion | 'unchanged' | null = opened ?? (await readHead(store, isFirst ? null : version))
      opened = null
      if (read === 'unchanged' || read === null) return false
      version = read
      const isOwn = mark?.epoch === read.head.epoch && mark.sequence === read.head.sequence
      // What this folder has beyond the version that it wrote itself goes up if it leads again.
      if (!isOwn && (isFirst || mayBeAhead)) await deleteDiverged(read.files)
      mayBeAhead = isOwn
      if (!(await fetchFiles(read.files, onProgress))) continue
      await deleteGone(read.files)
      held = read.files
      isPulled = true
      await saveMark(read)
      return true
    }
    throw new HoldshortError('STORE_DAMAGED', `${store.address} lacks contents that its newest version names`)
  }

  /** What of some folders, or of everything, the bucket lacks or should no longer have. */
  const changesIn = async (folders: readonly string[] | null): Promise<Head['changes']> => {
    const changes: Head['changes'] = {}
    const files = version?.files ?? new Map<string, FileEntry>()
    const compared = folders ?? (await partFolders(dataDir))
    const missing: string[] = []
    const byFolder = new Map<string, string[]>()
    for (const path of files.keys()) {
      if (partOf(path) === null) continue
      const folder = folderOf(dataDir, path)
      byFolder.set(folder, [...(byFolder.get(folder) ?? []), path])
    }
    await forEachFew([...new Set([...compared, ...(folders ? [] : byFolder.keys())])], async (folder) => {
      const live = await livePartsIn(folder)
      for (const { name, digest } of live) {
        const path = innerPath(dataDir, join(folder, name))
        const known = files.get(path)
        if (known && (digest === null || known[0].startsWith(digest))) continue
        changes[path] = await upload(path)
      }
      const isDropped = dropped.has(innerPath(dataDir, folder))
      for (const path of byFolder.get(folder) ?? []) {
        const part = partOf(path)
        if (part === null || live.some(({ name }) => name === part.name)) continue
        if (isDropped || isReplacedBy(part, live)) changes[path] = null
        else missing.push(path)
      }
    })
    // Lost by an accident on this disk: the bucket has it.
    await heal(missing)
    if (folders === null) await compareOthers(files, changes)
    return changes
  }

  const compareOthers = async (files: Files, changes: Head['changes']) => {
    const local = await otherFiles(dataDir)
    for (const path of local) {
      const { entry, bytes } = await digestOf(join(dataDir, path))
      if (files.get(path)?.[0] === entry[0]) continue
      await store.put(contentKey(entry[0]), bytes ?? (await readFile(join(dataDir, path))))
      changes[path] = entry
    }
    const present = new Set(local)
    const gone = [...files.keys()].filter((path) => partOf(path) === null && !present.has(path))
    // A folder without any model was lost; one that lacks some was pruned.
    if (local.some((path) => path.startsWith('models/'))) for (const path of gone) changes[path] = null
    else await heal(gone)
  }

  const upload = async (path: string): Promise<FileEntry> => {
    const bytes = await readFile(join(dataDir, path))
    const sha256 = sha256Of(bytes)
    await store.put(contentKey(sha256), bytes)
    return [sha256, bytes.byteLength]
  }

  const write = async (changes: Head['changes']): Promise<void> => {
    if (epoch === null) throw fenced()
    if (Object.keys(changes).length === 0) return
    const next = await writeHead(store, version, { epoch, simulated, changes })
    if (next === null) return absorb(changes)
    version = next
    held = next.files
    await saveMark(next)
  }

  /** The head has another version: of a later leader, or our own whose answer was lost long ago. */
  const absorb = async (changes: Head['changes']): Promise<void> => {
    const read = await readHead(store)
    if (read === null || read === 'unchanged' || epoch === null || read.head.epoch !== epoch) throw fenced()
    version = read
    return write(changes)
  }

  const heal = async (missing: readonly string[]): Promise<Set<string>> => {
    const healed = new Set<string>()
    for (const path of missing) {
      const entry = (version?.files ?? held).get(path)
      if (entry && (await download(path, entry).catch(() => false))) healed.add(path)
    }
    return healed
  }

  const commit = async (folders: readonly string[] | null): Promise<void> => {
    if (folders === null) isAllTouched = true
    else for (const folder of folders) touched.add(folder)
    // Named before the comparison: what changes during it belongs to the next one.
    const all = isAllTouched
    const some = [...touched]
    if (!all && some.length === 0) return
    if (epoch === null) throw fenced()
    await write(await changesIn(all ? null : some))
    if (all) {
      isAllTouched = false
      dropped.clear()
      committedAt = performance.now()
    }
    for (const folder of some) touched.delete(folder)
  }

  const replica: Replica & { onDropped: (folder: string) => void } = {
    onDropped: () => undefined,
    version: () => version?.head ?? null,
    files: () => held,
    pending: () => ({ folders: touched.size, committed_at: committedAt }),
    pull: (onProgress) => inTurn(() => pull(onProgress)),
    takeOver: (newEpoch) =>
      inTurn(async () => {
        for (;;) {
          await pull()
          if (version !== null && version.head.epoch > newEpoch) throw fenced()
          const next = await writeHead(store, version, { epoch: newEpoch, simulated, changes: {} })
          if (next === null) continue
          version = next
          held = next.files
          epoch = newEpoch
          mayBeAhead = true
          isPulled = true
          isAllTouched = true
          await saveMark(next)
          return
        }
      }),
    stepDown: () => {
      epoch = null
    },
    touched: (folders) => {
      for (const folder of folders) touched.add(folder)
    },
    touchedAll: () => {
      isAllTouched = true
    },
    committed: (folders) => inTurn(() => commit(folders)),
    dropped: (folder) => {
      dropped.add(folder)
    },
    heal: (missing) => inTurn(() => heal(missing)),
    bind: (onDropped) => {
      replica.onDropped = onDropped
    },
    sweepUnused: () =>
      inTurn(async () => {
        if (version === null || epoch === null) return 0
        const stored = await store.list(CONTENTS)
        // Read after the list: a leader that was frozen meanwhile must not delete what its successor has named.
        const newest = await readHead(store, version)
        if (newest !== 'unchanged') throw fenced()
        const used = new Set([...version.files.values()].map(([sha256]) => contentKey(sha256)))
        const found = stored.map(({ key }) => key).filter((key) => !used.has(key))
        const unused = [...found, ...(await formerManifests(store, version.head))]
        for (const key of unusedSince.keys()) if (!unused.includes(key)) unusedSince.delete(key)
        let deleted = 0
        for (const key of unused) {
          const since = unusedSince.get(key) ?? performance.now()
          unusedSince.set(key, since)
          if (performance.now() - since < UNUSED_GRACE_MS) continue
          await store.delete(key)
          unusedSince.delete(key)
          deleted += 1
        }
        return deleted
      }),
  }
  return replica
}

async function readMark(path: string): Promise<Mark | null> {
  try {
    return Mark.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return null
  }
}

async function requireMatch(
  dataDir: string,
  { address }: ObjectStore,
  version: HeadVersion | null,
  mark: Mark | null,
  simulated: boolean,
): Promise<void> {
  const mismatch = (message: string) => new HoldshortError('STORE_MISMATCH', message)
  if (version === null) {
    if (mark === null) return
    throw mismatch(
      `${address} is empty, but ${dataDir} is a copy of an installation in ${mark.address}; correct HOLDSHORT_STORE, or delete ${dataPaths(dataDir).store_mark} to fill the empty one from this folder`,
    )
  }
  const { head } = version
  if (head.simulated !== simulated)
    throw new HoldshortError(
      'WORLD_MISMATCH',
      `${address} holds ${head.simulated ? 'simulated' : 'live'} data; ${simulated ? 'simulated' : 'live'} data must go to another bucket or prefix (HOLDSHORT_STORE)`,
    )
  if (mark !== null && mark.installation !== head.installation)
    throw mismatch(`${dataDir} is a copy of another installation than ${address} holds; choose another data folder`)
  if (mark !== null) return
  for (const folder of await partFolders(dataDir)) {
    if ((await livePartsIn(folder)).length === 0) continue
    throw mismatch(
      `${dataDir} holds data of its own, and so does ${address}; choose an empty data folder, or an empty bucket or prefix`,
    )
  }
}

/** Works on entries, as many at a time as the bucket answers well; the first error ends it. */
export const forEachFew = <T>(entries: readonly T[], work: (entry: T) => Promise<void>): Promise<void> =>
  forEachOf(entries, CONCURRENT_FILES, work)
