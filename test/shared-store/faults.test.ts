import { type ChildProcess, fork } from 'node:child_process'
import { on, once } from 'node:events'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectFile } from '../../config/paths.ts'
import { seededRandom } from '../../forecasting/statistics/statistics.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { DrawnFaults, ROUNDS, seedsOf } from '../faults/harms.ts'
import { createPlace, PARTS_MISSING, type SharedStores, startSharedStores } from './installation.ts'

const PROGRAM = projectFile('dist', 'test', 'programs', 'land-shared.js')
const READER = projectFile('dist', 'test', 'programs', 'read-shared.js')
const BATCH = 20
const SEEDS = seedsOf(48 * ROUNDS)
const WRITES_AGAIN_MS = 40_000
const FAILS_MS = 6_000
/** From the freezing of a writer until another one has landed three batches. */
const TAKEN_OVER_MS = 25_000

/** Fills a disk but for some bytes; returns how to empty it again. */
async function fillDisk(folder: string, rest: number): Promise<() => Promise<void>> {
  const filler = join(folder, 'filler')
  const { bavail, bsize } = await statfs(folder)
  await writeFile(filler, Buffer.alloc(Math.max(0, Math.floor(bavail * bsize - rest)), 1)).catch(() => undefined)
  return () => rm(filler, { force: true })
}

interface Writer {
  name: string
  child: ChildProcess
  failed: { batch: string; code: string; message: string }[]
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
    stores = await startSharedStores({ durable: true, disks: true })
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
    child.on(
      'message',
      (message: { acknowledged?: string; failed?: string; code?: string; message?: string; paused?: string }) => {
        if (message.paused !== undefined) writer.onPaused(message.paused)
        if (message.acknowledged !== undefined) acknowledged.add(message.acknowledged)
        if (message.failed !== undefined)
          writer.failed.push({ batch: message.failed, code: message.code ?? '', message: message.message ?? '' })
      },
    )
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
  /** What each writer last reported, for the message of a test that failed. */
  const lastWords = () =>
    writers
      .map(({ name, child, failed, ownEnds }) => {
        const last = failed.at(-1)
        return `${name} (process ${child.pid}, ended by itself ${ownEnds} times) last failed ${last ? `with ${last.code}: ${last.message}` : 'never'}`
      })
      .join('; ')
  /** Waits until some more batches are acknowledged; returns after how long. */
  async function untilAcknowledged(more = 3): Promise<number> {
    const began = performance.now()
    for (const goal = acknowledged.size + more; acknowledged.size < goal; await sleep(20))
      if (performance.now() - began > WRITES_AGAIN_MS)
        throw new Error(`nothing is acknowledged any more: ${lastWords()}`)
    return performance.now() - began
  }

  /** Waits until a landing of a writer fails; not for ever, because what is left of a disk may be enough. */
  async function untilFailed(writer: Writer, before: number): Promise<void> {
    const began = performance.now()
    while (writer.failed.length === before && performance.now() - began < FAILS_MS) await sleep(20)
  }

