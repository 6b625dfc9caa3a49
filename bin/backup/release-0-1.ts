import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { sha256Of } from '../../warehouse/storage/file-identity.ts'
import { type Backup, invalid, Manifest, parseBackup, readBackupText } from './manifest.ts'

/**
 * Folders of backups of release 0.1.0, which are read and never written: each content once, as `objects/<first two digits>/<SHA-256>`,
 * and a manifest a backup in `generations/`, whose name has the digest of its text.
 */
export const OLD_HEADER = 'holdshort-backup.json'

const OldManifest = Manifest.extend({ format: z.literal(1), generation: z.int().min(1) })
const MANIFEST_NAME = /^(\d{8})-([0-9a-f]{16})\.json$/

/** The newest backup of such a folder, or that of a generation. @throws HoldshortError BACKUP_INVALID */
export async function openOldBackup(folder: string, generation: number | null): Promise<Backup> {
  const names = await readdir(join(folder, 'generations')).catch(() => [])
  const found = names.flatMap((name) => {
    const [, number, digest] = MANIFEST_NAME.exec(name) ?? []
    return number === undefined ? [] : [{ name, number: Number(number), digest }]
  })
  const numbers = found.map(({ number }) => number).sort((a, b) => a - b)
  const chosen = found.find(({ number }) => number === (generation ?? numbers.at(-1)))
  if (chosen === undefined)
    throw invalid(
      `generation: ${folder} holds ${numbers.length === 0 ? 'no backup' : `the generations ${numbers.join(', ')}`}`,
    )
  const other = `choose an earlier one with --generation (there are ${numbers.join(', ')})`
  const path = join(folder, 'generations', chosen.name)
  const text = await readBackupText(path)
  if (sha256Of(text).slice(0, 16) !== chosen.digest) throw invalid(`${path} is damaged; ${other}`)
  const manifest = parseBackup(path, text, OldManifest)
  return {
    manifest,
    place: null,
    damaged: null,
    contentOf: ({ sha256 }) => join(folder, 'objects', sha256.slice(0, 2), sha256),
  }
}
