import { Buffer } from 'node:buffer'
import { bulkhead } from 'cockatiel'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { isoUtc } from '../../config/domain.ts'
import { FetchError } from '../../config/errors.ts'
import type { Source } from '../../config/sources.ts'
import type { LearnRecipe, PageRecipe } from '../parsing/collector.ts'
import { createSharedBrowser } from './shared-browser.ts'
import { simulatedUrl } from './simulated-url.ts'
import type { FetchedBody, HttpClient } from './types.ts'

export interface BrowserClientOptions {
  /** The HTTP door: its manners, name and world are the browser's too. */
  http: HttpClient
  /** settings.chromium_path */
  chromium_path?: string | undefined
  /** Default 30,000: a page that has not shown its numbers by then is given up. */
  timeout_ms?: number
  /** Default 60,000: an unused browser is closed after this. */
  idle_ms?: number
  /** Default 2: pages open at a time (up to 60 MB each). */
  pages?: number
  /** Default 5 MB of HTML. */
  max_bytes?: number
  now?: () => number
}

/** The one browser door. Every error it throws is a FetchError. */
export interface BrowserClient {
  /** The page's HTML once its scripts have shown what the recipe waits for. */
  openPage: (
    url: string,
    source: Source,
    how: Pick<PageRecipe, 'wait_for'> & { timeout_ms?: number },
  ) => Promise<FetchedBody>
  /** Header values, by our names, that the site's own page sends to its feed; null when its page sends none. */
  learnHeaders: (source: Source, recipe: LearnRecipe) => Promise<Record<string, string> | null>
  close: () => Promise<void>
}

/** What a reader of numbers does not need. */
const HEAVY = new Set(['image', 'media', 'font'])

/** Makes the browser door. Nothing is started before the first page. */
export function createBrowserClient(options: BrowserClientOptions): BrowserClient {
  const { http: fetcher, timeout_ms = 30_000, max_bytes = 5 * 1_048_576, now = Date.now } = options
  const kept = createSharedBrowser({ chromium_path: options.chromium_path, idle_ms: options.idle_ms ?? 60_000 })
  const places = bulkhead(options.pages ?? 2, Number.POSITIVE_INFINITY)

  /** A fresh page for one piece of work, under one deadline; whatever hangs is thrown away with its page. */
  function withPage<T>(url: string, limit_ms: number, work: (page: Page) => Promise<T>): Promise<T> {
    return kept.use(async (browser) => {
      const context = await browser.newContext({ userAgent: fetcher.user_agent, serviceWorkers: 'block' })
      try {
        await context.route('**/*', (route) => sendOn(route, fetcher.simulated_world))
        const page = await context.newPage()
        return await within(limit_ms, `${url}: the page did not show its numbers in ${limit_ms} ms`, work(page))
      } finally {
        await closeOrDiscard(context, kept.discard)
      }
    })
  }

  /** Manners, a place among the open pages, and every failure as a FetchError. */
  const visit = <T>(url: string, source: Source, limit_ms: number, work: (page: Page) => Promise<T>) =>
    places.execute(() =>
      fetcher.withManners(url, source, () => withPage(url, limit_ms, work).catch((cause) => fail(url, cause))),
    )

  return {
    openPage: (url, source, how) => {
      const limit = how.timeout_ms ?? timeout_ms
      return visit(url, source, limit, async (page) => {
        const response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: limit })
        const status = response?.status() ?? 0
        refuseStatus(url, status)
        await page.waitForSelector(how.wait_for, { state: 'attached', timeout: limit })
        const body = Buffer.from(await page.content())
        if (body.byteLength > max_bytes)
          throw new FetchError('FETCH_TOO_LARGE', `${url}: the page is over ${max_bytes} bytes`)
        const content_type = 'text/html; charset=utf-8'
        const fetched_at = isoUtc(now())
        return {
          status,
          body,
          content_type,
          etag: null,
          last_modified: null,
          fetched_at,
          url: page.url(),
          not_modified: false,
        }
      })
    },
    learnHeaders: (source, recipe) => {
      const url = recipe.page_url(source)
      return visit(url, source, timeout_ms, (page) => watch(page, url, source, recipe, timeout_ms / 2))
    },
    close: kept.close,
  }
}

/** Opens the page and waits for a request of its own to the feed; reads its scripts when it makes none. */
async function watch(page: Page, url: string, source: Source, recipe: LearnRecipe, limit_ms: number) {
  const feed = recipe.url_contains(source)
  const scripts: string[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    response
      .text()
      .then((text) => scripts.push(text))
      .catch(() => undefined)
  })
  const asked = page.waitForRequest((request) => request.url().includes(feed), { timeout: limit_ms }).catch(() => null)
  const response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: limit_ms })
  refuseStatus(url, response?.status() ?? 0)
  const request = await asked
  const sent = await request?.allHeaders()
  if (sent !== undefined && Object.keys(recipe.headers).length > 0) {
    const learnt = Object.entries(recipe.headers).flatMap(([name, header]) => {
      const value = sent[header.toLowerCase()]
      return value === undefined ? [] : [[name, value]]
    })
    if (learnt.length === Object.keys(recipe.headers).length)
      return Object.fromEntries(learnt) as Record<string, string>
  }
  const inAddress = request === null ? null : (recipe.fromUrl?.(request.url()) ?? null)
  if (inAddress !== null) return inAddress
  for (const script of [await page.content(), ...scripts]) {
    const learnt = recipe.fromScript?.(script) ?? null
    if (learnt !== null) return learnt
  }
  return null
}

/** In the simulated world every request of a page goes there, so that no page of a demo touches a real site. */
async function sendOn(route: Route, world: string | null): Promise<void> {
  const request = route.request()
  try {
    if (HEAVY.has(request.resourceType())) return await route.abort()
    if (world === null) return await route.continue()
    const response = await route.fetch({ url: simulatedUrl(request.url(), world), maxRedirects: 0 })
    await route.fulfill({ response })
  } catch {
    // The page was closed meanwhile, or the world did not answer: to the page it is a failed request.
    await route.abort().catch(() => undefined)
  }
}

function refuseStatus(url: string, status: number): void {
  if (status === 401 || status === 403)
    throw new FetchError('FETCH_REFUSED', `${url} answered ${status}`, { retryable: false, status })
  if (status < 200 || status > 299) throw new FetchError('FETCH_FAILED', `${url} answered ${status}`, { status })
}

function fail(url: string, cause: unknown): never {
  if (cause instanceof FetchError) throw cause
  throw new FetchError('FETCH_FAILED', `${url}: ${String(cause).split('\n')[0]}`, { cause })
}

/** Rejects after `ms` even when the page itself hangs in a script and answers nobody. */
async function within<T>(ms: number, message: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new FetchError('FETCH_FAILED', message)), ms)
  })
  work.catch(() => undefined)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** A page in an endless loop cannot always be closed; then its whole browser goes. */
async function closeOrDiscard(context: BrowserContext, discard: () => void): Promise<void> {
  await within(2_000, 'the page could not be closed', context.close()).catch(discard)
}
