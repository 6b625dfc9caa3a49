import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { expect, test } from 'vitest'
import { auditLogOf } from '../../../accounts/audit/audit-log.ts'
import { type Harness, openHarness } from '../../api/harness.ts'
import { insertRow } from '../../api/state/insert-row.ts'
import { formBrowser } from './signed-in-person.ts'

/** Values that a test can make the authenticator send wrongly. */
interface WrongFields {
  origin?: string
  rpId?: string
  counter?: number
  challenge?: string
}

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest()
const url64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

/** A software authenticator with one ES256 passkey. It answers in the form that the page's script posts. */
function fakeAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let uses = 0
  const authenticatorData = (
    { rpId = new URL(origin).hostname, counter = ++uses }: WrongFields,
    flags: number,
    rest: Buffer,
  ) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, rest])
  }
  const clientData = (type: string, challenge: string, wrong: WrongFields) =>
    Buffer.from(JSON.stringify({ type, challenge: wrong.challenge ?? challenge, origin: wrong.origin ?? origin }))
  const posted = (response: Record<string, unknown>) =>
    JSON.stringify({ id: url64(id), rawId: url64(id), type: 'public-key', response })
  return {
    id: url64(id),
    /** Answers `/passkey/creation-options`. */
    create(challenge: string, wrong: WrongFields = {}): string {
      // A COSE key: elliptic curve (1: 2), ES256 (3: -7), P-256 (-1: 1) and its coordinates.
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ])
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, isoCBOR.encode(key)])
      const authData = new Uint8Array(authenticatorData(wrong, 0x45, credential))
      const attestation = new Map<string, string | Map<string, string> | Uint8Array>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, string>()],
        ['authData', authData],
      ])
      return posted({
        clientDataJSON: url64(clientData('webauthn.create', challenge, wrong)),
        attestationObject: url64(isoCBOR.encode(attestation as never)),
        transports: ['internal'],
      })
    },
    /** Answers `/passkey/request-options`. */
    use(challenge: string, wrong: WrongFields = {}): string {
      const authData = authenticatorData(wrong, 0x05, Buffer.alloc(0))
      const client = clientData('webauthn.get', challenge, wrong)
      const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), privateKey)
      return posted({
        clientDataJSON: url64(client),
        authenticatorData: url64(authData),
        signature: url64(signature),
      })
    },
  }
}

const SITE = 'https://waits.example'
const MINUTE = 60_000
const open = () => openHarness({ HOLDSHORT_SITE_URL: SITE, HOLDSHORT_REGISTRATIONS_PER_MINUTE: '100' })

type Browser = Pick<ReturnType<typeof formBrowser>, 'get' | 'post' | 'cookies'>
const challengeFor = async ({ get }: Browser) => (await get('/passkey/request-options')).json().challenge as string
/** Asks for the options of a new passkey: from the page of the account, or to sign up with an email. */
const creationOptions = (
  { post }: Browser,
  fields: { email: string } | { passkey_password: string } | { proof: string },
) => post('/passkey/creation-options', fields, 'email' in fields ? '/signup' : '/account')

async function signUp({ app }: Harness, email = 'ada@example.org') {
  const browser = formBrowser(app)
  const passkey = fakeAuthenticator(SITE)
  const options = await creationOptions(browser, { email })
  const credential = passkey.create(options.json().challenge)
  const answer = await browser.post('/signup', { email, credential })
  expect(answer.statusCode, answer.body).toBe(303)
  return { browser, passkey }
}

async function signIn({ app }: Harness, credential: (challenge: string) => string) {
  const browser = formBrowser(app)
  const answer = await browser.post('/sign-in', { credential: credential(await challengeFor(browser)) })
  return answer.statusCode
}

