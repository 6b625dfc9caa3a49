import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { selectTables } from '../../warehouse/export/exported-tables.ts'
import {
  DOCUMENTS,
  MANIFEST_FILE,
  type Manifest,
  mediaTypeOf,
  parseExportManifest,
  readExportManifest,
  servedPath,
} from '../../warehouse/export/manifest.ts'
import type { ExportFetcher } from '../../warehouse/sharing/published-export.ts'

/** An export as it is served. */
export interface PublishedExport {
  manifest: Manifest
  /** Changes with each export. */
  version: string
  /** When its files were last changed, epoch ms. */
  exported_ms: number
}

/** A file that may be served. */
export interface ServedFile {
  /** Path on this machine, after fetching it from the bucket if necessary. */
  localPath: () => Promise<string>
  /** Set for a file whose content is known beforehand: the same on every machine. */
  content: { sha256: string; modified_ms: number } | null
  type: string
  isDocument: boolean
}

/** The open data of an installation: what the setting allows of the newest export. */
export interface OpenData {
  /** Whether the operator publishes any. */
  isOn: boolean
  /** Null if nothing is published, or nothing was exported yet. */
  current: () => Promise<PublishedExport | null>
  /** The file at a path below /data; null for a path that is not published. */
  find: (path: string) => Promise<ServedFile | null>
}

const CHECK_MS = 1_000

/** An export at one moment. */
interface FoundExport {
  version: string
  exported_ms: number
  /** Null if the manifest is of another release. */
  readManifest: () => Promise<Manifest | null>
  fileAt: (path: string) => Pick<ServedFile, 'localPath' | 'content'> | null
}

async function exportInFolder(folder: string): Promise<FoundExport | null> {
  const found = await stat(join(folder, MANIFEST_FILE)).catch(() => null)
  if (!found) return null
  return {
    version: `${found.ino.toString(36)}.${Math.floor(found.mtimeMs).toString(36)}`,
    exported_ms: found.mtimeMs,
    readManifest: () => readExportManifest(folder),
    fileAt: (path) => ({ localPath: async () => join(folder, path), content: null }),
  }
}

/** The address of the bucket is nobody's business outside. */
async function withoutAddress<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof HoldshortError)) throw cause
    throw new HoldshortError(cause.code, 'the open data cannot be read from the store now; try again shortly', {
      cause,
    })
  }
}

async function exportInBucket(fetchExport: ExportFetcher): Promise<FoundExport | null> {
  const found = await withoutAddress(fetchExport)
  if (!found) return null
  const { version, exported_ms, digestOf, localPath } = found
  return {
    version,
    exported_ms,
    readManifest: async () =>
      parseExportManifest(await readFile(await withoutAddress(() => localPath(MANIFEST_FILE)), 'utf8')),
    fileAt: (path) => {
      const sha256 = digestOf(path)
      return sha256 === null
        ? null
        : { localPath: () => withoutAddress(() => localPath(path)), content: { sha256, modified_ms: exported_ms } }
    },
  }
}

/** Reads the export of an installation anew whenever it changes: from the bucket, or from the data folder. */
export function openOpenData(
  { data_dir, open_data }: Pick<Settings, 'data_dir' | 'open_data'>,
  fetchExport?: ExportFetcher,
): OpenData {
  const folder = dataPaths(data_dir).open_data
  const tables = new Set(selectTables(open_data).map(({ table }) => table.name))
  const isOn = tables.size > 0
  const known: { checked_ms: number; version: string; found: PublishedExport | null; paths: Map<string, ServedFile> } =
    {
      checked_ms: 0,
      version: '',
      found: null,
      paths: new Map(),
    }
  const load = async () => {
    const found = await (fetchExport ? exportInBucket(fetchExport) : exportInFolder(folder))
    const version = found?.version ?? ''
    if (version === known.version) return
    const manifest = (await found?.readManifest()) ?? null
    const published = manifest?.may_be_passed_on ? onlyTables(manifest, tables) : null
    known.found = published && found && { manifest: published, version, exported_ms: found.exported_ms }
    known.paths = published && found ? servedFiles(found, published) : new Map()
    known.version = version
  }
  let loading = Promise.resolve()
  /** Requests that arrive while the manifest is read wait for it. */
  const refresh = () => {
    const now = performance.now()
    if (isOn && (known.checked_ms === 0 || now - known.checked_ms >= CHECK_MS)) {
      known.checked_ms = now
      loading = load()
    }
    return loading
  }
  return {
    isOn,
    current: async () => {
      await refresh()
      return known.found
    },
    find: async (path) => {
      await refresh()
      return known.paths.get(path) ?? null
    },
  }
}

/** The tables of an export that may be served: the setting may have become narrower since it was made. */
function onlyTables(manifest: Manifest, names: ReadonlySet<string>): Manifest {
  const files = manifest.files.filter(({ table }) => names.has(table))
  if (files.length === manifest.files.length) return manifest
  return { ...manifest, files, tables: manifest.tables.filter(({ name }) => names.has(name)) }
}

/** The served files by their path below /data: the address without its beginning, and as the manifest names it from there. */
function servedFiles({ fileAt }: FoundExport, { files }: Manifest): Map<string, ServedFile> {
  const served = new Map<string, ServedFile>()
  const add = (path: string, names: readonly string[], type: string, isDocument: boolean) => {
    const found = fileAt(path)
    if (found) for (const name of names) served.set(name, { type, isDocument, ...found })
  }
  for (const [name, type] of Object.entries(DOCUMENTS)) add(name, [name], type, true)
  for (const file of files) {
    const type = mediaTypeOf(file)
    add(file.path, [file.path, servedPath(file)], type === 'text/csv' ? `${type}; charset=utf-8` : type, false)
  }
  return served
}
