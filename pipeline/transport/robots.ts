import robotsParserModule from 'robots-parser'
import { FetchError } from '../../config/errors.ts'
import type { Exchanged } from './exchange.ts'

/** The package is CommonJS and exports the function itself, where its types claim a `default` beside it. */
const robotsParser = robotsParserModule as unknown as typeof robotsParserModule.default

/** The word we answer to in a robots.txt. */
export const ROBOTS_TOKEN = 'Holdshort'

const MIN_KEEP_MS = 3_600_000
/** RFC 9309 2.4: a cached copy should not be used for more than a day, unless the file cannot be reached. */
const MAX_KEEP_MS = 24 * MIN_KEEP_MS
/** An unreachable robots.txt is asked for again after this. */
const UNREACHABLE_KEEP_MS = 5 * 60_000

interface Rules {
  allows: (url: string) => boolean
  crawl_delay_seconds: number
  /** Why the site could not be asked; null when it answered. */
  unreachable: string | null
  fresh_until: number
}

export interface Robots {
  /**
   * Whether we may ask for the address, and the Crawl-delay of its site in seconds (0 when it names none).
   * @throws FetchError ROBOTS_DISALLOWED; SITE_UNREACHABLE when there is no robots.txt to be had, without which we may not ask
   */
  check: (url: string) => Promise<{ crawl_delay_seconds: number }>
}

/** Reads, keeps and obeys robots.txt per origin, by RFC 9309. `get` follows redirects and never throws for a status. */
export function createRobots(get: (url: string) => Promise<Exchanged>, now: () => number): Robots {
  const kept = new Map<string, Rules>()
  const underway = new Map<string, Promise<Rules>>()

  async function load(origin: string): Promise<Rules> {
    const url = `${origin}/robots.txt`
    const answer = await get(url).catch((error: unknown) => {
      if (error instanceof FetchError) return error
      throw error
    })
    // RFC 9309 2.3.1.4: unreachable means that everything is forbidden; 429 is the site saying that it cannot answer now.
    if (answer instanceof FetchError || answer.status >= 500 || answer.status === 429) {
      const old = kept.get(origin)
      if (old && old.unreachable === null) return { ...old, fresh_until: now() + UNREACHABLE_KEEP_MS }
      const unreachable = answer instanceof FetchError ? answer.message : `${url} answered ${answer.status}`
      return { allows: () => false, crawl_delay_seconds: 0, unreachable, fresh_until: now() + UNREACHABLE_KEEP_MS }
    }
    const fresh_until = now() + keepFor(answer.cache_control)
    // 2.3.1.3: any other status that is not a success (404, 403, too many redirects) means that there are no rules.
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
    const known = kept.get(origin)
    if (known && known.fresh_until > now()) return known
    const loading = underway.get(origin) ?? load(origin).finally(() => underway.delete(origin))
    underway.set(origin, loading)
    const rules = await loading
    kept.set(origin, rules)
    return rules
  }

  return {
    check: async (url) => {
      const rules = await rulesOf(new URL(url).origin)
      if (rules.allows(url)) return { crawl_delay_seconds: rules.crawl_delay_seconds }
      if (rules.unreachable !== null)
        throw new FetchError('SITE_UNREACHABLE', `${url}: its site cannot be reached (${rules.unreachable})`, {
          retryable: true,
        })
      throw new FetchError('ROBOTS_DISALLOWED', `${url}: its robots.txt forbids it`)
    },
  }
}

/** Milliseconds to keep a robots.txt: its own max-age, but at least an hour and at most a day. */
function keepFor(cacheControl: string | null): number {
  const age = cacheControl?.match(/max-age=(\d+)/)?.[1]
  return age === undefined ? MAX_KEEP_MS : Math.min(MAX_KEEP_MS, Math.max(MIN_KEEP_MS, Number(age) * 1_000))
}
