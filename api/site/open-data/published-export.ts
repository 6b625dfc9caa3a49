import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { dataPaths, type Settings } from '../../../config/settings.ts'
import { selectTables } from '../../../warehouse/export/exported-tables.ts'
import { DOCUMENTS, MANIFEST_FILE, type Manifest, readExportManifest } from '../../../warehouse/export/manifest.ts'

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
  path: string
  type: string
  isDocument: boolean
}

/** The open data of an installation: what the setting allows of the newest export. */
export interface OpenData {
  /** Whether the operator publishes any. */
  isOn: boolean
  /** Null where nothing is published, or nothing was exported yet. */
  current: () => Promise<PublishedExport | null>
  /** The file at a path below /data; null for a path that is not published. */
  find: (path: string) => Promise<ServedFile | null>
}

const CHECK_MS = 1_000

/** Reads the export of an installation anew whenever it changes. */
export function openOpenData({ data_dir, open_data }: Pick<Settings, 'data_dir' | 'open_data'>): OpenData {
  const folder = dataPaths(data_dir).open_data
  const tables = new Set(selectTables(open_data).map(({ table }) => table.name))
  const isOn = tables.size > 0
  const known: { at: number; version: string; found: PublishedExport | null; paths: Map<string, ServedFile> } = {
    at: 0,
    version: '',
    found: null,
    paths: new Map(),
  }
  const load = async () => {
    const found = await stat(join(folder, MANIFEST_FILE)).catch(() => null)
    const version = found ? `${found.ino.toString(36)}.${Math.floor(found.mtimeMs).toString(36)}` : ''
    if (version === known.version) return
    const manifest = found ? await readExportManifest(folder) : null
    const published = manifest?.may_be_passed_on ? onlyTables(manifest, tables) : null
    known.found = published && { manifest: published, version, exported_ms: found!.mtimeMs }
    known.paths = published ? servedFiles(folder, published) : new Map()
    known.version = version
  }
  let loading = Promise.resolve()
  /** Requests that arrive while the manifest is read wait for it. */
  const refresh = () => {
    const now = performance.now()
    if (isOn && (known.at === 0 || now - known.at >= CHECK_MS)) {
      known.at = now
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

/** What of an export may be served: the setting may have become narrower since it was made. */
function onlyTables(manifest: Manifest, names: ReadonlySet<string>): Manifest {
  const files = manifest.files.filter(({ table }) => names.has(table))
  if (files.length === manifest.files.length) return manifest
  return { ...manifest, files, tables: manifest.tables.filter(({ name }) => names.has(name)) }
}

/** The served files by their path below /data: the address without its beginning, and as the manifest names it from there. */
function servedFiles(folder: string, { files }: Manifest): Map<string, ServedFile> {
  const served = new Map<string, ServedFile>()
  for (const [name, type] of Object.entries(DOCUMENTS))
    served.set(name, { path: join(folder, name), type, isDocument: true })
  for (const { path, media_type } of files) {
    const type = media_type === 'text/csv' ? 'text/csv; charset=utf-8' : media_type
    const file = { path: join(folder, path), type, isDocument: false }
    served.set(path, file)
    served.set(path.replace(/^data\//, ''), file)
  }
  return served
}
