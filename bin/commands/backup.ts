import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { readMarker } from '../../api/state/marker.ts'
import { countText } from '../../config/count-text.ts'
import { UsageError } from '../../config/errors.ts'
import { pathFault } from '../../config/readable-path.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { shareDataFolder } from '../../warehouse/storage/folder-use.ts'
import { lossText, UNFINISHED_REPAIR } from '../../warehouse/storage/kept-copies.ts'
import { type Contents, writeContents } from '../backup/contents.ts'
import { openBackupFolder } from '../backup/folder.ts'
import { bytesOf } from '../backup/manifest.ts'
import { openCommandWarehouse } from '../runtime/command-warehouse.ts'
import { settingsOfInstallation } from '../runtime/environment.ts'
import { addDataCommand, type DataFlags } from '../runtime/help.ts'
import { megabytes, print, printError, progress } from '../runtime/output.ts'
import { VERSION } from '../runtime/version.ts'
import { isWithin } from '../runtime/within.ts'

interface BackupFlags extends DataFlags {
  withoutDatabase?: boolean
}

/** Names of archives, which earlier versions wrote. */
const ARCHIVE = /\.(zip|tar|tgz|t?gz|bz2|xz|zst|7z|rar)$/i

/** `holdshort backup`: copies a whole data folder while everything is running. */
export function register(program: Command): void {
  addDataCommand(program, 'backup')
    .argument('<folder>', 'folder of the backup: new, empty, or used before')
    .addOption(new Option('--keep <number>').hideHelp().argParser(refuseKeep))
    .option('--without-database', 'exit with 0 although accounts and keys are on PostgreSQL and not in the backup')
    .action(backUp)
}

/** An option of release 0.1.0. */
function refuseKeep(): never {
  throw new UsageError('--keep: a folder holds one backup, the newest; restic keeps earlier ones, as the manual shows')
}

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
  const fault = pathFault(target)
  if (fault !== null) throw new UsageError(`folder: ${fault}`)
  requireApart(target, settings.data_dir)
  if (!existsSync(dataPaths(settings.data_dir).world) && !existsSync(dataPaths(settings.data_dir).state))
    throw new UsageError(`data-dir: ${settings.data_dir} holds nothing of an installation`)
  const found = await stat(target).catch(() => null)
  if (found !== null && !found.isDirectory()) throw new UsageError(`folder: ${target} is a file; name a folder`)
  await using _use = await shareDataFolder(settings.data_dir)
  report(settings, target, flags, await backUpToFolder(settings, target))
}

interface Made extends Contents {
  /** Where the backup before lies, if it was kept. */
  kept: string | null
}

async function backUpToFolder(settings: Settings, target: string): Promise<Made> {
  const started_at = new Date().toISOString()
  const data_dir = resolve(settings.data_dir)
  await using folder = await openBackupFolder(target, { installation: installationIn(settings), data_dir })
  await using warehouse = await openCommandWarehouse(settings)
  const copying = progress('Copying')
  const contents = await writeContents(warehouse, settings, folder, copying.update)
  const { installation, state, pepper, files } = contents
  const manifest = { format: 2, installation, started_at, version: VERSION, data_dir, state, pepper, files } as const
  const kept = await folder.commit(manifest, contents.loss !== null || contents.lost_accounts > 0)
  copying.end()
  return { ...contents, kept }
}

/** The installation of a data folder, as its marker says it; null if its accounts are on PostgreSQL, or there are none yet. */
function installationIn({ data_dir, database_url }: Settings): string | null {
  return database_url === undefined ? (readMarker(dataPaths(data_dir).state_marker)?.installation ?? null) : null
}

function requireApart(target: string, dataDir: string): void {
  if (isWithin(target, dataDir))
    throw new UsageError(
      `folder: ${target} lies in the data folder ${dataDir}; a backup must survive its loss, so name another folder`,
    )
  if (isWithin(dataDir, target))
    throw new UsageError(`folder: ${target} holds the data folder ${dataDir}; name another folder`)
}

function report(settings: Settings, target: string, flags: BackupFlags, made: Made): void {
  const { files, copied_files, copied_bytes, unreadable, state, pepper, loss, lost_accounts, kept } = made
  const result = { target, files: files.length, bytes: bytesOf(files), copied_files, copied_bytes, kept }
  print({ ...result, damaged: unreadable, state, pepper }, flags.json, () => [
    `backup of ${settings.data_dir} in ${target}: ${countText(files.length, 'file')}, ${megabytes(result.bytes)}`,
    copied_files === files.length
      ? 'copied all of them'
      : `copied ${countText(copied_files, 'file')}, ${megabytes(copied_bytes)}; the others are those of the backup before`,
  ])
  if (state === 'postgresql') {
    printError(
      'accounts, keys and usage are NOT in this backup: they are in PostgreSQL (DATABASE_URL). Back them up with pg_dump, at the same time. Say --without-database when that is done.',
    )
    if (!flags.withoutDatabase) process.exitCode = 1
  }
  if (kept !== null) {
    const lacks = [loss && lossText(loss), lost_accounts > 0 && countText(lost_accounts, 'account')].filter(Boolean)
    printError(
      `WAREHOUSE_COPY_DIFFERS: this backup lacks what the one before has (${lacks.join('; ')}). That one is kept as ${kept}: restore it, or delete it when nothing of it is missed.`,
    )
    process.exitCode = 1
  }
  if (files.some(({ path }) => path === basename(dataPaths(settings.data_dir).unfinished_repair))) {
    printError(
      `WAREHOUSE_CORRUPT: ${UNFINISHED_REPAIR}. Then make this backup again, or run repair on what is restored from it.`,
    )
    process.exitCode = 1
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
