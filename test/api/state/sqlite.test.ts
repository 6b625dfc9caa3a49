import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { issueKey } from '../../../accounts/keys/keys.ts'
import { LocalGate } from '../../../api/gate/local-gate.ts'
import { openState, openStateAt } from '../../../api/state/open.ts'
import type { State } from '../../../api/state/state.ts'
import { dataPaths } from '../../../config/settings.ts'
import { NOW } from '../example-snapshot.ts'
import { temporaryFolder } from '../harness.ts'

test('syncs writes to disk before they return, and enforces foreign keys', async () => {
  const state = await openState({ data_dir: temporaryFolder() })
  onTestFinished(() => state.close())
  const pragma = async (name: string) =>
    Object.values((await sql<Record<string, unknown>>`${sql.raw(`PRAGMA ${name}`)}`.execute(state.db)).rows[0]!)[0]
  expect(await pragma('journal_mode')).toBe('wal')
  expect(await pragma('synchronous')).toBe(2)
  const stray = { account_id: 'nobody', day: '2026-11-21', endpoint: 'x', calls: 1 }
  await expect(state.db.insertInto('usage').values(stray).execute()).rejects.toThrow(/FOREIGN KEY/)
})

test('a state opens with its own pepper only, and no key is valid under another', async () => {
  const data_dir = temporaryFolder()
  const state = await openState({ data_dir, key_pepper: 'pepper-number-one' })
  await expect(openState({ data_dir, key_pepper: 'pepper-number-two' })).rejects.toMatchObject({
    code: 'SETTINGS_INVALID',
  })
  const two = await openStateAt(dataPaths(data_dir).state, 'pepper-number-two')
  onTestFinished(async () => {
    await state.close()
    await two.close()
  })
  const { key } = await issueKey(state, { tier: 'pro' }, NOW)
  expect((await new LocalGate(state).admit(key, NOW, true)).refusal).toBeNull()
  await expect(async () => new LocalGate(two).admit(key, NOW, true)).rejects.toMatchObject({
    code: 'INVALID_API_KEY',
  })
})

test('a transaction that reads first and writes later does not fail because another process writes', async () => {
  const data_dir = temporaryFolder()
  const here = await openState({ data_dir })
  const there = await openState({ data_dir })
  onTestFinished(async () => {
    await here.close()
    await there.close()
  })
  const { account_id } = await issueKey(here, { tier: 'free' }, NOW)
  const named = (state: State, name: string) =>
    state.db.transaction().execute(async (transaction) => {
      const row = await transaction.selectFrom('accounts').select('name').executeTakeFirstOrThrow()
      await transaction
        .updateTable('accounts')
        .set({ name: `${row.name ?? ''}${name}` })
        .where('id', '=', account_id)
        .execute()
    })
  for (let i = 0; i < 5; i++) {
    await named(here, 'h')
    await named(there, 't')
  }
  expect(await here.db.selectFrom('accounts').select('name').executeTakeFirst()).toEqual({ name: 'hththththt' })
})

test('a table that was made again without its key is refused by name', async () => {
  const data_dir = temporaryFolder()
  const state = await openState({ data_dir })
  for (const statement of [
    'create table without_key (account_id text, day text, endpoint text, calls integer, unique (account_id, day))',
    'insert into without_key select * from usage',
    'drop table usage',
    'alter table without_key rename to usage',
  ])
    await sql.raw(statement).execute(state.db)
  await state.close()
  await expect(openState({ data_dir })).rejects.toMatchObject({
    code: 'STATE_DAMAGED',
    message: expect.stringContaining('lacks the unique key of usage (account_id, day, endpoint).'),
  })
})