test('the options name the site, require a discoverable passkey and are not stored', async () => {
  const harness = await open()
  const stranger = formBrowser(harness.app)
  const creation = (await creationOptions(stranger, { email: ' Bob@example.org' })).json()
  expect(creation).toMatchObject({
    rp: { id: 'waits.example', name: 'Holdshort' },
    user: { name: 'bob@example.org' },
    attestation: 'none',
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  })
  expect((await stranger.get('/passkey/request-options')).json()).toMatchObject({
    rpId: 'waits.example',
    userVerification: 'preferred',
  })
  expect(await harness.state.db.selectFrom('challenges').selectAll().execute()).toEqual([])
  const { browser, passkey } = await signUp(harness)
  const proof = passkey.use(await challengeFor(browser))
  const mine = (await creationOptions(browser, { proof })).json()
  expect(mine.excludeCredentials).toMatchObject([{ id: passkey.id, transports: ['internal'] }])
  const { id } = await harness.state.db.selectFrom('people').select('id').executeTakeFirstOrThrow()
  expect(Buffer.from(mine.user.id, 'base64url').toString()).toBe(id)
})

test('without https there are no passkeys and no passkey buttons', async () => {
  const { app } = await openHarness()
  const { get, post } = formBrowser(app)
  expect((await get('/passkey/request-options')).statusCode).toBe(404)
  expect((await get('/sign-in')).body).not.toContain('data-passkey')
  expect((await post('/sign-in', { credential: '{}' })).statusCode).toBe(401)
})

test('an assertion signs in once, within five minutes, from this site, with an increasing counter', async () => {
  const harness = await open()
  const { passkey } = await signUp(harness)
  expect(await signIn(harness, passkey.use)).toBe(303)
  const used = passkey.use(await challengeFor(formBrowser(harness.app)))
  expect(await signIn(harness, () => used)).toBe(303)
  expect(await signIn(harness, () => used)).toBe(401)
  const lies: WrongFields[] = [
    { origin: 'https://waits.example.evil.example' },
    { origin: 'http://waits.example' },
    { rpId: 'evil.example' },
    { counter: 1 },
    { challenge: 'made-up' },
    { challenge: Buffer.alloc(64).toString('base64url') },
  ]
  for (const lie of lies)
    expect(await signIn(harness, (challenge) => passkey.use(challenge, lie)), JSON.stringify(lie)).toBe(401)
  const another = fakeAuthenticator(SITE)
  expect(await signIn(harness, another.use)).toBe(401)
  // The same passkey id with another key pair.
  expect(await signIn(harness, (challenge) => another.use(challenge).replaceAll(another.id, passkey.id))).toBe(401)
  for (const junk of ['{', 'null', '[]', '{"id":1}', JSON.stringify({ id: passkey.id })])
    expect(await signIn(harness, () => junk), junk).toBe(401)
  // A challenge for creating a passkey is not valid for using one.
  const creation = await creationOptions(formBrowser(harness.app), { email: 'bob@example.org' })
  expect(await signIn(harness, () => passkey.use(creation.json().challenge))).toBe(401)
  const late = await challengeFor(formBrowser(harness.app))
  harness.controls.now += 5 * MINUTE
  expect(await signIn(harness, () => passkey.use(late))).toBe(401)
  expect(await signIn(harness, passkey.use)).toBe(303)
  const { account_id } = await harness.state.db.selectFrom('people').selectAll().executeTakeFirstOrThrow()
  const log = await auditLogOf(harness.state.db, account_id, 100)
  expect(log.filter(({ action }) => action === 'sign_in_failed').length).toBeGreaterThan(3)
})

test('failed passwords do not lock out passkeys', async () => {
  const harness = await open()
  const { passkey } = await signUp(harness)
  const stranger = formBrowser(harness.app)
  for (let failure = 0; failure < 6; failure++)
    await stranger.post('/sign-in', { email: 'ada@example.org', password: 'x' })
  expect((await stranger.post('/sign-in', { email: 'ada@example.org', password: 'x' })).statusCode).toBe(429)
  expect(await signIn(harness, passkey.use)).toBe(303)
})

