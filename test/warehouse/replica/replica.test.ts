import { readdir, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { HoldshortError } from '../../../config/errors.ts'
import type { ObjectStore } from '../../../warehouse/objects/object-store.ts'
import { openReplica, type Replica } from '../../../warehouse/replica/replica.ts'
import { type OpenWarehouse, openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { mergeFiles } from '../../../warehouse/storage/write.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { memoryStore } from '../objects/memory-store.ts'
import { reading } from '../test-rows.ts'

const LIVE = { simulated: false }
const rows = (...checkpoints: string[]) => checkpoints.map((checkpoint) => reading({ checkpoint }))

interface Machine {
  folder: string
  replica: Replica
  warehouse: OpenWarehouse
}

/** A machine with a disk of its own; with an epoch it leads. */
async function machine(store: ObjectStore, epoch: number | null, folder?: string): Promise<Machine> {
  const own = folder ?? (await temporaryFolder())
  const replica = await openReplica(own, store, LIVE)
  await replica.pull()
  const warehouse = await openWarehouse(own, undefined, replica)
  onTestFinished(() => warehouse.close().catch(() => undefined))
  if (epoch !== null) {
    await replica.takeOver(epoch)
    await warehouse.refresh()
  }
  return { folder: own, replica, warehouse }
}

async function checkpoints({ warehouse, replica }: Machine): Promise<string[]> {
  await replica.pull()
  await warehouse.refresh()
  const found = await warehouse.query<{ checkpoint: string }>('SELECT checkpoint FROM readings ORDER BY 1')
  return found.map(({ checkpoint }) => checkpoint)
}

const DAY = ['warehouse', 'readings', 'kind=security', 'month=2026-11']
const VALUES = { kind: 'security', date: '2026-11-20' }

test.runIf(EXHAUSTIVE)(
  'what a leader lands is in the bucket, and on every machine that follows or begins with an empty disk',
  async () => {
    const store = memoryStore()
    const leader = await machine(store, 1)
    const follower = await machine(store, null)
    await leader.warehouse.land(readings, rows('a', 'b'))
    expect(await checkpoints(follower)).toEqual(['a', 'b'])
    await leader.warehouse.land(readings, rows('b', 'c'))
    await leader.warehouse.maintain((context) => mergeFiles(context, readings, VALUES))
    await leader.warehouse.land(readings, rows('d'))
    expect(await checkpoints(follower)).toEqual(['a', 'b', 'c', 'd'])
    expect(await checkpoints(await machine(store, null))).toEqual(['a', 'b', 'c', 'd'])
    expect(leader.replica.files()).toEqual(follower.replica.files())
  },
)

test('a leader that was frozen while another took over lands nothing, and its own disk is mended when it begins anew', async () => {
  const store = memoryStore()
  const first = await machine(store, 1)
  await first.warehouse.land(readings, rows('a'))
  const second = await machine(store, 2)
  await second.warehouse.land(readings, rows('b'))
  await expect(first.warehouse.land(readings, rows('lost'))).rejects.toMatchObject({ code: 'WRITE_FENCED' })
  await expect(first.warehouse.maintain((context) => mergeFiles(context, readings, VALUES))).rejects.toMatchObject({
    code: 'WRITE_FENCED',
  })
  await expect(first.replica.takeOver(1)).rejects.toMatchObject({ code: 'WRITE_FENCED' })
  expect(await checkpoints(second)).toEqual(['a', 'b'])
  await first.warehouse.close()
  expect(await checkpoints(await machine(store, null, first.folder))).toEqual(['a', 'b'])
})

test.runIf(EXHAUSTIVE)(
  'rows are not acknowledged while the bucket is away, and are there once it is back',
  async () => {
    const away = { value: false }
    const store = memoryStore({
      before: async () => {
        if (away.value) throw new HoldshortError('STORE_UNREACHABLE', 'away')
      },
    })
    const leader = await machine(store, 1)
    away.value = true
    await expect(leader.warehouse.land(readings, rows('a'))).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' })
    // Every row is on this disk already, and still is not acknowledged.
    await expect(leader.warehouse.land(readings, rows('a'))).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' })
    away.value = false
    await leader.warehouse.land(readings, rows('a'))
    expect(await checkpoints(await machine(store, null))).toEqual(['a'])
  },
)

test.runIf(EXHAUSTIVE)('an answer that was lost after the bucket had written is recognised', async () => {
  const lost = { count: 0 }
  const store = memoryStore()
  const { putIf } = store
  const leader = await machine(
    Object.assign({}, store, {
      putIf: async (...args: Parameters<typeof putIf>) => {
        const etag = await putIf(...args)
        lost.count += 1
        return lost.count % 2 === 0 ? null : etag
      },
    }),
    1,
  )
  for (const checkpoint of ['a', 'b', 'c', 'd']) await leader.warehouse.land(readings, rows(checkpoint))
  expect(await checkpoints(await machine(store, null))).toEqual(['a', 'b', 'c', 'd'])
})

test.runIf(EXHAUSTIVE)('a file that is damaged or lost on one disk is fetched from the bucket', async () => {
  const store = memoryStore()
  const leader = await machine(store, 1)
  await leader.warehouse.land(readings, rows('a', 'b'))
  const folder = join(leader.folder, ...DAY)
  const [name = ''] = await readdir(folder)
  await truncate(join(folder, name), 100)
  await leader.warehouse.refresh()
  expect(await checkpoints(leader)).toEqual(['a', 'b'])
  await rm(join(folder, name))
  await leader.warehouse.refresh()
  expect(await checkpoints(leader)).toEqual(['a', 'b'])
  await leader.warehouse.maintain(async () => undefined)
  expect(await checkpoints(await machine(store, null))).toEqual(['a', 'b'])
})

test.runIf(EXHAUSTIVE)('a content of the bucket that was changed is never taken for what was written', async () => {
  const store = memoryStore()
  const leader = await machine(store, 1)
  await leader.warehouse.land(readings, rows('a'))
  for (const [key, object] of store.objects) if (key.startsWith('objects/')) object.bytes = Buffer.from('other')
  const replica = await openReplica(await temporaryFolder(), store, LIVE)
  await expect(replica.pull()).rejects.toMatchObject({ code: 'STORE_DAMAGED' })
})

test.runIf(EXHAUSTIVE)('a folder deleted by retention is deleted everywhere', async () => {
  const store = memoryStore()
  const leader = await machine(store, 1)
  const follower = await machine(store, null)
  await leader.warehouse.land(readings, [
    reading({ observed_at: '2026-10-19T10:05:00Z', checkpoint: 'old' }),
    ...rows('a'),
  ])
  expect(await checkpoints(follower)).toEqual(['a', 'old'])
  await leader.warehouse.maintain(async () => {
    const folder = 'warehouse/readings/kind=security/month=2026-10'
    leader.warehouse.forgetFiles(folder)
    await rm(join(leader.folder, folder), { recursive: true })
  })
  expect(await checkpoints(follower)).toEqual(['a'])
})

test.runIf(EXHAUSTIVE)(
  'folders and buckets that do not belong together are refused before anything is changed',
  async () => {
    const store = memoryStore()
    const leader = await machine(store, 1)
    await leader.warehouse.land(readings, rows('a'))
    const own = await temporaryFolder()
    const alone = await openWarehouse(own)
    await alone.land(readings, rows('own'))
    await alone.close()
    await expect(openReplica(own, store, LIVE)).rejects.toMatchObject({ code: 'STORE_MISMATCH' })
    await expect(openReplica(leader.folder, memoryStore(), LIVE)).rejects.toMatchObject({ code: 'STORE_MISMATCH' })
    await expect(openReplica(await temporaryFolder(), store, { simulated: true })).rejects.toMatchObject({
      code: 'WORLD_MISMATCH',
    })
    // Into an empty bucket the folder goes up whole.
    const empty = memoryStore()
    const moved = await machine(empty, 1, own)
    await moved.warehouse.maintain(async () => undefined)
    expect(await checkpoints(await machine(empty, null))).toEqual(['own'])
  },
)
