import { existsSync, realpathSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Command } from 'commander'
import { UsageError } from '../../config/errors.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { shareDataFolder } from '../../warehouse/storage/folder-use.ts'
import { type Contents, collectContents } from '../backup/contents.ts'
import { draftFolder } from '../backup/drafts.ts'
import { type BackupResult, openRepository, writeGeneration } from '../backup/repository.ts'
import { openCommandWarehouse } from '../runtime/command-warehouse.ts'
import { settingsOfInstallation } from '../runtime/environment.ts'
import { wholeNumberFlag } from '../runtime/flags.ts'
import { addDataCommand } from '../runtime/help.ts'
import { print, printError, progress } from '../runtime/output.ts'
import { VERSION } from '../runtime/version.ts'

interface BackupFlags {
  dataDir?: string
  keep: number
  withoutDatabase?: boolean
  json?: boolean
}

/** Names of archives, which earlier versions wrote. */
const ARCHIVE = /\.(zip|tar|tgz|t?gz|bz2|xz|zst|7z|rar)$/i

const DEFAULT_KEEP = 7
/** One each hour for a year. */
const MAX_KEEP = 10_000

/** `holdshort backup`: copies a whole data folder while everything is running. */
export function register(program: Command): void {
  addDataCommand(program, 'backup')
    .argument('<folder>', 'folder of backups: new, empty, or used before')
    .option('--keep <number>', `backups to keep in the folder, 1 to ${MAX_KEEP}`, keepFlag, DEFAULT_KEEP)
    .option('--without-database', 'exit with 0 although accounts and keys are on PostgreSQL and not in the backup')
    .action(backUp)
}

const keepFlag = (text: string) => wholeNumberFlag('--keep', text, 1, MAX_KEEP)

async function backUp(named: string, flags: BackupFlags): Promise<void> {
  const settings = settingsOfInstallation(flags)
  if (/^[a-z0-9]+:\/\//.test(named))
    throw new UsageError('folder: must be a folder; the manual shows how restic puts it into a bucket, encrypted')
  if (ARCHIVE.test(named))
    throw new UsageError(`folder: ${named} is the name of an archive, and none is written; name a folder`)
  if (settings.store !== 'folder')
    throw new UsageError(
      `folder: the data are in PostgreSQL and in ${settings.store}, not in this folder; back them up as docs/operate/several-machines.md says`,
    )
  const target = resolve(named)
  requireOutside(target, settings.data_dir)
  if (!existsSync(dataPaths(settings.data_dir).world) && !existsSync(dataPaths(settings.data_dir).state))
    throw new UsageError(`data-dir: ${settings.data_dir} holds nothing of an installation`)
  await requireFolder(target)
  await using _use = await shareDataFolder(settings.data_dir)
  const { result, contents } = await backUpToFolder(settings, target, flags)
  report(settings, target, flags, result, contents)
}

interface Written {
  result: BackupResult
  contents: Contents
}

const aboutOf = ({ data_dir }: Settings) => ({ started_at: new Date().toISOString(), version: VERSION, data_dir })

/** Where files are linked while they are copied: `scratch` is on their disk, and left over links are swept there. */
const pinFolderOf = ({ data_dir }: Settings) => join(dataPaths(data_dir).scratch, String(process.pid))

async function backUpToFolder(settings: Settings, target: string, { keep }: BackupFlags): Promise<Written> {
  const about = aboutOf(settings)
  const repository = await openRepository(target)
  const pins = pinFolderOf(settings)
  const warehouse = await openCommandWarehouse(settings)
  try {
    const drafts = await draftFolder(target)
    const contents = await collectContents(warehouse, settings, drafts, pins)
    const copying = progress('Copying')
    const result = await writeGeneration(target, contents, about, keep, copying.update)
    copying.end()
    return { result, contents }
  } finally {
    await warehouse.close()
    await draftFolder(target)
    await rm(pins, { recursive: true, force: true })
    await repository.release()
  }
}

/** The real path of a file or folder that need not exist yet. */
function realPathOf(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  return dirname(path) === path ? path : join(realPathOf(dirname(path)), basename(path))
}

function requireOutside(target: string, dataDir: string): void {
  const [inner, outer] = [realPathOf(target), realPathOf(dataDir)]
  if (inner === outer || inner.startsWith(outer + sep))
    throw new UsageError(
      `target: ${target} lies in the data folder ${dataDir}; a backup must survive its loss, so name another folder`,
    )
}

async function requireFolder(target: string): Promise<void> {
  const found = await stat(target).catch(() => null)
  if (found !== null && !found.isDirectory()) throw new UsageError(`folder: ${target} is a file; name a folder`)
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

function report(
  settings: Settings,
  target: string,
  flags: BackupFlags,
  result: BackupResult,
  contents: Contents,
): void {
  const { state, pepper, unreadable } = contents
  const { generation, files, bytes, copied_files, copied_bytes } = result
  print({ target, ...result, damaged: unreadable, state, pepper }, flags.json, () =>
    [
      `backup ${generation} of ${settings.data_dir} in ${target}: ${files} files, ${megabytes(bytes)}`,
      `copied ${copied_files} files, ${megabytes(copied_bytes)}; the others were there`,
    ].join('\n'),
  )
  if (state === 'postgresql') {
    printError(
      'accounts, keys and usage are NOT in this backup: they are in PostgreSQL (DATABASE_URL). Back them up with pg_dump, at the same time. Say --without-database when that is done.',
    )
    if (!flags.withoutDatabase) process.exitCode = 1
  }
  if (pepper === 'setting')
    printError(
      'the pepper is NOT in this backup: keep the value of HOLDSHORT_KEY_PEPPER, without which no key is valid.',
    )
  if (unreadable.length > 0) {
    const named =
      unreadable.slice(0, 3).join(', ') + (unreadable.length > 3 ? ` and ${unreadable.length - 3} more` : '')
    printError(`${unreadable.length} damaged files are NOT in this backup: ${named}. See \`holdshort doctor\`.`)
    process.exitCode = 1
  }
}
