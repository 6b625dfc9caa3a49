import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { z } from 'zod'
import { HoldshortError } from '../../config/errors.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { forEachOf } from '../../config/work-queue.ts'
import type { Pointer, Pointers } from '../coordination/pointers.ts'
import type { ObjectStore } from '../objects/s3.ts'
import { InnerPath, Sha256, sha256Of } from '../storage/file-identity.ts'

const compress = promisify(brotliCompress)
const expand = promisify(brotliDecompress)

/** Contents are named by their digest, each stored once, and never changed. */
const CONTENTS = 'objects/'
/** A content that nothing names is deleted after this time. */
const UNNAMED_MS = 7 * DAY_MS
/** The Brotli quality that costs about as much as gzip and gives less. */
const QUALITY = 5
/** Maximum number of concurrent requests to the bucket. */
const CONCURRENT = 6

/** Works on entries, as many at a time as a bucket answers well; the first error ends it. */
export const forEachFew = <T>(entries: readonly T[], work: (entry: T) => Promise<void>): Promise<void> =>
  forEachOf(entries, CONCURRENT, work)

const Content = z.strictObject({ sha256: Sha256, is_compressed: z.boolean() })
type Content = z.infer<typeof Content>

const Published = z.strictObject({
  /** The publisher's name for this version. */
  id: z.string(),
  files: z.record(InnerPath, Content),
  /** Digests of the contents of the version before, for readers that are fetching it. */
  former: z.array(Sha256),
})
export type Published = z.infer<typeof Published>

/** The storage that the machines of an installation share: contents in a bucket, and the published names in PostgreSQL. */
export interface Sharing {
  store: ObjectStore
  pointers: Pointers
}

const keyOf = ({ sha256, is_compressed }: Content) =>
  `${CONTENTS}${sha256.slice(0, 2)}/${sha256}${is_compressed ? '.br' : ''}`

/** The published version of a name; null without one. @throws HoldshortError STORE_DAMAGED */
export async function readPublished(
  { pointers, store }: Sharing,
  name: string,
): Promise<(Published & { published_ms: number }) | null> {
  const pointer = await pointers.read(name)
  return pointer && { ...parsePublished(store, pointer), published_ms: pointer.published_ms }
}

function parsePublished(store: ObjectStore, { name, manifest }: Pointer): Published {
  const parsed = Published.safeParse(manifest)
  if (parsed.success) return parsed.data
  throw new HoldshortError(
    'STORE_DAMAGED',
    `what is published of ${store.address} as ${name} is damaged or of a newer release`,
  )
}

/** A file of a published version. */
export interface PublishedFile {
  /** The published name. */
  name: string
  path: string
  /** Where its content lies below the prefix of the bucket. */
  key: string
}

/** The files that are published under all names: those whose content the bucket has, and those whose content it lacks. @throws HoldshortError STORE_DAMAGED */
async function sortPublished({ store, pointers }: Sharing) {
  const published = (await pointers.all()).flatMap((pointer) =>
    Object.entries(parsePublished(store, pointer).files).map(([path, content]) => ({
      name: pointer.name,
      path,
      key: keyOf(content),
      content,
    })),
  )
  // Listed after the names were read: a content that is no longer published stays for days.
  const stored = new Set((await store.list(CONTENTS)).map(({ key }) => key))
  return {
    there: published.filter(({ key }) => stored.has(key)),
    lost: published.filter(({ key }) => !stored.has(key)),
  }
}

/** The files that are published under all names and whose content the bucket lacks. @throws HoldshortError STORE_DAMAGED */
export const findLostFiles = async (sharing: Sharing): Promise<PublishedFile[]> => (await sortPublished(sharing)).lost

/**
 * Reads all published files. Returns how many there are, those whose content the bucket lacks and those whose content is not what was
 * written.
 * @throws HoldshortError STORE_DAMAGED, STORE_UNREACHABLE
 */
