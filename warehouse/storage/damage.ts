import { open, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { dataPaths } from '../../config/settings.ts'
import type { Table } from '../tables/define.ts'
import { allTables } from '../tables/index.ts'
import { fileDigest } from './claim.ts'
import { makeFolder } from './files.ts'
import { listPartitions, type Partition, partFiles } from './layout.ts'

/** A part file that is not what was written, or cannot be read. */
export interface DamagedFile {
  table: Table
  values: Partition['values']
  /** Absolute. */
  path: string
  reason: string
}

/** What a file was like when it was last verified: its length, time of change and inode. */
type Fingerprint = string

const CONCURRENT_FILES = 4

/** Verifies part files, and remembers in `warehouse/verified.json` those that have not changed since. */
export interface FileVerifier {
  /**
   * The damaged files among those of a table. With `thorough` every file is read again, which also finds a disk that
   * returns other bytes than were written.
   */
  damagedFiles: (table: Table, partitions: Partition[], options?: { thorough?: boolean }) => Promise<DamagedFile[]>
  /** Stores what was verified, so that the next process need not read those files. */
  save: () => Promise<void>
}

export async function openVerifier(warehouseDir: string): Promise<FileVerifier> {
  const listPath = join(warehouseDir, 'verified.json')
  const verified = new Map<string, Fingerprint>(await readVerified(listPath))
  let changed = false

  /** Why a file is damaged; null when it is sound. */
  const damageOf = async (path: string, thorough: boolean): Promise<string | null> => {
    const name = relative(warehouseDir, path)
    try {
      const { size, mtimeMs, ino } = await stat(path)
      const fingerprint = `${size}/${mtimeMs}/${ino}`
      if (!thorough && verified.get(name) === fingerprint) return null
      const reason = await findDamage(path, size)
      if (reason === null) verified.set(name, fingerprint)
      changed = true
      return reason
    } catch (error) {
      // A file that vanished was replaced or deleted by its owner.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      return (error as Error).message
    }
  }

  return {
    async damagedFiles(table, partitions, { thorough = false } = {}) {
      const files = partitions.flatMap(({ folder, values, parts }) =>
        parts.map(({ name }) => ({ table, values, path: join(folder, name) })),
      )
      const damaged: DamagedFile[] = []
      for (let from = 0; from < files.length; from += CONCURRENT_FILES) {
        const found = files.slice(from, from + CONCURRENT_FILES).map(async (file) => {
          const reason = await damageOf(file.path, thorough)
          if (reason !== null) damaged.push({ ...file, reason })
        })
        await Promise.all(found)
      }
      return damaged
    },
    async save() {
      if (!changed) return
      changed = false
      // The list only saves time: it need not survive a crash, and a folder that cannot be written to works without it.
      const temporary = `${listPath}.${process.pid}.tmp`
      const stored = writeFile(temporary, JSON.stringify(Object.fromEntries(verified))).then(() =>
        rename(temporary, listPath),
      )
      await stored.catch(() => undefined)
    },
  }
}

async function readVerified(path: string): Promise<[string, Fingerprint][]> {
  try {
    return Object.entries(JSON.parse(await readFile(path, 'utf8')) as Record<string, Fingerprint>)
  } catch {
    return []
  }
}

/** A Parquet file begins and ends with these bytes. */
const MAGIC = 'PAR1'

async function findDamage(path: string, size: number): Promise<string | null> {
  const [part] = partFiles([basename(path)])
  if (part?.digest) {
    const digest = await fileDigest(path)
    return digest === part.digest ? null : `its content has the digest ${digest} instead of ${part.digest}`
  }
  const file = await open(path, 'r')
  try {
    const ends = await Promise.all(
      [0, Math.max(0, size - MAGIC.length)].map(async (position) => {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, position)
        return buffer.subarray(0, bytesRead).toString('latin1')
      }),
    )
    return ends.every((text) => text === MAGIC) ? null : 'it is cut off or no Parquet file'
  } finally {
    await file.close()
  }
}

/** Moves damaged files out of the warehouse, to the same place below `quarantine/`; nothing is deleted. */
export async function quarantineFiles(dataDir: string, damaged: readonly DamagedFile[]): Promise<void> {
  const paths = dataPaths(dataDir)
  for (const { path } of damaged) {
    const target = join(paths.quarantine, relative(paths.warehouse, path))
    await makeFolder(dataDir, ...relative(dataDir, dirname(target)).split(sep))
    await rename(path, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
}

/** Paths of the files in quarantine, relative to it. */
export async function quarantinedFiles(dataDir: string): Promise<string[]> {
  const { quarantine } = dataPaths(dataDir)
  const partitions = await Promise.all(allTables.map((table) => listPartitions(quarantine, table)))
  return partitions
    .flat()
    .flatMap(({ folder, parts }) => parts.map(({ name }) => relative(quarantine, join(folder, name))))
}
