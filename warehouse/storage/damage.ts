import { lstat, open, readdir, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataPaths } from '../../config/settings.ts'
import type { Table } from '../tables/define.ts'
import { fileDigest } from './claim.ts'
import { makeFolder, moveFile } from './files.ts'
import { readDropped, WHOLE_FOLDER } from './incomplete-days.ts'
import { isReplacedBy, livePathsIn, partFiles, type TableFolder } from './layout.ts'
import { isExhausted, readOrdinaryText, requireOrdinaryFile } from './ordinary-file.ts'

/** A part file that is not what was written, or cannot be read. */
export interface DamagedFile {
  table: Table
  /** Absolute. */
  path: string
  reason: string
}

/** The reason of a file that was there when its folder was last read, and that nothing has replaced since. */
const MISSING = 'it is missing'
/** Retention deletes the files of a folder one after the other: only what is missing after this time was lost. */
const CONFIRM_MS = 200

/** What a file was like when it was last verified: its length, time of change and inode. */
type Fingerprint = string

const CONCURRENT_FILES = 4

/** Verifies part files, and remembers in `warehouse/verified.json` those that have not changed since. */
export interface FileVerifier {
  /**
   * The damaged files among the live ones of a table. With `thorough` every file is read again, which also finds a disk that
   * returns other bytes than were written.
   */
  damagedFiles: (table: Table, folders: TableFolder[], options?: { thorough?: boolean }) => Promise<DamagedFile[]>
  /** Forgets the files of a folder, relative to the data folder, because they were deleted on purpose. */
  forget: (folder: string) => void
  /** Stores what was verified, so that the next process need not read those files. */
  save: () => Promise<void>
}

const isThere = async (path: string) => (await lstat(path).catch(() => null)) !== null

export async function openVerifier(warehouseDir: string): Promise<FileVerifier> {
  const listPath = join(warehouseDir, 'verified.json')
  const verified = new Map<string, Fingerprint>(await readVerified(listPath))
  let changed = false

  /** Why a file is damaged; null when it is sound. */
  const damageOf = async (path: string, thorough: boolean): Promise<string | null> => {
    const name = relative(warehouseDir, path)
    try {
      const { size, mtimeMs, ino } = await requireOrdinaryFile(path)
      const fingerprint = `${size}/${mtimeMs}/${ino}`
      if (!thorough && verified.get(name) === fingerprint) return null
      const reason = await findDamage(path, size)
      if (reason === null) verified.set(name, fingerprint)
      // It leaves its folder for the quarantine, and is then not missing.
      else verified.delete(name)
      changed = true
      return reason
    } catch (error) {
      if (isExhausted(error)) throw error
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return (error as Error).message
      // A file that vanished was replaced or deleted by its owner; a link that leads nowhere is still there.
      return (await isThere(path)) ? 'its link leads nowhere' : null
    }
  }

  /** The names of the files that were verified in a folder and are not in it now, unless a later file replaced them. */
  const lostNames = async (folder: string): Promise<string[]> => {
    const names = await readdir(folder).catch(() => null)
    const prefix = `${relative(warehouseDir, folder)}${sep}`
    const known = [...verified.keys()]
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(prefix.length))
    const present = new Set(names)
    const parts = partFiles(names ?? [])
    const gone = known.filter((name) => !present.has(name))
    const lost =
      names === null ? [] : gone.filter((name) => partFiles([name]).some((part) => !isReplacedBy(part, parts)))
    for (const name of gone) if (!lost.includes(name)) verified.delete(prefix + name)
    return lost
  }

  /** Files of days that retention deleted are not missing, also where it was killed before they were forgotten. */
  const forgetDropped = async () => {
    const dropped = new Map<string, Set<number>>()
    for (const { folder, day } of (await readDropped(warehouseDir)).days)
      dropped.set(folder, (dropped.get(folder) ?? new Set()).add(day))
    for (const path of verified.keys()) {
      const days = dropped.get(dirname(path))
      const [part] = days ? partFiles([basename(path)]) : []
      const isDropped = days?.has(WHOLE_FOLDER) || part?.days?.every((day) => days?.has(day))
      if (isDropped && !(await isThere(join(warehouseDir, path)))) verified.delete(path)
    }
  }

  const missingFiles = async (table: Table, listed: TableFolder[]): Promise<DamagedFile[]> => {
    const present = new Set(listed.flatMap(({ folder, parts }) => parts.map(({ name }) => join(folder, name))))
    const folders = new Set(listed.map(({ folder }) => folder))
    const suspected = new Set<string>()
    for (const path of verified.keys()) {
      const absolute = join(warehouseDir, path)
      if (folders.has(dirname(absolute)) && !present.has(absolute)) suspected.add(dirname(absolute))
    }
    const missing: DamagedFile[] = []
    if (suspected.size > 0) await forgetDropped()
    for (const folder of suspected) {
      if ((await lostNames(folder)).length === 0) continue
      await sleep(CONFIRM_MS)
      for (const name of await lostNames(folder)) {
        const path = join(folder, name)
        verified.delete(relative(warehouseDir, path))
        changed = true
        missing.push({ table, path, reason: MISSING })
      }
    }
    return missing
  }

  return {
    forget(folder) {
      const prefix = `${relative(warehouseDir, join(dirname(warehouseDir), folder))}${sep}`
      for (const path of verified.keys()) if (path.startsWith(prefix)) verified.delete(path)
      changed = true
    },
    async damagedFiles(table, folders, { thorough = false } = {}) {
      const files = folders.flatMap(livePathsIn).map((path) => ({ table, path }))
      const damaged = await missingFiles(table, folders)
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
    return Object.entries(JSON.parse(await readOrdinaryText(path)) as Record<string, Fingerprint>)
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
  for (const { path, reason } of damaged) {
    const target = join(paths.quarantine, relative(paths.warehouse, path))
    await makeFolder(dataDir, ...relative(dataDir, dirname(target)).split(sep))
    // An empty file stands for a missing one, so that its day is rebuilt and the doctor names it.
    const isolated = reason === MISSING ? writeFile(target, '', { flag: 'wx' }) : moveFile(path, target)
    await isolated.catch((error: NodeJS.ErrnoException) => {
      if (!['ENOENT', 'EEXIST'].includes(error.code ?? '')) throw error
    })
  }
}
