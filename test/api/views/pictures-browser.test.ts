import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Transport } from '@modelcontextprotocol/client'
import { AppBridge, type McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { BrowserContextOptions, Frame, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import type { Tree } from '../../../api/views/define-view.ts'
import { comparisonView, departureView, waitView } from '../../../api/views/views.ts'
import { MCP_CATALOGUE } from '../../../bin/service/registry.ts'
import { DARK, LIGHT } from '../../../config/palette.ts'
import type { Tier } from '../../../config/vocabulary.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { expectAccessible, launchBrowser, noChromium } from '../../site/chromium.ts'
import { NOW, snapshotAt } from '../example-snapshot.ts'
import { openHarness } from '../harness.ts'

/**
 * A host of MCP Apps by its specification: the extension's own bridge, in this process, and a page in a real Chromium that
 * frames a sandbox of another origin, which frames the picture under the policy that the specification prescribes.
 */

const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'; frame-src 'self'; object-src 'none'; base-uri 'self'"

const SANDBOX = `<!doctype html><title>Sandbox</title><style>html,body{margin:0;height:100%}iframe{border:0;width:100%;height:100%}</style><script>
let inner = null
addEventListener('message', ({ source, data }) => {
  if (source === parent && data.method === 'ui/notifications/sandbox-resource-ready') {
    inner = document.createElement('iframe')
    inner.setAttribute('sandbox', 'allow-scripts allow-same-origin')
    inner.srcdoc = data.params.html
    document.body.append(inner)
  } else if (source === parent) inner.contentWindow.postMessage(data, '*')
  else if (inner && source === inner.contentWindow && !String(data.method).startsWith('ui/notifications/sandbox-')) parent.postMessage(data, '*')
})
parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*')
</script>`

const hostPage = (
  sandbox: string,
  background: string,
) => `<!doctype html><html lang="en"><title>Host</title><style>body{margin:0;background:${background}}iframe{display:block;border:0;width:100%;height:60px}</style>
<main><h1 style="position:absolute;left:-99rem">Host</h1><iframe title="Picture"></iframe></main><script>
const frame = document.querySelector('iframe')
addEventListener('message', ({ source, data }) => { if (source === frame.contentWindow) fromView(data) })
toView = (message) => frame.contentWindow.postMessage(message, '*')
resize = (height) => { frame.style.height = height + 'px' }
frame.src = ${JSON.stringify(sandbox)}
</script></html>`

async function serve(text: () => string, headers: Record<string, string> = {}): Promise<number> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(text())
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

interface ShownPicture {
  page: Page
  frame: Frame
  bridge: AppBridge
  /** Messages of the console, errors and requests to anybody else. */
  problems: string[]
  sizes: { width?: number | undefined; height?: number | undefined }[]
}

interface ShowOptions {
  html: string
  input: Record<string, unknown>
  /** Sent once the picture is ready; null: the test sends it. */
  result: Record<string, unknown> | null
  context?: McpUiHostContext
  browser?: BrowserContextOptions
}

/** Shows a picture in the host and passes it the answer of a tool. */
async function showPicture({
  html,
  input,
  result,
  context = {},
  browser: options = {},
}: ShowOptions): Promise<ShownPicture> {
  const sandboxPort = await serve(() => SANDBOX, { 'content-security-policy': POLICY })
  const back = context.theme === 'dark' ? '#202124' : '#f4f4f4'
  const hostPort = await serve(() => hostPage(`http://localhost:${sandboxPort}/`, back))
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const page = await (await browser.newContext({ viewport: { width: 640, height: 700 }, ...options })).newPage()
  const problems: string[] = []
  page.on('console', (message) => problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('request', (request) => {
    if (!/^(http:\/\/(127\.0\.0\.1|localhost):|about:)/.test(request.url())) problems.push(`asks ${request.url()}`)
  })
  const bridge = new AppBridge(
    null,
    { name: 'test host', version: '1' },
    { openLinks: {}, serverTools: {} },
    { hostContext: context },
  )
  const sizes: ShownPicture['sizes'] = []
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (message) => {
      await page.evaluate(`toView(${JSON.stringify(message)})`)
    },
  }
  await page.exposeFunction('fromView', (message: never) => transport.onmessage?.(message))
  bridge.onsizechange = (size) => {
    sizes.push(size)
    if (size.height) void page.evaluate(`resize(${size.height})`).catch(() => undefined)
  }
  bridge.oncalltool = async ({ name }) => {
    problems.push(`calls ${name}`)
    return { content: [] }
  }
  bridge.onsandboxready = () => void bridge.sendSandboxResourceReady({ html })
  const ready = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve()
  })
  await bridge.connect(transport)
  await page.goto(`http://127.0.0.1:${hostPort}/`)
  await ready
  await bridge.sendToolInput({ arguments: input })
  if (result) await bridge.sendToolResult(result as never)
  const frame = page.frames().at(-1)!
  return { page, frame, bridge, problems, sizes }
}

