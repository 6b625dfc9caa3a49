import { expect, test } from 'vitest'
import { deleteExpiredSignInsTask } from '../../../accounts/people/periodic-task.ts'
import { type Harness, shareHarness } from '../../api/harness.ts'
import { createSignedInPerson, type SignedInPerson } from '../people/signed-in-person.ts'
import { auditEntries, KEY_PATTERN } from './account-rows.ts'

const harness = shareHarness()

const issue = (person: SignedInPerson, name: string) => person.post('/dashboard/keys', { name }, '/dashboard')

const keysOf = ({ state }: Harness, { account_id }: SignedInPerson) =>
  state.db.selectFrom('keys').selectAll().where('account_id', '=', account_id).execute()

const airports = ({ app }: Harness, key: string) =>
  app.inject({ url: '/api/v1/airports?limit=1', headers: { 'x-api-key': key } })

/** The body of the key form with the CSRF token of a loaded page. */
async function formOf(person: SignedInPerson, name: string): Promise<Record<string, string>> {
  const { body } = await person.get('/dashboard')
  return { name, _csrf: /name="_csrf" value="([^"]+)"/.exec(body)![1]! }
}

test('an issued key works and is shown only in the answer', async () => {
  const person = await createSignedInPerson(harness)
  const answer = await issue(person, '  Gate screen ')
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
  const key = KEY_PATTERN.exec(answer.body)![0]
  expect(key).toMatch(/^hs_agent_/)
  expect(answer.body.split(key)).toHaveLength(2)
  expect((await airports(harness, key)).statusCode).toBe(200)
  const page = await person.get('/dashboard')
  expect(page.body).toContain(`<strong><bdi>Gate screen</bdi></strong>`)
  expect(page.body).toContain(`<code>hs_agent_…${key.slice(-4)}</code> active`)
  expect(page.body).not.toMatch(KEY_PATTERN)
  const [row] = await keysOf(harness, person)
  expect(await auditEntries(harness, person.account_id)).toEqual([
    { action: 'key_issued', actor: 'owner', source: '127.0.0.1', detail: { key_id: row!.id, name: 'Gate screen' } },
  ])
  for (const table of ['keys', 'audit', 'challenges'] as const)
    expect(JSON.stringify(await harness.state.db.selectFrom(table).selectAll().execute())).not.toContain(key)
})

test('sending the same form again issues no key and shows none', async () => {
  const person = await createSignedInPerson(harness, { tier: 'pro' })
  const fields = await formOf(person, 'once')
  const send = () =>
    harness.app.inject({
      method: 'POST',
      url: '/dashboard/keys',
      payload: new URLSearchParams(fields).toString(),
      headers: {
        cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
  const answers = await Promise.all([send(), send(), send()])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409])
  await deleteExpiredSignInsTask.run({ state: harness.state } as never, harness.controls.now)
  const again = await send()
  expect(again.statusCode).toBe(409)
  expect(again.body).toContain('CONFLICT')
  expect(again.body).not.toMatch(KEY_PATTERN)
  expect(await keysOf(harness, person)).toHaveLength(1)
  expect((await person.get('/dashboard/keys')).headers.location).toBe('/dashboard')
})

test('Pro has at most five keys, also with ten requests at once; revoking one allows another', async () => {
  const person = await createSignedInPerson(harness, { tier: 'pro' })
  await person.get('/dashboard')
  const answers = await Promise.all(Array.from({ length: 10 }, (_, place) => issue(person, `number ${place}`)))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 200, 200, 200, 409, 409, 409, 409, 409])
  const refused = answers.find(({ statusCode }) => statusCode === 409)!
  expect(refused.body).toContain('The Pro tier has up to 5 active keys')
  expect(refused.body).toContain('CONFLICT')
  const rows = await keysOf(harness, person)
  expect(rows).toHaveLength(5)
  for (const answer of answers) if (answer.statusCode === 200) expect(answer.body).toMatch(/hs_live_/)
  const full = await person.get('/dashboard')
  expect(full.body).toContain('The Pro plan has up to 5 keys. Revoke one to issue another.')
  expect(full.body).not.toContain('Issue key')

  const revoke = `/dashboard/keys/${rows[0]!.id}/revoke`
  expect((await person.post(revoke, {})).statusCode).toBe(303)
  expect((await issue(person, 'sixth')).statusCode).toBe(200)
  expect((await person.get('/dashboard')).body).toContain('1 revoked</summary>')
})

