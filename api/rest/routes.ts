import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Query, QueryContext } from '../../answers/questions/define.ts'
import { refuseManyValues } from '../../answers/questions/parameter-faults.ts'
import { partsOf } from '../../answers/slices.ts'
import { addresses } from '../../config/addresses.ts'
import { HoldshortError } from '../../config/errors.ts'
import { isObject } from '../../config/json-object.ts'
import { getOrCreate } from '../../config/once.ts'
import { MINUTE_MS } from '../../config/vocabulary.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { type AppDependencies, snapshotOf } from '../dependencies.ts'
import type { Gate } from '../gate/admission.ts'
import { csvText } from './csv.ts'
import { negotiateType } from './negotiate.ts'
import { queryStringReader } from './query-string.ts'
import { requireKey } from './require-key.ts'
import { type HashedBytes, hashedInSlices, ResponseBody, sendBody } from './response-body.ts'
import { csvPath, queryRouteSchema, skipValidation } from './route-schema.ts'

interface Pagination {
  page: number
  limit: number
  total_pages: number
}

/** The Link header (RFC 8288) of a page: first and last, and prev and next where they exist. */
function pageLinks(address: string, query: Record<string, unknown>, pagination: Pagination): string {
  const { page, limit, total_pages } = pagination
  const last = Math.max(1, total_pages)
  const links: [string, number][] = [['first', 1]]
  if (page > 1) links.push(['prev', Math.min(page - 1, last)])
  if (page < last) links.push(['next', page + 1])
  links.push(['last', last])
  return links
    .map(([relation, number]) => {
      const parameters = new URLSearchParams()
      for (const [name, value] of Object.entries(query)) parameters.set(name, String(value))
      parameters.set('limit', String(limit))
      parameters.set('page', String(number))
      return `<${address}?${parameters}>; rel="${relation}"`
    })
    .join(', ')
}

const JSON_TYPE = 'application/json'
const CSV_TYPE = 'text/csv'
const CONTENT_TYPES = {
  [JSON_TYPE]: 'application/json; charset=utf-8',
  [CSV_TYPE]: 'text/csv; charset=utf-8; header=present',
}
type ContentType = keyof typeof CONTENT_TYPES
type Answer = ReturnType<Query['run']>

/** Answers may depend on the current local day, and time zones differ by quarters of an hour. */
const CACHE_KEY_INTERVAL_MS = 900_000

/** Adds the REST API: one route for each query of the list. */
export function addQueryRoutes(
  app: FastifyInstance,
  queries: readonly Query[],
  dependencies: AppDependencies,
  gate: Gate,
): void {
  const cache = new AnswerCache<ResponseBody>()
  for (const query of queries) {
    if (!query.rest) continue
    addRoute(app, dependencies, gate, query, cache, false)
    if (query.rest.csv) addRoute(app, dependencies, gate, query, cache, true)
  }
}

/** Adds one route: the query's address, or with `asCsv` the address of its CSV form. */
function addRoute(
  app: FastifyInstance,
  dependencies: AppDependencies,
  gate: Gate,
  query: Query,
  cache: AnswerCache<ResponseBody>,
  asCsv: boolean,
): void {
  const { holder, directory, settings, clock = Date.now } = dependencies
  const { method, csv, changesEveryMinute = false } = query.rest!
  const path = asCsv ? csvPath(query.rest!) : query.rest!.path
  const keyInterval = changesEveryMinute ? MINUTE_MS : CACHE_KEY_INTERVAL_MS
  const { base_url } = addresses(settings)
  // The address of the JSON form also answers `Accept: text/csv`, as it did before CSV had an address of its own.
  const offeredByJson: ContentType[] = csv ? [JSON_TYPE, CSV_TYPE] : [JSON_TYPE]
  const offered: ContentType[] = asCsv ? [CSV_TYPE] : offeredByJson
  const readQueryString = queryStringReader(query.input)
  const known_parameters = Object.keys(query.input.shape).filter((name) => !path.includes(`/:${name}`))
  const cachedFor = (snapshot: Snapshot, now: number) =>
    cacheControl(snapshot, settings.publish_seconds, now, changesEveryMinute)
  const inputOf = (request: FastifyRequest): unknown => {
    const { query, body } = request as { query: Record<string, unknown>; body: unknown }
    const params = request.params as Record<string, string>
    // In the query string, parameters of the path or the body are unknown: they must neither override them nor be ignored.
    const queryValues = Object.entries(query).map(([name, value]) => [
      method === 'POST' || name in params ? `?${name}` : name,
      value,
    ])
    const queryString = Object.fromEntries(queryValues)
    if (method === 'GET') return { ...readQueryString(queryString), ...params }
    refuseManyValues(body)
    return isObject(body) ? { ...body, ...queryString, ...params } : body
  }

  const csvOf = (result: Answer, header = true) => csvText(csv!.columns, csv!.rows(result as never), header)
  const bodyOf = (
    request: FastifyRequest,
    type: ContentType,
    result: Answer,
    version: string,
    content: string | HashedBytes,
  ) => new ResponseBody(content, CONTENT_TYPES[type], version, linkHeader(base_url + path, request, result))

  /** Serialises an answer. `version` becomes part of the entity tag. */
  const serialise = (request: FastifyRequest, type: ContentType, result: Answer, version: string): ResponseBody =>
    bodyOf(request, type, result, version, type === CSV_TYPE ? csvOf(result) : JSON.stringify(result))

  /** The same for an answer with a long list, in slices. */
  const serialiseInSlices = async (request: FastifyRequest, type: ContentType, result: Answer, version: string) => {
    const { list } = query
    if (!list) return serialise(request, type, result, version)
    const content = await hashedInSlices(type === CSV_TYPE ? csvParts(result, list, csvOf) : jsonParts(result, list))
    return bodyOf(request, type, result, version, content)
  }

  /** Answers in progress that take several turns of the event loop: equal requests meanwhile share them. */
  const inProgress = new Map<string, Promise<ResponseBody>>()
  const answerInSlices = (request: FastifyRequest, type: ContentType, context: QueryContext, key: string) => {
    const { snapshot } = context
    const progressKey = `${snapshot.id} ${key}`
    return getOrCreate(inProgress, progressKey, () =>
      query.runInSlices!(inputOf(request), context)
        .then((result) => serialiseInSlices(request, type, result, snapshot.id))
        .then((body) => cache.put(snapshot, key, body))
        .finally(() => inProgress.delete(progressKey)),
    )
  }

  app.route({
    method,
    url: `/api/v1${path}`,
    schema: queryRouteSchema(query, asCsv),
    // `run` parses the input itself, the same for REST and MCP.
    validatorCompiler: skipValidation,
    onRequest: requireKey(gate, clock, true),
    handler(request: FastifyRequest, reply: FastifyReply) {
      // The address of a CSV says its form; generated clients send the JSON type of its errors.
      const type = asCsv ? CSV_TYPE : negotiateType(request.headers.accept, offered)
      if (type === null) throw new HoldshortError('NOT_ACCEPTABLE', `this address answers with ${offered.join(' or ')}`)
      const now = clock()
      const snapshot = snapshotOf(holder, now)
      const { tier } = request.admission!.caller
      const context = { snapshot, directory, tier, now, known_parameters }
      const answer = () => serialise(request, type, query.run(inputOf(request), context), snapshot.id)
      if (method === 'POST') return sendBody(request, reply, answer(), 'no-store', query.name)
      const period = Math.floor(now / keyInterval)
      const key = `${tier} ${type} ${period} ${request.url}`
      const send = (body: ResponseBody) => sendBody(request, reply, body, cachedFor(snapshot, now), query.name)
      const cached = cache.get(snapshot, key)
      if (cached) return send(cached)
      if (query.runInSlices) return answerInSlices(request, type, context, key).then(send)
      return send(cache.put(snapshot, key, answer()))
    },
  })
}

