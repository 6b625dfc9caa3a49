import { hostname } from 'node:os'
import { HoldshortError } from '../../config/errors.ts'
import type { Settings } from '../../config/settings.ts'
import type { Turn } from '../../warehouse/coordination/turns.ts'
import type { BeforeCurrent } from '../../warehouse/publishing/snapshot/write.ts'
import type { CatalogOptions } from '../../warehouse/storage/catalog.ts'
import { folderHolder } from '../../warehouse/storage/folder-use.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/storage/warehouse.ts'
import { commandName, openSharedStores, type SharedStores, tablesPlace } from './shared-stores.ts'
import { SUPERVISOR_PID } from './watch-parent.ts'

const COMMAND_WAIT_MS = 60_000
/** How long a command waits for the lead of a pipeline that has just ended. */
const LEAD_WAIT_MS = 14_000

/** A warehouse that a command uses; with a bucket, captures go up too. */
export interface CommandWarehouse extends Warehouse {
  captureStored?: (path: string) => Promise<void>
}

/**
 * Opens the warehouse for a command. The process waits for its turn when it writes, on one machine and on several, so that commands run
 * beside a running pipeline.
 */
export async function openCommandWarehouse(
  settings: Settings,
  options: CatalogOptions = { waitMs: COMMAND_WAIT_MS },
): Promise<CommandWarehouse> {
  const place = await tablesPlace(settings)
  const warehouse = await openWarehouse(settings.data_dir, { ...options, ...(place && { place }) })
  if (place === undefined) return warehouse
  const stores = await openSharedStores(settings)
  const { uploadCapture } = await import('../../warehouse/sharing/captures.ts')
  const closeTables = warehouse.close
  const close = async () => {
    await closeTables()
    await stores.close()
  }
  const captureStored = (path: string) => uploadCapture(stores.store, settings.data_dir, path)
  return Object.assign(warehouse, { captureStored, close, [Symbol.asyncDispose]: close })
}

/** The parts that only one process of all machines changes: models, and published files. */
export interface Lead extends AsyncDisposable {
  /** Publishes what the command made, and gives the lead up. */
  end: () => Promise<void>
  beforeCurrent?: BeforeCurrent
}

/**
 * Leads while a command changes models or publishes. Beside the pipeline that leads on this data folder it does not: that pipeline
 * publishes the models itself.
 * @throws HoldshortError LEAD_HELD when the pipeline of another machine leads.
 */
export async function leadHere(settings: Settings): Promise<Lead> {
  if (settings.store === 'folder' || (await isLedHere(settings))) return leadUntil(async () => undefined)
  const { takeTurn } = await import('../../warehouse/coordination/turns.ts')
  const stores = await openSharedStores(settings)
  const turn = await takeTurn(stores.url, 'lead', { purpose: commandName(), wait_ms: LEAD_WAIT_MS })
  if (turn === null) throw leadHeld(await leader(stores.url))
  return leadOfCommand(settings, stores, turn)
}

async function leadOfCommand({ data_dir }: Settings, stores: SharedStores, turn: Turn): Promise<Lead> {
  const { fetchModels, openModelPublisher } = await import('../../warehouse/sharing/models.ts')
  const { publishSnapshot } = await import('../../warehouse/sharing/snapshots.ts')
  await fetchModels(stores, data_dir)
  const lead = leadUntil(async () => {
    try {
      await openModelPublisher(stores, data_dir)(turn.epoch)
    } finally {
      await turn.release()
      await stores.close()
    }
  })
  return { ...lead, beforeCurrent: async (id) => void (await publishSnapshot(stores, data_dir, id, turn.epoch)) }
}

const leadUntil = (end: () => Promise<void>): Lead => ({ end, [Symbol.asyncDispose]: end })

const leadHeld = (holder: string | undefined) =>
  new HoldshortError(
    'LEAD_HELD',
    `the pipeline that leads is ${holder ?? 'just starting'}; run this command there, on its data folder`,
  )

async function leader(url: string): Promise<string | undefined> {
  const { turnHolder } = await import('../../warehouse/coordination/turns.ts')
  return (await turnHolder(url, 'lead'))?.holder
}

/** Whether the pipeline that leads runs on this data folder, or started this process. @throws HoldshortError LEAD_HELD */
async function isLedHere(settings: Settings): Promise<boolean> {
  if (process.env[SUPERVISOR_PID] !== undefined) return true
  const running = await folderHolder(settings.data_dir, 'pipeline')
  if (!running) return false
  const { catalogUrl } = await import('../../warehouse/coordination/catalog-database.ts')
  const holder = await leader(catalogUrl(settings))
  if (holder?.startsWith(`${hostname()}, process ${running.pid} `)) return true
  throw leadHeld(holder)
}
