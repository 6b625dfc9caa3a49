import { expect, test } from 'vitest'
import { QUERIES, TOOLS } from '../../../bin/service/registry.ts'
import { ERROR_CODES } from '../../../config/errors.ts'
import { LICENCES } from '../../../config/licences.ts'
import { allSources } from '../../../config/sources.ts'
import { TIERS } from '../../../config/tiers.ts'
import { type Harness, shareHarness } from '../../api/harness.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { expectAccessible, noChromium } from '../chromium.ts'
import { openPage } from '../open-page.ts'

const harness = shareHarness()

const get = async ({ app }: Harness, path: string) => app.inject({ method: 'GET', url: path })
/** A text as markup has it. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replace(/\s+/g, ' ')
const textOf = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

test('the reference has every operation and tool, the errors every code, with anchors that are their names', async () => {
  const index = (await get(harness, '/docs/rest')).body
  for (const { name } of QUERIES) expect(index, name).toContain(`href="/docs/rest/${name}"`)
  const tools = (await get(harness, '/docs/mcp')).body
  for (const { name } of TOOLS) expect(tools, name).toContain(`href="/docs/mcp/${name}"`)
  const operation = (await get(harness, '/docs/rest/getPredictions')).body
  for (const part of [
    'id="parameter-date"',
    'id="try"',
    'href="/docs/errors#PREMIUM_REQUIRED"',
    'data-path="/api/v1/airports/{iata}/predictions"',
    'over_15',
    'open_probability',
  ])
    expect(operation, part).toContain(part)
  expect(textOf(operation)).toContain('integer 1–7')
  const tool = (await get(harness, '/docs/mcp/get_best_time_to_fly')).body
  for (const part of ['data-tool="get_best_time_to_fly"', 'travel_minutes', 'leave_times'])
    expect(tool, part).toContain(part)
  const errors = (await get(harness, '/docs/errors')).body
  for (const code of Object.keys(ERROR_CODES)) expect(errors, code).toContain(`id="${code}"`)
  const sources = textOf((await get(harness, '/docs/sources')).body)
  for (const { id, attribution, terms, licence } of allSources()) {
    const title = licence === undefined ? 'None stated' : LICENCES[licence].title
    for (const text of [id, attribution, terms.split('`')[0]!.trim(), title])
      expect(sources, id).toContain(escaped(text))
  }
  const tiers = textOf((await get(harness, '/docs/tiers')).body)
  for (const { price_usd_per_month: price, name } of Object.values(TIERS))
    expect(tiers).toContain(price === 0 ? name : `${price} USD`)
  expect((await get(harness, '/docs/nothing')).statusCode).toBe(404)
  expect((await get(harness, '/docs/rest/nothing')).statusCode).toBe(404)
})

test('README and the guide for operators are rendered from their files, with links that lead somewhere and no raw markup', async () => {
  const readme = (await get(harness, '/docs/readme')).body
  expect(readme).toContain('href="/docs/operate"')
  expect(readme).toContain('id="licence-and-credits"')
  expect(readme).not.toMatch(/href="[^"]*\.md/)
  // Paths in code may have two asterisks.
  expect(textOf(readme.replace(/<code>.*?<\/code>/gs, ''))).not.toMatch(/\*\*|\]\(/)
  const operating = (await get(harness, '/docs/operate')).body
  for (const page of ['trouble', 'settings', 'upgrade']) expect(operating).toContain(`href="/docs/operate/${page}"`)
  expect((await get(harness, '/docs/operate/trouble')).body).toContain('href="/docs/operate/upgrade#going-back"')
  expect((await get(harness, '/docs/use/sql')).body).toContain('href="/docs/use/open-data"')
  for (const path of ['/docs/use/rest', '/docs/operate/settings', '/docs/operate/errors'])
    expect((await get(harness, path)).body, path).not.toContain('&lt;!--')
})

test('the search finds settings, fields, codes and headings, and says when nothing is found', async () => {
  const hitsOf = async (query: string) => {
    const { body } = await get(harness, `/docs/search?q=${encodeURIComponent(query)}`)
    return [...body.matchAll(/<li><a href="([^"]+)"/g)]
      .map(([, href]) => href)
      .filter((href) => href?.includes('/docs/') && !href.endsWith('docs/start#key'))
  }
  expect((await hitsOf('PREMIUM_REQUIRED')).slice(0, 16)).toContain('/docs/errors#PREMIUM_REQUIRED')
  expect(await hitsOf('HOLDSHORT_DATA_DIR')).toContain('/docs/operate/settings#all-settings')
  expect(await hitsOf('home assistant')).toContain('/docs/start#home-assistant')
  expect(await hitsOf('open_probability')).toContain('/docs/rest/getPredictions#answer')
  expect((await get(harness, '/docs/search?q=%3Cscript%3E')).body).not.toContain('<script>')
  expect(textOf((await get(harness, '/docs/search?q=zzzz')).body)).toContain('Nothing in the documentation')
  expect((await get(harness, `/docs/search?q=${'x'.repeat(101)}`)).statusCode).toBe(400)
})

const browserTest = test.runIf(EXHAUSTIVE && !noChromium)

browserTest(
  'a visitor tries calls with a key of his own, which is sent to this site and kept nowhere',
  async () => {
    const { page, browserProblems } = await openPage({}, '/docs/rest/getDelays')
    const key = await page.evaluate(
      `fetch('/api/agent/register', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).then((answer) => answer.json()).then(({ api_key }) => api_key)`,
    )
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('401 Unauthorized').waitFor()
    await page.getByLabel('Your key').fill(String(key))
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('200 OK').waitFor()
    expect(await page.getByLabel('The answer', { exact: true }).textContent()).toContain('"status": "ground_delay"')
    const storage = `JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])`
    expect(await page.evaluate(storage)).not.toContain(String(key))
    await page.goto(new URL('/docs/mcp/get_faa_delays', page.url()).href)
    expect(await page.getByLabel('Your key').inputValue()).toBe('')
    await page.getByLabel('Your key').fill(String(key))
    await page.getByLabel('Arguments, as JSON').fill('{')
    await page.getByRole('button', { name: 'Call the tool' }).click()
    await page.getByText('The body is not JSON.').waitFor()
    await page.getByLabel('Arguments, as JSON').fill('{}')
    await page.getByRole('button', { name: 'Call the tool' }).click()
    await page.getByText('200 OK').waitFor()
    expect(await page.getByLabel('The answer', { exact: true }).textContent()).toContain('structuredContent')
    // The 401 of the first try is told by the browser too.
    expect(browserProblems.filter((text) => !text.includes('401'))).toEqual([])
  },
  60_000,
)

browserTest('who has no account registers a key in the reference and uses it, with the keyboard alone', async () => {
  const { page, browserProblems } = await openPage({}, '/docs/rest/registerAgent')
  await page.getByRole('button', { name: 'Send' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('201 Created').waitFor()
  const answer = (await page.getByLabel('The answer', { exact: true }).textContent()) ?? ''
  const [, key = ''] = /"api_key": "([^"]+)"/.exec(answer) ?? []
  await page.goto(new URL('/docs/rest/getDelays', page.url()).href)
  await page.getByLabel('Your key').focus()
  await page.keyboard.type(key)
  await page.keyboard.press('Enter')
  await page.getByText('200 OK').waitFor()
  expect(browserProblems).toEqual([])
})

browserTest(
  'pages of the documentation fit phones, pass axe in light and dark, and are whole without script',
  async () => {
    const paths = [
      '/docs',
      '/docs/start',
      '/docs/rest',
      '/docs/rest/getLeaveBy',
      '/docs/mcp',
      '/docs/mcp/compare_airports',
      '/docs/errors',
      '/docs/tiers',
      '/docs/readme',
      '/docs/operate/settings',
      '/docs/sources',
      '/docs/search?q=key',
    ]
    for (const [colorScheme, width] of [
      ['light', 390],
      ['dark', 1_280],
    ] as const) {
      const { page, browserProblems } = await openPage(
        { viewport: { width, height: 900 }, colorScheme, bypassCSP: true },
        '/docs',
      )
      for (const path of colorScheme === 'light' ? paths : paths.slice(0, 5)) {
        await page.goto(new URL(path, page.url()).href)
        expect(await page.evaluate('document.documentElement.scrollWidth'), `${path} ${width}`).toBe(width)
        await expectAccessible(page, `${path} ${colorScheme}`)
      }
      expect(browserProblems).toEqual([])
    }
    const { page, browserProblems } = await openPage({ javaScriptEnabled: true }, '/docs/rest/getDelays')
    expect(browserProblems).toEqual([])
    expect(await page.locator('script[type="application/ld+json"]').count()).toBe(1)
    expect(await page.evaluate('window.violations')).toEqual([])
  },
  120_000,
)
