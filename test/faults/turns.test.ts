import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import type { HoldshortError } from '../../config/errors.ts'
import { seededRandom } from '../../forecasting/statistics/statistics.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { startProgram } from '../start-program.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { DrawnFaults, ROUNDS, seedsOf } from './harms.ts'
import { BATCH_ROWS } from './native-work.ts'

/** The rows of each batch, none of which is there twice. */
async function batchesIn(folder: string): Promise<Map<number, number>> {
  const warehouse = await openWarehouse(folder)
  const rows = await warehouse
    .query<{ batch: number; n: number; keys: number }>(
      `SELECT split_part(checkpoint, '-', 1)::INTEGER AS batch, count(*) AS n, count(DISTINCT checkpoint) AS keys
       FROM readings GROUP BY 1`,
    )
    .finally(warehouse.close)
  expect(rows.filter(({ n, keys }) => n !== keys)).toEqual([])
  return new Map(rows.map(({ batch, n }) => [batch, n]))
}

test(
  'processes that write, read and hold the file take turns at it without an error',
  async () => {
    const folder = await temporaryFolder()
    const users = ['write', 'read', 'read', 'long'].map((use) =>
      startProgram('use-warehouse', folder, use, 20 * ROUNDS),
    )
    const codes = users.map(async ({ child }) => (await once(child, 'close'))[0])
    expect(await Promise.all(codes)).toEqual([0, 0, 0, 0])
    for (const { lines } of users) {
      const uses = lines().map((line) => JSON.parse(line) as { rows?: number; isWhole?: boolean })
      expect(uses.filter(({ isWhole }) => isWhole === false)).toEqual([])
      const counts = uses.map(({ rows = 0 }) => rows)
      expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    }
    const written = users[0]!.lines().length
    expect(written).toBeGreaterThan(0)
    expect([...(await batchesIn(folder)).values()]).toEqual(Array(written).fill(BATCH_ROWS))
  },
  120_000 * ROUNDS,
)

const faults = new DrawnFaults()
afterAll(() => faults.print('two writers of one file'))

/** Whom a command that waits for a moment only names as the holder of the file; null where it got the file. */
async function refusalOf(folder: string): Promise<string | null> {
  await using command = await openWarehouse(folder, { waitMs: 500 })
  return command.query('SELECT 1').then(
    () => null,
    (error: HoldshortError) => `${error.code}: ${error.message}`,
  )
}

/** Two writers at once; one is frozen or killed at a drawn instant while the other goes on. */
test.each(seedsOf(3 * ROUNDS))(
  'of two writers one is frozen or killed, and nothing acknowledged is lost (seed %i)',
  async (seed) => {
    const folder = await temporaryFolder()
    const random = seededRandom(seed)
    const isFrozen = random() < 0.6
    const writers = [
      startProgram('land-forever', folder, 1_000_000),
      startProgram('land-forever', folder, 2_000_000),
    ] as const
    for (const writer of writers) await Promise.race([writer.hasPrinted(2), sleep(30_000)])
    await sleep(random() * 1_000)
    const [first, second] = writers
    first.child.kill(isFrozen ? 'SIGSTOP' : 'SIGKILL')
    const seen = second.lines().length
    // A process that is frozen while it holds the file keeps the other waiting, and goes on holding it when it wakes up.
    let refusal: string | null = null
    if (isFrozen) {
      await sleep(random() * 3_000)
      refusal = await refusalOf(folder)
      if (refusal !== null)
        expect(refusal).toMatch(
          new RegExp(
            `^WAREHOUSE_LOCKED: .*process (${first.child.pid}|${second.child.pid}) .*try again when it has ended`,
          ),
        )
      // The way out: the process goes on.
      first.child.kill('SIGCONT')
    }
    await Promise.race([second.hasPrinted(seen + 1), sleep(15_000)])
    expect(second.lines().length).toBeGreaterThan(seen)
    await sleep(random() * 1_000)
    for (const writer of writers) if (writer.child.signalCode === null) await writer.kill()
    const stored = await batchesIn(folder)
    for (const writer of writers)
      for (const batch of writer.lines()) expect([batch, stored.get(Number(batch))]).toEqual([batch, 20])
    faults.count(isFrozen ? 'a frozen writer' : 'a killed writer', refusal !== null)
  },
  80_000,
)
