import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { draftOf, engineDraftOf } from '../../warehouse/storage/draft-names.ts'

/** The folder of what a backup writes before it has its place. */
export const DRAFTS = 'drafts'
/** The folder of the manifests. */
export const GENERATIONS = 'generations'

/** What must be copied to be one moment's. */
export const COPIES = { state: 'state', warehouse: 'warehouse', pointer: 'CURRENT' } as const

/** The name of a content while it is copied, by the number of its file. */
export const contentDraft = (index: number): string => String(index)

/** The names of all drafts: the copies, what SQLite and the engine write beside theirs, and contents. */
const DRAFT_NAMES: readonly RegExp[] = [
  /^state(-journal|-wal|-shm)?$/,
  /^warehouse(\.wal)?$/,
  engineDraftOf(/^warehouse$/),
  /^CURRENT$/,
  /^\d+$/,
]

const isDraft = (name: string) => DRAFT_NAMES.some((pattern) => pattern.test(name))

/** Whether a folder has nothing but drafts. */
export async function holdsOnlyDrafts(drafts: string): Promise<boolean> {
  const names = await readdir(drafts).catch(() => null)
  return names?.every(isDraft) ?? false
}

/** What a backup that was killed left beside the header and the manifests. */
const LEFT_OVER: Record<string, RegExp> = {
  '': draftOf(/^holdshort-backup\.json$/),
  [GENERATIONS]: draftOf(/^\d{8}-[0-9a-f]{16}\.json$/),
}

/** The folder for drafts in a folder of backups. It is emptied first; the caller has the lock of the folder. */
export async function draftFolder(folder: string): Promise<string> {
  const drafts = join(folder, DRAFTS)
  await mkdir(drafts, { recursive: true, mode: 0o700 })
  for (const name of await readdir(drafts)) if (isDraft(name)) await rm(join(drafts, name), { force: true })
  for (const [inner, pattern] of Object.entries(LEFT_OVER))
    for (const name of await readdir(join(folder, inner)).catch(() => []))
      if (pattern.test(name)) await rm(join(folder, inner, name), { force: true })
  return drafts
}
