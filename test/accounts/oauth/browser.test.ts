import { expect, test } from 'vitest'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { expectUsable, noChromium, watchedPage } from '../../site/chromium.ts'
import { createSignedInPerson } from '../people/signed-in-person.ts'
import { authorizeUrl, challengeOf, mcp, openOauthAtPort, postForm, register, verifier } from './flow.ts'
import { clientOnThisComputer } from './loopback-client.ts'

/** Opens the consent page of a client in a person's browser, and collects its console messages and errors. */
async function onConsent(options: object = {}, leadsTo: string | null = null) {
  const { harness, address } = await openOauthAtPort()
  const person = await createSignedInPerson(harness, { tier: 'pro' })
  const { came, redirect_uri } = await clientOnThisComputer(leadsTo)
  // Registered without its port, because the port differs at each start.
  const client_id = await register(harness, {
    client_name: 'Claude Code',
    redirect_uris: ['http://127.0.0.1/callback'],
  })
  const code_verifier = verifier()
  const { page, browserProblems } = await watchedPage(address, options, person.cookies)
  const resource = `${address}/mcp`
  await page.goto(
    address + authorizeUrl(client_id, { redirect_uri, resource, code_challenge: challengeOf(code_verifier) }),
  )
  return { harness, page, browserProblems, came, fields: { client_id, redirect_uri, code_verifier, resource } }
}

test.skipIf(noChromium)(
  'a person approves in a real browser with the keyboard alone, and the client gets its token',
  async () => {
    const { harness, page, browserProblems, came, fields } = await onConsent()
    expect(await page.locator('main').innerText()).toContain('to an app on this computer')
    const approve = page.getByRole('button', { name: 'Approve' })
    // On a phone who asks, where the answer goes and both buttons are on the first screen.
    await page.setViewportSize({ width: 390, height: 844 })
    const { y, height } = (await approve.boundingBox())!
    expect(y + height).toBeLessThan(844)
    await approve.focus()
    await Promise.all([page.waitForURL(/\/callback\?/), page.keyboard.press('Enter')])
    expect(await page.locator('body').innerText()).toContain('close this window')
    const code = came[0]!.searchParams.get('code')!
    const answer = await postForm(harness.app, '/token', { grant_type: 'authorization_code', code, ...fields })
    expect((await mcp(harness, answer.json().access_token)).statusCode, answer.body).toBe(200)
    // The client is another site, and the browser requests its icon.
    expect(browserProblems.filter((problem) => !/favicon|^a third party/.test(problem))).toEqual([])
  },
)

test.skipIf(noChromium)('the callback of a client may redirect the browser on to another origin', async () => {
  const elsewhere = await clientOnThisComputer()
  const { page, browserProblems, came } = await onConsent({}, elsewhere.redirect_uri)
  await Promise.all([
    page.waitForURL(elsewhere.redirect_uri, { timeout: 10_000 }),
    page.getByRole('button', { name: 'Approve' }).click(),
  ])
  expect([came.length, elsewhere.came.length]).toEqual([1, 1])
  expect(browserProblems.filter((problem) => !/favicon|^a third party/.test(problem))).toEqual([])
})

test.skipIf(noChromium)('the callback of a client may redirect the browser on to an app', async () => {
  const { page, browserProblems, came } = await onConsent({}, 'claude://connected?server=holdshort')
  const failed = page.waitForEvent('requestfailed', { predicate: (request) => request.url().startsWith('claude:') })
  await page.getByRole('button', { name: 'Approve' }).click()
  // No app is installed here that opens the link, so the browser ends the request, but no policy of the page refuses it.
  expect((await failed).failure()?.errorText).not.toMatch(/CSP|BLOCKED_BY_RESPONSE/)
  expect(came).toHaveLength(1)
  expect(browserProblems.filter((problem) => /Content Security Policy/.test(problem))).toEqual([])
})

test.runIf(EXHAUSTIVE && !noChromium)('the page fits a phone, axe finds no fault, and a client is denied', async () => {
  const { page, came } = await onConsent({ viewport: { width: 380, height: 780 }, bypassCSP: true })
  await expectUsable(page, 'consent')
  await Promise.all([page.waitForURL(/error=access_denied/), page.getByRole('button', { name: 'Deny' }).click()])
  expect(came).toHaveLength(1)
})

test.runIf(EXHAUSTIVE && !noChromium)('a page of another origin cannot show the consent page in a frame', async () => {
  const { page } = await onConsent()
  const consent = page.url()
  await page.goto('about:blank')
  await page.setContent(`<iframe src="${consent}"></iframe>`)
  await page.waitForTimeout(300)
  const frame = page.frames()[1]!
  expect(await frame.locator('button').count()).toBe(0)
})
