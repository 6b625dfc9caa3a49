import { load } from 'cheerio'
import { FetchError } from '../../config/errors.ts'
import type { Source } from '../../config/sources.ts'
import type { LearnRecipe, SourceRequest } from '../parsing/collector.ts'
import { decodeBody } from '../parsing/decode-body.ts'
import type { BrowserClient } from './browser-client.ts'
import type { HttpClient } from './http-client.ts'

/** Most script bundles to read; keys are in the first ones of a page. */
const MAX_SCRIPTS = 20

/**
 * Learns the keys (key, version, token) that a site shows to every visitor's browser: by a browser that observes the page's own
 * requests; if that fails or no browser can be started, by reading the page and its scripts over HTTP.
 * @throws FetchError FETCH_REFUSED when neither finds the keys; SITE_UNREACHABLE when the site gave no answer
 */
export async function learnSiteKeys(
  recipe: LearnRecipe,
  source: Source,
  clients: { http: HttpClient; browser: BrowserClient | null },
): Promise<Record<string, string>> {
  if (recipe.needed?.(source) === false) return {}
  const failures: FetchError[] = []
  // A circuit of its own: a missing script bundle must not open the circuit of the feed.
  const page = { ...source, id: `${source.id}:page` }
  const methods = [() => clients.browser?.learnKeys(page, recipe), () => findInScripts(recipe, page, clients.http)]
  for (const learn of methods) {
    try {
      const keys = await learn()
      if (keys) return keys
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      failures.push(error)
    }
  }
  const names = Object.keys(recipe.headers).join(', ') || 'its keys'
  const reasons = failures.map((failure) => `: ${failure.message}`).join('')
  const unreachable =
    failures.length > 0 && failures.every(({ code }) => code !== 'FETCH_REFUSED' && code !== 'ROBOTS_DISALLOWED')
  throw new FetchError(
    unreachable ? 'SITE_UNREACHABLE' : 'FETCH_REFUSED',
    `${recipe.page_url(source)}: ${names} could not be learned from the page${reasons}`,
    { retryable: true },
  )
}

/** Fetches the page and its script bundles until `fromScript` finds the keys in one of them. */
async function findInScripts(
  recipe: LearnRecipe,
  source: Source,
  http: HttpClient,
): Promise<Record<string, string> | null> {
  if (recipe.fromScript === undefined) return null
  const page = await http.fetch(get(recipe.page_url(source)), source, null)
  const html = decodeBody(page.body, page.content_type)
  const pageKeys = recipe.fromScript(html)
  if (pageKeys !== null) return pageKeys
  const $ = load(html)
  const bundles = $('script[src]')
    .toArray()
    .map((script) => $(script).attr('src') ?? '')
    .filter((src) => URL.canParse(src, page.url))
    .map((src) => new URL(src, page.url).href)
  for (const url of bundles.slice(0, MAX_SCRIPTS)) {
    // A bundle that is missing or forbidden does not stop the search in the others.
    const script = await http.fetch(get(url), source, null).catch(() => null)
    const keys = script === null ? null : recipe.fromScript(decodeBody(script.body, script.content_type))
    if (keys !== null) return keys
  }
  return null
}

const get = (url: string): SourceRequest => ({ url, method: 'GET', headers: { Accept: '*/*' }, body: null, iata: null })