test('a passkey belongs to one person, and a replayed sign-up makes no second account', async () => {
  const harness = await open()
  const { browser, passkey } = await signUp(harness)
  const eve = formBrowser(harness.app)
  const email = 'eve@example.org'
  const challenge = async () => (await creationOptions(eve, { email })).json().challenge
  const again = await eve.post('/signup', { email, credential: passkey.create(await challenge()) })
  expect(again.statusCode).toBe(400)
  const made = fakeAuthenticator(SITE).create(await challenge())
  expect((await eve.post('/signup', { email: 'mallory@example.org', credential: made })).statusCode).toBe(400)
  const credential = fakeAuthenticator(SITE).create(await challenge())
  expect((await eve.post('/signup', { email, credential })).statusCode).toBe(303)
  const replayed = await formBrowser(harness.app).post('/signup', { email: 'bob@example.org', credential })
  expect(replayed.statusCode).toBe(400)
  const proof = passkey.use(await challengeFor(browser))
  const bound = passkey.create((await creationOptions(browser, { proof })).json().challenge)
  const twice = await browser.post('/account/passkeys', { credential: bound }, '/account')
  expect(twice.statusCode).toBe(409)
  expect(twice.body).toContain('This passkey is already added.')
  expect(await harness.state.db.selectFrom('accounts').select('id').where('name', 'is', null).execute()).toHaveLength(4)
})

test('passkeys are added, renamed and removed, but not the only way to sign in', async () => {
  const harness = await open()
  const { browser, passkey } = await signUp(harness)
  const second = fakeAuthenticator(SITE)
  const passkey_name = ' <b>phone</b>\n'
  const proof = passkey.use(await challengeFor(browser))
  const credential = second.create((await creationOptions(browser, { proof })).json().challenge)
  expect((await browser.post('/account/passkeys', { credential, passkey_name }, '/account')).statusCode).toBe(303)
  const page = await browser.get('/account?done=account-passkeys')
  expect(page.body).toContain('Passkey added.')
  expect(page.body).toContain('value="&lt;b>phone&lt;/b>"')
  const post = (path: string, fields: Record<string, string>) =>
    browser.post(`/account/passkeys/${path}`, fields, '/account')
  expect((await post('rename', { id: second.id, name: 'Laptop' })).statusCode).toBe(303)
  const eve = await signUp(harness, 'eve@example.org')
  for (const path of ['rename', 'remove'])
    expect(
      (await eve.browser.post(`/account/passkeys/${path}`, { id: second.id, name: 'x' }, '/account')).statusCode,
    ).toBe(409)
  expect(await signIn(harness, second.use)).toBe(303)
  const removals = await Promise.all([post('remove', { id: passkey.id }), post('remove', { id: second.id })])
  expect(removals.map(({ statusCode }) => statusCode).sort()).toEqual([303, 409])
  expect(removals.find(({ statusCode }) => statusCode === 409)!.body).toContain('your only way to sign in')
  const left = await harness.state.db
    .selectFrom('passkeys')
    .select('id')
    .where('id', 'in', [passkey.id, second.id])
    .execute()
  expect(left).toHaveLength(1)
})

test('an account has at most 20 passkeys, also with two added at once; a long name is cut between characters', async () => {
  const harness = await open()
  const { browser, passkey } = await signUp(harness)
  const { id } = await harness.state.db.selectFrom('people').select('id').executeTakeFirstOrThrow()
  for (let count = 1; count < 19; count++)
    await insertRow(harness.state, 'passkeys', { id: `pk_${count}`, person_id: id, transports: '[]' })
  const made: string[] = []
  for (let count = 0; count < 2; count++) {
    const proof = passkey.use(await challengeFor(browser))
    const { challenge } = (await creationOptions(browser, { proof })).json()
    made.push(fakeAuthenticator(SITE).create(challenge))
  }
  const passkey_name = `${'k'.repeat(58)}🗝️🗝️`
  const add = (credential: string) => browser.post('/account/passkeys', { credential, passkey_name }, '/account')
  const answers = await Promise.all(made.map(add))
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 409])
  const names = await harness.state.db.selectFrom('passkeys').select('name').where('name', 'like', 'k%').execute()
  expect(names).toEqual([{ name: `${'k'.repeat(58)}🗝…` }])
})

