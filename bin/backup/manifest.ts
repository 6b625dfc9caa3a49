import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { HoldshortError } from '../../config/errors.ts'
import { InnerPath, Sha256, sha256OfFile } from '../../warehouse/storage/file-identity.ts'
import { asDiskFull } from '../../warehouse/storage/files.ts'
import { readOrdinaryText, requireOrdinaryFile } from '../../warehouse/storage/ordinary-file.ts'

/** The file that makes a folder a backup; it is written last. */
export const MANIFEST = 'manifest.json'

const BackupFile = z.strictObject({
  /** Relative to the data folder, with `/`. */
  path: InnerPath,
  sha256: Sha256,
  bytes: z.int().min(0),
  mode: z.int().min(0).max(0o777),
  /** When it was last written, epoch milliseconds. */
  modified_ms: z.number(),
})
export type BackupFile = z.infer<typeof BackupFile>

export const Manifest = z.strictObject({
  format: z.literal(2),
  /** Installation of the backup; null if the state is on PostgreSQL or not created yet. */
  installation: z.string().nullable(),
  started_at: z.string(),
  version: z.string(),
  data_dir: z.string(),
  /** Place of accounts and keys: in the backup, in a PostgreSQL beside it, or nowhere yet. */
  state: z.enum(['sqlite', 'postgresql', 'none']),
  /** Place of the secret for the hashes: in the backup, in the setting HOLDSHORT_KEY_PEPPER, or nowhere yet. */
  pepper: z.enum(['file', 'setting', 'none']),
  files: z.array(BackupFile),
})
export type Manifest = z.infer<typeof Manifest>

/** A backup that can be restored: what it says of itself, and where the content of each file lies. */
export interface Backup {
  manifest: Omit<Manifest, 'format'>
  /** The folder that holds its files and nothing else; null if they lie among those of other backups. */
  place: string | null
  /** The fault of the newer backup that this one replaces; null if this is the newest. */
  damaged: string | null
  contentOf: (file: BackupFile) => string
}

export type OnProgress = (done: number, total: number) => void

/** Files that are copied or read at once. */
export const CONCURRENT_FILES = 8

/** The SHA-256 of an ordinary file. */
export async function digestOf(path: string): Promise<string> {
  // Opening a pipe would wait for its writer.
  await requireOrdinaryFile(path)
  return sha256OfFile(path)
}

/** Copies an ordinary file. @throws HoldshortError DISK_FULL */
export async function copyOrdinaryFile(source: string, target: string): Promise<void> {
  await requireOrdinaryFile(source)
  await copyFile(source, target).catch((error) => {
    throw asDiskFull(error, target)
  })
}

/** The size of all files together. */
export const bytesOf = (files: readonly { bytes: number }[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** A backup whose format this release does not know yet. */
export class NewerBackupError extends HoldshortError {
  constructor(name: string) {
    super('BACKUP_INVALID', `${name} is of a newer release; use that release, or name another folder`)
  }
}

const NewerManifest = z.looseObject({ format: z.number().gt(Manifest.shape.format.value) })

/** The manifest of a folder. @throws HoldshortError BACKUP_INVALID */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST)
  return parseBackup(path, await readBackupText(path), Manifest)
}

/** @throws HoldshortError BACKUP_INVALID for what is no ordinary file */
export const readBackupText = (path: string): Promise<string> =>
  readOrdinaryText(path).catch((cause: Error) => {
    throw invalid(cause.message, cause)
  })

/** Reads the manifest of a backup and checks that it names each file once. @throws HoldshortError BACKUP_INVALID */
export function parseBackup<T extends { files: readonly BackupFile[] }>(
  name: string,
  text: string,
  schema: z.ZodType<T>,
): T {
  const parsed = (() => {
    try {
      const value: unknown = JSON.parse(text)
      if (NewerManifest.safeParse(value).success) throw new NewerBackupError(name)
      return schema.parse(value)
    } catch (cause) {
      throw cause instanceof NewerBackupError ? cause : invalid(`${name} cannot be read; it is damaged`, cause)
    }
  })()
  // Paths below a path come directly after it.
  const paths = parsed.files.map(({ path }) => `${path}/`).sort()
  const double = paths.find((path, index) => paths[index + 1]?.startsWith(path))
  if (double !== undefined) throw invalid(`${name} names ${double} twice, or as a file and as a folder`)
  return parsed
}

export const invalid = (message: string, cause?: unknown): HoldshortError =>
  new HoldshortError('BACKUP_INVALID', message, { cause })
