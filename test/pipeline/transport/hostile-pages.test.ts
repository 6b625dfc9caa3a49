import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FetchError } from '../../../config/errors.ts'
import { mobi } from '../../../pipeline/collectors/mobi.ts'
import { type BrowserClient, createBrowserClient } from '../../../pipeline/transport/browser-client.ts'
import { createHttpClient } from '../../../pipeline/transport/http-client.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { hasBrowser } from '../real-browser.ts'
import { testSource } from '../test-source.ts'

const found = EXHAUSTIVE && (await hasBrowser())
const TIMEOUT_MS = 10_000
const MEGABYTE = 1_048_576
const MAX_GROWTH_BYTES = 150 * MEGABYTE
const SCRIPTS = 30
const LONG_SCRIPT = Buffer.from(`//${'x'.repeat(15 * MEGABYTE)}`)

const WAIT = '<b class="minutes">3</b>'
const script = (code: string) => `<!doctype html>${WAIT}<script>${code}</script>`

function sendForever(response: ServerResponse, head: string): void {
  response.write(head)
  const more = () => {
    while (!response.destroyed && response.write(`<p>${'x'.repeat(600_000)}`));
    response.once('drain', more)
  }
  more()
}

/** Pages that still show their number to whoever closes dialogs, refuses downloads and reads what is there. */
const HARMLESS: Record<string, string> = {
  'opens dialogs': script("for (let n = 0; n < 20; n++) alert(n); onbeforeunload = () => 'stay'"),
  'prints itself': script('print()'),
  'downloads files': script(
    "for (let n = 0; n < 9; n++) { const a = document.createElement('a'); a.href = '/file?' + n; a.download = 'f'; document.body.append(a); a.click() }",
  ),
  'replaces what scripts are made of': script(
    "XMLSerializer.prototype.serializeToString = () => 'other'; Object.defineProperty(Element.prototype, 'outerHTML', { get() { for (;;); } }); document.querySelector = () => { for (;;); }; JSON.stringify = () => '{}'; Promise = null",
  ),
  'goes to a page that crashes the browser': script("location.href = 'chrome://crash'"),
}

/** A page that is read where the machine is fast enough to find it between two of its moves. */
const RESTLESS: Record<string, string> = {
  'goes to another page every 5 ms': script("setInterval(() => { location.search = '?' + Math.random() }, 5)"),
}

/** Pages that would take memory or time without end. */
const UNBOUNDED: Record<string, string | ((response: ServerResponse) => void)> = {
  'has 300 MB of text': script("document.body.append('x'.repeat(300_000_000))"),
  'never ends': (response) => sendForever(response, `<!doctype html>${WAIT}`),
  'opens dialogs for ever': script('for (;;) confirm(1)'),
  'loads itself again': '<!doctype html><meta http-equiv="refresh" content="0"><p>wait',
}

const PAGES = Object.entries({ ...HARMLESS, ...RESTLESS, ...UNBOUNDED })
const pathOf = (name: string) => `/${PAGES.findIndex(([known]) => known === name)}`
const server = createServer((request, response) => {
  const path = (request.url ?? '').split('?')[0]
  const page = path === '/fine' ? `<!doctype html>${WAIT}` : PAGES[Number(path?.slice(1))]?.[1]
  if (path === '/file') {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' })
    return sendForever(response, '')
  }
  if (path === '/scripts')
    return void response.end(
      `<!doctype html>${Array.from({ length: SCRIPTS }, (_, n) => `<script src="/script?${n}"></script>`).join('')}`,
    )
  if (path === '/script') return void response.end(LONG_SCRIPT)
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' })
  if (typeof page === 'function') return page(response)
  response.end(page)
})

describe.runIf(found)('a page that', () => {
  const source = testSource({ pace_seconds: 0 })
  let client: BrowserClient
  let origin: string
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve))
    origin = `http://127.0.0.2:${(server.address() as AddressInfo).port}`
    const http = createHttpClient({
      version: '1',
      contact: 'x@example.org',
      retries: 0,
      allowed_networks: ['127.0.0.2'],
    })
    client = createBrowserClient({ http, timeout_ms: TIMEOUT_MS })
  })
  afterAll(async () => {
    await client.close()
    server.closeAllConnections()
    server.close()
  })
  const open = async (path: string) => {
    const { body } = await client.openPage(`${origin}${path}`, source, { wait_for: '.minutes' })
    return new TextDecoder().decode(body)
  }
  /** How much this process grew at its highest while it did some work, in bytes. */
  async function growth(work: () => Promise<unknown>): Promise<number> {
    const before = process.memoryUsage.rss()
    let highest = before
    const timer = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage.rss())
    }, 10)
    await work().finally(() => clearInterval(timer))
    return Math.max(highest, process.memoryUsage.rss()) - before
  }

  test.each(Object.keys(HARMLESS))('%s is read', { timeout: 30_000 }, async (name) => {
    expect(await open(pathOf(name))).toContain(WAIT)
    expect(await open('/fine')).toContain(WAIT)
  })

  test.each(Object.keys(RESTLESS))(
    '%s is read or given up, and the next one is read',
    async (name) => {
      const seen = await open(pathOf(name)).catch((error: FetchError) => error.code)
      expect(seen).toMatch(new RegExp(`${WAIT}|^FETCH_FAILED$`))
      expect(await open('/fine')).toContain(WAIT)
    },
    30_000,
  )

  test.each(Object.keys(UNBOUNDED))('%s is given up, and the next one is read', { timeout: 60_000 }, async (name) => {
    const began = performance.now()
    let error: FetchError | undefined
    const grown = await growth(() =>
      open(pathOf(name)).then(
        () => undefined,
        (thrown) => {
          error = thrown
        },
      ),
    )
    expect(error?.code).toMatch(name.startsWith('has 300 MB') ? /^FETCH_TOO_LARGE$/ : /^FETCH_FAILED$/)
    expect(performance.now() - began).toBeLessThan(TIMEOUT_MS + 5_000)
    expect(grown).toBeLessThan(MAX_GROWTH_BYTES)
    expect(await open('/fine')).toContain(WAIT)
  })

  test('has hundreds of megabytes of scripts is searched for keys within bounds', { timeout: 60_000 }, async () => {
    const recipe = { ...mobi.learn!, page_url: () => `${origin}/scripts` }
    let learned: unknown
    const grown = await growth(async () => {
      // A busy machine may give the page up before its scripts are read: that is a bound too.
      learned = await client.learnKeys(source, recipe).catch((error: FetchError) => {
        if (error.code !== 'FETCH_FAILED') throw error
        return null
      })
    })
    expect(learned).toBeNull()
    expect(grown).toBeLessThan(MAX_GROWTH_BYTES)
  })
})
