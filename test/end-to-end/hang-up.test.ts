import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../free-port.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { CLI, startInstallation, until } from './installation.ts'

const MEMBERS = ['api', 'pipeline']

test('SIGHUP, SIGUSR1 and SIGUSR2 end neither the service nor its processes, and open no debugger', async () => {
  const settings = { HOLDSHORT_SIMULATED_WORLD: 'http://127.0.0.1:9', HOLDSHORT_CHROMIUM_PATH: '/nowhere/chromium' }
  const { supervisor, healthy, pids } = await startInstallation(await temporaryFolder(), settings)
  let written = ''
  supervisor.stderr!.on('data', (chunk) => (written += chunk))
  await healthy(() => true)
  const before: number[] = []
  for (const name of MEMBERS) before.push(await until(`${name} has begun`, () => pids(name)[0] ?? null))
  for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const)
    for (const pid of [supervisor.pid!, ...before]) process.kill(pid, signal)
  await sleep(1_500)
  expect(supervisor.exitCode ?? supervisor.signalCode).toBeNull()
  await healthy(() => true)
  expect(written).not.toContain('Debugger')
  expect(MEMBERS.flatMap(pids)).toEqual(before)
}, 60_000)

test('SIGHUP does not end a service that is still starting', async () => {
  const folder = await temporaryFolder()
  const child = spawn(process.execPath, [CLI, 'start', '--data-dir', folder, '--port', String(await freePort())], {
    env: { ...process.env, HOLDSHORT_SIMULATED_WORLD: 'http://127.0.0.1:9' },
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill('SIGTERM'))
  // It has loaded its code, and opens the state next.
  await until('the folder', () => existsSync(join(folder, 'locks')) || null)
  for (let time = 0; time < 20; time += 1) {
    child.kill('SIGHUP')
    await sleep(20)
  }
  expect(child.exitCode ?? child.signalCode).toBeNull()
}, 30_000)

test.skipIf(!existsSync('/dev/full'))(
  'a full disk under what it writes does not end the service',
  async () => {
    const port = await freePort()
    const full = openSync('/dev/full', 'w')
    const server = spawn(process.execPath, [CLI, 'serve'], {
      env: { ...process.env, HOLDSHORT_DATA_DIR: await temporaryFolder(), HOLDSHORT_PORT: String(port) },
      stdio: ['ignore', full, full],
    })
    onTestFinished(() => {
      server.kill('SIGKILL')
      closeSync(full)
    })
    const url = `http://127.0.0.1:${port}/health`
    await until('health', async () => (await fetch(url).catch(() => null))?.ok ?? server.exitCode)
    expect(server.exitCode).toBeNull()
  },
  60_000,
)

test('a command that is started in a folder which is gone says so', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdshort-gone-'))
  const shell = `rmdir ${folder} && exec "$0" "$1" doctor`
  const { status, stderr } = spawnSync('/bin/sh', ['-c', shell, process.execPath, CLI], {
    cwd: folder,
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true, force: true })
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^ENOENT: the folder in which this command was started does not exist any more/),
  ])
})
