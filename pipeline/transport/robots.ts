import robotsParserModule from 'robots-parser'
import { FetchError } from '../../config/errors.ts'
import { createSharing } from '../../config/once.ts'
import type { ExchangeAnswer } from './exchange.ts'

/** The package is CommonJS and exports the function itself, although its types declare a `default` export. */
const robotsParser = robotsParserModule as unknown as typeof robotsParserModule.default

/** The product token that a robots.txt addresses us by. */
export const ROBOTS_TOKEN = 'Holdshort'

const MIN_CACHE_MS = 3_600_000
/** RFC 9309 section 2.4: a cached copy should not be used for more than a day, unless the file is unreachable. */
const MAX_CACHE_MS = 24 * 3_600_000
/** An unreachable robots.txt is requested again after this. */
const UNREACHABLE_CACHE_MS = 5 * 60_000

/** A longer Crawl-delay would hold up every request to the host: such a site is not read. */
const MAX_CRAWL_DELAY_SECONDS = 3_600

interface Rules {
  allows: (url: string) => boolean
  crawl_delay_seconds: number
  /** Why the file could not be fetched; null when it was fetched. */
  unreachable: string | null
  fresh_until: number
}

/** Fetches, caches and obeys robots.txt per origin, by RFC 9309. `get` follows redirects and never throws for a status. */
export function createRobots(get: (url: string) => Promise<ExchangeAnswer>, now: () => number) {
  const cache = new Map<string, Rules>()
  const share = createSharing<Rules>()

  async function load(origin: string): Promise<Rules> {
    const url = `${origin}/robots.txt`
    const answer = await get(url).catch((error: unknown) => {
      if (error instanceof FetchError) return error
      throw error
    })
    // RFC 9309 section 2.3.1.4: an unreachable file disallows everything. A 429 means that the site cannot answer now.
    if (answer instanceof FetchError || answer.status >= 500 || answer.status === 429) {
      const fresh_until = now() + UNREACHABLE_CACHE_MS
      const earlier = cache.get(origin)
      if (earlier && earlier.unreachable === null) return { ...earlier, fresh_until }
      const unreachable = answer instanceof FetchError ? answer.message : `${url} answered ${answer.status}`
      return { allows: () => false, crawl_delay_seconds: 0, unreachable, fresh_until }
    }
    const fresh_until = now() + cacheMs(answer.cache_control)
    // Section 2.3.1.3: any other status but success (404, 403, too many redirects) means that there are no rules.
    if (answer.status < 200 || answer.status > 299)
      return { allows: () => true, crawl_delay_seconds: 0, unreachable: null, fresh_until }
    const robot = robotsParser(url, new TextDecoder().decode(answer.body))
    return {
      allows: (page) => robot.isAllowed(page, ROBOTS_TOKEN) !== false,
      crawl_delay_seconds: robot.getCrawlDelay(ROBOTS_TOKEN) ?? 0,
      unreachable: null,
      fresh_until,
    }
  }

  async function rulesOf(origin: string): Promise<Rules> {
    const cached = cache.get(origin)
    if (cached && cached.fresh_until > now()) return cached
    const rules = await share(origin, () => load(origin))
    cache.set(origin, rules)
    return rules
  }

  return {
    /**
     * Checks that we may request an address, and returns the Crawl-delay of its site in seconds (0 when it has none).
     * @throws FetchError ROBOTS_DISALLOWED, also for a Crawl-delay of over an hour; SITE_UNREACHABLE when robots.txt could not be fetched, in which case nothing is allowed
     */
    check: async (url: string) => {
      const rules = await rulesOf(new URL(url).origin)
      if (rules.crawl_delay_seconds > MAX_CRAWL_DELAY_SECONDS) {
        const message = `${url}: its robots.txt asks for ${rules.crawl_delay_seconds} s between two requests (Crawl-delay)`
        throw new FetchError('ROBOTS_DISALLOWED', `${message}; over ${MAX_CRAWL_DELAY_SECONDS} s it is not read`)
      }
      if (rules.allows(url)) return { crawl_delay_seconds: rules.crawl_delay_seconds }
      if (rules.unreachable !== null) {
        const message = `${url}: its site cannot be reached (${rules.unreachable})`
        throw new FetchError('SITE_UNREACHABLE', message, { retryable: true })
      }
      throw new FetchError('ROBOTS_DISALLOWED', `${url}: its robots.txt forbids it`)
    },
  }
}

/** Milliseconds to cache a robots.txt: its own max-age, but at least an hour and at most a day. */
function cacheMs(cacheControl: string | null): number {
  const age = cacheControl?.match(/max-age=(\d+)/)?.[1]
  return age === undefined ? MAX_CACHE_MS : Math.min(MAX_CACHE_MS, Math.max(MIN_CACHE_MS, Number(age) * 1_000))
}
