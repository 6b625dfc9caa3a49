import type { SourceRequest } from './collector.ts'

/** Asks one address for JSON, with what else its site's own page sends. */
export function askJson(url: string, iata: string | null, headers: Record<string, string> = {}): SourceRequest {
  return { url, method: 'GET', headers: { Accept: 'application/json', ...headers }, body: null, iata }
}

/** Origin and Referer of the publisher's page, for feeds that answer only to them. */
export function fromPage(page: string): Record<string, string> {
  return { Origin: new URL(page).origin, Referer: page }
}
