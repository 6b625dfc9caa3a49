import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { issueKey, listKeys } from '../../../api/accounts/keys/keys.ts'
import { MIGRATIONS } from '../../../api/state/migrations.ts'
import { openState } from '../../../api/state/open.ts'
import { letEventLoopPoll } from '../event-loop.ts'
import { NOW } from '../example-snapshot.ts'
import { temporaryFolder } from '../harness.ts'

test('opening a second time migrates nothing and keeps the rows', async () => {
  const data_dir = temporaryFolder()
  const first = await openState({ data_dir })
  const { key_id } = await issueKey(first, { tier: 'pro', name: 'first key' }, NOW)
  await first.close()
  const second = await openState({ data_dir })
  onTestFinished(() => second.close())
  expect((await listKeys(second)).map(({ id, account_name }) => [id, account_name])).toEqual([[key_id, 'first key']])
  const done = await sql<{ name: string }>`select name from kysely_migration`.execute(second.db)
  expect(done.rows.map(({ name }) => name)).toEqual(Object.keys(MIGRATIONS))
})

test('the access version grows with key changes of this process and commits of others, and otherwise stays the same', async () => {
  const data_dir = temporaryFolder()
  const here = await openState({ data_dir })
  const there = await openState({ data_dir })
  onTestFinished(async () => {
    await here.close()
    await there.close()
  })
  const before = await here.accessVersion()
  expect(await here.accessVersion()).toBe(before)
  await issueKey(here, { tier: 'free' }, NOW)
  const own = await here.accessVersion()
  expect(own).toBeGreaterThan(before)
  await issueKey(there, { tier: 'free' }, NOW)
  await letEventLoopPoll()
  expect(await here.accessVersion()).toBeGreaterThan(own)
})
