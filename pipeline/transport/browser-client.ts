import { Buffer } from 'node:buffer'
import { bulkhead } from 'cockatiel'
import type { BrowserContext, Page, Response, Route } from 'playwright-core'
import { FetchError } from '../../config/errors.ts'
import type { Source } from '../../config/sources.ts'
import { withTimeLimit } from '../../config/time-limit.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import type { LearnRecipe, PageRecipe } from '../parsing/collector.ts'
import type { HttpClient } from './http-client.ts'
import { openPageProxy, type PageProxy } from './page-proxy.ts'
import { createSharedBrowser } from './shared-browser.ts'
import { simulatedUrl } from './simulated-url.ts'
import type { FetchedBody } from './transport.ts'

export interface BrowserClientOptions {
  /** The browser uses the manners, the User-Agent and the simulated world of the HTTP client. */
  http: HttpClient
  chromium_path?: string | undefined
  /** Default 30,000: the time within which a page must show its numbers. */
  timeout_ms?: number
  /** Called once when the browser runs without its sandbox, with the reason. */
  onUnsandboxed?: (reason: string) => void
  now?: () => number
}

/** The one browser client of the pipeline. Every error it throws is a FetchError. */
export interface BrowserClient {
  /** The page's HTML once its scripts have shown what the recipe waits for. */
  openPage: (
    url: string,
    source: Source,
    options: Pick<PageRecipe, 'wait_for'> & { timeout_ms?: number },
  ) => Promise<FetchedBody>
  /** The keys that the site's own page sends to its feed or has in its scripts; null when neither has them. */
  learnKeys: (source: Source, recipe: LearnRecipe) => Promise<Record<string, string> | null>
  close: () => Promise<void>
}

/** Resources that the text of a page does not need. */
const BLOCKED_RESOURCES = new Set(['image', 'media', 'font'])

/** WebRTC could ask for addresses of this network; no page of a source needs it. */
const WITHOUT_WEBRTC = 'delete globalThis.RTCPeerConnection; delete globalThis.webkitRTCPeerConnection'

/** An unused browser is closed after this. */
const IDLE_MS = 60_000
/** Pages open at a time, up to 60 MB each. */
const MAX_PAGES = 2
/** HTML of a page, and scripts of a page together. */
const MAX_BYTES = 5 * 1_048_576
/** How long closing a page may take before its whole browser is discarded. */
const CLOSE_TIMEOUT_MS = 2_000

/** Creates the browser client. The browser is started when the first page is opened. */
export function createBrowserClient(options: BrowserClientOptions): BrowserClient {
  const { http, timeout_ms = 30_000, now = Date.now } = options
  let proxy: PageProxy | null = null
  const shared = createSharedBrowser({
    chromium_path: options.chromium_path,
    idle_ms: IDLE_MS,
    onUnsandboxed: options.onUnsandboxed,
    openProxy: async () => {
      proxy = await openPageProxy(http.network, http.simulated_world)
      return proxy
    },
  })
  const pages = bulkhead(MAX_PAGES, Number.POSITIVE_INFINITY)

  /** Runs work on a fresh page with one time limit. A page that does not respond is discarded. */
  function withPage<T>(url: string, limit_ms: number, work: (page: Page) => Promise<T>): Promise<T> {
    return shared.use(async (browser) => {
      const context = await browser.newContext({ userAgent: http.user_agent, serviceWorkers: 'block' })
      try {
        await context.addInitScript(WITHOUT_WEBRTC)
        await context.route('**/*', (route) => routeRequest(route, http.simulated_world))
        const page = await context.newPage()
        return await withTimeout(limit_ms, `${url}: the page did not show its numbers in ${limit_ms} ms`, work(page))
      } finally {
        await closeOrDiscard(context, shared.discard)
      }
    })
  }

  /** Visits a page with the manners of the HTTP client; every failure becomes a FetchError. */
  const visit = <T>(url: string, source: Source, limit_ms: number, work: (page: Page) => Promise<T>) =>
    pages.execute(() =>
      http.withManners(url, source, () => withPage(url, limit_ms, work).catch((cause) => fail(url, cause, proxy))),
    )

  return {
    openPage: (url, source, { wait_for, timeout_ms: limit = timeout_ms }) =>
      visit(url, source, limit, async (page) => {
        const response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: limit })
        const status = response?.status() ?? 0
        requireSuccess(url, status)
        await page.waitForSelector(wait_for, { state: 'attached', timeout: limit })
        const body = Buffer.from(await contentOf(page, url))
        if (body.byteLength > MAX_BYTES) throw tooLarge(url)
        return {
          status,
          body,
          content_type: 'text/html; charset=utf-8',
          etag: null,
          last_modified: null,
          fetched_at: isoUtc(now()),
          url: page.url(),
          not_modified: false,
        }
      }),
    learnKeys: (source, recipe) => {
      const url = recipe.page_url(source)
      return visit(url, source, timeout_ms, (page) => observeKeys(page, url, source, recipe, timeout_ms / 2))
    },
    close: shared.close,
  }
}