  /** Does one fault to a writer or a store, for a drawn time; returns whether a landing was refused, which the writer then repeats. */
  type Harm = (writer: Writer, random: () => number) => Promise<boolean>
  const KINDS: Record<string, Harm> = {
    'a killed writer': async (writer) => {
      writer.child.kill('SIGKILL')
      await untilAcknowledged()
      start(writer)
      return false
    },
    'a frozen writer': async (writer, random) => {
      const before = writer.failed.length
      writer.child.kill('SIGSTOP')
      await sleep(random() * 12_000)
      writer.child.kill('SIGCONT')
      await untilAcknowledged()
      return writer.failed.length > before
    },
    'a writer that is frozen before its COMMIT': async (writer) => {
      const isPaused = new Promise<string>((resolve) => {
        writer.onPaused = resolve
      })
      writer.child.send('pause')
      const batch = await isPaused
      // The batch may have been refused before, while a store was away, and be tried again.
      const earlier = writer.failed.length
      writer.child.kill('SIGSTOP')
      expect(await untilAcknowledged()).toBeLessThan(TAKEN_OVER_MS)
      expect(acknowledged.has(batch)).toBe(false)
      writer.child.kill('SIGCONT')
      writer.child.send('go on')
      for (const until = performance.now() + WRITES_AGAIN_MS; ; await sleep(20)) {
        const failure = writer.failed.slice(earlier).find((failed) => failed.batch === batch)
        if (failure !== undefined) expect(failure.code).toBe('WRITE_FENCED')
        if (failure !== undefined) return true
        if (performance.now() > until) throw new Error('the frozen writer reports nothing')
      }
    },
    'a killed PostgreSQL': async (_, random) => {
      await stores.postgresql.kill()
      await sleep(random() * 2_000)
      await stores.postgresql.start()
      return false
    },
    'a killed S3 server': async (_, random) => {
      await stores.s3.kill()
      await sleep(random() * 2_000)
      await stores.s3.start()
      return false
    },
    'a full disk of the bucket': async (writer, random) => {
      const before = writer.failed.length
      const empty = await fillDisk(stores.disks.s3!, random() * 20_000)
      await untilFailed(writer, before)
      await empty()
      return writer.failed.length > before
    },
    'a full disk of PostgreSQL': async (writer, random) => {
      const before = writer.failed.length
      const empty = await fillDisk(stores.disks.postgresql!, random() * 100_000)
      await untilFailed(writer, before)
      // It ends where it cannot write its log; then its service manager starts it again.
      await stores.postgresql.kill()
      await empty()
      await stores.postgresql.start()
      return writer.failed.length > before
    },
    'a frozen S3 server': async (_, random) => {
      stores.s3.signal('SIGSTOP')
      await sleep(random() * 4_000)
      stores.s3.signal('SIGCONT')
      return false
    },
  }

  test(
    'lose no acknowledged row, double none and leave no landing half done',
    async () => {
      const [first, other] = [addWriter('one'), addWriter('other')]
      await untilAcknowledged()
      const { s3, postgresql } = stores.disks
      const hasDisk: Record<string, boolean> = {
        'a full disk of the bucket': s3 !== undefined,
        'a full disk of PostgreSQL': postgresql !== undefined,
      }
      const kinds = Object.keys(KINDS).filter((kind) => hasDisk[kind] ?? true)
      const faults = new DrawnFaults()
      const slowest: Record<string, number> = {}
      for (const seed of SEEDS) {
        const random = seededRandom(seed)
        const kind = kinds[seed % kinds.length]!
        await sleep(random() * 500)
        const isRefused = await KINDS[kind]!(first, random)
        slowest[kind] = Math.max(slowest[kind] ?? 0, await untilAcknowledged())
        faults.count(kind, isRefused)
      }
      faults.print('several machines')
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
        `${JSON.stringify({ acknowledged: acknowledged.size, lost: lost.length, torn_or_doubled: uneven.length, own_ends: first.ownEnds + other.ownEnds, written_again_after_ms: slowest })}\n`,
      )
      expect(lost).toEqual([])
      expect(uneven).toEqual([])
    },
    120_000 + SEEDS.length * 30_000,
  )

  test('a reader whose PostgreSQL ends within a transaction goes on, and reads when it is back', async () => {
    const env = { PATH: process.env['PATH'], ...stores.environment(stores.folder(), 'faults') }
    const child = fork(READER, [], { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    const messages = on(child, 'message', { close: ['exit'] })
    /** Lets the reader go on until it says this; `ended` when its process is over. */
    const received = async (word: string) => {
      for (;;) {
        const { value, done } = await messages.next()
        if (done) return 'ended'
        if (value[0] === word) return word
        if (value[0] === 'paused') child.send('go on')
      }
    }
    try {
      expect(await received('paused')).toBe('paused')
      await stores.postgresql.kill()
      child.send('go on')
      expect(await received('failed')).toBe('failed')
      await stores.postgresql.start()
      expect(await received('read')).toBe('read')
    } finally {
      child.kill('SIGKILL')
    }
  }, 120_000)
})
