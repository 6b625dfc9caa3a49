import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, renameSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { HoldshortError } from '../../config/errors.ts'
import type { Table } from '../tables/define.ts'
import { makeFolder, moveFile, syncPath } from './files.ts'
import {
  type DaysOfFile,
  hideReplaced,
  type PartFile,
  partFileName,
  partFiles,
  partitionFolder,
  readFolder,
  type TableFolder,
} from './layout.ts'

/**
 * A claim on the next number of a folder. A writer claims before it reads the folder and commits files under that number, one
 * for each of its days or one for the month. A later claim of another writer withdraws the earlier ones before it reads, so that a writer that was
 * frozen in between cannot commit what it made of an older state: its commit fails and nothing is lost or replaced.
 * This needs no clock: a claim is a folder, and a commit renames the file out of it.
 */
export interface Claim {
  /** The folder after all earlier claims were withdrawn, without what this claim committed. */
  folder: TableFolder
  /**
   * Gives a finished file its name in the folder; all of it is seen or nothing.
   * @throws HoldshortError WRITE_FENCED when another writer has claimed the folder since.
   */
  commit: (kind: PartFile['kind'], staged: string, days: DaysOfFile) => Promise<void>
  /** Ends the claim; nothing can be committed any more. */
  end: () => Promise<void>
}

/** The folder of a claim, that of a withdrawn one, and the one file that either may hold. */
export const CLAIM_FOLDER = /^w-(\d{8})$/
const WITHDRAWN = 'withdrawn-'
export const WITHDRAWN_FOLDER = new RegExp(`^${WITHDRAWN}[0-9a-f]{12}$`)
export const CLAIMED_FILE = 'file'

const claimName = (number: number) => `w-${String(number).padStart(8, '0')}`

/** Numbers of the claims among the names of a folder. */
const claimNumbers = (names: string[]) => names.flatMap((name) => CLAIM_FOLDER.exec(name)?.[1] ?? []).map(Number)

/** Claims the next number of the folder of a partition, and withdraws the claims of other writers. */
export async function claimFolder(warehouseDir: string, table: Table, values: Record<string, string>): Promise<Claim> {
  const folder = partitionFolder(warehouseDir, table, values)
  await makeFolder(warehouseDir, ...relative(warehouseDir, folder).split(sep))
  for (;;) {
    const number = await claimNumber(folder)
    const own = join(folder, claimName(number))
    for (const name of await readdir(folder)) {
      const isOther = CLAIM_FOLDER.test(name) && name !== claimName(number)
      if (isOther || WITHDRAWN_FOLDER.test(name)) await withdraw(folder, name)
    }
    const claimed = await readFolder(warehouseDir, table, values)
    // Another writer may have committed this number while it was being chosen.
    if (claimed.parts.every((part) => part.number < number)) return claim(table, claimed, own, number)
    await rm(own, { recursive: true, force: true })
  }
}

function claim(table: Table, claimed: TableFolder, own: string, number: number): Claim {
  const { folder } = claimed
  const committed: string[] = []
  return {
    folder: claimed,
    commit: async (kind, staged, days) => {
      await syncPath(staged)
      const digest = await fileDigest(staged)
      const waiting = join(own, CLAIMED_FILE)
      try {
        await moveFile(staged, waiting)
        const name = partFileName(kind, number, digest, days)
        renameSync(waiting, join(folder, name))
        committed.push(name)
        if (kind === 'c') hideReplaced({ folder, parts: [...claimed.parts, ...partFiles(committed)] })
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
        throw new HoldshortError(
          'WRITE_FENCED',
          `${table.name}: another process took over writing while this one was stopped; run it again`,
          { cause },
        )
      }
      await syncPath(folder)
    },
    end: () => rm(own, { recursive: true, force: true }),
  }
}

/** Creates a claim on the number after all parts and claims of a folder. */
async function claimNumber(folder: string): Promise<number> {
  for (;;) {
    const names = await readdir(folder)
    const number = Math.max(0, ...partFiles(names).map((part) => part.number), ...claimNumbers(names)) + 1
    try {
      await mkdir(join(folder, claimName(number)))
      return number
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Withdraws a claim by a rename, which succeeds or fails as a whole, and removes what was in it. */
async function withdraw(folder: string, name: string): Promise<void> {
  const withdrawn = WITHDRAWN_FOLDER.test(name) ? name : `${WITHDRAWN}${randomBytes(6).toString('hex')}`
  if (withdrawn !== name)
    await rename(join(folder, name), join(folder, withdrawn)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  await rm(join(folder, withdrawn), { recursive: true, force: true })
}

/** The digest that a part file carries in its name: the first 16 hexadecimal digits of its SHA-256. */
export async function fileDigest(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex').slice(0, 16)
}
