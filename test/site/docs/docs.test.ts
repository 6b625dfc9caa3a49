import { expect, test } from 'vitest'
import { PROMPTS, RESOURCES, TOOLS } from '../../../bin/service/registry.ts'
import { ERROR_CODES } from '../../../config/errors.ts'
import { LICENCES } from '../../../config/licences.ts'
import { allSources } from '../../../config/sources.ts'
import { TIERS } from '../../../config/tiers.ts'
import { type Harness, shareHarness } from '../../api/harness.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { noChromium } from '../chromium.ts'
import { openPage } from '../open-page.ts'
import { textOf } from '../text-of.ts'

const harness = shareHarness()

const get = async ({ app }: Harness, path: string) => app.inject({ method: 'GET', url: path })
/** A text as markup has it. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replace(/\s+/g, ' ')

test('the manual has every tool, resource and prompt, and the errors every code, with anchors that are their names', async () => {
  const manual = (await get(harness, '/docs/use/mcp')).body
  for (const { name } of [...TOOLS, ...PROMPTS]) expect(manual, name).toContain(`<code>${name}</code>`)
  for (const { uri } of RESOURCES) expect(manual, uri).toContain(`<code>${uri}</code>`)
  const errors = (await get(harness, '/docs/errors')).body
  for (const code of Object.keys(ERROR_CODES)) expect(errors, code).toContain(`id="${code}"`)
  const refused = await harness.call('free', '/api/v1/airports/JFK/predictions')
  for (const field of Object.keys(refused.json())) expect(errors).toContain(`&quot;${field}&quot;`)
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
})

test('the reference allows any style and own scripts alone, and the addresses of the former one lead to it', async () => {
  const { body, headers } = await get(harness, '/docs/rest')
  expect(headers['content-security-policy']).toContain(
    "style-src 'self' 'unsafe-inline'; img-src 'self'; script-src 'self';",
  )
  expect(textOf(body)).toContain('This page is drawn by a script')
  for (const path of ['/openapi.json', '/docs/use/rest', '/docs/use/mcp']) expect(body).toContain(`href="${path}"`)
  expect((await get(harness, '/docs/start')).headers['content-security-policy']).not.toContain('unsafe')
  for (const [from, to] of [
    ['/docs/rest/getDelays', '/docs/rest#tag/airports/getDelays'],
    ['/docs/rest/nothing', '/docs/rest'],
    ['/docs/mcp', '/docs/use/mcp'],
    ['/docs/mcp/get_terminals', '/docs/use/mcp#tools'],
  ] as const)
    expect(await get(harness, from)).toMatchObject({ statusCode: 301, headers: { location: to } })
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
  expect(await hitsOf('getPredictions')).toContain('/docs/rest#tag/airports/getPredictions')
  expect(await hitsOf('get_best_time_to_fly')).toContain('/docs/use/mcp#tools')
  expect((await get(harness, '/docs/search?q=%3Cscript%3E')).body).not.toContain('<script>')
  expect(textOf((await get(harness, '/docs/search?q=zzzz')).body)).toContain('Nothing in the documentation')
  expect((await get(harness, `/docs/search?q=${'x'.repeat(101)}`)).statusCode).toBe(400)
})

const browserTest = test.runIf(EXHAUSTIVE && !noChromium)

/** Scalar writes its version, times and views of the document to the console. */
const OF_SCALAR = /@scalar\/api-reference@|: \d+ ms$|document validation errors|\[Object/

browserTest.each([
  ['light', 390],
  ['dark', 1_280],
] as const)(
  'a visitor tries a call with a key of his own, which is sent to this site and kept nowhere, %s at %i',
  async (colorScheme, width) => {
    const { page, browserProblems } = await openPage(
      { colorScheme, viewport: { width, height: 900 } },
      '/docs/rest/getDelays',
    )
    const key = (await page.evaluate(
      `fetch('/api/agent/register', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).then((answer) => answer.json()).then(({ api_key }) => api_key)`,
    )) as string
    await page.locator('[id$="tag/airports/getDelays"]').getByRole('button', { name: 'Test Request' }).click()
    const form = page.getByRole('dialog')
    await form.getByPlaceholder('Token').fill(key)
    await form.getByRole('button', { name: 'Send' }).first().click()
    await form.getByText('200 OK').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    const storage = `JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])`
    expect(await page.evaluate(storage)).not.toContain(key)
    expect(await page.evaluate('window.violations')).toEqual([])
    expect(browserProblems.filter((text) => !OF_SCALAR.test(text))).toEqual([])
    const shown = `[...document.querySelectorAll('a[href*="scalar.com"]')].filter((link) => link.checkVisibility()).length`
    expect(await page.evaluate(shown)).toBe(0)
  },
  60_000,
)
