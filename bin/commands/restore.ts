import { resolve } from 'node:path'
import type { Command } from 'commander'
import { UsageError } from '../../config/errors.ts'
import type { Settings } from '../../config/settings.ts'
import type { ObjectStore } from '../../warehouse/objects/object-store.ts'
import type { Manifest } from '../backup/manifest.ts'
import { restoreBackup, verifyBackup, verifyBucketBackup } from '../backup/restore.ts'
import { settingsFor } from '../runtime/environment.ts'
import { wholeNumberFlag } from '../runtime/flags.ts'
import { print, printError, progress } from '../runtime/output.ts'

interface RestoreFlags {
  dataDir?: string
  generation?: number
  verify?: boolean
  json?: boolean
}

/** `holdshort restore`: puts a backup into a new data folder. */
export function restoreCommand(program: Command): void {
  program
    .command('restore')
    .description(
      'Restore a backup into a new or empty data folder, after comparing the digest of every file. A restore that was interrupted can be repeated.',
    )
    .argument(
      '[backup]',
      'folder, s3://bucket/prefix or archive, written by `holdshort backup`; or s3://bucket/prefix of an installation, by default that of HOLDSHORT_STORE',
    )
    .option('--data-dir <folder>', 'data folder to restore into (HOLDSHORT_DATA_DIR)')
    .option('--generation <number>', 'an earlier backup of the folder or bucket instead of its newest', generationFlag)
    .option('--verify', 'only compare the digests; restore nothing')
    .option('--json', 'print the result as JSON')
    .action(restore)
}

const generationFlag = (text: string) => wholeNumberFlag('--generation', text, 1, 1_000_000_000)

async function restore(argument: string | undefined, flags: RestoreFlags): Promise<void> {
  const settings = settingsFor(flags)
  const { data_dir, store } = settings
  const named = argument ?? store
  if (named === 'folder')
    throw new UsageError('backup: name a backup, or set HOLDSHORT_STORE to restore from its bucket')
  const bucket = named.startsWith('s3://') ? await bucketOf(settings, named) : null
  if (bucket !== null && !bucket.hasBackups) return restoreFromBucket(settings, bucket.store, flags)
  const verifying = progress('Comparing digests')
  const generation = flags.generation ?? null
  const backup = await (bucket === null
    ? verifyBackup(resolve(named), generation, verifying.update)
    : verifyBucketBackup(bucket.store, generation, verifying.update))
  verifying.end()
  if (!flags.verify) {
    const restoring = progress('Restoring')
    await restoreBackup(backup, data_dir, restoring.update)
    restoring.end()
  }
  report(backup.manifest, flags.verify ? null : data_dir, flags)
}

async function bucketOf(settings: Settings, named: string): Promise<{ store: ObjectStore; hasBackups: boolean }> {
  const { openS3 } = await import('../../warehouse/objects/s3.ts')
  const { holdsBackups } = await import('../backup/bucket-repository.ts')
  const store = openS3(settings, named)
  return { store, hasBackups: await holdsBackups(store) }
}

/** Makes a data folder out of the bucket in which an installation lives. */
async function restoreFromBucket(settings: Settings, store: ObjectStore, flags: RestoreFlags): Promise<void> {
  if (flags.generation !== undefined || flags.verify)
    throw new UsageError(
      'backup: --generation and --verify are for backups; the bucket of an installation holds its newest state only',
    )
  const { restoreBucket } = await import('../backup/restore-bucket.ts')
  const { data_dir } = settings
  const bar = progress('Restoring')
  const { head, files, captures } = await restoreBucket(store, data_dir, settings, bar.update)
  bar.end()
  const { sequence, written_at } = head
  print(
    { sequence, written_at, files, captures, restored_into: data_dir },
    flags.json,
    () =>
      `version ${sequence} of ${written_at}: ${files} files and ${captures} raw captures, restored into ${data_dir}`,
  )
  printError(
    'accounts, keys and usage are NOT in the bucket: they are in PostgreSQL (DATABASE_URL), or in a backup of `holdshort backup`.',
  )
}

function report(
  { generation, started_at, files, state, pepper }: Manifest,
  restored_into: string | null,
  flags: RestoreFlags,
): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  print({ generation, started_at, files: files.length, bytes, state, pepper, restored_into }, flags.json, () => {
    const what = `backup ${generation} of ${started_at}: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB`
    return restored_into === null ? `${what}, all as written` : `${what}, restored into ${restored_into}`
  })
  if (state === 'postgresql')
    printError(
      'accounts, keys and usage are NOT in this backup: restore the database from your pg_dump of the same time.',
    )
  if (pepper === 'setting')
    printError('the pepper is NOT in this backup: start with the same HOLDSHORT_KEY_PEPPER as before.')
}
