import { resolve } from 'node:path'
import type { Command } from 'commander'
import { countText } from '../../config/count-text.ts'
import { UsageError } from '../../config/errors.ts'
import { openBackup } from '../backup/folder.ts'
import { type Backup, bytesOf } from '../backup/manifest.ts'
import { restoreBackup, verifyBackup } from '../backup/restore.ts'
import { settingsFor } from '../runtime/environment.ts'
import { wholeNumberFlag } from '../runtime/flags.ts'
import { addCommand, type DataFlags } from '../runtime/help.ts'
import { megabytes, print, printError, progress } from '../runtime/output.ts'
import { IN_FORCE_AGAIN } from '../runtime/state.ts'
import { isWithin } from '../runtime/within.ts'

interface RestoreFlags extends DataFlags {
  generation?: number
  verify?: boolean
}

/** `holdshort restore`: puts a backup into a new data folder. */
export function register(program: Command): void {
  addCommand(program, 'restore')
    .argument('<backup>', 'folder written by `holdshort backup`')
    .option('--data-dir <folder>', 'data folder to restore into (HOLDSHORT_DATA_DIR)')
    .option('--generation <number>', 'an earlier backup of a folder that release 0.1.0 wrote', generationFlag)
    .option('--verify', 'only compare the digests; restore nothing')
    .option('--json', 'print the result as JSON')
    .action(restore)
}

const generationFlag = (text: string) => wholeNumberFlag('--generation', text, 1, 1_000_000_000)

async function restore(named: string, flags: RestoreFlags): Promise<void> {
  const { data_dir } = settingsFor(flags)
  const folder = resolve(named)
  const backup = await openBackup(folder, flags.generation ?? null)
  // The next backup of what is restored could not be written to the folder that holds it.
  if (!flags.verify && isWithin(data_dir, folder))
    throw new UsageError(`data-dir: ${data_dir} lies in the backup ${folder}; name a folder outside of it`)
  if (backup.damaged !== null)
    printError(`${backup.damaged}; the backup before it, of ${backup.manifest.started_at}, is used in its place`)
  const verifying = progress('Comparing digests')
  await verifyBackup(backup, verifying.update)
  verifying.end()
  if (flags.verify) {
    // A check that passed would hide that the newest backup cannot be restored.
    if (backup.damaged !== null) process.exitCode = 1
  } else {
    const restoring = progress('Restoring')
    await restoreBackup(backup, data_dir, restoring.update)
    restoring.end()
  }
  report(backup, flags.verify ? null : data_dir, flags)
}

function report(
  { manifest: { started_at, files, state, pepper } }: Backup,
  restored_into: string | null,
  flags: RestoreFlags,
): void {
  const bytes = bytesOf(files)
  print({ started_at, files: files.length, bytes, state, pepper, restored_into }, flags.json, () => {
    const what = `backup of ${started_at}: ${countText(files.length, 'file')}, ${megabytes(bytes)}`
    return restored_into === null ? `${what}, all as written` : `${what}, restored into ${restored_into}`
  })
  if (state === 'postgresql')
    printError(
      'accounts, keys and usage are NOT in this backup: restore the database from your pg_dump of the same time.',
    )
  if (restored_into !== null && state !== 'none') printError(IN_FORCE_AGAIN)
  if (pepper === 'setting')
    printError('the pepper is NOT in this backup: start with the same HOLDSHORT_KEY_PEPPER as before.')
}