export async function findDamagedFiles(
  sharing: Sharing,
): Promise<{ files: number; lost: PublishedFile[]; altered: PublishedFile[] }> {
  const { there, lost } = await sortPublished(sharing)
  const altered: PublishedFile[] = []
  await forEachFew(there, async (file) => {
    const isWhole = await fetchContent(sharing, file.content).then(
      () => true,
      (error: HoldshortError) => {
        if (error.code === 'STORE_DAMAGED') return false
        throw error
      },
    )
    if (!isWhole) altered.push(file)
  })
  return { files: lost.length + there.length, lost, altered }
}

/** A file to publish. Its digest may be known before it is read. */
export interface FileToPublish {
  path: string
  read: () => Promise<Uint8Array>
  sha256?: string
}

/**
 * Uploads the contents that the bucket lacks, then makes these files what is published under a name; returns the bytes that went up.
 * @throws HoldshortError WRITE_FENCED when a later leader has begun
 */
export async function publishFiles(
  sharing: Sharing,
  name: string,
  epoch: number,
  { id, files, is_compressed }: { id: string; files: readonly FileToPublish[]; is_compressed: boolean },
): Promise<number> {
  const before = await readPublished(sharing, name)
  const stored = Object.values(before?.files ?? {}).map(({ sha256 }) => sha256)
  // A content that was lost since is uploaded again, although it has not changed.
  const known = new Set<string>()
  await forEachFew(Object.values(before?.files ?? {}), async (content) => {
    if ((await sharing.store.list(keyOf(content))).length > 0) known.add(content.sha256)
  })
  const published: Published['files'] = {}
  let uploaded = 0
  await forEachFew(files, async ({ path, read, sha256: digest }) => {
    const bytes = digest !== undefined && known.has(digest) ? null : await read()
    const sha256 = bytes ? sha256Of(bytes) : digest!
    const content = { sha256, is_compressed }
    if (bytes && !known.has(sha256)) {
      const sent = is_compressed ? await compressed(bytes) : bytes
      await sharing.store.put(keyOf(content), sent)
      uploaded += sent.byteLength
    }
    published[path] = content
  })
  await sharing.pointers.write(name, epoch, { id, files: published, former: [...new Set(stored)] } satisfies Published)
  return uploaded
}

const compressed = (bytes: Uint8Array) =>
  compress(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
    },
  })

/** Fetches a content and compares it with its digest. @throws HoldshortError STORE_UNREACHABLE, STORE_DAMAGED */
export async function fetchContent({ store }: Sharing, content: Content): Promise<Uint8Array> {
  const found = await store.get(keyOf(content), { within_ms: 30_000 })
  const bytes = found && content.is_compressed ? await expand(found).catch(() => null) : found
  if (bytes && sha256Of(bytes) === content.sha256) return bytes
  throw new HoldshortError(
    'STORE_DAMAGED',
    found
      ? `${store.address}/${keyOf(content)} is not what was written; delete it, and the next publication uploads it again`
      : `${store.address}/${keyOf(content)} is missing; the next publication uploads it again`,
  )
}

/** Deletes contents that nothing published names, and that are older than a week; returns how many. */
export async function sweepContents({ store, pointers }: Sharing, now: number): Promise<number> {
  const stored = await store.list(CONTENTS)
  // Read after the list: what was published meanwhile is named.
  const named = new Set<string>()
  for (const { manifest } of await pointers.all()) {
    const { files, former } = Published.parse(manifest)
    for (const digest of [...former, ...Object.values(files).map(({ sha256 }) => sha256)]) named.add(digest)
  }
  const digestIn = (key: string) => key.slice(key.lastIndexOf('/') + 1).replace(/\.br$/, '')
  const unused = stored.filter(({ key, modified_ms }) => modified_ms < now - UNNAMED_MS && !named.has(digestIn(key)))
  await forEachFew(unused, ({ key }) => store.delete(key))
  return unused.length
}
