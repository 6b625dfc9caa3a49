import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { mobi } from '../../../pipeline/collectors/mobi.ts'
import { createBrowserClient } from '../../../pipeline/transport/browser-client.ts'
import { createHttpClient } from '../../../pipeline/transport/http-client.ts'
import { learnSiteKeys } from '../../../pipeline/transport/learn-site-keys.ts'
import { failing, type LocalSite, openLocalSite, text } from '../local-site.ts'
import { hasBrowser } from '../real-browser.ts'
import { testSource } from '../test-source.ts'

const found = await hasBrowser()
const PAGE = 'https://www.scripted.example/times/'
const FEED = 'https://api.scripted.example/wait-times/checkpoint/MCO'
const source = testSource({ id: 'scripted', collector: 'mobi', url: FEED, page_url: PAGE, airports: ['MCO'] })
const recipe = mobi.learn!

let site: LocalSite
beforeAll(async () => {
  site = await openLocalSite()
})
afterAll(() => site.close())
afterEach(() => {
  site.pages.clear()
  site.seen.length = 0
})

const page = (path: string, html: string, status = 200) =>
  site.pages.set(`/www.scripted.example${path}`, text(html, 'text/html', status))
const script = (code: string) => `<!doctype html><div id="waits"></div><script>${code}</script>`
const transport = (chromium_path?: string) => {
  const http = createHttpClient({ version: '1', contact: 'x@example.org', simulated_world: site.url, retries: 0 })
  return { http, browser: createBrowserClient({ http: http, chromium_path, timeout_ms: 8_000 }) }
}

describe.skipIf(!found)('the browser client', () => {
  let local: ReturnType<typeof transport>
  beforeAll(() => {
    local = transport()
  })
  afterAll(async () => {
    await local.browser.close()
  })

  it('returns the HTML after the scripts have run, with our User-Agent, from the simulated world', async () => {
    page('/times/', script('setTimeout(() => { waits.innerHTML = "<b class=minutes>17</b>" }, 200)'))
    const got = await local.browser.openPage(PAGE, source, { wait_for: '.minutes' })
    expect(new TextDecoder().decode(got.body)).toContain('<b class="minutes">17</b>')
    expect([got.status, got.url, got.not_modified]).toEqual([200, PAGE, false])
    const pageRequest = site.seen.find((request) => request.path === '/www.scripted.example/times/')
    expect(pageRequest?.headers['user-agent']).toBe('Holdshort/1 (+x@example.org)')
  })

  it('checks robots.txt before it opens a page', async () => {
    const { http } = transport()
    const fresh = createBrowserClient({ http: http })
    site.pages.set('/www.scripted.example/robots.txt', text('User-agent: *\nDisallow: /times/', 'text/plain'))
    const error = await failing(fresh.openPage(PAGE, source, { wait_for: 'b' }))
    expect(error.code).toBe('ROBOTS_DISALLOWED')
    expect(site.seen.map((request) => request.path)).toEqual(['/www.scripted.example/robots.txt'])
  })

  it('times out on a page whose script never ends, and still opens the next page', async () => {
    page('/hung/', script('while (true) {}'))
    page('/times/', '<!doctype html><b class="minutes">3</b>')
    const started = Date.now()
    const hung = local.browser.openPage('https://www.scripted.example/hung/', source, {
      wait_for: '.minutes',
      timeout_ms: 1_500,
    })
    expect((await failing(hung)).code).toBe('FETCH_FAILED')
    expect(Date.now() - started).toBeLessThan(10_000)
    const next = await local.browser.openPage(PAGE, source, { wait_for: '.minutes' })
    expect(new TextDecoder().decode(next.body)).toContain('3')
  })

  it('times out on a page that never shows its numbers', async () => {
    page('/times/', '<!doctype html><p>Just a moment...</p>')
    const error = await failing(local.browser.openPage(PAGE, source, { wait_for: '.minutes', timeout_ms: 800 }))
    expect([error.code, error.retryable]).toEqual(['FETCH_FAILED', true])
  })

  it('treats a 403 as a refusal and does not request the page again', async () => {
    page('/times/', 'no', 403)
    const fresh = transport()
    for (let run = 0; run < 2; run++)
      expect((await failing(fresh.browser.openPage(PAGE, source, { wait_for: 'b' }))).code).toBe('FETCH_REFUSED')
    await fresh.browser.close()
    expect(site.seen.filter((request) => request.path.endsWith('/times/'))).toHaveLength(1)
  })

  it("learns a key from the page's own request", async () => {
    site.pages.set('/api.scripted.example/wait-times/checkpoint/MCO', text('{}', 'application/json'))
    page('/times/', script(`fetch('${FEED}', { headers: { 'api-key': 'made-up-key', 'api-version': '140' } })`))
    expect(await learnSiteKeys(recipe, source, local)).toEqual({ api_key: 'made-up-key', api_version: '140' })
  })

  it('finds the key in the scripts when the page sends no such request', async () => {
    site.pages.set(
      '/www.scripted.example/chunk.js',
      text('x={"api-key":"made-up-key","api-version":"141"}', 'text/javascript'),
    )
    page('/times/', '<!doctype html><script src="/chunk.js"></script>')
    const quick = createBrowserClient({ http: local.http, timeout_ms: 2_000 })
    const learned = await quick.learnKeys(source, recipe)
    await quick.close()
    expect(learned).toEqual({ api_key: 'made-up-key', api_version: '141' })
  })
})

describe('without a browser', () => {
  const nowhere = '/nowhere/chromium'

  it('fails with BROWSER_UNAVAILABLE and advice', async () => {
    page('/times/', '<!doctype html>')
    const error = await failing(transport(nowhere).browser.openPage(PAGE, source, { wait_for: 'b' }))
    expect(error.code).toBe('BROWSER_UNAVAILABLE')
    expect(error.message).toContain(nowhere)
    expect(error.message).toContain('Install Chromium or Chrome')
  })

  it('reads keys from the page and its bundles over HTTP', async () => {
    site.pages.set(
      '/www.scripted.example/chunk.js',
      text('x={"api-key":"made-up-key","api-version":"142"}', 'text/javascript'),
    )
    page('/times/', '<!doctype html><script src="/gone.js"></script><script src="/chunk.js"></script>')
    expect(await learnSiteKeys(recipe, source, transport(nowhere))).toEqual({
      api_key: 'made-up-key',
      api_version: '142',
    })
  })

  it('throws an error that names the page when the keys are not in it', async () => {
    page('/times/', '<!doctype html><p>nothing</p>')
    const { http } = transport()
    const error = await failing(learnSiteKeys(recipe, source, { http, browser: null }))
    expect([error.code, error.retryable]).toEqual(['FETCH_REFUSED', true])
    expect(error.message).toContain(`${PAGE}: api_key, api_version could not be learned`)
  })
})