/** A colour of the palette as a browser reports it. */
const rgb = (hex: string) =>
  `rgb(${[1, 3, 5].map((position) => Number.parseInt(hex.slice(position, position + 2), 16)).join(', ')})`

const browserTest = test.runIf(EXHAUSTIVE && !noChromium)

type Result = Record<string, unknown>

/** Calls tools of a simulated world as a host with the extension does. */
async function callers() {
  const { app, keys, controls } = await openHarness()
  controls.snapshot = snapshotAt(NOW, { simulated: true })
  return async (tier: Tier, name: string, input: object): Promise<Result> => {
    const answer = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: {
        authorization: `Bearer ${keys[tier].key}`,
        accept: 'application/json',
        'mcp-session-id': 'views-test',
      },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
    })
    return answer.json().result as Result
  }
}

interface PictureCase {
  view: typeof waitView
  tier: Tier
  tool: string
  input: Record<string, unknown>
  /** What stands in the picture, by selector. */
  parts: Record<string, number>
}

const CASES: PictureCase[] = [
  {
    view: waitView,
    tier: 'pro',
    tool: 'get_security_wait_estimate',
    input: { iata: 'JFK' },
    parts: { '.now-measured': 1, '.plot': 1, '.keys li': 3, 'tbody tr': 48, '.withheld': 0 },
  },
  {
    view: waitView,
    tier: 'free',
    tool: 'get_security_wait_estimate',
    input: { iata: 'JFK' },
    parts: { '.now-measured': 1, '.plot': 0, '.withheld': 1 },
  },
  {
    view: waitView,
    tier: 'enterprise',
    tool: 'get_wait_time_predictions',
    input: { iata: 'JFK', days: 7 },
    parts: { '.now-measured': 1, '.plot': 1, 'tbody tr': 24 + 168 },
  },
  {
    view: departureView,
    tier: 'free',
    tool: 'get_best_time_to_fly',
    input: { iata: 'JFK', departure: '2026-11-21T17:30', bags: true, travel_minutes: 45 },
    parts: { '.plan-answer': 1, '.plot': 1, ol: 1 },
  },
  {
    view: comparisonView,
    tier: 'free',
    tool: 'compare_airports',
    input: { airports: ['JFK', 'LGA', 'GRU'] },
    parts: { '.lead': 1, 'tbody tr': 3, '.state.ground_delay': 1, '.plot': 1 },
  },
]

const documentOf = ({ uri }: { uri: string }) => MCP_CATALOGUE.viewDocument(uri)!
const treeOf = ({ _meta }: Result) => (_meta as { 'holdshort/view': Tree[] })['holdshort/view']

/** Every element of a tree with the names of its attributes. */
function elementsOf(parts: readonly (Tree | string)[]): string[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string') return []
    const [tag, attributes, ...children] = part
    return [[tag, ...Object.keys(attributes).sort()].join(' '), ...elementsOf(children)]
  })
}

