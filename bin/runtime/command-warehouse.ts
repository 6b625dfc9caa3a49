import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import type { ObjectStore } from '../../warehouse/objects/object-store.ts'
import type { BeforeCurrent } from '../../warehouse/serving/snapshot/write.ts'
import { folderHolder } from '../../warehouse/storage/folder-use.ts'
import { type OpenWarehouse, openWarehouse, type WarehouseOptions } from '../../warehouse/storage/warehouse.ts'
import { SUPERVISOR_PID } from './watch-parent.ts'

/** How long a command waits for a process that holds the warehouse. */
const COMMAND_WAIT_MS = 60_000
/** How long a command waits for the lead of a pipeline that has just ended. */
const LEAD_WAIT_MS = 16_000
/** A leading pipeline compares its folder with the bucket at every publication. */
const STORED_WITHIN_MS = 180_000

/** A warehouse that a command writes; with a bucket, what else has to go up. */
export interface CommandWarehouse extends OpenWarehouse {
  beforeCurrent?: BeforeCurrent
  captureStored?: (path: string) => Promise<void>
}

/**
 * Opens the warehouse for a command that writes it. Where the data folder is a copy of a bucket, the command leads while it
 * runs, or relies on the pipeline that leads on this folder; closing waits until the bucket has everything.
 * @throws HoldshortError LEAD_HELD when the pipeline of another machine leads.
 */
export async function openCommandWarehouse(
  settings: Settings,
  options: WarehouseOptions = { waitMs: COMMAND_WAIT_MS },
): Promise<CommandWarehouse> {
  const { data_dir, store: named } = settings
  if (named === 'folder') return openWarehouse(data_dir, options)
  const { openS3 } = await import('../../warehouse/objects/s3.ts')
  const store = openS3(settings)
  if (await isLedHere(settings, store)) return besideLeader(await openWarehouse(data_dir, options), store)
  const { takeLead } = await import('../../warehouse/replica/lead.ts')
  const { openPublisher } = await import('../../warehouse/replica/published.ts')
  const { openReplica } = await import('../../warehouse/replica/replica.ts')
  const { uploadCapture } = await import('../../warehouse/replica/captures.ts')
  const taken = await takeLead(store, { command: `holdshort ${process.argv[2] ?? ''}`, wait_ms: LEAD_WAIT_MS })
  if (!('lead' in taken)) throw leadHeld(taken.holder?.machine ?? 'another machine')
  const { lead } = taken
  try {
    const replica = await openReplica(data_dir, store, { simulated: settings.simulated_world !== undefined })
    const publisher = openPublisher(store)
    await replica.takeOver(lead.epoch)
    await publisher.takeOver(lead.epoch)
    const warehouse = await openWarehouse(data_dir, onDamage, replica)
    const close = async () => {
      try {
        // Models and other files that are not landed go up with it.
        await warehouse.maintain(async () => undefined)
      } finally {
        await warehouse.close()
        await lead.release()
      }
    }
    return Object.assign({}, warehouse, {
      close,
      beforeCurrent: async (id: string) => void (await publisher.publish(dataPaths(data_dir).snapshots, id)),
      captureStored: (path: string) => uploadCapture(store, data_dir, path),
    })
  } catch (error) {
    await lead.release()
    throw error
  }
}

/** Checks that this folder may be changed by a command. @throws HoldshortError LEAD_HELD */
export async function requireLeadHere(settings: Settings): Promise<void> {
  if (settings.store === 'folder') return
  const { openS3 } = await import('../../warehouse/objects/s3.ts')
  const { leadHolder } = await import('../../warehouse/replica/lead.ts')
  const store = openS3(settings)
  if (await isLedHere(settings, store)) return
  throw leadHeld((await leadHolder(store))?.machine ?? 'no machine; start `holdshort work` here')
}

const leadHeld = (machine: string) =>
  new HoldshortError(
    'LEAD_HELD',
    `the pipeline that leads runs on ${machine}; run this command there, on its data folder`,
  )

/** Whether the pipeline that leads runs on this data folder, or started this process. */
async function isLedHere({ data_dir }: Settings, store: ObjectStore): Promise<boolean> {
  if (process.env[SUPERVISOR_PID] !== undefined) return true
  const running = await folderHolder(data_dir, 'pipeline')
  if (!running) return false
  const { leadHolder } = await import('../../warehouse/replica/lead.ts')
  const leader = await leadHolder(store)
  if (leader && leader.machine === hostname() && leader.pid === running.pid) return true
  throw leadHeld(leader?.machine ?? 'no machine yet')
}

/** The warehouse of a folder whose pipeline leads: that pipeline copies what a command writes. */
function besideLeader(warehouse: OpenWarehouse, store: ObjectStore): CommandWarehouse {
  if (process.env[SUPERVISOR_PID] !== undefined) return warehouse
  return Object.assign({}, warehouse, {
    close: async () => {
      await warehouse.close()
      await untilStored(warehouse.data_dir, store)
    },
  })
}

async function untilStored(dataDir: string, store: ObjectStore): Promise<void> {
  const { readHead } = await import('../../warehouse/replica/head.ts')
  const { innerPath, livePartsIn, partFolders } = await import('../../warehouse/replica/local-files.ts')
  for (const end = performance.now() + STORED_WITHIN_MS; ; await sleep(1_000)) {
    const head = await readHead(store)
    let missing = 0
    for (const folder of await partFolders(dataDir))
      for (const { name } of await livePartsIn(folder))
        if (head && head !== 'unchanged' && !head.files.has(innerPath(dataDir, join(folder, name)))) missing += 1
    if (missing === 0) return
    if (performance.now() > end)
      throw new HoldshortError(
        'STORE_UNREACHABLE',
        `${missing} files are on this disk but not yet in ${store.address}; the pipeline that leads uploads them at its next publication`,
      )
  }
}