test('adding a passkey needs an earlier one, or the password, so that a browser that is signed in takes no account over', async () => {
  const harness = await open()
  const { browser, passkey } = await signUp(harness)
  const eve = await signUp(harness, 'eve@example.org')
  const thief = fakeAuthenticator(SITE)
  /** Adds the thief's passkey with an identity that is confirmed so; the status of the refusal, before the device makes one. */
  const add = async (proof: Parameters<typeof creationOptions>[1]) => {
    const options = await creationOptions(browser, proof)
    if (options.statusCode !== 200) return options.statusCode
    const credential = thief.create(options.json().challenge)
    return (await browser.post('/account/passkeys', { credential }, '/account')).statusCode
  }
  const use = async (by: typeof passkey) => by.use(await challengeFor(browser))
  expect(await add({ proof: '' })).toBe(401)
  expect(await add({ proof: await use(thief) })).toBe(401)
  expect(await add({ proof: await use(eve.passkey) })).toBe(401)
  // Nor does the challenge of another person, or of somebody who signs up.
  const elsewhere = [
    await creationOptions(eve.browser, { proof: eve.passkey.use(await challengeFor(eve.browser)) }),
    await creationOptions(formBrowser(harness.app), { email: 'bob@example.org' }),
  ]
  for (const options of elsewhere) {
    const credential = thief.create(options.json().challenge)
    expect((await browser.post('/account/passkeys', { credential }, '/account')).statusCode).toBe(400)
  }
  expect(await signIn(harness, thief.use)).toBe(401)

  const new_password = 'four words and then some'
  const set = { new_password, credential: await use(passkey) }
  expect((await browser.post('/account/password', set, '/account')).statusCode).toBe(303)
  expect(await add({ passkey_password: 'not this one' })).toBe(401)
  expect(await signIn(harness, thief.use)).toBe(401)
  expect(await add({ passkey_password: new_password })).toBe(303)
  expect(await signIn(harness, thief.use)).toBe(303)
})

test('setting a first password needs a passkey of the same person', async () => {
  const harness = await open()
  const { browser, passkey } = await signUp(harness)
  const eve = await signUp(harness, 'eve@example.org')
  const new_password = 'four words and then some'
  const set = async (credential: string) => browser.post('/account/password', { new_password, credential }, '/account')
  const refused = await set('')
  expect([refused.statusCode, refused.body]).toEqual([401, expect.stringContaining('password do not match')])
  expect((await set(eve.passkey.use(await challengeFor(browser)))).statusCode).toBe(401)
  expect((await set(passkey.use(await challengeFor(browser)))).statusCode).toBe(303)
  const answer = await formBrowser(harness.app).post('/sign-in', { email: 'ada@example.org', password: new_password })
  expect(answer.statusCode).toBe(303)
})

test('what a new passkey needs is checked before the device makes it, where it would stay', async () => {
  const harness = await openHarness({ HOLDSHORT_SITE_URL: SITE, HOLDSHORT_REGISTRATIONS_PER_MINUTE: '3' })
  const { browser, passkey } = await signUp(harness)
  const stranger = formBrowser(harness.app)
  for (const email of ['ada@example.org', 'no email'])
    expect((await creationOptions(stranger, { email })).statusCode, email).toBe(400)
  expect((await creationOptions(stranger, { email: 'bob@example.org' })).statusCode).toBe(200)
  // The third attempt of a minute.
  expect((await creationOptions(stranger, { email: 'eve@example.org' })).statusCode).toBe(429)

  const { id } = await harness.state.db.selectFrom('people').select('id').executeTakeFirstOrThrow()
  for (let count = 1; count < 20; count++)
    await insertRow(harness.state, 'passkeys', { id: `pk_${count}`, person_id: id, transports: '[]' })
  const proof = passkey.use(await challengeFor(browser))
  const full = await creationOptions(browser, { proof })
  expect([full.statusCode, full.body]).toEqual([409, expect.stringContaining('up to 20 passkeys')])
})
