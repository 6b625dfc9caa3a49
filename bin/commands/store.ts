import { readFile, rm } from 'node:fs/promises'
import type { Command } from 'commander'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { currentSnapshotId } from '../../warehouse/serving/snapshot/write.ts'
import { holdDataFolder } from '../../warehouse/storage/folder-use.ts'
import { readSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { settingsFor, settingsOfExisting } from '../runtime/environment.ts'
import { print, progress } from '../runtime/output.ts'

interface MoveFlags {
  to: string
  dataDir?: string
  json?: boolean
}

/** `holdshort store`: moves an installation between its data folder and a bucket. */
export function storeCommand(program: Command): void {
  const store = program.command('store').description('Decide where warehouse, models, captures and snapshots live.')
  store
    .command('move')
    .description(
      'Copy everything but the accounts from the data folder into an empty bucket, or from the bucket of HOLDSHORT_STORE into a new data folder. Stop the service first. The original stays as it is.',
    )
    .requiredOption('--to <target>', 's3://bucket/prefix, or folder')
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .option('--json', 'print the result as JSON')
    .action(move)
}

async function move(flags: MoveFlags): Promise<void> {
  if (flags.to === 'folder') return toFolder(flags)
  if (!flags.to.startsWith('s3://')) throw new UsageError('--to: must be folder, or s3://bucket/prefix')
  const settings = settingsOfExisting(flags)
  const use = await holdDataFolder(settings.data_dir)
  try {
    const result = await fillBucket(settings, flags.to)
    print(
      result,
      flags.json,
      () =>
        `${result.files} files and ${result.captures} raw captures are in ${flags.to}; now set HOLDSHORT_STORE to it`,
    )
  } finally {
    await use.release()
  }
}

async function fillBucket(settings: Settings, named: string) {
  const { openS3 } = await import('../../warehouse/objects/s3.ts')
  const { requirePreconditions } = await import('../../warehouse/objects/preconditions.ts')
  const { uploadAllCaptures } = await import('../../warehouse/replica/captures.ts')
  const { readHead } = await import('../../warehouse/replica/head.ts')
  const { takeLead } = await import('../../warehouse/replica/lead.ts')
  const { openPublisher } = await import('../../warehouse/replica/published.ts')
  const { openReplica } = await import('../../warehouse/replica/replica.ts')
  const { data_dir } = settings
  const store = openS3(settings, named)
  await requirePreconditions(store)
  const mark = await readFile(dataPaths(data_dir).store_mark, 'utf8').catch(() => null)
  if ((await readHead(store)) !== null && mark === null)
    throw new HoldshortError('CONFLICT', `${named} holds an installation already; name an empty bucket or prefix`)
  const taken = await takeLead(store, { command: 'holdshort store move', wait_ms: 16_000 })
  if (!('lead' in taken))
    throw new HoldshortError('LEAD_HELD', `a pipeline on ${taken.holder?.machine} uses ${named}; stop it first`)
  try {
    const replica = await openReplica(data_dir, store, { simulated: (await readSimulatedMark(data_dir)) ?? false })
    const publisher = openPublisher(store)
    const bar = progress('Uploading')
    await replica.takeOver(taken.lead.epoch)
    await publisher.takeOver(taken.lead.epoch)
    await replica.committed(null)
    const captures = await uploadAllCaptures(store, data_dir, bar.update)
    const { snapshots } = dataPaths(data_dir)
    const id = await currentSnapshotId(snapshots)
    if (id !== null) await publisher.publish(snapshots, id)
    bar.end()
    return { files: replica.files().size, captures, snapshot: id }
  } finally {
    await taken.lead.release()
  }
}

async function toFolder(flags: MoveFlags): Promise<void> {
  const settings = settingsFor(flags)
  if (settings.store === 'folder')
    throw new UsageError('--to: set HOLDSHORT_STORE to the bucket that is to be moved from')
  const { openS3 } = await import('../../warehouse/objects/s3.ts')
  const { restoreBucket } = await import('../backup/restore-bucket.ts')
  const bar = progress('Fetching')
  const { files, captures } = await restoreBucket(openS3(settings), settings.data_dir, settings, bar.update)
  bar.end()
  // From now on the folder is no copy any more.
  await rm(dataPaths(settings.data_dir).store_mark, { force: true })
  print(
    { files, captures, moved_into: settings.data_dir },
    flags.json,
    () => `${files} files and ${captures} raw captures are in ${settings.data_dir}; now unset HOLDSHORT_STORE`,
  )
}
