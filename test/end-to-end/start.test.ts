import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { getPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { projectFile } from '../../config/paths.ts'
import { allSources } from '../../config/sources.ts'
import { type RunningSimulatedWorld, startSimulatedWorld } from '../../pipeline/simulator/server.ts'
import { checkSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { json, run } from './commands.ts'
import { alive, CLI, holdshort, type Installation, startInstallation, until } from './installation.ts'

const NO_NETWORK = {
  NODE_OPTIONS: `--import=${pathToFileURL(projectFile('dist', 'test', 'programs', 'no-network.js')).href}`,
  HOLDSHORT_CHROMIUM_PATH: '/nowhere/chromium',
}
const TIMEOUT_MS = 240_000

/** An entry of `holdshort sources --json`, with the fields that this test reads. */
interface Entry {
  id: string
  active: boolean
  health: Record<'state' | 'last_success_at' | 'last_error_code' | 'last_error_message', string | null>
}

/** The process of this name that was started last. */
const newest = (installation: Installation, name: string) => installation.pids(name).at(-1) ?? 0

let world: RunningSimulatedWorld
beforeAll(async () => {
  world = await startSimulatedWorld({ seed: 7 })
})
afterAll(() => world.close())
const started = async () =>
  startInstallation(await temporaryFolder(), {
    HOLDSHORT_SIMULATED_WORLD: world.url,
    HOLDSHORT_CHROMIUM_PATH: '/nowhere/chromium',
  })

it.runIf(EXHAUSTIVE)(
  'an installation on a simulated world survives the death of either process, and Ctrl-C ends all processes within five seconds',
  async () => {
    const installation = await started()
    const { supervisor, address, pids, healthy } = installation
    const first = await healthy(({ snapshot }) => snapshot !== null)
    expect(first).toMatchObject({ simulated: true })

    const api = newest(installation, 'api')
    expect(getPriority(newest(installation, 'pipeline')), 'the pipeline yields to the api').toBeGreaterThan(
      getPriority(api),
    )
    process.kill(api, 'SIGKILL')
    await until('the api is started again', () => newest(installation, 'api') !== api)
    await healthy(({ snapshot }) => snapshot !== null && snapshot.id !== first.snapshot?.id)

    const pipeline = newest(installation, 'pipeline')
    const before = await healthy(({ status }) => status === 'ok')
    const failures: unknown[] = []
    let requests = 0
    let polling = true
    const poller = (async () => {
      for (; polling; await sleep(10)) {
        requests += 1
        const answer = await fetch(`${address}/health`).catch((error: unknown) => error)
        if (!(answer instanceof Response) || answer.status !== 200) failures.push(answer)
      }
    })()
    process.kill(pipeline, 'SIGKILL')
    await until('the pipeline is started again', () => newest(installation, 'pipeline') !== pipeline)
    await healthy(({ snapshot }) => snapshot !== null && snapshot.id > (before.snapshot?.id ?? ''))
    polling = false
    await poller
    expect(requests).toBeGreaterThan(50)
    expect(failures).toEqual([])

    const signalled = Date.now()
    const ended = once(supervisor, 'exit')
    supervisor.kill('SIGINT')
    expect(await ended).toEqual([0, null])
    expect(Date.now() - signalled).toBeLessThan(5_000)
    expect([...pids('api'), ...pids('pipeline')].filter(alive)).toEqual([])
  },
  TIMEOUT_MS,
)

it.runIf(EXHAUSTIVE)('training ends when its parent process ends', async () => {
  const child = spawn(process.execPath, [CLI, 'train', '--data-dir', await temporaryFolder()], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.disconnect()
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
})

it.runIf(EXHAUSTIVE)(
  'an installation without a network starts, answers with typical waits, reports every source as unreachable, and ends when its supervisor is killed',
  async () => {
    const folder = await temporaryFolder()
    const settings = { ...NO_NETWORK, HOLDSHORT_PUBLISH_SECONDS: '10' }
    const installation = await startInstallation(folder, settings)
    const { address, healthy, pids } = installation
    expect(await healthy(({ snapshot }) => snapshot !== null)).toMatchObject({ simulated: false })
    const { key } = await json<{ key: string }>('keys', 'issue', '--tier', 'pro', '--json', '--data-dir', folder)
    const answer = await fetch(`${address}/api/v1/airports/LAX/wait-times`, { headers: { 'X-API-Key': key } })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      airport: 'LAX',
      simulated: false,
      security: { average_wait_minutes: expect.any(Number), basis: 'typical', observed_at: null },
      predictions: { next_hour: expect.any(Number), basis: 'typical' },
    })
    expect(await (await fetch(`${address}/`)).text()).not.toContain('Simulated')

    const active = allSources().filter((source) => source.active)
    const health = await until('every source has been tried', async () => {
      const entries = await json<Entry[]>('sources', '--json', '--data-dir', folder)
      const tried = entries.filter((entry) => entry.active && entry.health.last_error_code !== null)
      return tried.length === active.length ? tried : null
    })
    for (const { id, health: state } of health)
      expect([id, state.state, state.last_success_at]).toEqual([id, 'failing', null])
    expect(health.find(({ id }) => id === 'sea-cwt')?.health.last_error_message).toContain('ENOTFOUND')

    installation.supervisor.kill('SIGKILL')
    const children = [...pids('api'), ...pids('pipeline')]
    expect(children).toHaveLength(2)
    await until('the children are gone', () => !children.some(alive), 8_000)
  },
  TIMEOUT_MS,
)

describe('simulated and live data in one folder', () => {
  it.each([
    ['live', undefined, 'http://127.0.0.1:9'],
    ['simulated', 'http://127.0.0.1:9', undefined],
  ])('is rejected: the folder holds %s data', async (held, existing, requested) => {
    const data_dir = await temporaryFolder()
    await checkSimulatedMark({ data_dir, simulated_world: existing })
    vi.stubEnv('HOLDSHORT_SIMULATED_WORLD', requested)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { code, stderr } = await run('start', '--port', '0', '--data-dir', data_dir)
    expect(code).toBe(1)
    expect(stderr).toContain(`WORLD_MISMATCH: ${data_dir} holds ${held} data`)
  })

  it.runIf(EXHAUSTIVE)('is rejected by the demo too, which would delete the folder', async () => {
    const data_dir = await temporaryFolder()
    await checkSimulatedMark({ data_dir, simulated_world: undefined })
    const { code, stderr } = await holdshort(['demo', '--once', '--port', '0', '--data-dir', data_dir])
    expect([code, stderr.split(':')[0]]).toEqual([1, 'WORLD_MISMATCH'])
  })
})
