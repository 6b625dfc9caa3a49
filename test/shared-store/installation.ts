import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectFile } from '../../config/paths.ts'
import { readSettings, type Settings } from '../../config/settings.ts'
import { catalogUrl, createCatalogDatabase } from '../../warehouse/coordination/catalog-database.ts'
import { ducklakePlace } from '../../warehouse/storage/ducklake-place.ts'
import { postgresqlPrograms, startCluster } from '../api/state/cluster.ts'
import { s3Program, startS3, storeEnvironment } from './s3-server.ts'

/** The folder of DuckDB for Python and of DuckDB's extensions: `.ci/run` installs them, from `requirements.txt`. */
export const DUCKDB_FOLDER = process.env['HOLDSHORT_DUCKDB_EXTENSIONS'] ?? projectFile('.cache', 'duckdb')

const missing = [
  ...(postgresqlPrograms() === null ? ['PostgreSQL'] : []),
  ...(s3Program() === null ? ['versitygw'] : []),
  ...(existsSync(DUCKDB_FOLDER) ? [] : ["DuckDB's extensions (.cache/duckdb)"]),
]
/** Why tests with the parts of several machines are skipped; null where every part is there. */
export const PARTS_MISSING = missing.length === 0 ? null : `not installed: ${missing.join(', ')}`

/** Gives a folder a small disk of its own; false where this user may not mount one. */
function mountDisk(folder: string, megabytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Starts the stores of an installation on several machines: PostgreSQL and S3, both real, each on a small disk of its own with `disks`. */
export async function startSharedStores({ durable = false, disks = false } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'holdshort-shared-'))
  const mounted: Partial<Record<'postgresql' | 's3', string>> = {}
  const giveDisk = (store: keyof typeof mounted, folder: string, megabytes: number) => {
    if (disks && mountDisk(folder, megabytes)) mounted[store] = folder
  }
  const s3Folder = join(root, 's3')
  mkdirSync(s3Folder)
  const postgresql = await startCluster({ durable, onFolder: (folder) => giveDisk('postgresql', folder, 160) })
  giveDisk('s3', s3Folder, 64)
  const s3 = await startS3(s3Folder)
  await postgresql.run('postgres', 'CREATE DATABASE accounts')
  /** Settings of one machine with a data folder of its own. */
  const environment = (dataDir: string, prefix = 'test') => ({
    ...storeEnvironment(s3.url, prefix),
    DATABASE_URL: postgresql.url('accounts'),
    HOLDSHORT_CATALOG_URL: postgresql.url(`warehouse_${prefix}`),
    HOLDSHORT_DUCKDB_EXTENSIONS: DUCKDB_FOLDER,
    HOLDSHORT_DATA_DIR: dataDir,
  })
  return {
    postgresql,
    s3,
    s3Folder,
    /** The folders of the stores that have a disk of their own; a store is missing where this user may not mount one. */
    disks: mounted,
    environment,
    settings: (dataDir: string, prefix?: string) => readSettings(environment(dataDir, prefix)),
    folder: () => mkdtempSync(join(root, 'machine-')),
    remove: async () => {
      await s3.kill()
      await postgresql.kill()
      for (const folder of Object.values(mounted)) execFileSync('umount', ['-l', folder])
      await postgresql.remove()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
export type SharedStores = Awaited<ReturnType<typeof startSharedStores>>

/** Creates the catalog of an installation and returns its place. */
export async function createPlace(settings: Settings) {
  await createCatalogDatabase(catalogUrl(settings))
  return ducklakePlace(settings, catalogUrl(settings), 'test')
}
