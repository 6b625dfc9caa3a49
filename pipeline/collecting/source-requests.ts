import { airportDirectory } from '../../config/airports/directory.ts'
import { FetchError } from '../../config/errors.ts'
import { allSources, type Source } from '../../config/sources.ts'
import { HOUR_MS } from '../../config/vocabulary.ts'
import type { Collector, SourceRequest } from '../parsing/collector.ts'
import type { FetchedBody } from '../transport/transport.ts'
import { airportsDueFor } from './airport-rotation.ts'
import { type FetchContext, requestKey } from './collect-context.ts'
import { airportsOfRequest } from './recent-readings.ts'

/** The keys that the requests of a source need: the operator's own, else those learned from the site, else none. */
async function keysFor(source: Source, collector: Collector, context: FetchContext): Promise<Record<string, string>> {
  const own = collector.key_setting && context.operator_keys?.[collector.key_setting]
  if (own) {
    const keys = { operator_key: own }
    // A key that stands in an address is redacted wherever the address is kept, as learned ones are.
    context.memory.learned_keys.set(source.id, keys)
    return keys
  }
  if (!collector.learn) return {}
  const known = context.memory.learned_keys.get(source.id)
  if (known) return known
  const learned = await context.transport.learn(source, collector.learn)
  context.memory.learned_keys.set(source.id, learned)
  return learned
}

/** A site may have replaced its keys when it refuses a request: the keys must then be learned again. */
export const mayNeedNewKeys = (error: unknown) =>
  error instanceof FetchError && (error.code === 'FETCH_REFUSED' || error.status === 400)

/** The requests of one run of a source, with the keys they need. */
export async function requestsOf(
  source: Source,
  collector: Collector,
  context: FetchContext,
): Promise<SourceRequest[]> {
  return collector.request({
    source,
    airports: source.airports,
    now: context.now(),
    learned_keys: await keysFor(source, collector, context),
    icaoOf: (iata) => airportDirectory().byIata.get(iata)?.icao ?? null,
    airports_due: await airportsDueFor(source, collector, context),
  })
}

/** Whether the answer to a request covers an airport. */
export const coversAirport = (request: Pick<SourceRequest, 'iata'>, iata: string) =>
  request.iata === null || request.iata === iata

/** After this long an answer is requested anew, so that a site that wrongly says "not modified" is not believed for ever. */
const MAX_CONDITIONAL_MS = 6 * HOUR_MS

/** The cached answer that a conditional request may name. */
function validatorsOf(key: string, { memory: { answers }, now }: FetchContext) {
  const cached = answers.get(key)
  return cached && Math.abs(now() - Date.parse(cached.capture.fetched_at)) < MAX_CONDITIONAL_MS ? cached : null
}

/** An address without what a redirect adds or takes away: the slash at its end, and capitals. */
const plainAddress = (url: string) => url.replace(/\/(?=$|\?)/, '').toLowerCase()

/**
 * Fails when a request was redirected to an address that is requested for other airports only: of another request of its source, or
 * of another source. Pages of one family look alike, and few name their airport.
 * @throws FetchError FETCH_FAILED
 */
function refuseAnotherAirport(
  source: Source,
  request: SourceRequest,
  { url }: Pick<FetchedBody, 'url'>,
  requests: readonly SourceRequest[],
): void {
  const address = plainAddress(url)
  if (address === plainAddress(request.url)) return
  const own = airportsOfRequest(source, request.iata)
  const others = [
    ...requests.map((other) => ({ url: other.url, airports: airportsOfRequest(source, other.iata) })),
    ...allSources(),
  ].filter((other) => plainAddress(other.url) === address)
  const [another] = others
  if (another === undefined || others.some(({ airports }) => airports.some((iata) => own.includes(iata)))) return
  const message = `${request.url} was redirected to ${url}, the address of ${another.airports.join(', ')}`
  throw new FetchError('FETCH_FAILED', message, { retryable: false })
}

/**
 * Sends one of the requests of a source by HTTP (conditionally, where an earlier answer is cached) or opens the page in a browser.
 * @throws FetchError
 */
export async function fetchAnswer(
  source: Source,
  collector: Collector,
  request: SourceRequest,
  requests: readonly SourceRequest[],
  context: FetchContext,
): Promise<FetchedBody> {
  const answer =
    collector.transport === 'browser' && collector.page
      ? await context.transport.openPage(request, source, collector.page)
      : await fetchByHttp(source, request, context)
  refuseAnotherAirport(source, request, answer, requests)
  return answer
}

async function fetchByHttp(source: Source, request: SourceRequest, context: FetchContext): Promise<FetchedBody> {
  const key = requestKey(source, request)
  try {
    return await context.transport.fetch(request, source, validatorsOf(key, context))
  } catch (error) {
    // The site may fail to understand its own validator, so the next request has no condition.
    if (error instanceof FetchError && error.status !== null && error.status < 500) context.memory.answers.delete(key)
    throw error
  }
}