/**
 * Opens the page and waits until it sends a request to the feed: the keys are in its headers or its address. Otherwise looks for
 * them in the page and its scripts.
 */
async function observeKeys(
  page: Page,
  url: string,
  source: Source,
  recipe: LearnRecipe,
  limit_ms: number,
): Promise<Record<string, string> | null> {
  const feed = recipe.url_contains(source)
  const scripts = readScripts(page)
  const feedRequest = page
    .waitForRequest((request) => request.url().includes(feed), { timeout: limit_ms })
    .catch(() => null)
  const response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: limit_ms })
  requireSuccess(url, response?.status() ?? 0)
  const request = await feedRequest
  const headerKeys = keysInHeaders((await request?.allHeaders()) ?? {}, recipe.headers)
  if (headerKeys !== null) return headerKeys
  const addressKeys = request === null ? null : (recipe.fromUrl?.(request.url()) ?? null)
  if (addressKeys !== null) return addressKeys
  for (const script of [await contentOf(page, url), ...scripts]) {
    const scriptKeys = recipe.fromScript?.(script) ?? null
    if (scriptKeys !== null) return scriptKeys
  }
  return null
}

/** The scripts of a page, as they arrive, one after another: up to `MAX_BYTES` characters together. */
function readScripts(page: Page): string[] {
  const scripts: string[] = []
  let left = MAX_BYTES
  let reading = Promise.resolve()
  const read = async (response: Response): Promise<void> => {
    if (left <= 0) return
    const text = await response.text()
    left -= text.length
    if (left > 0) scripts.push(text)
  }
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    reading = reading.then(() => read(response)).catch(() => undefined)
  })
  return scripts
}

/**
 * The HTML of a page. It is measured in the page before it is transferred, in a world of its own that the page's scripts cannot
 * change: a page of 300 MB would take over 1 GB of this process.
 * @throws FetchError FETCH_TOO_LARGE
 */
async function contentOf(page: Page, url: string): Promise<string> {
  const session = await page.context().newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const world = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id })
  const { result } = await session.send('Runtime.evaluate', {
    expression: `(() => {
      const { doctype, documentElement } = document
      const html = (doctype ? new XMLSerializer().serializeToString(doctype) : '') + (documentElement?.outerHTML ?? '')
      return html.length > ${MAX_BYTES} ? null : html
    })()`,
    contextId: world.executionContextId,
    returnByValue: true,
  })
  if (typeof result.value !== 'string') throw tooLarge(url)
  return result.value
}

const tooLarge = (url: string) => new FetchError('FETCH_TOO_LARGE', `${url}: the page is over ${MAX_BYTES} bytes`)

/** The values of the recipe's headers by our names for them; null unless all are there. */
function keysInHeaders(sent: Record<string, string>, headers: LearnRecipe['headers']): Record<string, string> | null {
  const names = Object.entries(headers)
  if (names.length === 0) return null
  const found = names.flatMap(([name, header]): [string, string][] => {
    const value = sent[header.toLowerCase()]
    return value === undefined ? [] : [[name, value]]
  })
  return found.length === names.length ? Object.fromEntries(found) : null
}

/** Sends every request of a page to the simulated world where there is one, so that no page of a demo reaches a real site. */
async function routeRequest(route: Route, simulated_world: string | null): Promise<void> {
  const request = route.request()
  try {
    if (BLOCKED_RESOURCES.has(request.resourceType())) return await route.abort()
    if (simulated_world === null) return await route.continue()
    const response = await route.fetch({ url: simulatedUrl(request.url(), simulated_world), maxRedirects: 0 })
    await route.fulfill({ response })
  } catch {
    // The page was closed meanwhile, or the simulated world did not answer: for the page the request failed.
    await route.abort().catch(() => undefined)
  }
}

function requireSuccess(url: string, status: number): void {
  if (status === 401 || status === 403)
    throw new FetchError('FETCH_REFUSED', `${url} answered ${status}`, { retryable: false, status })
  if (status < 200 || status > 299) throw new FetchError('FETCH_FAILED', `${url} answered ${status}`, { status })
}

function fail(url: string, cause: unknown, proxy: PageProxy | null): never {
  const unreached = proxy?.failureOf(new URL(url).hostname)
  if (unreached instanceof FetchError) throw unreached
  if (unreached) throw new FetchError('FETCH_FAILED', `${url}: ${unreached.message}`, { cause: unreached })
  if (cause instanceof FetchError) throw cause
  throw new FetchError('FETCH_FAILED', `${url}: ${String(cause).split('\n')[0]}`, { cause })
}

/** Rejects after `ms` even when the page itself is stuck in a script and answers no call. */
const withTimeout = <T>(ms: number, message: string, work: Promise<T>): Promise<T> =>
  withTimeLimit(ms, work, () => {
    throw new FetchError('FETCH_FAILED', message)
  })

/** Closes a page, or discards its whole browser: a page in an endless loop cannot always be closed. */
async function closeOrDiscard(context: BrowserContext, discard: () => void): Promise<void> {
  await withTimeout(CLOSE_TIMEOUT_MS, 'the page could not be closed', context.close()).catch(discard)
}
