import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { CLI } from '../../bin/runtime/supervised-child.ts'
import { startSimulatedWorld } from '../../pipeline/simulator/server.ts'
import { endWithTest } from '../child-process.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const GB = 2 ** 30
const run = promisify(execFile)

interface ControlGroup {
  folder: string
  /** How many of its processes were killed because there was no memory left. */
  killed: () => number
}

/** A control group (version 1 or 2) with so much memory; null where this process may make none. */
function controlGroup(bytes: number): ControlGroup | null {
  const root = '/sys/fs/cgroup'
  const isV1 = existsSync(join(root, 'memory', 'memory.limit_in_bytes'))
  const folder = join(root, isV1 ? 'memory' : '', `holdshort-test-${process.pid}-${performance.now()}`)
  try {
    mkdirSync(folder)
    // Only an empty group can be removed.
    onTestFinished(() => rmdirSync(folder))
    writeFileSync(join(folder, isV1 ? 'memory.limit_in_bytes' : 'memory.max'), String(bytes))
  } catch {
    return null
  }
  const events = join(folder, isV1 ? 'memory.oom_control' : 'memory.events')
  return { folder, killed: () => Number(/^oom_kill (\d+)/m.exec(readFileSync(events, 'utf8'))?.[1]) }
}

test('the service and its nightly training have room in 1 GB, with a browser, all sources and 90 days of history', async () => {
  const group = controlGroup(GB)
  if (group === null) return console.log('not tried: this process may make no control group with a limit of memory')
  const dataDir = join(await temporaryFolder(), 'data')
  await run(process.execPath, [CLI, 'demo', '--once', '--port', '0', '--data-dir', dataDir])
  const world = await startSimulatedWorld({ seed: 1 })
  onTestFinished(() => world.close())
  const env = { ...process.env, HOLDSHORT_SIMULATED_WORLD: world.url, HOLDSHORT_DATA_DIR: dataDir }
  const inGroup = (command: string) => [
    '-c',
    `echo $$ > ${group.folder}/cgroup.procs; exec '${process.execPath}' '${CLI}' ${command}`,
  ]
  const service = spawn('sh', inGroup('start --port 0'), { env, stdio: 'ignore' })
  endWithTest(service, 'SIGTERM')
  // Until every source was asked, one of them in a browser.
  await sleep(60_000)
  await run('sh', inGroup('train --kind security'), { env })
  expect(service.exitCode).toBeNull()
  expect(group.killed()).toBe(0)
}, 900_000)
