import { z } from 'zod'
import type { Source } from '../../config/sources.ts'
import type { RequestContext, SourceRequest } from './collector.ts'
import { textOf } from './json.ts'

/** A GET request for JSON. */
export function jsonRequest(url: string, iata: string | null, headers: Record<string, string> = {}): SourceRequest {
  return { url, method: 'GET', headers: { Accept: 'application/json', ...headers }, body: null, iata }
}

/** One request for the one page of a source; it names the airport when the source has only one. */
export function pageRequest({ source }: Pick<RequestContext, 'source'>): SourceRequest[] {
  return [{ url: source.url, method: 'GET', headers: { Accept: 'text/html' }, body: null, iata: onlyAirport(source) }]
}

/** The address of the publisher's page: the source's own address where the catalogue names no page. */
export function pageAddress(source: Source): string {
  return source.page_url ?? source.url
}

/** Origin and Referer of the publisher's page, for feeds that answer only requests from it. */
export function pageHeaders(source: Source): { Origin: string; Referer: string } {
  const page = pageAddress(source)
  return { Origin: new URL(page).origin, Referer: page }
}

/** The header of requests that a page's script makes, for addresses that answer a browser with HTML. */
export const SCRIPT_HEADERS = { 'X-Requested-With': 'XMLHttpRequest' }

/** The airport of a source that has exactly one, otherwise null. */
export function onlyAirport(source: Source): string | null {
  const [only, another] = source.airports
  return another === undefined ? (only ?? null) : null
}

/** The shape of options that have a text for each airport of their source, by its code. */
export const textOfEachAirport = ({ airports }: Source) =>
  z.strictObject(Object.fromEntries(airports.map((iata) => [iata, z.string().min(1)])))

/** An option of the form "key=value; key=value" (config/sources.json), in its order. */
export function optionPairs(option: unknown): Map<string, string> {
  const pairs = textOf(option)
    .split(';')
    .map((pair) => pair.split('=').map((part) => part.trim()))
  return new Map(pairs.flatMap(([key = '', value = '']) => (key === '' ? [] : [[key, value] as const])))
}

/** Request headers with the keys that were learned from the site, each under its header's name; none for missing keys. */
export function learnedHeaders(
  headers: Record<string, string>,
  learned_keys: Record<string, string>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([key, header]) => {
      const value = learned_keys[key]
      return value === undefined ? [] : [[header, value]]
    }),
  )
}

/** A request to a feed that answers only its own page with the keys that the page shows: JSON, by GET. */
export function learnedKeyRequest(
  { source, learned_keys }: RequestContext,
  key_headers: Record<string, string>,
): SourceRequest {
  return jsonRequest(source.url, onlyAirport(source), {
    ...pageHeaders(source),
    ...learnedHeaders(key_headers, learned_keys),
  })
}

/** How keys are learned from the requests that the publisher's page makes to the address of the source. */
export const LEARN_FROM_PAGE = {
  page_url: pageAddress,
  url_contains: (source: Source) => source.url,
}

/** A value that a script assigns to a header's name, as in `'x-api-key':"abc"`, with the script around it. */
export interface ScriptValue {
  value: string
  nearby: string
}

/**
 * Keys that sites show to their browsers have at least this many characters. A shorter value (a version such as "140") is not
 * secret, and replacing it would damage other text.
 */
export const MIN_KEY_LENGTH = 8

/**
 * The values that a script assigns to a header's name, with `reach` characters on both sides of each. Values shorter than
 * `min_length` are not keys and are skipped.
 */
export function valuesInScript(
  script: string,
  header: string,
  { reach = 0, quoted = true, min_length = MIN_KEY_LENGTH } = {},
): ScriptValue[] {
  const quote = quoted ? '["\'`]' : '["\'`]?'
  const assignment = new RegExp(`["']?${header}["']?\\s*[:,=]\\s*${quote}([\\w-]+)${quote}`, 'gi')
  return [...script.matchAll(assignment)]
    .map((match) => ({
      value: match[1] ?? '',
      nearby: script.slice(Math.max(0, match.index - reach), match.index + reach),
    }))
    .filter(({ value }) => value.length >= min_length)
}
