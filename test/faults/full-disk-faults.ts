import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, statfs, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HoldshortError } from '../../config/errors.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { randomFrom } from './harms.ts'
import { filesOf } from './installation.ts'
import { batchRows, doWork, firstKeptDay, KINDS, type Kind, Model } from './native-work.ts'
import type { Outcome } from './outcome.ts'

const temporary = (name: string) => mkdtemp(join(tmpdir(), `holdshort-${name}-`))
const remove = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })

/** Digests of the raw captures of a folder. */
async function capturesOf(folder: string): Promise<string> {
  const digest = createHash('sha256')
  for (const path of (await filesOf(folder)).filter((name) => name.startsWith('raw/')))
    digest.update(path).update(await readFile(join(folder, path)))
  return digest.digest('hex')
}

/** A small disk in memory; null when this user may not mount one. */
async function mountDisk(megabytes: number): Promise<{ path: string; unmount: () => Promise<void> } | null> {
  const path = await temporary('disk')
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    process.stderr.write('disks: this user may not mount a small disk, so none is filled\n')
    await remove(path)
    return null
  }
  return {
    path,
    unmount: async () => {
      execFileSync('umount', ['-l', path])
      await remove(path)
    },
  }
}

/** At most so many bytes are left on the disk: a copy takes the most, and the log of a landing grows by a few kilobytes. */
const MAX_REST: Record<Kind, number> = {
  landing: 60_000,
  rollup: 60_000,
  retention: 8_000,
  checkpoint: 40_000,
  copy: 2_000_000,
}

/** A disk that becomes full in landings, rollups, retention, checkpoints and copies, with a drawn rest of space each time. */
export async function fullDiskFaults(seed: number, rounds: number): Promise<Outcome[]> {
  const disk = await mountDisk(64)
  if (disk === null) return []
  const random = randomFrom(seed)
  const outcomes: Outcome[] = []
  try {
    for (let round = 0; round < rounds; round += 1)
      for (const kind of KINDS)
        outcomes.push(await tryFullDisk(disk.path, kind, Math.floor(random() * MAX_REST[kind]), round))
  } finally {
    await disk.unmount()
  }
  return outcomes
}

async function tryFullDisk(place: string, kind: Kind, rest: number, round: number): Promise<Outcome> {
  const folder = join(place, 'data')
  const filler = join(place, 'filler')
  const problems: string[] = []
  const model = new Model()
  let lost = 0
  let refused = 0
  await mkdir(join(folder, 'raw', 'source=sea-cwt', 'date=2026-01-01'), { recursive: true })
  const capture = join(
    folder,
    'raw',
    'source=sea-cwt',
    'date=2026-01-01',
    '20260101T000000000Z-0123456789abcdef.json.gz',
  )
  await writeFile(capture, 'a raw capture')
  const captures = await capturesOf(folder)
  // Then the engine meets the full disk in its commit; otherwise the rows that are staged meet it before.
  const elsewhere = round % 2 === 0 ? await temporary('scratch') : null
  if (elsewhere !== null) await symlink(elsewhere, join(folder, 'scratch'))
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
  const started = performance.now()
  try {
    // Something is left to do for each kind of work.
    for (; batch < 100; batch += 1) model.acknowledged.add(batch)
    await warehouse.land(readings, [...model.acknowledged].flatMap(batchRows))
    await land()
    // Until the engine has let go of the file.
    await sleep(200)
    const free = await statfs(place)
    await writeFile(filler, Buffer.alloc(Math.max(0, free.bavail * free.bsize - rest), 1))
    for (let attempt = 0; attempt < 100 && refused < 3; attempt += 1) {
      try {
        if (kind === 'rollup' || kind === 'retention' || kind === 'checkpoint') await land().catch(() => undefined)
        await work()
      } catch (error) {
        refused += 1
        const { code, message } = error as HoldshortError
        if (code !== 'DISK_FULL') problems.push(`is refused with ${code} ${message}`.slice(0, 240))
      }
    }
    const whileFull = await model.differencesOf(warehouse)
    lost += whileFull.lost
    problems.push(...whileFull.problems.map((text) => `while the disk is full: ${text}`))
    await rm(filler)
    await work()
    await land()
    for (const again of ['in the same process', 'opened anew']) {
      const found = await model.differencesOf(warehouse)
      lost += found.lost
      problems.push(...found.problems.map((text) => `${again}: ${text}`))
      problems.push(...(await model.rollupDifferences(warehouse)))
      await warehouse.close()
      warehouse = await openWarehouse(folder)
    }
    await doWork(warehouse, 'copy', batch)
    if ((await capturesOf(folder)) !== captures) problems.push('raw captures changed')
  } catch (error) {
    problems.push((error as Error).message.slice(0, 300))
  } finally {
    await warehouse.close().catch(() => undefined)
    await remove(folder)
    await rm(filler, { force: true })
    if (elsewhere !== null) await remove(elsewhere)
  }
  return {
    kind: `full disk in a ${kind}`,
    what: `round ${round}, ${rest} bytes left, scratch ${elsewhere === null ? 'there too' : 'elsewhere'}, ${refused} refused`,
    lost,
    problems: [...new Set(problems)],
    healthyMs: performance.now() - started,
  }
}
