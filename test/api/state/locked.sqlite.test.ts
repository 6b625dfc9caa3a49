import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import Database from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { issueKey, listKeys } from '../../../accounts/keys/keys.ts'
import { usageByEndpoint } from '../../../api/gate/usage.ts'
import { openStateAt } from '../../../api/state/open.ts'
import { connectInThread } from '../../../api/state/sqlite-thread.ts'
import { WriteTurns } from '../../../api/state/write-turns.ts'
import { dataPaths } from '../../../config/settings.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { NOW } from '../example-snapshot.ts'
import { openHarness, temporaryFolder } from '../harness.ts'

/** Takes the write lock of a state file, as another process does; SQLite treats every connection alike. */
function lock(dataDir: string) {
  const other = new Database(dataPaths(dataDir).state)
  other.exec('begin exclusive')
  const release = () => {
    if (other.inTransaction) other.exec('rollback')
  }
  onTestFinished(() => {
    release()
    other.close()
  })
  return release
}

const register = (app: Awaited<ReturnType<typeof openHarness>>['app'], network: number) =>
  app.inject({ method: 'POST', url: '/api/agent/register', payload: {}, remoteAddress: `10.0.${network}.1` })

/** The longest time for which the event loop did not turn while `work` ran. */
async function longestStall(work: Promise<unknown>): Promise<number> {
  let isDone = false
  const finished = work.finally(() => {
    isDone = true
  })
  let longest = 0
  for (let last = performance.now(); !isDone; await nextTurn()) {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  await finished
  return longest
}

test('while another process holds the lock, reads are answered and writes wait without holding the event loop', async () => {
  const { app, call, state, keys, dataDir } = await openHarness()
  // Usage that waits for its write when the lock is taken; an unknown key is read from the file.
  await call('pro', '/api/v1/airports/JFK/wait-times')
  const release = lock(dataDir)
  const writes = Promise.all([register(app, 1), register(app, 2)])
  let isWritten = false
  void writes.then(() => {
    isWritten = true
  })
  const reads = async () => {
    for (let round = 0; round < 20; round++)
      for (const [tier, url] of [
        [null, '/health'],
        ['free', '/api/v1/airports/JFK/delays'],
        ['enterprise', '/api/v1/airports/JFK/wait-times'],
      ] as const)
        expect((await call(tier, url)).statusCode).toBe(200)
    expect((await call('pro', '/api/agent/me')).statusCode).toBe(200)
    // Waiting inside SQLite would hold the loop for the whole limit of five seconds.
    await wait(100)
  }
  expect(await longestStall(reads())).toBeLessThan(1_000)
  expect(isWritten).toBe(false)
  release()
  expect((await writes).map(({ statusCode }) => statusCode)).toEqual([201, 201])
  await app.close()
  expect(await usageByEndpoint(state.db, keys.pro.account_id, '2026-11')).toEqual([
    { endpoint: 'getWaitTimes', calls: 1 },
  ])
})

test.runIf(EXHAUSTIVE)('a write that waits too long for the lock is answered 503, and can be repeated', async () => {
  const { app, call, dataDir } = await openHarness()
  const release = lock(dataDir)
  const writes = Promise.all([1, 2, 3].map((network) => register(app, network)))
  expect(await longestStall(writes)).toBeLessThan(1_000)
  for (const answer of await writes) {
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toBe('5')
    expect(answer.json()).toMatchObject({ code: 'STATE_UNREACHABLE' })
  }
  expect((await call('free', '/api/v1/airports/JFK/delays')).statusCode).toBe(200)
  release()
  const repeated = await register(app, 1)
  expect(repeated.statusCode).toBe(201)
  // Another process sees it: it is committed.
  const other = new Database(dataPaths(dataDir).state)
  onTestFinished(() => void other.close())
  const found = other.prepare('select count(*) as n from accounts where id = ?').all([repeated.json().agent_id])
  expect(found).toEqual([{ n: 1 }])
})

test('writes take turns in the order of arrival; one that waits too long gives up and holds nobody up', async () => {
  const turns = new WriteTurns(20)
  await turns.begin()
  const order: number[] = []
  const second = turns.begin().then(() => order.push(2))
  const third = turns.begin().then(() => order.push(3))
  turns.end()
  await second
  turns.end()
  await third
  expect(order).toEqual([2, 3])
  await expect(turns.begin()).rejects.toMatchObject({ code: 'STATE_UNREACHABLE' })
  turns.end()
  await turns.begin()
  turns.end()
})

test('what is acknowledged after a write met a lock is committed: no statement stays behind', async () => {
  const file = join(temporaryFolder(), 'state.sqlite')
  const writer = await connectInThread(file, ['busy_timeout = 10', 'journal_mode = WAL'])
  onTestFinished(writer.close)
  const none: unknown[] = []
  await writer.write({ sql: 'create table rows (n integer)', parameters: none })
  const other = new Database(file)
  onTestFinished(() => void other.close())
  const count = () => (other.prepare('select count(*) as n from rows').all(none) as [{ n: number }])[0].n
  const insert = { sql: 'insert into rows values (1)', parameters: none }
  const lockedThen = async (attempt: () => Promise<unknown>) => {
    other.exec('begin exclusive')
    await expect(attempt()).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
    other.exec('rollback')
  }
  await lockedThen(() => writer.write(insert))
  await writer.write(insert)
  expect(count()).toBe(1)
  await lockedThen(() => writer.exec('begin immediate'))
  await writer.exec('begin immediate')
  await writer.run(insert)
  await writer.exec('commit')
  expect(count()).toBe(2)
  // A statement that is run by itself, without a transaction, replaces the connection when it meets a lock.
  await lockedThen(() => writer.run(insert))
  await writer.write(insert)
  expect(count()).toBe(3)
})

test('a reader that was kept out for a moment sees what is written afterwards', async () => {
  const file = join(temporaryFolder(), 'state.sqlite')
  const state = await openStateAt(file, 'pepper')
  onTestFinished(() => state.close())
  await issueKey(state, { tier: 'free' }, NOW)
  // No reader may look while the log is taken away; an exclusive mode does the same.
  const other = new Database(file)
  onTestFinished(() => void other.close())
  other.exec('PRAGMA locking_mode = EXCLUSIVE')
  let isAlone = true
  try {
    other.exec('begin exclusive; rollback')
  } catch {
    isAlone = false
  }
  const keys = listKeys(state)
  await wait(30)
  other.exec('PRAGMA locking_mode = NORMAL')
  other.exec('select count(*) from keys')
  expect(await keys).toHaveLength(1)
  await issueKey(state, { tier: 'free' }, NOW)
  expect(await listKeys(state), String(isAlone)).toHaveLength(2)
})

test('two states on one file in one process write in turns: none waits for a transaction that the other cannot end', async () => {
  const file = dataPaths(await temporaryFolder()).state
  const [first, two] = [await openStateAt(file, 'pepper'), await openStateAt(file, 'pepper')]
  onTestFinished(async () => {
    await first.close()
    await two.close()
  })
  const started = performance.now()
  await Promise.all(
    [first, two, first, two].map((state, k) =>
      state.db.transaction().execute(async (transaction) => {
        await wait(20)
        await transaction
          .insertInto('accounts')
          .values({ id: `acct_${k}`, created_at: '2026-11-20T00:00:00Z', tier: 'free' } as never)
          .execute()
      }),
    ),
  )
  expect(await first.db.selectFrom('accounts').select('id').execute()).toHaveLength(4)
  expect(performance.now() - started).toBeLessThan(4_000)
})
