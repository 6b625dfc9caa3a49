import { createHash } from 'node:crypto'
import { z } from 'zod'
import { HoldshortError } from '../../config/errors.ts'
import { InnerPath, Sha256 } from '../../warehouse/storage/file-identity.ts'

const BACKUP_FORMAT = 1
/** Says that a folder or an archive is a backup of this program. */
export const HEADER_FILE = 'holdshort-backup.json'

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

const BackupHeader = z.strictObject({
  format: z.literal(BACKUP_FORMAT),
  /** Whose backups these are; null where the state is on PostgreSQL or not created yet. */
  installation: z.string().nullable(),
})
export type BackupHeader = z.infer<typeof BackupHeader>

/** One backup: everything that has to be put back. */
const Manifest = BackupHeader.extend({
  /** Grows with each backup into the same folder. */
  generation: z.int().min(1),
  started_at: z.string(),
  version: z.string(),
  data_dir: z.string(),
  /** Where accounts and keys were: in the backup, in a PostgreSQL beside it, or nowhere yet. */
  state: z.enum(['sqlite', 'postgresql', 'none']),
  /** Where the secret for the hashes was: in the backup, in the setting HOLDSHORT_KEY_PEPPER, or nowhere yet. */
  pepper: z.enum(['file', 'setting', 'none']),
  files: z.array(BackupFile),
})
export type Manifest = z.infer<typeof Manifest>

/** What a manifest says about the run that made it. */
export type AboutBackup = Pick<Manifest, 'started_at' | 'version' | 'data_dir'>

/** What a manifest says about the contents as a whole. */
export type AboutContents = Pick<Manifest, 'installation' | 'state' | 'pepper'>

/** The text of the header file. */
export const headerText = (installation: BackupHeader['installation']): string =>
  JSON.stringify({ format: BACKUP_FORMAT, installation })

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** The manifest of a backup as a file; its name has the digest of its content. */
export function manifestFile(
  generation: number,
  { installation, state, pepper }: AboutContents,
  { started_at, version, data_dir }: AboutBackup,
  files: BackupFile[],
): { name: string; text: string } {
  const format = BACKUP_FORMAT
  const manifest: Manifest = { format, installation, generation, started_at, version, data_dir, state, pepper, files }
  const text = JSON.stringify(manifest)
  return { name: `${String(generation).padStart(8, '0')}-${digestOf(text)}.json`, text }
}

/** The size of all files together. */
export const bytesOf = (files: readonly { bytes: number }[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

const MANIFEST_NAME = /^(\d{8})-([0-9a-f]{16})\.json$/

/** The generation in the name of a manifest; null for another file. */
export const generationOf = (name: string): number | null => {
  const match = MANIFEST_NAME.exec(name)
  return match ? Number(match[1]) : null
}

/** @throws HoldshortError BACKUP_INVALID when it is not what was written. */
export function readManifest(name: string, text: string): Manifest {
  if (MANIFEST_NAME.exec(name)?.[2] !== digestOf(text)) throw invalid(`${name} is damaged`)
  const manifest = parse(name, text, Manifest)
  const paths = new Set<string>()
  for (const { path } of manifest.files) {
    if (paths.has(path)) throw invalid(`${name} names ${path} twice`)
    paths.add(path)
  }
  for (const path of paths)
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
      if (paths.has(path.slice(0, end))) throw invalid(`${name} names ${path.slice(0, end)} as a file and as a folder`)
  return manifest
}

/** @throws HoldshortError BACKUP_INVALID */
export const readHeader = (text: string): BackupHeader => parse(HEADER_FILE, text, BackupHeader)

function parse<T>(name: string, text: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw invalid(`${name} cannot be read; it is damaged or of a newer release`, cause)
  }
}

export const invalid = (message: string, cause?: unknown): HoldshortError =>
  new HoldshortError('BACKUP_INVALID', message, { cause })
