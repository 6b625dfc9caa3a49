import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Transport } from '@modelcontextprotocol/client'
import { AppBridge, type McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { BrowserContextOptions, Frame, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { launchBrowser } from '../../site/chromium.ts'

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

export interface ShownPicture {
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
export async function showPicture({
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
