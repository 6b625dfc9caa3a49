import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { startInstallation, until } from './installation.ts'

test('SIGHUP, SIGUSR1 and SIGUSR2 end neither the service nor its processes, and open no debugger', async () => {
  const { supervisor, healthy, pids } = await startInstallation(await temporaryFolder(), {
    HOLDSHORT_SIMULATED_WORLD: 'http://127.0.0.1:9',
    HOLDSHORT_CHROMIUM_PATH: '/nowhere/chromium',
  })
  let written = ''
  supervisor.stderr!.on('data', (chunk) => (written += chunk))
  await healthy(() => true)
  const pipeline = await until('the pipeline has begun', () => pids('pipeline')[0] ?? null)
  const before = [...pids('api'), pipeline]
  for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const)
    for (const pid of [supervisor.pid!, ...before]) process.kill(pid, signal)
  await sleep(1_500)
  expect(supervisor.exitCode ?? supervisor.signalCode).toBeNull()
  await healthy(() => true)
  expect(written).not.toContain('Debugger')
  expect([...pids('api'), ...pids('pipeline')]).toEqual(before)
}, 60_000)