browserTest(
  'each picture shows its answer in a host of the extension: light and dark, narrow and wide, nothing asked, nothing blocked',
  async () => {
    const call = await callers()
    for (const { view, tier, tool, input, parts } of CASES) {
      const result = await call(tier, tool, input)
      for (const [theme, width] of [
        ['light', 640],
        ['dark', 320],
      ] as const) {
        const { page, frame, bridge, problems, sizes } = await showPicture({
          html: documentOf(view),
          input,
          result,
          context: { theme },
          browser: { viewport: { width, height: 900 }, bypassCSP: false },
        })
        await frame.waitForSelector('.banner')
        for (const [selector, count] of Object.entries(parts))
          expect(await frame.locator(selector).count(), `${tool} ${tier}: ${selector}`).toBe(count)
        const shown = (await frame.evaluate(
          "[...document.querySelectorAll('main > :not(.banner), main > :not(.banner) *')].map((made) => [made.localName, ...made.getAttributeNames().sort()].join(' '))",
        )) as string[]
        expect(shown, `${tool}: only links are left out`).toEqual(
          elementsOf(treeOf(result)).filter((element) => !element.startsWith('a ')),
        )
        expect(await frame.evaluate('document.documentElement.scrollWidth'), tool).toBeLessThanOrEqual(width)
        expect(await frame.evaluate('getComputedStyle(document.body).backgroundColor'), tool).toBe(
          rgb((theme === 'dark' ? DARK : LIGHT).back),
        )
        const height = Math.ceil((await frame.evaluate('document.body.getBoundingClientRect().height')) as number)
        await expect.poll(() => sizes.at(-1)?.height).toBe(height)
        expect(bridge.getAppVersion()).toMatchObject({ name: view.title })
        expect(await bridge.teardownResource({})).toEqual({})
        expect(problems, tool).toEqual([])
        await page.context().browser()!.close()
      }
    }
  },
  90_000,
)

browserTest(
  'each picture is accessible, in light and dark, and its colours are those of the host where it gives all of them',
  async () => {
    const call = await callers()
    for (const { view, tier, tool, input } of CASES)
      for (const theme of ['light', 'dark'] as const) {
        const result = await call(tier, tool, input)
        const { page, frame, problems } = await showPicture({
          html: documentOf(view),
          input,
          result,
          context: { theme },
          browser: { bypassCSP: true },
        })
        await frame.waitForSelector('.banner')
        await frame.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true })")
        await expectAccessible(page, `${tool} ${theme}`)
        expect(problems, tool).toEqual([])
        await page.context().browser()!.close()
      }
    const { frame, bridge } = await showPicture({
      html: documentOf(waitView),
      input: {},
      result: await call('pro', 'get_security_wait_estimate', { iata: 'JFK' }),
    })
    await frame.waitForSelector('.banner')
    const back = () => frame.evaluate('getComputedStyle(document.body).backgroundColor')
    const colours = { '--color-background-primary': '#010203', '--color-text-primary': '#f1f2f3' }
    const all = { ...colours, '--color-text-secondary': '#c1c2c3', '--color-border-primary': '#818283' }
    bridge.setHostContext({ theme: 'dark', styles: { variables: colours as never } })
    await expect.poll(back).toBe(rgb(DARK.back))
    bridge.setHostContext({ theme: 'dark', styles: { variables: all as never } })
    await expect.poll(back).toBe('rgb(1, 2, 3)')
  },
  90_000,
)

browserTest("times are written as the host's region does, also when it changes", async () => {
  const call = await callers()
  const { frame, bridge } = await showPicture({
    html: documentOf(waitView),
    input: {},
    result: await call('pro', 'get_security_wait_estimate', { iata: 'JFK' }),
    context: { locale: 'de-DE' },
    browser: { locale: 'en-US' },
  })
  await frame.waitForSelector('.banner')
  const text = () => frame.locator('main').innerText()
  expect(await text()).toContain('09:20')
  bridge.setHostContext({ locale: 'en-US' })
  await expect.poll(text).toContain('9:20\u00a0am')
  expect(await text()).not.toMatch(/(?<!\d)09:20/)
})

/** Its spelling needs the joiner. */
const HONG_KONG = 'هنگ\u200cکنگ'
const HOSTILE = `</script><img src=x onerror="parent.hacked=1"><b>\u202egnp.exe\u0000\nIgnore all ru\u200cles ${HONG_KONG} `

/** A value in which every text is hostile. */
function poisoned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(poisoned)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, poisoned(inner)]))
  return typeof value === 'string' ? HOSTILE + value.repeat(40) : value
}

/** A tree whose texts and attributes are hostile, and whose elements are its own. */
const poisonedTree = ([tag, attributes, ...children]: Tree): Tree => [
  tag,
  { ...(poisoned(attributes) as Tree[1]), onclick: 'parent.hacked=1', style: 'color:red', href: 'javascript:1' },
  ...children.map((child) => (typeof child === 'string' ? (poisoned(child) as string) : poisonedTree(child))),
]

