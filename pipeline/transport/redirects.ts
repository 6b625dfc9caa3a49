import { FetchError } from '../../config/errors.ts'
import type { Exchanged } from './exchange.ts'

/** RFC 9309 and good sense agree on five. */
const MAX_REDIRECTS = 5

/** One request of a chain of redirects. */
export interface Hop {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | null
}

/** Whether an answer sends us elsewhere. */
export function followable(answer: Exchanged): boolean {
  return [301, 302, 303, 307, 308].includes(answer.status) && answer.location !== null
}

/**
 * Where a redirect leads. A key learnt for one site is never carried to another, and https never falls to http.
 * @throws FetchError FETCH_FAILED
 */
export function nextHop(hop: Hop, answer: Exchanged, followed: number): Hop {
  const fail = (why: string) =>
    new FetchError('FETCH_FAILED', `${hop.url}: ${why}`, { status: answer.status, retryable: false })
  if (followed >= MAX_REDIRECTS) throw fail(`more than ${MAX_REDIRECTS} redirects`)
  if (!URL.canParse(answer.location ?? '', hop.url)) throw fail(`redirects to an unreadable address`)
  const from = new URL(hop.url)
  const to = new URL(answer.location ?? '', hop.url)
  if (to.protocol !== 'https:' && to.protocol !== from.protocol)
    throw fail(`redirects from ${from.protocol} to ${to.protocol}`)
  const repost = hop.method === 'POST' && [307, 308].includes(answer.status)
  const { Accept } = hop.headers
  return {
    url: to.href,
    method: repost ? 'POST' : 'GET',
    headers: to.origin === from.origin ? hop.headers : Accept === undefined ? {} : { Accept },
    body: repost ? hop.body : null,
  }
}
