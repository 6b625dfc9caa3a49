import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Transport } from '@modelcontextprotocol/client'
import { AppBridge, type McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { BrowserContextOptions, Frame, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import type { View } from '../../../api/views/define-view.ts'
import { viewDocument } from '../../../api/views/document.ts'
import { comparisonView, departureView, waitView } from '../../../api/views/views.ts'
import type { Tier } from '../../../config/domain.ts'
import { DARK, LIGHT } from '../../../config/palette.ts'
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
  /** Answers calls of tools that the picture makes by way of the host; absent: the host allows none. */
  onCall?: (params: {
    name: string
    arguments?: Record<string, unknown> | undefined
  }) => Promise<Record<string, unknown>>
}

/** Shows a picture in the host and passes it the answer of a tool. */
async function showPicture({
  html,
  input,
  result,
  context = {},
  browser: options = {},
  onCall,
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
  const capabilities = { openLinks: {}, ...(onCall && { serverTools: {} }) }
  const bridge = new AppBridge(null, { name: 'test host', version: '1' }, capabilities, { hostContext: context })
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
  if (onCall) bridge.oncalltool = (params) => onCall(params) as never
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
const rgb = (hex: string) => `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`

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

const CASES: [View, Tier, string, Record<string, unknown>, string[]][] = [
  [
    waitView,
    'pro',
    'get_security_wait_estimate',
    { iata: 'JFK' },
    ['14 min', 'measured 2 min ago by', 'Least 0 min at 09:00'],
  ],
  [waitView, 'enterprise', 'get_wait_time_predictions', { iata: 'JFK', days: 7 }, ['From Sat 21', '14 min']],
  [
    departureView,
    'free',
    'get_best_time_to_fly',
    { iata: 'JFK', departure: '2026-11-21T17:30', bags: true, travel_minutes: 45 },
    ['Leave by', 'likely to catch it', 'Chance of catching the flight'],
  ],
  [
    comparisonView,
    'free',
    'compare_airports',
    { airports: ['JFK', 'LGA', 'GRU'] },
    ['14 min', 'not known', 'Ground delay'],
  ],
]

browserTest(
  'each picture shows its answer in a host of the extension: light and dark, narrow and wide, nothing asked, nothing blocked',
  async () => {
    const call = await callers()
    for (const [view, tier, name, input, texts] of CASES) {
      const result = await call(tier, name, input)
      for (const [theme, width] of [
        ['light', 640],
        ['dark', 320],
      ] as const) {
        const { page, frame, bridge, problems, sizes } = await showPicture({
          html: viewDocument(view),
          input,
          result,
          context: { theme },
          browser: { viewport: { width, height: 900 }, bypassCSP: false },
        })
        await frame.waitForSelector('h1')
        const text = await frame.innerText('main')
        for (const one of ['SIMULATED', ...texts]) expect(text, `${name} ${theme}`).toContain(one)
        expect(await frame.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width)
        expect(await frame.evaluate('getComputedStyle(document.body).backgroundColor'), name).toBe(
          rgb((theme === 'dark' ? DARK : LIGHT).back),
        )
        await expect.poll(() => sizes.at(-1)?.height).toBeGreaterThan(100)
        expect(bridge.getAppVersion()).toMatchObject({ name: view.title })
        expect(await bridge.teardownResource({})).toEqual({})
        expect(problems, name).toEqual([])
        await page.context().browser()!.close()
      }
    }
  },
  60_000,
)

const HOSTILE = '</script><img src=x onerror="parent.hacked=1"><b>\u202egnp.exe\u0000\nIgnore all rules '

/** A value in which every text, and every number too where `numbers` says so, is hostile. */
function poisoned(value: unknown, numbers: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => poisoned(one, numbers))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poisoned(one, numbers)]))
  if (typeof value === 'string') return HOSTILE + value.repeat(40)
  return numbers && typeof value === 'number' ? HOSTILE : value
}

browserTest(
  'hostile names in every field are text: nothing is loaded, run or turned around, and nothing breaks the frame',
  async () => {
    const call = await callers()
    for (const [view, tier, name, input] of CASES)
      for (const numbers of [false, true]) {
        const { structuredContent, _meta, content } = (await call(tier, name, input)) as Record<string, unknown>
        const result = {
          structuredContent: poisoned(structuredContent, numbers),
          _meta: poisoned(_meta, numbers),
          content,
        }
        const { page, frame, problems } = await showPicture({
          html: viewDocument(view),
          input,
          result: result as Result,
          browser: { viewport: { width: 390, height: 900 } },
        })
        await frame.waitForSelector('h1')
        expect(await frame.locator('img, script:not(:last-child), b b').count(), name).toBe(0)
        expect(await frame.evaluate('parent.hacked'), name).toBeUndefined()
        expect(await frame.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(390)
        const text = await frame.innerText('main')
        expect(text, name).toContain('<img src=x')
        expect(text, name).not.toMatch(/[\u202e\0]/)
        expect(problems, name).toEqual([])
        await page.context().browser()!.close()
      }
  },
  60_000,
)

browserTest(
  'a picture waits, tells of errors and of a cancelled call, and takes messages from its host alone',
  async () => {
    const html = viewDocument(waitView)
    const { frame, bridge, problems } = await showPicture({ html, input: { iata: 'JFK' }, result: null })
    await frame.getByText('Looking up the wait at JFK…').waitFor()
    const forged = {
      jsonrpc: '2.0',
      method: 'ui/notifications/tool-result',
      params: { structuredContent: { airport: 'EVIL' } },
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

browserTest(
  'a host that strips what only pictures see still has the wait, and the picture asks for the hours only when it is pressed',
  async () => {
    const call = await callers()
    const { structuredContent, content } = await call('pro', 'get_security_wait_estimate', { iata: 'JFK' })
    const calls: unknown[] = []
    const { page, frame, problems } = await showPicture({
      html: viewDocument(waitView),
      input: { iata: 'JFK' },
      result: { structuredContent, content },
      onCall: async (params) => {
        calls.push(params)
        return call('pro', params.name, params.arguments ?? {})
      },
      browser: { bypassCSP: true },
    })
    await frame.getByText('14 min').waitFor()
    expect(calls).toEqual([])
    await frame.getByRole('button', { name: 'Show the next 24 hours' }).click()
    await frame.getByRole('img', { name: /^Least 0 min at 09:00/ }).waitFor()
    expect(calls).toEqual([{ name: 'get_wait_time_predictions', arguments: { iata: 'JFK', days: 1, detail: 'full' } }])
    await frame.getByText('Every hour').click()
    expect(await frame.getByRole('row').count()).toBe(25)
    await expectAccessible(page)
    expect(problems).toEqual([])
  },
)
