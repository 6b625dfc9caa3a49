import type { Stats } from 'node:fs'
import { chmod, link, lstat, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { syncPath } from '../../warehouse/storage/files.ts'
import { requireOrdinaryFile } from '../../warehouse/storage/ordinary-file.ts'
import type { BackupFolder } from './folder.ts'
import { type BackupFile, copyOrdinaryFile, digestOf } from './manifest.ts'

/** Errors of what lies in the place of a file and is none. */
const NO_FILE = new Set(['EISDIR', 'EFTYPE', 'ELOOP'])

/** Gives a file of the earlier backup a second name in the draft; false if that cannot be done, and it has to be copied. */
async function isLinked(earlier: string, target: string, bytes: number): Promise<boolean> {
  const found = await lstat(earlier).catch(() => null)
  if (!found?.isFile() || found.size !== bytes) return false
  return link(earlier, target).then(
    () => true,
    () => false,
  )
}

/** The files of a data folder in the draft of a backup, under the same paths. A file that has not changed is linked to the earlier backup. */
export class DraftFiles {
  readonly entered: BackupFile[] = []
  /** Paths, relative to the data folder, where something else lies in the place of a file. */
  readonly unreadable: string[] = []
  /** Files and bytes that were not linked. */
  readonly copied = { copied_files: 0, copied_bytes: 0 }
  readonly #dataDir: string
  readonly #draft: string
  readonly #earlier: BackupFolder['earlier']
  readonly #known: ReadonlyMap<string, BackupFile>
  readonly #folders: Set<string>

  constructor(dataDir: string, { draft, earlier }: BackupFolder) {
    this.#dataDir = dataDir
    this.#draft = draft
    this.#earlier = earlier
    this.#known = new Map(earlier?.manifest.files.map((file) => [file.path, file]))
    this.#folders = new Set([draft])
  }

  /** The path of a file of the data folder in a backup. */
  pathOf(source: string): string {
    return relative(this.#dataDir, source).replaceAll('\\', '/')
  }

  /** The place of a file of the data folder in the draft, whose folder is made. */
  async placeOf(source: string): Promise<string> {
    const target = join(this.#draft, this.pathOf(source))
    if (!this.#folders.has(dirname(target))) {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      for (let folder = dirname(target); folder.length > this.#draft.length; folder = dirname(folder))
        this.#folders.add(folder)
    }
    return target
  }

  /** Enters a file that was made in the draft; `like` says what mode and time it gets when it is restored. */
  async enter(path: string, like?: Stats): Promise<void> {
    const target = join(this.#draft, path)
    const made = await stat(target)
    const { mode, mtimeMs: modified_ms } = like ?? made
    const bytes = made.size
    await chmod(target, 0o600)
    await syncPath(target)
    this.copied.copied_files += 1
    this.copied.copied_bytes += bytes
    this.entered.push({ path, sha256: await digestOf(target), bytes, mode: mode & 0o777, modified_ms })
  }

  /** Copies a file of the data folder, unless its owner deletes it meanwhile. */
  async copy(source: string): Promise<void> {
    await this.#copyPresent(source).catch((error) => {
      if (!this.#isVanished(error)) throw error
    })
  }

  /** Copies the files of a folder; false, and none of them is entered, when it was deleted meanwhile. */
  async copyFolder(folder: string): Promise<boolean> {
    const before = this.entered.length
    try {
      for (const name of await readdir(folder)) await this.#copyPresent(join(folder, name))
      return true
    } catch (error) {
      if (!this.#isVanished(error)) throw error
      this.entered.length = before
      return false
    }
  }

  /** Syncs the folders of the draft to the disk. */
  async syncFolders(): Promise<void> {
    for (const folder of this.#folders) await syncPath(folder).catch(() => undefined)
  }

  /** Whether a file of the data folder is missing, which its owner may delete at any time. */
  #isVanished(error: unknown): boolean {
    const { code, path } = error as NodeJS.ErrnoException
    return code === 'ENOENT' && path?.startsWith(this.#draft) !== true
  }

  /** @throws ENOENT when the file was deleted meanwhile */
  async #copyPresent(source: string): Promise<void> {
    const path = this.pathOf(source)
    const target = join(this.#draft, path)
    try {
      const found = await requireOrdinaryFile(source)
      await this.placeOf(source)
      const before = this.#known.get(path)
      const isSame = before?.bytes === found.size && before.modified_ms === found.mtimeMs
      if (isSame && (await isLinked(join(this.#earlier?.place ?? '', path), target, before.bytes))) {
        this.entered.push({ ...before, mode: found.mode & 0o777 })
        return
      }
      await copyOrdinaryFile(source, target)
      await this.enter(path, found)
    } catch (error) {
      await rm(target, { force: true })
      const isLostLink = this.#isVanished(error) && (await lstat(source).catch(() => null))?.isSymbolicLink()
      if (!isLostLink && !NO_FILE.has((error as NodeJS.ErrnoException).code ?? '')) throw error
      this.unreadable.push(path)
    }
  }
}
