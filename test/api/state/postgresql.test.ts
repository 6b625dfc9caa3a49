import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { issueKey, revokeKey } from '../../../accounts/keys/keys.ts'
import { registerAgent } from '../../../accounts/keys/registration.ts'
import { LocalGate } from '../../../api/gate/local-gate.ts'
import { MIGRATIONS } from '../../../api/state/migrations.ts'
import { openState } from '../../../api/state/open.ts'
import type { State } from '../../../api/state/state.ts'
import { run } from '../../end-to-end/commands.ts'
import { holdshort } from '../../end-to-end/installation.ts'
import { NOW } from '../example-snapshot.ts'
import { temporaryFolder } from '../harness.ts'
import { insertRow } from './insert-row.ts'

const NOWHERE = 'postgresql://nobody:secret@127.0.0.1:1/state'

async function stateIn(data_dir: string): Promise<State> {
  const state = await openState({ data_dir })
  onTestFinished(() => state.close())
  return state
}

test('several processes that start together on an empty database migrate it once', async () => {
  const data_dir = temporaryFolder()
  const states = await Promise.all(Array.from({ length: 6 }, () => stateIn(data_dir)))
  const { key } = await issueKey(states[0]!, { tier: 'pro' }, NOW)
  for (const state of states) expect((await new LocalGate(state).admit(key, NOW, true)).refusal).toBeNull()
  const done = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(states[1]!.db)
  expect(done.rows.map(({ name }) => name)).toEqual(Object.keys(MIGRATIONS))
})

test.each([
  [
    'usage',
    'alter column calls type text',
    'alter column calls type integer using calls::integer',
    'the type integer of usage.calls, which is text',
  ],
  [
    'keys',
    'alter column name type varchar(10)',
    'alter column name type text',
    'the type text of keys.name, which is character varying(10)',
  ],
  ['people', 'drop constraint people_email_key', 'add unique (email)', 'the unique key of people.email'],
  [
    'usage',
    'drop constraint usage_key, add unique (account_id, day, endpoint, calls)',
    'add primary key (day, endpoint, account_id)',
    'the unique key of usage (account_id, day, endpoint)',
  ],
])('the table %s is refused by name after `%s`', async (table, change, back, lacking) => {
  const data_dir = temporaryFolder()
  const state = await stateIn(data_dir)
  await sql.raw(`alter table ${table} ${change}`).execute(state.db)
  await expect(openState({ data_dir })).rejects.toMatchObject({
    code: 'STATE_DAMAGED',
    message: expect.stringContaining(`lacks ${lacking}.`),
  })
  await sql.raw(`alter table ${table} ${back}`).execute(state.db)
  await (await openState({ data_dir })).close()
})

test('a table that was dropped is missed though another schema has one of its name', async () => {
  const data_dir = temporaryFolder()
  const state = await stateIn(data_dir)
  const run = (text: string) => sql.raw(text).execute(state.db)
  await run('create schema elsewhere')
  await run('create table elsewhere.alerts as table alerts')
  await run('alter table alerts rename to away')
  await expect(openState({ data_dir })).rejects.toMatchObject({
    code: 'STATE_DAMAGED',
    message: expect.stringContaining('the table alerts'),
  })
  await run('alter table away rename to alerts')
  await run('drop schema elsewhere cascade')
})

test('a commit is on the server’s disk, whatever the settings of the database', async () => {
  const state = await stateIn(temporaryFolder())
  const { rows } = await sql<{ set: string }>`select current_setting('synchronous_commit') as set`.execute(state.db)
  expect(rows).toEqual([{ set: 'on' }])
})

test('changes of access run one after the other, also from several processes', async () => {
  const data_dir = temporaryFolder()
  const states = await Promise.all([stateIn(data_dir), stateIn(data_dir)])
  let under = 0
  const most: number[] = []
  await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      states[i % 2]!.changeAccess(async (transaction) => {
        most.push(++under)
        await transaction.selectFrom('accounts').select('id').execute()
        under--
      }),
    ),
  )
  expect(most).toEqual(Array(10).fill(1))
})

