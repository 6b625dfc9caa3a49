import { airportDirectory } from '../../config/airports/directory.ts'
import { isoUtc } from '../../config/domain.ts'
import { FetchError, HoldshortError, ParseError } from '../../config/errors.ts'
import type { Source } from '../../config/sources.ts'
import { type CaptureHead, keepCapture } from '../../warehouse/storage/raw-captures.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import type { LanesByAirport } from '../checks/index.ts'
import { collectorById } from '../collectors/index.ts'
import type { Collector, SourceRequest } from '../parsing/collector.ts'
import { parseBody } from '../parsing/parse-body.ts'
import type { FetchedBody } from '../transport/http-client.ts'
import { conceal } from '../transport/redact.ts'
import type { Doors } from '../transport/transport.ts'
import { turnsOf } from './airport-rotation.ts'
import type { Landing } from './landing.ts'
import { airportsOf, type KnownBefore, lanesOf, NOTHING_KNOWN, recentReadings } from './recent-readings.ts'
import { recallCircuits } from './restore-circuits.ts'
import { parseContext, stamp } from './stamp-rows.ts'

/** What asking a source takes. */
export interface AskContext {
  doors: Doors
  now: () => number
  memory: CollectMemory
  /** Where earlier runs are told of; a check of the sources has none. */
  warehouse?: Warehouse
  /** Keys of the operator's own, by setting (see `key_setting`). */
  operator_keys?: { swedavia_key?: string | undefined }
}

export interface CollectContext extends AskContext {
  warehouse: Warehouse
  landing: Landing
}

interface Remembered {
  etag: string | null
  last_modified: string | null
  body: Uint8Array
  capture: CaptureHead
}

/**
 * What collecting remembers between runs of one process: answers for conditional requests, values learnt from sites, and
 * the lanes of each source's last capture.
 */
export interface CollectMemory {
  answers: Map<string, Remembered>
  learnt: Map<string, Record<string, string>>
  lanes: Map<string, LanesByAirport>
}

export const emptyMemory = (): CollectMemory => ({ answers: new Map(), learnt: new Map(), lanes: new Map() })

export interface CollectOutcome {
  source: string
  iata: string | null
  new_rows: number
  parsed_rows: number
  notices: number
  error: HoldshortError | null
}

/** What a run leaves out, and whom it tells how it gets on. */
export interface CollectOptions {
  /** Ask only for this airport, where a source makes one request an airport. */
  iata?: string
  /** Told once a request has landed: what came of it, its rows (as checked), and the requests that have not landed yet. */
  onRequest?: (outcome: CollectOutcome, rows: object[], left: readonly SourceRequest[]) => void
}

/** Whether a request tells of an airport. */
export const tellsOf = (request: Pick<SourceRequest, 'iata'>, iata: string) =>
  request.iata === null || request.iata === iata

async function learnt(source: Source, collector: Collector, context: AskContext): Promise<Record<string, string>> {
  const own = collector.key_setting && context.operator_keys?.[collector.key_setting]
  if (own) return { operator_key: own }
  if (!collector.learn) return {}
  const known = context.memory.learnt.get(source.id)
  if (known) return known
  const values = await context.doors.learn(source, collector.learn)
  context.memory.learnt.set(source.id, values)
  return values
}

/** The requests of a run, with the values that its site or the operator gives. */
export async function requestsOf(source: Source, collector: Collector, context: AskContext): Promise<SourceRequest[]> {
  const icaoOf = (iata: string) => airportDirectory().byIata.get(iata)?.icao ?? null
  const values = await learnt(source, collector, context)
  const in_turn = await turnsOf(source, collector, context)
  return collector.request({
    source,
    airports: source.airports,
    now: context.now(),
    learned_keys: values,
    icaoOf,
    airports_due: in_turn,
  })
}

const memoryKey = (source: Source, request: SourceRequest) =>
  `${source.id} ${request.method} ${request.url} ${request.body ?? ''}`

