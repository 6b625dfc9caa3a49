import { load } from 'cheerio'
import { FetchError } from '../../config/errors.ts'
import type { Source } from '../../config/sources.ts'
import type { LearnRecipe, SourceRequest } from '../parsing/collector.ts'
import { decodeBody } from '../parsing/decode-body.ts'
import type { BrowserClient } from './browser-client.ts'
import type { HttpClient } from './types.ts'

/** Script bundles read at most; keys stand in the page's own early ones. */
const MAX_SCRIPTS = 20

/**
 * Learns what a site shows to every visitor's browser (key, version): by a browser that watches the page's own requests,
 * else, or where no browser can be started, by reading the page and its scripts over HTTP.
 * @throws FetchError FETCH_REFUSED when neither way finds the values; SITE_UNREACHABLE when the site gave no answer
 */
export async function learnSiteKeys(
  recipe: LearnRecipe,
  source: Source,
  doors: { fetcher: HttpClient; browser: BrowserClient | null },
): Promise<Record<string, string>> {
  if (recipe.needed?.(source) === false) return {}
  const failures: FetchError[] = []
  // A bundle that is gone must not open the circuit of the feed itself.
  const page = { ...source, id: `${source.id}:page` }
  for (const way of [() => doors.browser?.learnHeaders(page, recipe), () => readScripts(recipe, page, doors.fetcher)]) {
    try {
      const learnt = await way()
      if (learnt) return learnt
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      failures.push(error)
    }
  }
  const names = Object.keys(recipe.headers).join(', ') || 'its keys'
  const message = `${recipe.page_url(source)}: ${names} could not be learnt from the page${failures.map((failure) => `: ${failure.message}`).join('')}`
  const unreachable =
    failures.length > 0 && failures.every(({ code }) => code !== 'FETCH_REFUSED' && code !== 'ROBOTS_DISALLOWED')
  throw new FetchError(unreachable ? 'SITE_UNREACHABLE' : 'FETCH_REFUSED', message, { retryable: true })
}

/** Reads the page and its script bundles by the HTTP door until `fromScript` recognises the values in one of them. */
async function readScripts(
  recipe: LearnRecipe,
  source: Source,
  fetcher: HttpClient,
): Promise<Record<string, string> | null> {
  if (recipe.fromScript === undefined) return null
  const page = await fetcher.fetch(get(recipe.page_url(source)), source, null)
  const html = decodeBody(page.body, page.content_type)
  const inPage = recipe.fromScript(html)
  if (inPage !== null) return inPage
  const $ = load(html)
  const bundles = $('script[src]')
    .toArray()
    .map((script) => $(script).attr('src') ?? '')
    .filter((src) => URL.canParse(src, page.url))
    .map((src) => new URL(src, page.url).href)
  for (const url of bundles.slice(0, MAX_SCRIPTS)) {
    // One bundle that is gone or forbidden says nothing about the others.
    const script = await fetcher.fetch(get(url), source, null).catch(() => null)
    const learnt = script === null ? null : recipe.fromScript(decodeBody(script.body, script.content_type))
    if (learnt !== null) return learnt
  }
  return null
}

const get = (url: string): SourceRequest => ({ url, method: 'GET', headers: { Accept: '*/*' }, body: null, iata: null })
