import { createReadStream, createWriteStream, existsSync, statSync } from 'node:fs'
import { link, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import zlib from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { isoUtc } from '../../config/domain.ts'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { asDiskFull, syncPath } from '../../warehouse/storage/files.ts'
import type { Contents } from './contents.ts'
import { type Digest, digestingStream, isDamagedPart } from './copy-file.ts'
import {
  type AboutBackup,
  type BackupFile,
  bytesOf,
  generationOf,
  HEADER_FILE,
  headerText,
  invalid,
  type Manifest,
  manifestFile,
  readHeader,
  readManifest,
} from './manifest.ts'
import type { BackupResult, OnProgress } from './repository.ts'

/** An archive begins with the header, has each file below `files/`, and ends with the manifest. */
const FILES = 'files/'

type Compression = 'none' | 'gzip' | 'zstd'

/** What `backup` writes as an archive. */
export const ARCHIVE_ENDINGS = '.tar, .tar.gz or .tar.zst'

const ENDINGS: [RegExp, Compression][] = [
  [/\.tar$/i, 'none'],
  [/\.(tar\.gz|tgz)$/i, 'gzip'],
  [/\.tar\.zst$/i, 'zstd'],
]

/** How an archive of this name is compressed; null for a name that is not an archive's. */
export const archiveCompression = (path: string): Compression | null =>
  ENDINGS.find(([ending]) => ending.test(path))?.[1] ?? null

/** Archives that we do not write. A folder of such a name is never what somebody meant. */
const OTHER_ARCHIVE =
  /\.(zip|zipx|7z|rar|jar|iso|cpio|dmg|tar\.(bz2|xz|lz|lz4|lzma|br|z)|tbz2?|txz|tlz|tzst|taz|gz|bz2|xz|zst|lz4|br)$/i

/** @throws UsageError for the name of an archive of a kind that is not written */
export function requireWritableKind(target: string): void {
  const [ending] = OTHER_ARCHIVE.exec(target) ?? []
  if (ending === undefined || archiveCompression(target) !== null) return
  throw new UsageError(
    `target: archives ending in ${ending} are not written; name a folder, or a new file ending in ${ARCHIVE_ENDINGS}`,
  )
}

/** Zstandard is in Node.js since 22.15; its types here are those of an earlier one. */
const zstd = zlib as unknown as { createZstdCompress?: () => Duplex; createZstdDecompress?: () => Duplex }

const needsZstd = () => new UsageError('Zstandard needs Node.js 22.15 or newer; use .tar.gz or .tar')

function compressor(compression: Compression): Duplex[] {
  if (compression === 'none') return []
  // Most of the content is compressed already.
  if (compression === 'gzip') return [zlib.createGzip({ level: 1 })]
  if (!zstd.createZstdCompress) throw needsZstd()
  return [zstd.createZstdCompress()]
}

/** An archive of an earlier backup is worth more than the place it takes: how to go on without it. */
function archiveExists(path: string): UsageError {
  const { mtime, size } = statSync(path)
  const [ending = ''] = /\.(tar\.\w+|\w+)$/i.exec(path) ?? []
  const stem = path.slice(0, path.length - ending.length)
  const dated = `${stem}-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}${ending}`
  return new UsageError(
    `target: ${path} exists, of ${isoUtc(mtime.getTime())}, ${(size / 1e6).toFixed(1)} MB; an archive is never overwritten. ` +
      `Name a new file (${dated}), or a folder, which keeps several backups and copies only what changed`,
  )
}

/** Checks that an archive can be written there. @throws UsageError */
export function requireNewArchive(path: string, compression: Compression): void {
  if (existsSync(path)) throw archiveExists(path)
  if (!existsSync(dirname(path))) throw new UsageError(`target: the folder ${dirname(path)} does not exist`)
  if (compression === 'zstd' && !zstd.createZstdCompress) throw needsZstd()
}

/** Deletes the drafts that killed processes left of this archive. */
async function sweepDrafts(path: string): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    const pid = name.startsWith(`${basename(path)}.`) ? /\.(\d+)\.partial$/.exec(name)?.[1] : undefined
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(dirname(path), name), { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Writes a backup of some contents as one archive; it appears under its name when it is complete. */
export async function writeArchive(
  path: string,
  contents: Contents,
  about: AboutBackup,
  onProgress: OnProgress,
): Promise<BackupResult> {
  await sweepDrafts(path)
  const draft = `${path}.${process.pid}.partial`
  const files: BackupFile[] = []
  const damaged: string[] = []
  const total = bytesOf(contents.files)
  let done = 0
  const archive = pack()
  const addText = (name: string, text: string) => archive.entry({ name, mode: 0o600 }, text)
  const addAll = async () => {
    addText(HEADER_FILE, headerText(contents.installation))
    for (const { path: inner, source, bytes, mode, modified_ms } of contents.files) {
      // Opened first: a raw capture that retention has deleted since is not part of the backup.
      const opened = await open(source).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' && inner.startsWith('raw/')) return null
        throw error
      })
      if (opened !== null) {
        const { stream, digest } = digestingStream()
        const entry = archive.entry({ name: `${FILES}${inner}`, size: bytes, mode, mtime: new Date(modified_ms) })
        await pipeline(opened.createReadStream(), stream, entry)
        const of = digest()
        if (isDamagedPart(inner, of)) damaged.push(inner)
        else files.push({ path: inner, sha256: of.sha256, bytes: of.bytes, mode, modified_ms })
      }
      done += bytes
      onProgress(done, total)
    }
    const { name, text } = manifestFile(1, contents, about, files)
    addText(name, text)
    archive.finalize()
  }
  try {
    const target = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
    const written = pipeline([
      archive as unknown as NodeJS.ReadableStream,
      ...compressor(archiveCompression(path) ?? 'none'),
      target,
    ])
    const adding = addAll()
    adding.catch((error: Error) => archive.destroy(error))
    await Promise.all([Promise.race([adding, written.then(() => adding)]), written])
    await giveName(draft, path)
    await syncPath(dirname(path))
  } catch (error) {
    throw asDiskFull(error, path)
  } finally {
    await rm(draft, { force: true })
  }
  const bytes = bytesOf(files)
  return { generation: 1, files: files.length, bytes, copied_files: files.length, copied_bytes: bytes, damaged }
}

