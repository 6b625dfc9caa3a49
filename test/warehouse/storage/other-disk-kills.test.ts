import { mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dataPaths } from '../../../config/settings.ts'
import { moveFile } from '../../../warehouse/storage/files.ts'
import { sweepLeftovers } from '../../../warehouse/storage/leftovers.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { landRows } from '../../../warehouse/storage/write.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { repetitions } from '../../exhaustive.ts'
import { CHANGES, runKilled, runStopping, stopAtSteps } from '../../stopped-writer.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { reading } from '../test-rows.ts'

stopAtSteps()

/** A disk in memory: renaming between it and the usual disk fails with EXDEV. */
const OTHER_DISK = '/dev/shm'
const [here, there] = await Promise.all([stat(tmpdir()), stat(OTHER_DISK).catch(() => null)])
const HAS_OTHER_DISK = there !== null && there.dev !== here.dev

async function folderOnOtherDisk(): Promise<string> {
  const folder = await mkdtemp(join(OTHER_DISK, 'holdshort-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test.runIf(HAS_OTHER_DISK)(
  'a move to another disk that is killed at any step leaves the file whole, at one place or both',
  async () => {
    const [from, to] = [join(await temporaryFolder(), 'from'), join(await folderOnOtherDisk(), 'to')]
    const content = 'every row\n'.repeat(10_000)
    const contentOf = (path: string) => readFile(path, 'utf8').catch(() => null)
    for (let step = 0, isKilled = true; isKilled; step += 1) {
      await rm(to, { force: true })
      await writeFile(from, content)
      isKilled = await runKilled(step, () => moveFile(from, to))
      const found = [await contentOf(from), await contentOf(to)]
      expect(found, `step ${step}`).toContain(content)
      for (const each of found) expect([content, null], `step ${step}`).toContain(each)
      if (found[0] !== null) await moveFile(from, to)
      expect([await contentOf(from), await contentOf(to)]).toEqual([null, content])
    }
  },
)

test.runIf(HAS_OTHER_DISK)(
  'a copy that is cut off in its middle is under a name that nobody reads, and is replaced by the next',
  async () => {
    const folder = await folderOnOtherDisk()
    const [from, to] = [join(await temporaryFolder(), 'from'), join(folder, 'to')]
    await writeFile(from, 'every row')
    // As the copy is when its process is killed: some bytes under the name of the draft.
    await writeFile(`${to}.${process.pid}.tmp`, 'every')
    expect(await readdir(folder)).not.toContain('to')
    await moveFile(from, to)
    expect([await readFile(to, 'utf8'), await readdir(folder)]).toEqual(['every row', ['to']])
  },
)

test.runIf(HAS_OTHER_DISK)(
  'landing with its scratch folder on another disk, killed at any step, loses and doubles nothing',
  async () => {
    const rows = ['07', '08', '09'].map((hour) =>
      reading({ observed_at: `2026-11-20T${hour}:05:00Z`, capture_id: hour }),
    )
    for (let step = 0, isKilled = true; isKilled; step += repetitions(5, 1)) {
      const data = await temporaryFolder()
      await symlink(await folderOnOtherDisk(), dataPaths(data).scratch)
      const warehouse = await openWarehouse(data)
      await landRows(warehouse.context, readings, rows.slice(0, 1))
      isKilled = await runKilled(step, () => landRows(warehouse.context, readings, rows), CHANGES)
      const next = await openWarehouse(data)
      const instants = async () => {
        await next.refresh()
        const found = await next.query<{ hour: string }>(
          "SELECT strftime(observed_at, '%H') AS hour FROM readings ORDER BY 1",
        )
        return found.map(({ hour }) => hour)
      }
      // The rows of a day land together or not at all.
      expect([['07'], ['07', '08', '09']], `step ${step}`).toContainEqual(await instants())
      await landRows(next.context, readings, rows)
      expect(await instants(), `step ${step}`).toEqual(['07', '08', '09'])
      await next.close()
      await warehouse.close()
      const folder = join(dataPaths(data).warehouse, 'readings')
      const left = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.tmp'))
      for (const name of left) await utimes(join(folder, name), 0, 0)
      await sweepLeftovers(data, Date.now())
      expect((await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.tmp'))).toEqual([])
    }
  },
  60_000,
)

test.runIf(HAS_OTHER_DISK)(
  'a move that is frozen after its copy, while another process moves the same file, ends without harm',
  async () => {
    const [from, to] = [join(await temporaryFolder(), 'from'), join(await folderOnOtherDisk(), 'to')]
    for (let step = 0, isReached = true; isReached; step += 1) {
      await rm(to, { force: true })
      await writeFile(from, 'every row')
      isReached = false
      const other = async () => {
        isReached = true
        await moveFile(from, to).catch((error: NodeJS.ErrnoException) => expect(error.code).toBe('ENOENT'))
      }
      await runStopping(step, other, () => moveFile(from, to)).catch((error: NodeJS.ErrnoException) =>
        expect(error.code).toBe('ENOENT'),
      )
      expect(await readFile(to, 'utf8'), `step ${step}`).toBe('every row')
    }
  },
)
