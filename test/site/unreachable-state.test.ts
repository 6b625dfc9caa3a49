import { expect, test } from 'vitest'
import { HoldshortError } from '../../config/errors.ts'
import { createSignedInPerson } from '../accounts/people/signed-in-person.ts'
import { openHarness, shareHarness } from '../api/harness.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'

const harness = shareHarness()

const OPEN = ['/', '/airports/JFK', '/airports/JFK/badge.svg'].concat(
  EXHAUSTIVE
    ? [
        '/delays',
        '/compare?airports=JFK,LGA',
        '/accuracy',
        '/docs',
        '/data',
        '/status',
        '/tv/JFK',
        '/search?q=new',
      ].concat(['/airports/JFK/forecast.json', '/map.json', '/search.json?q=new'])
    : [],
)

test('while the accounts cannot be reached a signed-in visitor gets every open page as a stranger would', async () => {
  const person = await createSignedInPerson(harness, { tier: 'enterprise' })
  const page = (path: string) =>
    harness.app.inject({ url: path, cookies: Object.fromEntries(person.cookies), headers: { accept: 'text/html' } })
  expect((await page('/airports/JFK')).body).toContain('id="usual"')
  const { db } = harness.state
  const unreachable = () => {
    throw new HoldshortError('STATE_UNREACHABLE', 'the database of accounts and keys is temporarily unavailable')
  }
  Object.assign(db, { selectFrom: unreachable })
  for (const path of OPEN) {
    const { statusCode, headers } = await page(path)
    expect([path, statusCode]).toEqual([path, 200])
    // A browser must not keep what a stranger sees once the accounts are back.
    expect(headers['cache-control'], path).toBe('private, no-store')
  }
  const airport = (await page('/airports/JFK')).body
  expect(airport).toContain('14 min')
  expect(airport).not.toContain('id="usual"')
  expect(airport).toContain('<a href="/dashboard">Account</a>')
  for (const path of ['/dashboard', '/account', '/alerts']) {
    const refused = await page(path)
    expect([path, refused.statusCode]).toEqual([path, 503])
  }
  Reflect.deleteProperty(db, 'selectFrom')
  expect((await page('/airports/JFK')).body).toContain('id="usual"')
})

test('where the operator shows airports to accounts alone, an account that cannot be read is asked to wait, not to sign in', async () => {
  const harness = await openHarness({ HOLDSHORT_OPEN_PAGES: 'none' })
  const person = await createSignedInPerson(harness, { tier: 'pro' })
  Object.assign(harness.state.db, {
    selectFrom: () => {
      throw new HoldshortError('STATE_UNREACHABLE', 'the database of accounts and keys is temporarily unavailable')
    },
  })
  const refused = await person.get('/airports/JFK')
  expect(refused.statusCode).toBe(503)
  expect(refused.headers.location).toBeUndefined()
})