test('a form that was refused at the key limit may be sent again later', async () => {
  const person = await createSignedInPerson(harness)
  const fields = await formOf(person, 'waiting')
  await issue(person, 'first')
  expect((await person.post('/dashboard/keys', fields, '/dashboard')).statusCode).toBe(409)
  await person.post(`/dashboard/keys/${(await keysOf(harness, person))[0]!.id}/revoke`, {})
  expect((await person.post('/dashboard/keys', fields, '/dashboard')).body).toMatch(KEY_PATTERN)
})

test('revoking asks for confirmation, and the next call with the key is refused', async () => {
  const person = await createSignedInPerson(harness)
  const key = KEY_PATTERN.exec((await issue(person, 'to go')).body)![0]
  const { id } = (await keysOf(harness, person))[0]!
  const response = await person.get(`/dashboard/keys/${id}/revoke`)
  expect(response.body).toContain('Revoke this key?')
  expect((await airports(harness, key)).statusCode).toBe(200)
  const done = await person.post(`/dashboard/keys/${id}/revoke`, {})
  expect([done.statusCode, done.headers.location]).toEqual([303, '/dashboard?done=key_revoked'])
  expect((await airports(harness, key)).json().code).toBe('INVALID_API_KEY')
  expect((await person.get('/dashboard?done=key_revoked')).body).toContain('The key is revoked.')
  await person.post(`/dashboard/keys/${id}/revoke`, {}, '/dashboard')
  expect((await person.get(`/dashboard/keys/${id}/revoke`)).statusCode).toBe(303)
  expect((await auditEntries(harness, person.account_id)).map(({ action }) => action)).toEqual([
    'key_issued',
    'key_revoked',
  ])
})

test.each<[string, string, string]>([
  ['no name', ' \t ', 'Give the key a name.'],
  ['a long name', 'x'.repeat(61), 'A name has at most 60 characters.'],
  ['more lines than one', 'one\ntwo', 'A name is one line of text that can be seen.'],
  ['invisible characters', 'a\u202eb', 'A name is one line of text that can be seen.'],
])('%s is refused at its field and issues no key', async (_what, name, fault) => {
  const person = await createSignedInPerson(harness)
  const answer = await issue(person, name)
  expect(answer.statusCode).toBe(400)
  expect(answer.body).toContain(`<p class="fault" id="name-fault">${fault}</p>`)
  expect(answer.body).toMatch(/<input id="name"[^>]* aria-describedby="name-fault name-hint" aria-invalid="true"/)
  expect(await keysOf(harness, person)).toEqual([])
})

test('a name is counted in characters, not in halves of them', async () => {
  const person = await createSignedInPerson(harness)
  expect((await issue(person, '✈️🛫'.repeat(20))).statusCode).toBe(200)
})

test('a key name is escaped wherever it is shown', async () => {
  const person = await createSignedInPerson(harness, { tier: 'pro' })
  const name = `"><img src=x onerror=alert(1)>'&`
  const pages = [(await issue(person, name)).body, (await person.get('/dashboard')).body]
  const { id } = (await keysOf(harness, person))[0]!
  pages.push((await person.get(`/dashboard/keys/${id}/revoke`)).body)
  pages.push((await issue(person, `${name}${'x'.repeat(60)}`)).body)
  for (const page of pages) {
    expect(page).not.toContain('<img')
    expect(page).toContain('&quot;>&lt;img')
  }
  expect((await issue(person, 'x'.repeat(60))).statusCode).toBe(200)
})