/** Asks by the door that the collector needs. */
export function ask(
  source: Source,
  collector: Collector,
  request: SourceRequest,
  context: AskContext,
): Promise<FetchedBody> {
  if (collector.transport === 'browser' && collector.page)
    return context.doors.openPage(request, source, collector.page)
  return context.doors.fetch(request, source, context.memory.answers.get(memoryKey(source, request)) ?? null)
}

/** Keeps a new body, or finds the one that a 304 stands for; the capture's `fetched_at` is of this asking. */
async function capture(source: Source, request: SourceRequest, answer: FetchedBody, context: CollectContext) {
  const key = memoryKey(source, request)
  const before = context.memory.answers.get(key)
  if (answer.not_modified && before)
    return { body: before.body, head: { ...before.capture, fetched_at: answer.fetched_at } }
  const { etag, last_modified, content_type, status, fetched_at } = answer
  const url = conceal(answer.url, context.memory.learnt.get(source.id))
  const head = await keepCapture(context.warehouse.data_dir, answer.body, {
    source: source.id,
    fetched_at,
    url,
    status,
    content_type,
    etag,
    last_modified,
    iata: request.iata,
  })
  if (etag || last_modified) context.memory.answers.set(key, { etag, last_modified, body: answer.body, capture: head })
  return { body: answer.body, head }
}

/** A request of a run, or the run itself where it came to none. */
interface Asked {
  request: SourceRequest | null
  /** Its place in the run. */
  place: number
  /** When the run began: the same for all its requests. */
  started_at: string
}

/**
 * One request of a source: fetch → keep raw → parse → check → land. A failure becomes a row of `runs`, never silence. The promise
 * within is the landing's: the next request need not wait for the disk.
 */
async function collectRequest(
  source: Source,
  collector: Collector,
  asked: Asked & { request: SourceRequest },
  context: CollectContext,
): Promise<{ landed: Promise<CollectOutcome>; rows: object[]; failed?: unknown }> {
  const { request } = asked
  let kept: CaptureHead | null = null
  try {
    const answer = await ask(source, collector, request, context)
    const { body, head } = await capture(source, request, answer, context)
    kept = head
    const parsed = parseBody(collector, body, parseContext(source, head))
    const known = collector.lands === 'readings' ? await knownBefore(source, request, context) : NOTHING_KNOWN
    const stamped = stamp(collector, parsed, source, head, known)
    if (collector.lands === 'readings') {
      const lanes = lanesOf(parsed.readings as ParsedReading[], airportsOf(source, request.iata))
      context.memory.lanes.set(memoryKey(source, request), lanes)
    }
    const counts = { parsed_rows: stamped.rows.length, notices: stamped.notices.length }
    const run = {
      ...runRow(source, asked, context, kept),
      ...counts,
      observed_at: stamped.observed_at ?? head.fetched_at,
      outcome: null,
    }
    const { rows, notices } = stamped
    const landed = context.landing.land({ table: collector.lands, rows, notices, run }).then(
      (new_rows) => ({ source: source.id, iata: request.iata, new_rows, ...counts, error: null }),
      (cause: unknown) => recordFailure(source, collector, asked, context, kept, cause),
    )
    return { landed, rows }
  } catch (cause) {
    if (cause instanceof ParseError && kept) cause.captureId = kept.capture_id
    return { landed: recordFailure(source, collector, asked, context, kept, cause), rows: [], failed: cause }
  }
}

/** What the checks compare the answer to a request with. */
async function knownBefore(source: Source, request: SourceRequest, context: CollectContext): Promise<KnownBefore> {
  const asked = await recentReadings(context.warehouse, source.id, airportsOf(source, request.iata), context.now())
  return { ...asked, lanes_before: context.memory.lanes.get(memoryKey(source, request)) ?? new Map() }
}