/** Gives a finished draft its name, unless something has that name now. */
async function giveName(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' || existsSync(path))
      throw new UsageError(`target: ${path} was created by somebody else meanwhile; name a new file`)
    await rename(draft, path)
  }
}

async function decompressor(path: string): Promise<Duplex[]> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    const magic = buffer.subarray(0, bytesRead).toString('hex')
    if (magic.startsWith('1f8b')) return [zlib.createGunzip()]
    if (magic !== '28b52ffd') return []
    if (!zstd.createZstdDecompress) throw needsZstd()
    return [zstd.createZstdDecompress()]
  } finally {
    await file.close()
  }
}

/** Reads an archive from its beginning to its end. @throws HoldshortError BACKUP_INVALID when it is cut or no archive. */
async function readEntries(
  path: string,
  read: (name: string, content: NodeJS.ReadableStream) => Promise<void>,
): Promise<void> {
  const entries = extract()
  const reading = pipeline([createReadStream(path), ...(await decompressor(path)), entries])
  reading.catch((error: Error) => entries.destroy(error))
  try {
    for await (const entry of entries) await read(entry.header.name, entry as unknown as NodeJS.ReadableStream)
    await reading
  } catch (error) {
    if (error instanceof HoldshortError) throw error
    throw invalid(
      `${path} cannot be read to its end; it is damaged or no archive of a backup (${(error as Error).message})`,
      error,
    )
  }
}

async function textOf(content: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/** Reads a whole archive: its manifest, and why its contents are not what was written. @throws HoldshortError BACKUP_INVALID */
export async function verifyArchive(
  path: string,
  onProgress: OnProgress,
): Promise<{ manifest: Manifest; faults: string[] }> {
  const found = new Map<string, Digest>()
  const seen: { header: boolean; manifest: Manifest | null } = { header: false, manifest: null }
  let files = 0
  await readEntries(path, async (name, content) => {
    if (!seen.header) {
      if (name !== HEADER_FILE) throw invalid(`${path} is no archive of a backup of this program`)
      readHeader(await textOf(content))
      seen.header = true
    } else if (name.startsWith(FILES)) {
      const { stream, digest } = digestingStream()
      stream.resume()
      await pipeline(content, stream)
      found.set(name.slice(FILES.length), digest())
      files += 1
      onProgress(files, files + 1)
    } else if (generationOf(name) !== null) seen.manifest = readManifest(name, await textOf(content))
    else await textOf(content)
  })
  const { manifest } = seen
  if (manifest === null) throw invalid(`${path} has no manifest; it is cut off or no archive of a backup`)
  const faults = manifest.files.flatMap(({ path: inner, sha256 }) => {
    const digest = found.get(inner)
    if (digest === undefined) return [`${inner}: it is missing`]
    return digest.sha256 === sha256 ? [] : [`${inner}: it is damaged`]
  })
  return { manifest, faults }
}

/** Gives the content of each file of a manifest that an archive has. */
export async function extractArchive(
  path: string,
  { files }: Manifest,
  write: (file: BackupFile, content: NodeJS.ReadableStream) => Promise<void>,
): Promise<void> {
  const wanted = new Map(files.map((file) => [`${FILES}${file.path}`, file]))
  await readEntries(path, async (name, content) => {
    const file = wanted.get(name)
    if (file) await write(file, content)
    else await textOf(content)
  })
}
