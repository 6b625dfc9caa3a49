import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { type Installation, startInstallation, until } from './installation.ts'

const LIMIT_S = 8
/** Blocks the event loop of the process that gets the signal, for ever. */
const BLOCKER = `data:text/javascript,process.on('SIGWINCH',()=>Atomics.wait(new%20Int32Array(new%20SharedArrayBuffer(4)),0,0))`

const start = async () =>
  startInstallation(await temporaryFolder(), {
    HOLDSHORT_SIMULATED_WORLD: 'http://127.0.0.1:9',
    HOLDSHORT_CHROMIUM_PATH: '/nowhere/chromium',
    HOLDSHORT_SILENCE_SECONDS: String(LIMIT_S),
    NODE_OPTIONS: `--import=${BLOCKER}`,
  })
const newest = (installation: Installation, name: string) => installation.pids(name).at(-1) ?? 0
const stateOf = (pid: number) => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]

interface Faults {
  status: string
  reason: string | null
  faults: { code: string; message: string }[]
}
const health = async (address: string) => (await (await fetch(`${address}/health`)).json()) as Faults

test.runIf(process.platform === 'linux').each(['SIGSTOP', 'SIGWINCH'] as const)(
  'a pipeline that %s silences is named by /health and the log, killed and started again, and publishes',
  async (signal) => {
    const installation = await start()
    const first = await installation.healthy(({ snapshot }) => snapshot !== null)
    const pipeline = newest(installation, 'pipeline')
    const began = performance.now()
    process.kill(pipeline, signal)
    const named = await until('the fault is named', async () => {
      const { faults } = await health(installation.address)
      return faults.find(({ code }) => code === 'PROCESS_SILENT') ?? null
    })
    expect(named.message).toMatch(
      new RegExp(
        `^the pipeline \\(process ${pipeline}\\) has given no sign of life for \\d+ s; after ${LIMIT_S} s it is killed`,
      ),
    )
    await until('another pipeline runs', () => newest(installation, 'pipeline') !== pipeline)
    expect(performance.now() - began).toBeGreaterThan(LIMIT_S * 1_000 - 2_500)
    expect(performance.now() - began).toBeLessThan(LIMIT_S * 1_000 + 10_000)
    expect(installation.log.map(({ msg }) => msg)).toContain('gives no sign of life; killing it')
    await installation.healthy(({ snapshot }) => snapshot !== null && snapshot.id > first.snapshot!.id)
    expect((await health(installation.address)).faults).toEqual([])
  },
  120_000,
)

test.runIf(process.platform === 'linux')(
  'an api that is stopped is started again',
  async () => {
    const installation = await start()
    await installation.healthy(({ snapshot }) => snapshot !== null)
    const api = newest(installation, 'api')
    process.kill(api, 'SIGSTOP')
    await until('another api runs', () => newest(installation, 'api') !== api, 40_000)
    await installation.healthy(({ snapshot }) => snapshot !== null)
  },
  120_000,
)

test.runIf(process.platform === 'linux')(
  'a machine that slept for longer than the limit kills nobody',
  async () => {
    const installation = await start()
    await installation.healthy(({ snapshot }) => snapshot !== null)
    const pids = ['api', 'pipeline'].map((name) => newest(installation, name))
    const all = [installation.supervisor.pid!, ...pids]
    onTestFinished(() => {
      for (const pid of all)
        try {
          process.kill(pid, 'SIGCONT')
        } catch {
          // It has ended.
        }
    })
    for (const pid of all) process.kill(pid, 'SIGSTOP')
    await sleep((LIMIT_S + 6) * 1_000)
    expect(all.map(stateOf)).toEqual(['T', 'T', 'T'])
    process.kill(all[0]!, 'SIGCONT')
    await sleep(1_500)
    for (const pid of pids) process.kill(pid, 'SIGCONT')
    await sleep((LIMIT_S + 2) * 1_000)
    expect(['api', 'pipeline'].map((name) => newest(installation, name))).toEqual(pids)
    expect((await health(installation.address)).faults.filter(({ code }) => code === 'PROCESS_SILENT')).toEqual([])
  },
  120_000,
)
