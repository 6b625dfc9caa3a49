import { FetchError } from '../../config/errors.ts'
import type { ExchangeAnswer } from './exchange.ts'

/** RFC 9309 section 2.3.1.2 asks crawlers to follow at least five. */
const MAX_REDIRECTS = 5

/** One request of a chain of redirects. */
export interface Hop {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | null
}

/** Whether an answer is a redirect with a target. */
export function isRedirect(answer: ExchangeAnswer): boolean {
  return [301, 302, 303, 307, 308].includes(answer.status) && answer.location !== null
}

/**
 * The request that follows a redirect. Headers are not sent to another origin, because they may hold the site's key, and https is
 * never downgraded to http.
 * @throws FetchError FETCH_FAILED
 */
export function nextHop(hop: Hop, answer: ExchangeAnswer, followed: number): Hop {
  const failure = (reason: string) =>
    new FetchError('FETCH_FAILED', `${hop.url}: ${reason}`, { status: answer.status, retryable: false })
  if (followed >= MAX_REDIRECTS) throw failure(`more than ${MAX_REDIRECTS} redirects`)
  if (!URL.canParse(answer.location ?? '', hop.url)) throw failure(`redirects to an unreadable address`)
  const from = new URL(hop.url)
  const to = new URL(answer.location ?? '', hop.url)
  if (to.protocol !== 'https:' && to.protocol !== from.protocol)
    throw failure(`redirects from ${from.protocol} to ${to.protocol}`)
  if (to.username !== '' || to.password !== '') throw failure(`redirects to an address with a user name or password`)
  const keepsBody = hop.method === 'POST' && [307, 308].includes(answer.status)
  return {
    url: to.href,
    method: keepsBody ? 'POST' : 'GET',
    headers: to.origin === from.origin ? hop.headers : acceptHeader(hop.headers),
    body: keepsBody ? hop.body : null,
  }
}

function acceptHeader({ Accept }: Record<string, string>): Record<string, string> {
  return Accept === undefined ? {} : { Accept }
}
