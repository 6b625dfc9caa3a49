import { createServer } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Harness, openHarness } from '../../api/harness.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { expectUsable, noChromium, watchedPage } from '../../site/chromium.ts'

/** The app listening at localhost, the only plain http address that can have passkeys. */
async function listenOnLocalhost(environment: Record<string, string> = {}): Promise<Harness & { site_url: string }> {
  const port = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, 'localhost', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
  const site_url = `http://localhost:${port}`
  const harness = await openHarness({ HOLDSHORT_SITE_URL: site_url, ...environment })
  await harness.app.listen({ host: 'localhost', port })
  return { ...harness, site_url }
}

/** Adds a virtual authenticator to a page; it confirms every request at once. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

const PASSWORD = 'four words and then some'

test.skipIf(noChromium)(
  'a passkey signs up, signs in again and sets a password, without console messages',
  async () => {
    const { site_url, state } = await listenOnLocalhost()
    const { page, browserProblems } = await watchedPage(site_url)
    await addAuthenticator(page)
    // A device that unlocks at once would take the passkey that is offered in the email field before any button is pressed.
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => location.search === ""')
    await page.goto('/signup?next=%2Faccount')
    await page.getByLabel('Email').fill('Ada@Example.org')
    await page.getByRole('button', { name: 'Sign up with a passkey instead' }).click()
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
    await page.getByText('You are signed in as ada@example.org.').waitFor()

    await page.getByRole('button', { name: 'Sign out here' }).click()
    await page.waitForURL('**/dashboard')
    await page.goto('/account')
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.waitForURL('**/dashboard')
    await state.db.deleteFrom('sessions').execute()
    await page.goto('/account')
    expect(new URL(page.url()).search).toBe('?next=%2Faccount')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL('**/account')

    // It confirms who adds one with the passkey that it has.
    const uses = async () => (await state.db.selectFrom('passkeys').selectAll().executeTakeFirstOrThrow()).counter
    const before = await uses()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('This device already has a passkey for this account.').waitFor()
    expect(await page.locator('input[name=proof]').inputValue()).toContain('authenticatorData')
    expect(await uses()).toBeGreaterThan(before)

    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Set it with your passkey' }).click()
    await page.getByText('Password changed.').waitFor()
    // The dashboard has its own tests.
    expect(browserProblems.filter((problem) => !problem.startsWith(`${site_url}/dashboard`))).toEqual([])
    const person = await state.db.selectFrom('people').selectAll().executeTakeFirstOrThrow()
    expect(person.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)

    // Without the password nothing is created on the device.
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    expect(await page.locator(':focus').getAttribute('name')).toBe('passkey_password')
    expect(await page.getByText('This device already has a passkey for this account.').count()).toBe(0)
    // Nor with a wrong one.
    await page.getByLabel('Password, to add a passkey').fill('not this one')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('This email and password do not match.').waitFor()
    expect(browserProblems.splice(-1)).toEqual([expect.stringContaining('status of 401')])
    // The device already has a passkey for this account, so it makes no other.
    await page.getByLabel('Password, to add a passkey').fill(PASSWORD)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('This device already has a passkey for this account.').waitFor()
    const passkeys = await state.db.selectFrom('passkeys').selectAll().execute()
    expect(passkeys).toMatchObject([{ name: 'First passkey', person_id: person.id, transports: '["internal"]' }])
    expect(passkeys[0]!.used_at).not.toBeNull()
    expect(passkeys[0]!.counter).toBeGreaterThan(1)
  },
)

test.runIf(EXHAUSTIVE && !noChromium)(
  'signing up works with the keyboard alone, and the first faulty field has focus and description',
  async () => {
    const { site_url } = await listenOnLocalhost()
    const { page } = await watchedPage(site_url, { javaScriptEnabled: false })
    await page.goto('/signup')
    const focused = page.locator(':focus')
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 20; presses++) {
        await page.keyboard.press('Tab')
        if ((await focused.getAttribute('name')) === name) return
      }
      throw new Error(`no way to ${name}`)
    }
    await page.keyboard.press('Tab')
    expect(await focused.textContent()).toBe('Skip to the content')
    await tabTo('email')
    await page.keyboard.type('ada@example.org')
    await tabTo('password')
    await page.keyboard.type('short')
    await page.keyboard.press('Enter')
    await page.getByText('Use at least 12 characters').waitFor()
    expect(await focused.getAttribute('name')).toBe('password')
    expect(await focused.getAttribute('aria-invalid')).toBe('true')
    const faultId = (await focused.getAttribute('aria-describedby'))!.split(' ')[0]!
    expect(await page.locator(`#${faultId}`).textContent()).toContain('Use at least 12 characters')
    expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.org')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard')
  },
)

// The accessibility checker is slow and runs many times.
test.runIf(EXHAUSTIVE && !noChromium)(
  'axe finds no fault on any page, dark or light, and each fits a phone',
  { timeout: 120_000 },
  async () => {
    const { site_url } = await listenOnLocalhost()
    const { page } = await watchedPage(site_url, { viewport: { width: 380, height: 800 }, bypassCSP: true })
    await addAuthenticator(page)
    const fillAndSend = async (fields: Record<string, string>, button: string) => {
      for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
      await page.getByRole('button', { name: button, exact: true }).click()
    }
    await page.goto('/sign-in')
    await fillAndSend({ Email: 'nobody@example.org', Password: PASSWORD }, 'Sign in')
    await page.locator('h1').waitFor()
    await expectUsable(page, 'sign-in-failed')
    await page.goto('/signup')
    await fillAndSend({ Email: 'ada@example.org', Password: 'password' }, 'Sign up')
    await page.locator('h1').waitFor()
    await expectUsable(page, 'signup-refused')
    await page.goto('/sign-in/link?token=abc')
    await page.locator('h1').waitFor()
    await expectUsable(page, 'link')
    await page.goto('/signup?next=%2Faccount')
    await fillAndSend({ Email: 'ada.with.a.rather.long.name@subdomain.example.org', Password: PASSWORD }, 'Sign up')
    await page.waitForURL('**/account')
    await fillAndSend(
      { 'Name of a new passkey': 'A phone with a long, long name', 'Password, to add a passkey': PASSWORD },
      'Add a passkey',
    )
    await page.getByText('Passkey added.').waitFor()
    await expectUsable(page, 'account')
  },
)
