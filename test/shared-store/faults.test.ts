import { type ChildProcess, fork } from 'node:child_process'
import { on, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectFile } from '../../config/paths.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { repetitions } from '../exhaustive.ts'
import { createPlace, PARTS_MISSING, type SharedStores, startSharedStores } from './installation.ts'

const PROGRAM = projectFile('dist', 'test', 'programs', 'land-shared.js')
const READER = projectFile('dist', 'test', 'programs', 'read-shared.js')
const BATCH = 20
const ROUNDS = repetitions(1, 20)
const WRITES_AGAIN_MS = 40_000
/** From the freezing of a writer until another one has landed three batches. */
const TAKEN_OVER_MS = 25_000

interface Writer {
  name: string
  child: ChildProcess
  failed: { batch: string; code: string }[]
  /** Called with the batch before whose COMMIT the writer waits. */
  onPaused: (batch: string) => void
  /** How often a process ended without being killed by the test. */
  ownEnds: number
}

describe.skipIf(PARTS_MISSING !== null)(`faults of several machines ${PARTS_MISSING ?? ''}`, () => {
  let stores: SharedStores
  const acknowledged = new Set<string>()
  const writers: Writer[] = []
  let number = 0
  beforeAll(async () => {
    stores = await startSharedStores({ durable: true })
    await createTables()
  })
  afterAll(async () => {
    for (const { child } of writers) child.kill('SIGKILL')
    await stores?.remove()
  })

  async function createTables(): Promise<void> {
    const settings = stores.settings(stores.folder(), 'faults')
    const warehouse = await openWarehouse(settings.data_dir, { place: await createPlace(settings) })
    await warehouse.write(async () => undefined)
    await warehouse.close()
  }

  function start(writer: Writer): void {
    number += 1_000
    const env = { PATH: process.env['PATH'], ...stores.environment(stores.folder(), 'faults') }
    const child = fork(PROGRAM, [writer.name, String(number)], { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    writer.child = child
    child.on('message', (message: { acknowledged?: string; failed?: string; code?: string; paused?: string }) => {
      if (message.paused !== undefined) writer.onPaused(message.paused)
      if (message.acknowledged !== undefined) acknowledged.add(message.acknowledged)
      if (message.failed !== undefined) writer.failed.push({ batch: message.failed, code: message.code ?? '' })
    })
    // As the service manager does it, whatever the exit.
    child.once('exit', (_code, signal) => {
      if (signal === 'SIGKILL') return
      writer.ownEnds += 1
      start(writer)
    })
  }
  function addWriter(name: string): Writer {
    const writer: Writer = { name, child: null as never, failed: [], onPaused: () => undefined, ownEnds: 0 }
    start(writer)
    writers.push(writer)
    return writer
  }
  /** Waits until some more batches are acknowledged; returns after how long. */
  async function untilAcknowledged(more = 3): Promise<number> {
    const began = performance.now()
    for (const goal = acknowledged.size + more; acknowledged.size < goal; await sleep(20))
      if (performance.now() - began > WRITES_AGAIN_MS) throw new Error('nothing is acknowledged any more')
    return performance.now() - began
  }

  test(
    'lose no acknowledged row, double none and leave no landing half done',
    async () => {
      const [one, other] = [addWriter('one'), addWriter('other')]
      await untilAcknowledged()
      const slowest = { kill: 0, postgresql: 0, s3: 0, freeze: 0 }
      for (let round = 0; round < ROUNDS; round += 1) {
        one.child.kill('SIGKILL')
        slowest.kill = Math.max(slowest.kill, await untilAcknowledged())
        start(one)
        await untilAcknowledged()
        await stores.postgresql.kill()
        await stores.postgresql.start()
        slowest.postgresql = Math.max(slowest.postgresql, await untilAcknowledged())
        await stores.s3.kill()
        await stores.s3.start()
        slowest.s3 = Math.max(slowest.s3, await untilAcknowledged())
      }
      // A writer that is frozen between its INSERT and its COMMIT, and wakes when another one has written.
      let refused = 0
      for (let round = 0; round < ROUNDS; round += 1) {
        const isPaused = new Promise<string>((resolve) => {
          one.onPaused = resolve
        })
        one.child.send('pause')
        const batch = await isPaused
        one.child.kill('SIGSTOP')
        slowest.freeze = Math.max(slowest.freeze, await untilAcknowledged())
        expect([...acknowledged].filter((name) => name === batch)).toEqual([])
        one.child.kill('SIGCONT')
        one.child.send('go on')
        for (const until = performance.now() + WRITES_AGAIN_MS; ; await sleep(20)) {
          if (one.failed.some((failure) => failure.batch === batch)) break
          if (performance.now() > until) throw new Error('the frozen writer reports nothing')
        }
        expect(one.failed.find((failure) => failure.batch === batch)?.code).toBe('WRITE_FENCED')
        refused += 1
        await untilAcknowledged()
      }
      for (const writer of writers) {
        writer.child.kill('SIGKILL')
        if (writer.child.exitCode === null && writer.child.signalCode === null) await once(writer.child, 'exit')
      }
      const settings = stores.settings(stores.folder(), 'faults')
      const warehouse = await openWarehouse(settings.data_dir, { place: await createPlace(settings) })
      const rows = await warehouse.query<{ batch: string; n: number }>(
        'SELECT checkpoint AS batch, count(*) AS n FROM readings GROUP BY ALL',
      )
      await warehouse.close()
      const counts = new Map(rows.map(({ batch, n }) => [batch, n]))
      const lost = [...acknowledged].filter((batch) => !counts.has(batch))
      const uneven = rows.filter(({ n }) => n !== BATCH)
      process.stderr.write(
        `${JSON.stringify({ acknowledged: acknowledged.size, lost: lost.length, torn_or_doubled: uneven.length, refused, own_ends: one.ownEnds + other.ownEnds, written_again_after_ms: slowest })}\n`,
      )
      expect(lost).toEqual([])
      expect(uneven).toEqual([])
      expect(slowest.freeze).toBeLessThan(TAKEN_OVER_MS)
    },
    120_000 + ROUNDS * 120_000,
  )

  test('a reader whose PostgreSQL ends within a transaction goes on, and reads when it is back', async () => {
    const env = { PATH: process.env['PATH'], ...stores.environment(stores.folder(), 'faults') }
    const child = fork(READER, [], { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    const messages = on(child, 'message', { close: ['exit'] })
    /** Lets the reader go on until it says this; `ended` when its process is over. */
    const said = async (word: string) => {
      for (;;) {
        const { value, done } = await messages.next()
        if (done) return 'ended'
        if (value[0] === word) return word
        if (value[0] === 'paused') child.send('go on')
      }
    }
    try {
      expect(await said('paused')).toBe('paused')
      await stores.postgresql.kill()
      child.send('go on')
      expect(await said('failed')).toBe('failed')
      await stores.postgresql.start()
      expect(await said('read')).toBe('read')
    } finally {
      child.kill('SIGKILL')
    }
  }, 120_000)
})
