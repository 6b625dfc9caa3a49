import { mkdir, readFile, rm, statfs, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seededRandom } from '../../forecasting/statistics/statistics.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { repetitions } from '../exhaustive.ts'
import { mountSmallDisk } from '../small-disk.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { DrawnFaults, ROUNDS, seedsOf } from './harms.ts'
import { Model } from './model.ts'
import { batchRows, doWork, firstKeptDay, KINDS, type Kind } from './native-work.ts'

/** At most so many bytes are left on the disk: a copy takes the most, and the log of a landing grows by a few kilobytes. */
const MAX_REST: Record<Kind, number> = {
  landing: 60_000,
  rollup: 60_000,
  retention: 8_000,
  checkpoint: 40_000,
  copy: 2_000_000,
}
const CAPTURE = 'raw/source=sea-cwt/date=2026-01-01/20260101T000000000Z-0123456789abcdef.json.gz'

/** Fills a disk up to some bytes; again when the engine has written meanwhile. */
async function fillAllBut(rest: number, place: string, filler: string): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const { bavail, bsize } = await statfs(place)
    const isWritten = await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - rest), 1)).then(
      () => true,
      () => rm(filler, { force: true }).then(() => false),
    )
    if (isWritten) return
    await sleep(200)
  }
  throw new Error('the disk could not be filled')
}

/** The disk becomes full in one kind of work, with a drawn number of bytes left; returns whether the work was refused. */
async function tryFullDisk(place: string, kind: Kind, random: () => number): Promise<boolean> {
  const rest = Math.floor(random() * MAX_REST[kind])
  const what = `${kind}, ${rest} bytes left`
  const folder = join(place, 'data')
  const filler = join(place, 'filler')
  const model = new Model()
  await mkdir(dirname(join(folder, CAPTURE)), { recursive: true })
  await writeFile(join(folder, CAPTURE), 'a raw capture')
  // Then the engine meets the full disk in its commit; otherwise the rows that are staged meet it before.
  if (random() < 0.5) await symlink(await temporaryFolder(), join(folder, 'scratch'))
  let batch = 0
  let warehouse = await openWarehouse(folder)
  const land = async () => {
    batch += 1
    model.begun.add(batch)
    await doWork(warehouse, 'landing', batch)
    model.begun.delete(batch)
    model.acknowledged.add(batch)
  }
  const retain = async () => {
    model.mayBeDeletedBefore = Math.max(model.mayBeDeletedBefore, firstKeptDay(batch))
    model.firstDay = Math.max(model.firstDay, await doWork(warehouse, 'retention', batch))
  }
  const work = () => {
    if (kind === 'landing') return land()
    return kind === 'retention' ? retain() : doWork(warehouse, kind, batch)
  }
  // Something is left to do for each kind of work.
  for (; batch < 100; batch += 1) model.acknowledged.add(batch)
  await warehouse.land(readings, [...model.acknowledged].flatMap(batchRows))
  await land()
  // Until the engine has let go of the file.
  await sleep(200)
  await fillAllBut(rest, place, filler)
  let refused = 0
  for (let attempt = 0; attempt < 100 && refused < 3; attempt += 1) {
    try {
      if (kind === 'rollup' || kind === 'retention' || kind === 'checkpoint') await land().catch(() => undefined)
      await work()
    } catch (error) {
      refused += 1
      expect(error, what).toMatchObject({ code: 'DISK_FULL' })
    }
  }
  await model.expectHeldBy(warehouse, `${what}, while the disk is full`)
  await rm(filler)
  await work()
  await land()
  for (const again of ['in the same process', 'opened anew']) {
    await model.expectHeldBy(warehouse, `${what}, ${again}`)
    await model.expectHoursOf(warehouse, `${what}, ${again}`)
    await warehouse.close()
    warehouse = await openWarehouse(folder)
  }
  await doWork(warehouse, 'copy', batch)
  await warehouse.close()
  expect(await readFile(join(folder, CAPTURE), 'utf8'), what).toBe('a raw capture')
  await rm(folder, { recursive: true })
  return refused > 0
}

test(
  'a full disk refuses a commit, loses nothing that was acknowledged, and all goes on once there is space',
  async ({ skip }) => {
    const place = await temporaryFolder()
    if (!mountSmallDisk(place, 64 * 1_048_576)) skip('this user may not mount a small disk')
    const faults = new DrawnFaults()
    for (const seed of seedsOf(repetitions(5, 15) * ROUNDS)) {
      const kind = KINDS[seed % KINDS.length]!
      const isRefused = await tryFullDisk(place, kind, seededRandom(seed)).catch((error: Error) => {
        throw new Error(`seed ${seed}, ${error.message}`, { cause: error })
      })
      faults.count(`a full disk in a ${kind}`, isRefused)
    }
    faults.print('disks that are full')
  },
  120_000 * ROUNDS,
)
