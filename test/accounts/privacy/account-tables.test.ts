import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { expect, onTestFinished, test } from 'vitest'
import { connectBrowser } from '../../../accounts/alerts/connected-browsers.ts'
import { createAlert } from '../../../accounts/alerts/create-alert.ts'
import { OPERATOR } from '../../../accounts/audit/audit-log.ts'
import type { AccountDependencies } from '../../../accounts/dependencies.ts'
import { issueFurtherKey } from '../../../accounts/keys/keys.ts'
import { connectClient, type NewConnection } from '../../../accounts/oauth/consent-decision.ts'
import { setPassword } from '../../../accounts/people/people.ts'
import { signIn } from '../../../accounts/people/signed-in.ts'
import { ACCOUNT_TABLES, findOwner } from '../../../accounts/privacy/account-tables.ts'
import { deleteAccount, tryDeletion } from '../../../accounts/privacy/delete-account.ts'
import { exportAccount, exportText } from '../../../accounts/privacy/export-account.ts'
import { LocalGate } from '../../../api/gate/local-gate.ts'
import { fileReport } from '../../../api/reports/file-report.ts'
import { openState } from '../../../api/state/open.ts'
import type { State } from '../../../api/state/state.ts'
import { DIRECTORY } from '../../api/airport-directory.ts'
import { NOW, snapshotAt } from '../../api/example-snapshot.ts'
import { temporaryFolder } from '../../api/harness.ts'
import { reportedWait } from '../../api/reports/reported-waits.ts'
import { run } from '../../end-to-end/commands.ts'
import { insertFullAccount, SECRET } from './full-account.ts'

async function freshState(data_dir = temporaryFolder()): Promise<State> {
  const state = await openState({ data_dir })
  onTestFinished(() => state.close())
  return state
}

/** Every table of the database with its columns. */
const schemaOf = ({ db }: State) => db.introspection.getTables()

/** Every row of every table. */
async function allRows(state: State): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {}
  for (const { name } of await schemaOf(state))
    rows[name] = await state.db
      .selectFrom(name as 'keys')
      .selectAll()
      .execute()
  return rows
}

test('ACCOUNT_TABLES lists every table with an account_id or person_id column, and every column it exports exists', async () => {
  const tables = await schemaOf(await freshState())
  const owned = tables.filter(({ columns }) =>
    columns.some(({ name }) => name === 'account_id' || name === 'person_id'),
  )
  expect(ACCOUNT_TABLES.map(({ table }) => table).sort() as string[]).toEqual(owned.map(({ name }) => name).sort())
  for (const { table, by, exported } of ACCOUNT_TABLES) {
    const columns = tables.find(({ name }) => name === table)!.columns.map(({ name }) => name)
    expect(columns).toEqual(expect.arrayContaining([by, ...exported]))
  }
})

test('the export contains rows of each table, only of this owner and without secrets, and is recorded in the audit log', async () => {
  const state = await freshState()
  const ada = await insertFullAccount(state, 'ada')
  await insertFullAccount(state, 'bob')
  const exported = await exportAccount(state, ada.owner, OPERATOR, NOW)
  for (const { table } of ACCOUNT_TABLES) expect(exported[table], table).not.toEqual([])
  expect(exported).toMatchObject({
    account: { id: ada.account_id, name: 'ada account', contact_email: 'ada@ops.example', tier: 'pro' },
    people: [{ email: 'ada@example.org' }],
    has_password: true,
    push_services: { push_ada: 'push.example' },
    deliveries: [{ id: 'delivery_ada' }],
    usage: [{ day: '2026-11-20', endpoint: 'getDelays', calls: 7 }],
  })
  const text = JSON.stringify(exported)
  expect(text).not.toContain('bob')
  expect(text).not.toContain(SECRET)
  for (const { hash } of await state.db.selectFrom('keys').select('hash').execute()) expect(text).not.toContain(hash)
  expect((exported['audit'] as { action: string }[]).map(({ action }) => action)).toContain('account_exported')
})