/** Rows of a long list that are serialised at once. */
const ROWS_PER_SLICE = 250

/** An answer as JSON, in parts: what stands before its long list, the rows, and the rest. */
function* jsonParts(result: Answer, list: string): Generator<string> {
  const empty = `"${list}":[]`
  const whole = JSON.stringify({ ...result, [list]: [] })
  const position = whole.indexOf(empty) + empty.length - 1
  yield whole.slice(0, position)
  let separator = ''
  for (const rows of partsOf(result[list] as unknown[], ROWS_PER_SLICE)) {
    yield separator + JSON.stringify(rows).slice(1, -1)
    separator = ','
  }
  yield whole.slice(position)
}

/** An answer as CSV, in parts; the first has the header. */
function* csvParts(
  result: Answer,
  list: string,
  csvOf: (result: Answer, header: boolean) => string,
): Generator<string> {
  yield csvOf({ ...result, [list]: [] }, true)
  for (const rows of partsOf(result[list] as unknown[], ROWS_PER_SLICE)) yield csvOf({ ...result, [list]: rows }, false)
}

/** Callers may cache an answer until the next snapshot is due, or the next minute begins where it counts. */
function cacheControl(snapshot: Snapshot, publishSeconds: number, now: number, changesEveryMinute: boolean): string {
  const nextSnapshot = snapshot.generated_ms + publishSeconds * 1000
  const nextMinute = (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS
  const due = changesEveryMinute ? Math.min(nextSnapshot, nextMinute) : nextSnapshot
  return `private, max-age=${Math.max(0, Math.ceil((due - now) / 1000))}`
}

function linkHeader(address: string, request: FastifyRequest, result: Record<string, unknown>): Record<string, string> {
  if (!('pagination' in result)) return {}
  const pagination = result.pagination as Parameters<typeof pageLinks>[2]
  return { link: pageLinks(address, request.query as Record<string, unknown>, pagination) }
}

const MAX_BYTES = 32 * 1_048_576

/**
 * Serialised answers of one snapshot, limited in bytes. All are dropped when the snapshot changes, so that an answer never
 * comes from another snapshot than the one its request read.
 */
class AnswerCache<Answer extends { length: number }> {
  #snapshot: Snapshot | null = null
  readonly #answers = new LRUCache<string, Answer>({
    maxSize: MAX_BYTES,
    // Compressed forms are added later and are smaller: twice the uncompressed size covers all three.
    sizeCalculation: (answer, key) => 2 * answer.length + key.length + 256,
  })

  get(snapshot: Snapshot, key: string): Answer | undefined {
    if (snapshot !== this.#snapshot) {
      this.#answers.clear()
      this.#snapshot = snapshot
      return undefined
    }
    return this.#answers.get(key)
  }

  /** Caches an answer, unless a newer snapshot has been published meanwhile. */
  put(snapshot: Snapshot, key: string, answer: Answer): Answer {
    if (snapshot === this.#snapshot) this.#answers.set(key, answer)
    return answer
  }

  get size(): number {
    return this.#answers.size
  }
}
