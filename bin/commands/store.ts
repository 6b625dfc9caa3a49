import { resolve } from 'node:path'
import type { Command } from 'commander'
import { countText } from '../../config/count-text.ts'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { currentSnapshotId } from '../../warehouse/publishing/snapshot/names.ts'
import { draftPath } from '../../warehouse/storage/draft-names.ts'
import { filePlace } from '../../warehouse/storage/file-place.ts'
import { holdDataFolder } from '../../warehouse/storage/folder-use.ts'
import { TABLE_NAMES } from '../../warehouse/storage/schema.ts'
import { readSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { quoteText } from '../../warehouse/storage/sql.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/storage/warehouse.ts'
import { settingsFor, settingsOfExisting } from '../runtime/environment.ts'
import { addCommand, addDataCommand, type DataFlags } from '../runtime/help.ts'
import { print } from '../runtime/output.ts'
import { openSharedStores, tablesPlace } from '../runtime/shared-stores.ts'

/** `holdshort store`: what an installation on several machines shares. */
export function register(program: Command): void {
  const store = addCommand(program, 'store')
  addDataCommand(store, 'store create').action(create)
  addDataCommand(store, 'store move').requiredOption('--to <target>', 'bucket, or folder').action(move)
  addCommand(store, 'store extensions').argument('<folder>', 'folder to download into').action(downloadExtensions)
}

function requireBucket(settings: Settings): void {
  if (settings.store === 'folder') throw new UsageError('HOLDSHORT_STORE: set it to s3://bucket/prefix')
}

async function create(flags: DataFlags): Promise<void> {
  const settings = settingsFor(flags)
  requireBucket(settings)
  const warehouse = await createStores(settings)
  await warehouse.close()
  print({ store: settings.store }, flags.json, () => `${settings.store} and its catalog are ready`)
}

/** Creates the catalog database and the tables, where they are missing, and opens them. */
async function createStores(settings: Settings): Promise<Warehouse> {
  const { catalogUrl, createCatalogDatabase } = await import('../../warehouse/coordination/catalog-database.ts')
  const { markOwnBucket } = await import('../../warehouse/sharing/own-bucket.ts')
  const url = catalogUrl(settings)
  await createCatalogDatabase(url)
  {
    await using stores = await openSharedStores(settings)
    await markOwnBucket(stores, url)
  }
  const place = await tablesPlace(settings)
  const warehouse = await openWarehouse(settings.data_dir, place && { place })
  await warehouse.write(async () => undefined)
  return warehouse
}

async function downloadExtensions(folder: string): Promise<void> {
  const { openDuckdb, withConnection } = await import('../../warehouse/storage/duckdb.ts')
  const { installExtensions } = await import('../../warehouse/storage/ducklake-extensions.ts')
  const target = resolve(folder)
  const engine = await openDuckdb(target)
  await withConnection(engine, (connection) => installExtensions(connection, target)).finally(() => engine.closeSync())
  print({ folder }, false, () => `DuckDB's extensions are in ${folder}`)
}

async function move(flags: DataFlags & { to: string }): Promise<void> {
  if (flags.to !== 'bucket' && flags.to !== 'folder') throw new UsageError('--to: must be bucket or folder')
  const settings = flags.to === 'bucket' ? settingsOfExisting(flags) : settingsFor(flags)
  await using _use = await holdDataFolder(settings.data_dir)
  requireBucket(settings)
  await moveTables(settings, flags)
}

async function moveTables(settings: Settings, flags: DataFlags & { to: string }): Promise<void> {
  await using shared = await createStores(settings)
  const { warehouse_file: file } = dataPaths(settings.data_dir)
  await using own = await openWarehouse(settings.data_dir, { place: filePlace(settings.data_dir) })
  const [from, to] = flags.to === 'bucket' ? [own, shared] : [shared, own]
  const rows = await copyRows(from, to, draftPath(file))
  if (flags.to === 'bucket') await shareFiles(settings)
  print({ rows, moved_to: flags.to }, flags.json, () =>
    flags.to === 'bucket'
      ? `${countText(rows, 'row')} now in ${settings.store}`
      : `${countText(rows, 'row')} now in ${settings.data_dir}; unset HOLDSHORT_STORE`,
  )
}

/** Copies every row of one warehouse into another, empty one, as one transaction; returns how many. */
async function copyRows(from: Warehouse, to: Warehouse, draft: string): Promise<number> {
  return to.write(async ({ connection }) => {
    let count = 0
    for (const name of TABLE_NAMES) {
      const present = await connection.runAndReadAll(`SELECT count(*)::INTEGER FROM ${name}`)
      if (Number(present.getRowsJS()[0]?.[0]) > 0)
        throw new HoldshortError('CONFLICT', `the tables that are to be filled have rows (${name}); name empty ones`)
      await from.spool(`SELECT * FROM ${name}`, draft)
      const result = await connection.run(`INSERT INTO ${name} BY NAME FROM read_parquet(${quoteText(draft)})`)
      count += result.rowsChanged
    }
    return count
  })
}

async function shareFiles({ data_dir, ...settings }: Settings): Promise<void> {
  const { requireSameWorld } = await import('../../warehouse/coordination/catalog-database.ts')
  const { takeTurn } = await import('../../warehouse/coordination/turns.ts')
  const { openModelPublisher } = await import('../../warehouse/sharing/models.ts')
  const { publishSnapshot } = await import('../../warehouse/sharing/snapshots.ts')
  await using stores = await openSharedStores({ data_dir, ...settings })
  await requireSameWorld(stores.url, (await readSimulatedMark(data_dir)) ?? false)
  await using lead = await takeTurn(stores.url, 'lead', { purpose: 'holdshort store move', wait_ms: 1_000 })
  if (lead === null) throw new HoldshortError('LEAD_HELD', `a pipeline uses ${stores.store.address}; stop it first`)
  await openModelPublisher(stores, data_dir)(lead.epoch)
  const id = await currentSnapshotId(dataPaths(data_dir).snapshots)
  if (id !== null) await publishSnapshot(stores, data_dir, id, lead.epoch)
}
