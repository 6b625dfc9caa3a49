import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { issueKey, listKeys } from '../../../accounts/keys/keys.ts'
import { MIGRATIONS } from '../../../api/state/migrations.ts'
import { openState } from '../../../api/state/open.ts'
import { checkState } from '../../../bin/doctor/check-folder.ts'
import { runCheck } from '../../../bin/doctor/finding.ts'
import { dataPaths, readSettings } from '../../../config/settings.ts'
import { letEventLoopPoll } from '../event-loop.ts'
import { NOW } from '../example-snapshot.ts'
import { temporaryFolder } from '../harness.ts'
import { insertRow } from './insert-row.ts'

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

test('a state of an earlier release gets the columns and indexes that it lacks, and keeps its rows', async () => {
  const data_dir = temporaryFolder()
  const earlier = await openState({ data_dir })
  const { account_id } = await issueKey(earlier, { tier: 'free' }, NOW)
  await insertRow(earlier, 'connections', { grant_id: 'g', account_id })
  for (const statement of [
    'drop index wait_reports_status_landed_at',
    'create index wait_reports_landed_at_status on wait_reports (landed_at, status)',
    'alter table wait_reports drop column network_hash',
    'alter table connections drop column may_write',
    'create table invoices (id text primary key)',
    "delete from kysely_migration where name > '001-state'",
  ])
    await sql.raw(statement).execute(earlier.db)
  await earlier.close()
  const now = await openState({ data_dir })
  onTestFinished(() => now.close())
  expect(await now.db.selectFrom('connections').select(['grant_id', 'may_write']).execute()).toEqual([
    { grant_id: 'g', may_write: null },
  ])
  expect(await now.db.selectFrom('wait_reports').select('network_hash').execute()).toEqual([])
  expect((await now.db.introspection.getTables()).map(({ name }) => name)).not.toContain('invoices')
  // The names are free again only if the migration made the index and dropped the earlier one.
  await expect(
    sql`create index wait_reports_status_landed_at on wait_reports (status)`.execute(now.db),
  ).rejects.toThrow()
  await sql`create index wait_reports_landed_at_status on wait_reports (status)`.execute(now.db)
})

test.each([
  ['a table', 'alerts', '', 'the table alerts'],
  ['a column', 'wait_reports', 'column network_hash', 'wait_reports.network_hash'],
])('a state that lacks %s is refused by name', async (_what, table, column, name) => {
  const data_dir = temporaryFolder()
  const earlier = await openState({ data_dir })
  onTestFinished(() => earlier.close())
  await sql.raw(`alter table ${table} rename ${column} to away`).execute(earlier.db)
  await expect(openState({ data_dir })).rejects.toMatchObject({
    code: 'STATE_DAMAGED',
    message: expect.stringContaining(`lacks ${name}.`),
  })
  if (existsSync(dataPaths(data_dir).state)) {
    const { level, says } = await runCheck('state', () => checkState({ ...readSettings({}), data_dir }))
    expect([level, says]).toEqual(['wrong', expect.stringContaining(name)])
  }
  const [kept, back] = column === '' ? ['away', ` to ${table}`] : [table, ' column away to network_hash']
  await sql.raw(`alter table ${kept} rename${back}`).execute(earlier.db)
})

test('an index that was dropped is there again after the next start', async () => {
  const data_dir = temporaryFolder()
  const earlier = await openState({ data_dir })
  await sql.raw('drop index deliveries_alert_id').execute(earlier.db)
  await earlier.close()
  const now = await openState({ data_dir })
  onTestFinished(() => now.close())
  // It would fail where there is none.
  await sql.raw('drop index deliveries_alert_id').execute(now.db)
})