test('the very next call after a revocation by another process is refused, and limits hold across processes', async () => {
  const data_dir = temporaryFolder()
  const [here, there] = await Promise.all([stateIn(data_dir), stateIn(data_dir)])
  const gate = new LocalGate(here)
  for (let i = 0; i < 10; i++) {
    const { key, key_id } = await issueKey(there, { tier: 'pro' }, NOW)
    expect((await gate.admit(key, NOW, true)).refusal).toBeNull()
    await revokeKey(there, key_id, NOW)
    await expect(async () => gate.admit(key, NOW, true)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
  }
  const caps = { registrations_per_minute: 5, registrations_per_day: 20 }
  const tries = Array.from({ length: 14 }, (_, i) =>
    registerAgent(i % 2 ? here : there, caps, { address: '192.0.2.7' }, NOW),
  )
  const settled = await Promise.allSettled(tries)
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
})

test('U+0000 is stored as a replacement character, and large counters are returned as numbers', async () => {
  const state = await stateIn(temporaryFolder())
  const caps = { registrations_per_minute: 5, registrations_per_day: 20 }
  const { account_id } = await registerAgent(state, caps, { agent_name: 'a\0b', address: '192.0.2.7' }, NOW)
  const { name } = await state.db.selectFrom('accounts').select('name').executeTakeFirstOrThrow()
  expect(name).toBe('a\u{fffd}b')
  await insertRow(state, 'people', { id: 'person_1', account_id, email: 'a@example.org' })
  await insertRow(state, 'passkeys', { id: 'p', person_id: 'person_1', counter: 2 ** 32 - 1 })
  expect(await state.db.selectFrom('passkeys').select('counter').executeTakeFirst()).toEqual({ counter: 2 ** 32 - 1 })
})

test('a connection that the server closes is replaced without an error', async () => {
  const state = await stateIn(temporaryFolder())
  const others = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  await Promise.all(Array.from({ length: 5 }, () => sql`select pg_sleep(0.02)`.execute(state.db)))
  await others.execute(state.db)
  await vi.waitFor(async () => expect(await state.accessVersion()).toBeTypeOf('number'))
})

test('an unreachable database has its own error code, and the command line exits with 1 and reports it', async () => {
  const settings = { data_dir: temporaryFolder(), key_pepper: 'pepper of the tests' }
  await expect(openState({ ...settings, database_url: NOWHERE })).rejects.toMatchObject({ code: 'STATE_UNREACHABLE' })
  vi.stubEnv('DATABASE_URL', NOWHERE)
  vi.stubEnv('HOLDSHORT_KEY_PEPPER', settings.key_pepper)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { code, stdout, stderr } = await run('keys', 'list', '--data-dir', settings.data_dir)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^STATE_UNREACHABLE: .*ECONNREFUSED/)
  expect(stderr).not.toContain('secret')
  const environment = { HOLDSHORT_DATA_DIR: settings.data_dir, HOLDSHORT_PORT: '0', DATABASE_URL: NOWHERE }
  const served = await holdshort(['serve'], { ...environment, HOLDSHORT_KEY_PEPPER: settings.key_pepper })
  expect([served.code, served.stderr]).toEqual([1, expect.stringContaining('STATE_UNREACHABLE')])
})

test('the pepper must be set, to the value with which the database was created', async () => {
  const data_dir = temporaryFolder()
  await expect(openState({ data_dir, database_url: NOWHERE })).rejects.toThrow(/^HOLDSHORT_KEY_PEPPER: must be set/)
  const key_pepper = 'pepper number one'
  const first = await openState({ data_dir, key_pepper })
  await first.close()
  await expect(openState({ data_dir, key_pepper: 'pepper number two' })).rejects.toThrow(
    /^HOLDSHORT_KEY_PEPPER: is not the value/,
  )
})
