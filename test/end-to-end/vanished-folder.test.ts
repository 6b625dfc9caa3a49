import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { checkSnapshot } from '../../bin/doctor/check-folder.ts'
import { EXIT_FOLDER_GONE } from '../../bin/runtime/stop-when-gone.ts'
import { projectFile } from '../../config/paths.ts'
import { readSettings } from '../../config/settings.ts'
import { watchSnapshots } from '../../warehouse/publishing/snapshot/watch.ts'
import { writeSnapshot } from '../../warehouse/publishing/snapshot/write.ts'
import { watchIdentity } from '../../warehouse/storage/identity.ts'
import { checkSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { endWithTest } from '../child-process.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { freePort } from '../free-port.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { emptyContent } from '../warehouse/snapshot-content.ts'
import { reading } from '../warehouse/test-rows.ts'

test('notices a file or folder that was deleted, moved or replaced, and no other change', async () => {
  for (const harm of ['delete', 'move', 'replace', 'nothing'] as const) {
    const folder = await temporaryFolder()
    const [file, inner] = [join(folder, 'state'), join(folder, 'inner')]
    writeFileSync(file, '1')
    mkdirSync(inner)
    const gone: string[] = []
    const watch = await watchIdentity([folder, inner, file], (path) => gone.push(path), 5)
    writeFileSync(file, 'another content')
    writeFileSync(join(inner, 'x'), '')
    await sleep(20)
    expect(gone).toEqual([])
    if (harm === 'delete') rmSync(file)
    if (harm === 'move') renameSync(inner, join(folder, 'elsewhere'))
    if (harm === 'replace') {
      writeFileSync(join(folder, 'new'), '1')
      renameSync(join(folder, 'new'), file)
    }
    await sleep(40)
    expect([harm, gone]).toEqual([harm, harm === 'nothing' ? [] : [harm === 'move' ? inner : file]])
    watch.stop()
  }
})

test('snapshots that were deleted or moved are a fault until the next one is published', async () => {
  const folder = join(await temporaryFolder(), 'snapshots')
  await writeSnapshot(folder, emptyContent('2026-11-21T10:00:00Z'))
  const watch = await watchSnapshots(folder, {}, 5)
  onTestFinished(watch.stop)
  expect(watch.fault()).toBeNull()
  renameSync(folder, `${folder}-moved`)
  await expect.poll(() => watch.fault()?.code).toBe('DATA_FOLDER_GONE')
  expect(watch.current()?.id).toBe('20261121T100000Z')
  await writeSnapshot(folder, emptyContent('2026-11-21T10:01:00Z'))
  await expect.poll(() => watch.fault()).toBeNull()
  rmSync(join(folder, '20261121T100100Z'), { recursive: true })
  await expect.poll(() => watch.fault()?.code).toBe('DATA_FOLDER_GONE')
})

/** Takes the right to enter a folder from this process, which is another user's meanwhile if it is root's; returns what gives it back. */
function takeRights(folder: string): () => void {
  chmodSync(folder, 0o000)
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  return () => {
    if (isRoot) process.seteuid?.(0)
    chmodSync(folder, 0o700)
  }
}

test('snapshots that this user may not read any more are not gone: they are served until they can be read again', async () => {
  const folder = join(await temporaryFolder(), 'snapshots')
  await writeSnapshot(folder, emptyContent('2026-11-21T10:00:00Z'))
  const watch = await watchSnapshots(folder, {}, 5)
  onTestFinished(watch.stop)
  const giveBack = takeRights(folder)
  onTestFinished(giveBack)
  await expect.poll(() => watch.fault()?.code).toBe('DATA_FOLDER_UNUSABLE')
  expect([watch.isGone(), watch.current()?.id]).toEqual([false, '20261121T100000Z'])
  const settings = readSettings({ HOLDSHORT_DATA_DIR: dirname(folder) })
  expect((await checkSnapshot(settings, Date.now())).verdict).toMatchObject({
    says: `${folder} cannot be read (EACCES); look at its permissions and its disk`,
  })
  giveBack()
  await expect.poll(() => watch.fault()).toBeNull()
})

/** No simulated world answers there. */
const SIMULATED_WORLD = 'http://127.0.0.1:9'

interface Running {
  child: ChildProcess
  address: string
  log: () => string
  ended: Promise<number | string | null>
}

async function run(command: string, folder: string, environment: Record<string, string> = {}): Promise<Running> {
  const port = await freePort()
  let text = ''
  const child = spawn(process.execPath, [projectFile('dist', 'bin', 'holdshort.js'), command, '--data-dir', folder], {
    env: {
      ...process.env,
      HOLDSHORT_PORT: String(port),
      HOLDSHORT_SIMULATED_WORLD: SIMULATED_WORLD,
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  child.stderr?.on('data', (piece) => {
    text += piece
  })
  endWithTest(child)
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal)),
  )
  return { child, address: `http://127.0.0.1:${port}`, log: () => text, ended }
}

const register = async (address: string) => (await fetch(`${address}/api/agent/register`, { method: 'POST' })).status

test.runIf(EXHAUSTIVE).each([
  ['serve', 'the state is deleted'],
  ['serve', 'the folder is moved'],
  ['serve', 'the snapshots are moved'],
  ['work', 'the folder is moved'],
  ['work', 'the warehouse is deleted'],
  ['start', 'the folder is moved'],
  ['start', 'the state is deleted'],
] as const)(
  '%s stops within seconds, and says why, when %s',
  async (command, harm) => {
    const parent = await temporaryFolder()
    const folder = join(parent, 'data')
    const snapshots = join(folder, 'snapshots')
    mkdirSync(folder)
    await checkSimulatedMark({ data_dir: folder, simulated_world: SIMULATED_WORLD })
    const warehouse = await openWarehouse(folder)
    await warehouse.land(readings, [reading()])
    await warehouse.close()
    await writeSnapshot(snapshots, emptyContent(new Date().toISOString()))
    const running = await run(command, folder, {
      HOLDSHORT_PUBLISH_SECONDS: harm === 'the snapshots are moved' ? '2' : '600',
    })
    if (command !== 'work')
      await expect.poll(() => register(running.address).catch(() => 0), { timeout: 60_000 }).toBe(201)
    if (command !== 'serve') await expect.poll(() => running.log(), { timeout: 60_000 }).toContain('pipeline running')
    const started = performance.now()
    if (harm === 'the state is deleted')
      for (const name of readdirSync(folder)) if (name.startsWith('state.sqlite')) rmSync(join(folder, name))
    if (harm === 'the folder is moved') renameSync(folder, join(parent, 'elsewhere'))
    if (harm === 'the warehouse is deleted') rmSync(join(folder, 'warehouse'), { recursive: true })
    if (harm === 'the snapshots are moved') {
      renameSync(snapshots, `${snapshots}-moved`)
      await expect
        .poll(async () => (await (await fetch(`${running.address}/health`)).json()) as object, { timeout: 5_000 })
        .toMatchObject({
          status: 'degraded',
          faults: expect.arrayContaining([expect.objectContaining({ code: 'DATA_FOLDER_GONE' })]),
        })
    }
    expect(await running.ended, running.log()).toBe(EXIT_FOLDER_GONE)
    expect(performance.now() - started).toBeLessThan(harm === 'the snapshots are moved' ? 20_000 : 8_000)
    expect(running.log()).toContain('DATA_FOLDER_GONE')
    await sleep(1_000)
    expect(await register(running.address).catch(() => 0)).toBe(0)
    if (harm === 'the folder is moved') expect(existsSync(folder) && readdirSync(folder), running.log()).toBe(false)
  },
  150_000,
)
