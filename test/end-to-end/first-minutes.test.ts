import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { CANDIDATES } from '../../bin/demo/showcase.ts'
import { textTable } from '../../bin/runtime/output.ts'
import { QUEUES } from '../../pipeline/simulator/catalogue/index.ts'
import { createQueueModel } from '../../pipeline/simulator/model/queues.ts'
import { endWithTest } from '../child-process.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { freePort } from '../free-port.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { CLI, holdshort, until } from './installation.ts'

test.each(EXHAUSTIVE ? [0, 3, 6, 9, 12, 15, 18, 21] : [9])(
  'at %i:00 UTC one of the showcase airports has a queue worth looking at',
  (hour) => {
    for (const seed of EXHAUSTIVE ? [1, 2, 3] : [1]) {
      const model = createQueueModel(seed)
      const instant = Date.UTC(2026, 10, 22, hour, 7)
      const waits = QUEUES.filter(({ iata }) => CANDIDATES.includes(iata)).map(
        ({ id }) => model.publishedAt(id, instant).minutes ?? 0,
      )
      expect(Math.max(...waits), `seed ${seed}`).toBeGreaterThanOrEqual(8)
    }
  },
)

test('a table of any length is shown', () => {
  const rows = Array.from({ length: 130_000 }, (_, index) => [index])
  expect(textTable(['n'], rows).split('\n')).toHaveLength(130_001)
})

describe.runIf(EXHAUSTIVE)('in a process of its own', { timeout: 120_000 }, () => {
  test('start greets with an address and a curl that works', async () => {
    const port = await freePort()
    const child = spawn(
      process.execPath,
      [CLI, 'start', '--port', String(port), '--data-dir', await temporaryFolder()],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    endWithTest(child, 'SIGTERM')
    let greeting = ''
    child.stdout.on('data', (text) => {
      greeting += text
    })
    await until('the greeting', () => greeting.includes('Ctrl-C stops it.'))
    const [, address = ''] = /curl -s -X POST '([^']+)'/.exec(greeting) ?? []
    expect(address).toBe(`http://127.0.0.1:${port}/api/agent/register`)
    const answer = await fetch(address, { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } })
    expect(answer.status).toBe(201)
    const [, authorization = '', waits = ''] = /curl -s -H 'Authorization: ([^']+)' '([^']+)'/.exec(greeting) ?? []
    await until('the first snapshot', async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok)
    expect((await fetch(waits, { headers: { authorization } })).status).toBe(200)
  })

  test('an unreachable Redis is one line of the log, and the pipeline waits for it', async () => {
    const child = spawn(process.execPath, [CLI, 'work', '--data-dir', await temporaryFolder()], {
      env: { ...process.env, REDIS_URL: `redis://127.0.0.1:${await freePort()}` },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    endWithTest(child)
    let log = ''
    child.stderr.on('data', (text) => {
      log += text
    })
    await until('the first line', () => log.includes('\n'))
    await sleep(3_000)
    expect(log.trim().split('\n')).toHaveLength(1)
    expect(JSON.parse(log)).toMatchObject({ msg: 'Redis cannot be reached; jobs wait until it answers' })
    expect(child.exitCode).toBeNull()
  })

  test('Ctrl-C in any phase of the demo ends it without a stack', async () => {
    for (const after_ms of [300, 2_000, 6_000, 15_000]) {
      const folder = join(await temporaryFolder(), 'demo')
      const child = spawn(process.execPath, [CLI, 'demo', '--port', '0', '--data-dir', folder], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let errors = ''
      child.stderr.on('data', (text) => {
        errors += text
      })
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
      await sleep(after_ms)
      child.kill('SIGINT')
      const stopping = performance.now()
      expect([null, 0, 130]).toContain(await ended)
      expect(performance.now() - stopping).toBeLessThan(8_000)
      expect(errors).not.toMatch(/^\s+at /m)
    }
  })

  test('a result that cannot be written is one line', async () => {
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [CLI, 'sources'], { stdio: ['ignore', full, 'pipe'] })
    const message = (await child.stderr!.setEncoding('utf8').toArray()).join('')
    expect(message).toBe('ENOSPC: the result cannot be written; check where the output goes\n')
    expect((await holdshort(['--help'])).code).toBe(0)
  })
})