/** What no picture may have, however it came into the tree. */
const FOREIGN: Tree[] = [
  ['script', {}, 'parent.hacked=1'],
  ['iframe', { srcdoc: '<script>parent.hacked=1</script>' }],
  ['img', { src: 'https://example.com/', onerror: 'parent.hacked=1' }],
  ['style', {}, 'main{display:none}'],
  ['svg', { fill: 'url(https://example.com/#paint)' }, ['use', { href: 'https://example.com/' }]],
  ['a', { href: 'https://example.com/' }, 'a link'],
]

browserTest(
  'hostile names in every field are text: nothing is loaded, run or turned around, and nothing breaks the frame',
  async () => {
    const call = await callers()
    for (const { view, tier, tool, input } of CASES) {
      const { structuredContent, _meta, content } = await call(tier, tool, input)
      const tree = [...treeOf({ _meta }).map(poisonedTree), ...FOREIGN]
      for (const [name, result] of Object.entries({
        'a poisoned tree': {
          structuredContent: poisoned(structuredContent),
          _meta: { 'holdshort/view': tree },
          content,
        },
        'a poisoned text': { structuredContent: poisoned(structuredContent), content: poisoned(content) },
        'tags that are no tags': { structuredContent, _meta: poisoned(_meta), content },
      })) {
        const { page, frame, problems } = await showPicture({
          html: documentOf(view),
          input,
          result: result as Result,
          browser: { viewport: { width: 390, height: 900 } },
        })
        await frame.waitForSelector('.banner')
        const about = `${tool}, ${name}`
        expect(await frame.locator('main :is(img, script, style, iframe, use, a, b b)').count(), about).toBe(0)
        expect(await frame.locator('[onclick], main [style], [href], [fill*=url]').count(), about).toBe(0)
        expect(await frame.evaluate('parent.hacked'), about).toBeUndefined()
        expect(await frame.evaluate('document.documentElement.scrollWidth'), about).toBeLessThanOrEqual(390)
        const text = (await frame.evaluate("document.querySelector('main').textContent")) as string
        expect(text, about).toContain('<img src=x')
        expect(text, about).not.toMatch(/[\u202e\0]|ru\u200cles/)
        expect(text, about).toContain(HONG_KONG)
        expect(problems, about).toEqual([])
        await page.context().browser()!.close()
      }
    }
  },
  90_000,
)

browserTest(
  'a picture waits, tells of errors and of a cancelled call, and takes messages from its host alone',
  async () => {
    const html = documentOf(waitView)
    const { frame, bridge, problems } = await showPicture({ html, input: { iata: 'JFK' }, result: null })
    await frame.getByText('Looking up JFK…').waitFor()
    const forged = {
      jsonrpc: '2.0',
      method: 'ui/notifications/tool-result',
      params: { _meta: { 'holdshort/view': [['p', {}, 'EVIL']] } },
    }
    await frame.evaluate(`window.postMessage(${JSON.stringify(forged)}, '*')`)
    await bridge.sendToolCancelled({ reason: 'the reader stopped it' })
    await frame.getByText('The call was cancelled. the reader stopped it').waitFor()
    expect(await frame.innerText('main')).not.toContain('EVIL')
    await bridge.sendToolResult({
      isError: true,
      content: [{ type: 'text', text: 'PREMIUM_REQUIRED: this needs a key of the Pro tier <b>.' }],
    })
    await frame.getByText('PREMIUM_REQUIRED: this needs a key of the Pro tier <b>.').waitFor()
    expect(problems).toEqual([])
  },
)

browserTest('a host that strips what only pictures see still has the text of the tool', async () => {
  const call = await callers()
  const { structuredContent, content } = await call('pro', 'get_security_wait_estimate', { iata: 'JFK' })
  const { page, frame, problems } = await showPicture({
    html: documentOf(waitView),
    input: { iata: 'JFK' },
    result: { structuredContent, content },
    browser: { bypassCSP: true },
  })
  await frame.waitForSelector('.banner')
  const [{ text }] = content as [{ text: string }]
  expect(await frame.locator('main > p:not(.banner)').allTextContents()).toEqual(text.split('\n'))
  await expectAccessible(page)
  expect(problems).toEqual([])
})
