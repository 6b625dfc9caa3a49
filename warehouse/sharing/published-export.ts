import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { HoldshortError } from '../../config/errors.ts'
import { createSharing } from '../../config/once.ts'
import { dataPaths } from '../../config/settings.ts'
import { DOCUMENTS, readExportManifest } from '../export/manifest.ts'
import { Sha256, sha256Of } from '../storage/file-identity.ts'
import { makeFolder, writeWhole } from '../storage/files.ts'
import {
  fetchContent,
  findLostFiles,
  type Published,
  publishFiles,
  readPublished,
  type Sharing,
} from './published-files.ts'

const NAME = 'open-data'
/** How often an api asks for another export, at most. */
const LOOK_MS = 5_000

/** Makes an exported folder the open data that every api serves; returns the bytes that went up. @throws HoldshortError WRITE_FENCED */
export async function publishExport(sharing: Sharing, folder: string, epoch: number): Promise<number> {
  const manifest = await readExportManifest(folder)
  if (!manifest?.may_be_passed_on) return 0
  const read = (path: string) => () => readFile(join(folder, path))
  const files = [
    ...manifest.files.map(({ path, sha256 }) => ({ path, read: read(path), sha256 })),
    ...Object.keys(DOCUMENTS).map((path) => ({ path, read: read(path) })),
  ]
  // The manifest has no time of its making: the same rows make the same one.
  const id = sha256Of(Buffer.from(JSON.stringify(manifest))).slice(0, 20)
  const before = await readPublished(sharing, NAME)
  if (before?.id === id && !(await findLostFiles(sharing)).some(({ name }) => name === NAME)) return 0
  return publishFiles(sharing, NAME, epoch, { id, files, is_compressed: false })
}

/** The open data that is published. */
export interface FetchedExport {
  /** Changes with each export, and is the same on every machine. */
  version: string
  exported_ms: number
  /** The digest of a file; null for a path that the export does not have. */
  digestOf: (path: string) => string | null
  /** Path of a file on this machine, after fetching it if necessary. @throws HoldshortError STORE_UNREACHABLE, STORE_DAMAGED */
  localPath: (path: string) => Promise<string>
}

/** Finds the newest open data; null if there is none. @throws HoldshortError STORE_UNREACHABLE before the first answer */
export type ExportFetcher = () => Promise<FetchedExport | null>

/** Fetches files of the open data into a data folder when they are requested. */
export function openExportFetcher(sharing: Sharing, dataDir: string): ExportFetcher {
  const folder = dataPaths(dataDir).open_data
  /** Requests for one file share one download. */
  const share = createSharing<string>()
  let known: FetchedExport | null = null
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> = Promise.resolve()

  const fetchFile = async (content: Published['files'][string]): Promise<string> => {
    const path = join(folder, content.sha256)
    if (await stat(path).catch(() => null)) return path
    const bytes = await fetchContent(sharing, content)
    await makeFolder(dataDir, 'open-data')
    await writeWhole(path, bytes)
    return path
  }
  const look = async () => {
    const found = await readPublished(sharing, NAME)
    if (found === null || found.published_ms === known?.exported_ms) return
    const { id, files, former, published_ms } = found
    const contentOf = (path: string) => (Object.hasOwn(files, path) ? (files[path] ?? null) : null)
    known = {
      version: id,
      exported_ms: published_ms,
      digestOf: (path) => contentOf(path)?.sha256 ?? null,
      localPath: async (path) => {
        const content = contentOf(path)
        if (content) return share(content.sha256, () => fetchFile(content))
        throw new HoldshortError('NOT_FOUND', `${path} is not published`)
      },
    }
    const used = new Set([...Object.values(files).map(({ sha256 }) => sha256), ...former])
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
    return known
  }
}