test('an export is written in slices of its rows, and the whole is the JSON of all of them', async () => {
  const state = await freshState()
  const ada = await insertFullAccount(state, 'ada')
  const exported = await exportAccount(state, ada.owner, OPERATOR, NOW)
  const usage = Array.from({ length: 1_000 }, (_, day) => ({ day, endpoint: 'a line\nand "quotes"', calls: [day] }))
  const slices = [...exportText(Object.assign(exported, { usage, alerts: [] }))]
  expect(slices.join('')).toBe(`${JSON.stringify(exported, null, 2)}\n`)
  expect(Math.max(...slices.map(({ length }) => length))).toBeLessThan(JSON.stringify(usage, null, 2).length / 2)
})

test('deleting removes personal data from every table, keeps the retained rows and changes no other account', async () => {
  const state = await freshState()
  const ada = await insertFullAccount(state, 'ada')
  const bob = await insertFullAccount(state, 'bob')
  const before = JSON.stringify(await exportAccount(state, bob.owner, OPERATOR, NOW))
  const dryRun = await tryDeletion(state, ada.owner, OPERATOR, NOW)
  expect((await exportAccount(state, ada.owner, OPERATOR, NOW))['keys']).toHaveLength(1)
  const gate = new LocalGate(state)
  expect((await gate.admit(ada.key, NOW, true)).refusal).toBeNull()

  const deletion = await deleteAccount(state, ada.owner, OPERATOR, NOW)
  expect(deletion.removed).toMatchObject({ ...dryRun.removed, audit: expect.any(Number) })
  expect(deletion.removed).toMatchObject({ keys: 1, people: 1, oauth_records: 2, challenges: 1, wait_reports: 1 })
  expect(deletion.kept).toEqual({ usage: 1, overage_reports: 1, wait_reports: 1 })
  await expect(async () => gate.admit(ada.key, NOW, true)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
  await expect(issueFurtherKey(state, ada.account_id, NOW)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })

  const rowsLeft = await allRows(state)
  const personal = /ada (account|browser|phone|client|desktop)|ada@|cus_ada|person_ada/
  expect(JSON.stringify(rowsLeft)).not.toMatch(personal)
  const ofAda = Object.entries(rowsLeft).filter(([, rows]) => JSON.stringify(rows).includes(ada.account_id))
  expect(ofAda.map(([table]) => table).sort()).toEqual([
    'accounts',
    'audit',
    'overage_reports',
    'usage',
    'wait_reports',
  ])
  expect(
    rowsLeft['audit']!.filter((row) => (row as { account_id: string }).account_id === ada.account_id),
  ).toMatchObject([{ action: 'account_deleted', source: null }])
  const withoutAudit = (text: string) => text.replace(/"audit":\[.*?\],"wait/, '"wait')
  expect(withoutAudit(JSON.stringify(await exportAccount(state, bob.owner, OPERATOR, NOW)))).toBe(withoutAudit(before))
  const record = async () => {
    const { audit, accounts } = await allRows(state)
    return { audit, accounts }
  }
  const kept = await record()
  const later = NOW + 86_400_000
  expect((await deleteAccount(state, ada.owner, OPERATOR, later)).removed).toMatchObject({ keys: 0, people: 0 })
  expect(await record()).toEqual(kept)
})

test('a call that is under way while its account is deleted stores nothing of it, whatever it writes', async () => {
  const state = await freshState()
  const { owner, account_id } = await insertFullAccount(state, 'ada')
  const person = await state.db.selectFrom('people').selectAll().executeTakeFirstOrThrow()
  await deleteAccount(state, owner, OPERATOR, NOW)
  const before = await allRows(state)
  const context = { state, directory: DIRECTORY, snapshot: snapshotAt() }
  const keys = { p256dh: 'p', auth: 'a' }
  const browser = { endpoint: 'https://push.example/late', keys, label: 'late' }
  const alert = { iata: 'JFK', direction: 'above', threshold_minutes: 30 } as const
  const client = { clientId: 'late' } as NewConnection['client']
  const approved = {
    client,
    redirect_uri: 'https://late.example',
    session: '',
    resource: '',
    may_write: true,
    source: null,
  }
  const request = { visitor: null, ip: '192.0.2.9', headers: {} } as FastifyRequest
  const dependencies = { state, clock: () => NOW } as AccountDependencies
  const grants = new Set<string>()
  const Grant = class {
    addOIDCScope() {}
    addResourceScope() {}
    save = async () => {
      grants.add('grant-late')
      return 'grant-late'
    }
    destroy = async () => {
      grants.delete('grant-late')
    }
  }
  const provider = { Grant } as unknown as Provider
  const late = {
    alert: createAlert(context, account_id, alert, OPERATOR, NOW),
    report: fileReport(state, reportedWait({}), account_id, { snapshot: snapshotAt(), now: NOW, address: '192.0.2.9' }),
    browser: connectBrowser(state, account_id, browser, OPERATOR, NOW),
    connection: connectClient(provider, state, { ...approved, account_id }, NOW),
    session: signIn(request, {} as FastifyReply, dependencies, 'https://late.example', person, 'password'),
    password: setPassword(state, person, 'late', OPERATOR, NOW),
  }
  const outcomes = await Promise.allSettled(Object.values(late))
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual(
    Object.keys(late).map(() => 'NOT_FOUND'),
  )
  expect(await allRows(state)).toEqual(before)
  expect(grants).toEqual(new Set())
})

test('deleting is refused while a subscription can be charged, and for an unknown account', async () => {
  const state = await freshState()
  const { owner, account_id } = await insertFullAccount(state, 'ada')
  await state.db.updateTable('subscriptions').set({ status: 'past_due' }).where('account_id', '=', account_id).execute()
  await expect(deleteAccount(state, owner, OPERATOR, NOW)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await findOwner(state.db, ' ADA@example.org ')).toEqual(owner)
  expect(await findOwner(state.db, 'ada@ops.example')).toBeNull()
  const nobody = { account_id: 'acct_none', person_id: null }
  await expect(deleteAccount(state, nobody, OPERATOR, NOW)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(exportAccount(state, nobody, OPERATOR, NOW)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('export-account writes to stdout or a file; delete-account needs --yes', async () => {
  const data_dir = temporaryFolder()
  const state = await freshState(data_dir)
  const { account_id } = await insertFullAccount(state, 'ada')
  const holdshort = (...words: string[]) => run(...words, '--data-dir', data_dir)

  const printed = await holdshort('accounts', 'export', 'ada@example.org')
  expect([printed.code, JSON.parse(printed.stdout).account.id]).toEqual([0, account_id])
  const file = `${data_dir}/ada.json`
  const written = await holdshort('accounts', 'export', account_id, '--out', file, '--json')
  expect(JSON.parse(written.stdout)).toEqual({ account_id, file })
  expect((await holdshort('accounts', 'export', 'nobody@example.org')).code).toBe(1)

  const withdrawn = await holdshort('accounts', 'withdraw-reports', 'ada@example.org', '--json')
  expect(JSON.parse(withdrawn.stdout)).toMatchObject({ account_id, withdrawn: expect.any(Number), airports: ['JFK'] })
  expect((await holdshort('accounts', 'withdraw-reports', account_id)).stdout).toContain('has no reports to withdraw')
  expect((await holdshort('accounts', 'withdraw-reports', 'nobody@example.org')).code).toBe(1)

  const refused = await holdshort('accounts', 'delete', account_id, '--json')
  expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([2, { done: false, removed: { keys: 1 } }])
  expect(refused.stderr).toContain('--yes')
  expect((await holdshort('accounts', 'export', 'ada@example.org')).code).toBe(0)
  const done = await holdshort('accounts', 'delete', 'ada@example.org', '--yes', '--json')
  expect([done.code, JSON.parse(done.stdout)]).toMatchObject([0, { done: true, account_id, removed: { keys: 1 } }])
  expect((await holdshort('accounts', 'delete', 'ada@example.org', '--yes')).code).toBe(1)
})