function runRow(
  source: Source,
  { request, place, started_at }: Asked,
  context: CollectContext,
  kept: CaptureHead | null,
) {
  const finished_at = isoUtc(context.now())
  return {
    source: source.id,
    started_at,
    finished_at,
    fetched_at: kept?.fetched_at ?? finished_at,
    error_code: null as string | null,
    error_message: null as string | null,
    url: conceal(request?.url ?? source.url, context.memory.learnt.get(source.id)),
    http_status: kept?.status ?? null,
    observed_at: null as string | null,
    sha256: kept?.sha256 ?? null,
    bytes: kept?.bytes ?? null,
    content_type: kept?.content_type ?? null,
    iata: request?.iata ?? null,
    capture_id: kept?.capture_id ?? `${source.id}-failed-${started_at}-${request?.iata ?? ''}-${place}`,
  }
}

async function recordFailure(
  source: Source,
  collector: Collector,
  asked: Asked,
  context: CollectContext,
  kept: CaptureHead | null,
  cause: unknown,
): Promise<CollectOutcome> {
  const error =
    cause instanceof HoldshortError ? cause : new HoldshortError('INTERNAL', (cause as Error).message, { cause })
  // Messages name addresses, and the key of some sites is in theirs.
  error.message = conceal(error.message, context.memory.learnt.get(source.id))
  const http_status = kept?.status ?? (error instanceof FetchError ? error.status : null)
  const run = {
    ...runRow(source, asked, context, kept),
    http_status,
    error_code: error.code,
    error_message: error.message.slice(0, 500),
    parsed_rows: 0,
    notices: 0,
    outcome: 'failed' as const,
  }
  await context.landing.land({ table: collector.lands, rows: [], notices: [], run })
  return { source: source.id, iata: asked.request?.iata ?? null, new_rows: 0, parsed_rows: 0, notices: 0, error }
}

/** Keys of a site rotate: a refusal makes us read them from it once more, and ask once more. */
const mayHaveRotated = (error: unknown) =>
  error instanceof FetchError && (error.code === 'FETCH_REFUSED' || error.status === 400)

/** Fails while the circuit of a source is open, unless another machine has closed it. @throws FetchError CIRCUIT_OPEN */
async function checkCircuit(source: Source, { doors, warehouse, now }: CollectContext): Promise<void> {
  const open = doors.circuits.open().some(({ id }) => id === source.id)
  if (open) await recallCircuits(warehouse, doors.circuits, now(), source.id)
  doors.circuits.check(source.id)
}

/**
 * Collects one source. Its requests go one after another; one that fails does not stop the next. While its circuit is open
 * nothing is asked, and the run says so. Never throws for the world's faults.
 */
export async function collectSource(
  source: Source,
  context: CollectContext,
  options: CollectOptions = {},
): Promise<CollectOutcome[]> {
  const { iata, onRequest } = options
  const collector = collectorById(source.collector)
  const started_at = isoUtc(context.now())
  const once = async (started_at: string, last: boolean): Promise<CollectOutcome[]> => {
    const all = await requestsOf(source, collector, context)
    const requests = iata === undefined ? all : all.filter((request) => tellsOf(request, iata))
    const left = new Set(requests)
    const landings: Promise<CollectOutcome>[] = []
    for (const [place, request] of requests.entries()) {
      const { landed, rows, failed } = await collectRequest(source, collector, { request, place, started_at }, context)
      const told = landed.then((outcome) => {
        left.delete(request)
        // What has not landed is not told.
        if (last || !mayHaveRotated(outcome.error)) onRequest?.(outcome, outcome.error ? [] : rows, [...left])
        return outcome
      })
      landings.push(told)
      // Heard of below; until then a failure of it must not count as unheard.
      told.catch(() => undefined)
      // All would be refused alike, and open the circuit.
      if (!last && mayHaveRotated(failed)) break
    }
    return Promise.all(landings)
  }
  try {
    await checkCircuit(source, context)
    const outcomes = await once(started_at, !collector.learn)
    if (!collector.learn || !outcomes.some(({ error }) => mayHaveRotated(error))) return outcomes
    context.memory.learnt.delete(source.id)
    return await once(isoUtc(context.now()), true)
  } catch (cause) {
    const asked = { request: null, place: 0, started_at }
    const outcome = await recordFailure(source, collector, asked, context, null, cause)
    onRequest?.(outcome, [], [])
    return [outcome]
  }
}
