import { HoldshortError, ParseError } from '../../config/errors.ts'
import type { Source } from '../../config/sources.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import type { CaptureHead } from '../../warehouse/storage/raw-captures.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { collectorById } from '../collectors/index.ts'
import type { Collector, Parsed, SourceRequest } from '../parsing/collector.ts'
import { parseBody, parseContext } from '../parsing/parse-body.ts'
import { redactKeys } from '../transport/redact.ts'
import { type CollectContext, type CollectOutcome, requestKey } from './collect-context.ts'
import {
  airportsOfRequest,
  type EarlierReadings,
  lanesByAirport,
  NO_EARLIER_READINGS,
  readingsDayBefore,
  recentReadings,
} from './recent-readings.ts'
import { restoreCircuits } from './restore-circuits.ts'
import { failedRun, parsedRun, type RunRequest } from './run-rows.ts'
import { coversAirport, fetchAnswer, mayNeedNewKeys, requestsOf } from './source-requests.ts'
import { checkAndStamp } from './stamp-rows.ts'
import { storeCapture } from './store-capture.ts'

export interface CollectOptions {
  /** Requests only this airport, if a source has one request per airport. */
  iata?: string
  /** Called before each request; false ends the run, because another machine may be fetching the source by now. */
  mayGoOn?: () => boolean
  /** Called when a request has landed, with its outcome, its checked rows and the requests that have not landed yet. */
  onRequest?: (outcome: CollectOutcome, rows: object[], left: readonly SourceRequest[]) => void
}

/**
 * Collects one source: one run. Its requests are sent one after another; a failed request does not stop the next one. While the
 * circuit of the source is open, no request is sent and the run is recorded as failed. Faults of a site never make it throw.
 */
export async function collectSource(
  source: Source,
  context: CollectContext,
  options: CollectOptions = {},
): Promise<CollectOutcome[]> {
  const collector = collectorById(source.collector)
  const started_at = isoUtc(context.now())
  const learnsKeys = collector.learn !== undefined
  try {
    await checkCircuit(source, context)
    const outcomes = await collectRequests(
      { source, collector, started_at, stop_when_refused: learnsKeys },
      context,
      options,
    )
    if (!learnsKeys || !outcomes.some(({ error }) => mayNeedNewKeys(error))) return outcomes
    // The site may have replaced its keys: learn them again and repeat the run once.
    context.memory.learned_keys.delete(source.id)
    const restarted_at = isoUtc(context.now())
    return await collectRequests(
      { source, collector, started_at: restarted_at, stop_when_refused: false },
      context,
      options,
    )
  } catch (cause) {
    const outcome = await landFailure({ source, request: null, index: 0, started_at }, collector, null, cause, context)
    options.onRequest?.(outcome, [], [])
    return [outcome]
  }
}

const SOURCES_AT_ONCE = 8

/** Collects several sources, eight at a time; outcomes are in the order in which the sources finished. */
export async function collectSources(
  sources: readonly Source[],
  context: CollectContext,
  onProgress: (done: number, total: number, source: string) => void = () => undefined,
): Promise<CollectOutcome[]> {
  const queue = [...sources]
  const outcomes: CollectOutcome[] = []
  let done = 0
  const work = async () => {
    for (let source = queue.shift(); source; source = queue.shift()) {
      outcomes.push(...(await collectSource(source, context)))
      done += 1
      onProgress(done, sources.length, source.id)
    }
  }
  await Promise.all(Array.from({ length: SOURCES_AT_ONCE }, work))
  return outcomes
}

/** Throws while the circuit of a source is open, unless another process has closed it. @throws FetchError CIRCUIT_OPEN */
async function checkCircuit(source: Source, { transport, warehouse, now }: CollectContext): Promise<void> {
  const { circuits } = transport
  const open = circuits.open().some(({ id }) => id === source.id)
  if (open) await restoreCircuits(warehouse, circuits, now(), source.id)
  circuits.check(source.id)
}

interface Run {
  source: Source
  collector: Collector
  started_at: string
  /** End the run at the first refusal: with outdated keys every further request would be refused too, and open the circuit. */
  stop_when_refused: boolean
}

/** Sends the requests of a run one after another, and waits until all their rows have landed. */
async function collectRequests(
  { source, collector, started_at, stop_when_refused }: Run,
  context: CollectContext,
  { iata, onRequest, mayGoOn = () => true }: CollectOptions,
): Promise<CollectOutcome[]> {
  const all = await requestsOf(source, collector, context)
  const requests = iata === undefined ? all : all.filter((request) => coversAirport(request, iata))
  const left = new Set(requests)
  const landings: Promise<CollectOutcome>[] = []
  for (const [index, request] of requests.entries()) {
    if (!mayGoOn()) break
    const collected = await collectRequest({ source, request, index, started_at }, all, collector, context)
    const landing = collected.landed.then((outcome) => {
      left.delete(request)
      const willBeRepeated = stop_when_refused && mayNeedNewKeys(outcome.error)
      if (!willBeRepeated) onRequest?.(outcome, outcome.error ? [] : collected.rows, [...left])
      return outcome
    })
    landings.push(landing)
    // Promise.all below reports a rejection; this prevents an unhandled rejection until then.
    landing.catch(() => undefined)
    if (stop_when_refused && mayNeedNewKeys(collected.failure)) break
  }
  return Promise.all(landings)
}

/** One of the requests of a run: fetch → store the raw bytes → parse → check → land. A failure becomes a row of `runs`. */
async function collectRequest(
  run: RunRequest & { request: SourceRequest },
  requests: readonly SourceRequest[],
  collector: Collector,
  context: CollectContext,
) {
  const { source, request } = run
  let capture: CaptureHead | null = null
  try {
    const answer = await fetchAnswer(source, collector, request, requests, context)
    const stored = await storeCapture(source, request, answer, context)
    capture = stored.capture
    const parsed = parseBody(collector, stored.body, parseContext(source, capture))
    const earlier = await earlierReadings(source, collector, request, parsed, context)
    const { rows, notices, observed_at } = checkAndStamp(collector, parsed, source, capture, earlier)
    if (collector.lands === 'readings') {
      const lanes = lanesByAirport(parsed.readings as ParsedReading[], airportsOfRequest(source, request.iata))
      context.memory.lanes.set(requestKey(source, request), lanes)
    }
    const counts = { parsed_rows: rows.length, notices: notices.length }
    const batch = {
      table: collector.lands,
      rows,
      notices,
      run: parsedRun(run, capture, { ...counts, observed_at }, context),
    }
    const landed = context.landing.land(batch).then(
      (new_rows) => ({ source: source.id, iata: request.iata, new_rows, ...counts, error: null }),
      (cause: unknown) => landFailure(run, collector, capture, cause, context),
    )
    return { landed, rows }
  } catch (cause) {
    if (cause instanceof ParseError && capture) cause.captureId = capture.capture_id
    return { landed: landFailure(run, collector, capture, cause, context), rows: [], failure: cause }
  }
}

/** The earlier readings that the checks compare the answer to a request with. */
async function earlierReadings(
  source: Source,
  collector: Collector,
  request: SourceRequest,
  parsed: Parsed,
  { warehouse, memory, now }: CollectContext,
): Promise<EarlierReadings> {
  if (collector.lands !== 'readings') return NO_EARLIER_READINGS
  const known = await recentReadings(warehouse, source.id, airportsOfRequest(source, request.iata), now())
  const rows = parsed.readings as ParsedReading[]
  const day_before = await readingsDayBefore(warehouse, source.id, rows, known.recent)
  return { ...known, day_before, lanes_before: memory.lanes.get(requestKey(source, request)) ?? new Map() }
}

/** Lands the row of a failed request, and returns its outcome. */
async function landFailure(
  run: RunRequest,
  collector: Collector,
  capture: CaptureHead | null,
  cause: unknown,
  context: CollectContext,
): Promise<CollectOutcome> {
  const { source, request } = run
  const error =
    cause instanceof HoldshortError ? cause : new HoldshortError('INTERNAL', (cause as Error).message, { cause })
  // Messages contain addresses, and the addresses of some sites contain their key.
  error.message = redactKeys(error.message, context.memory.learned_keys.get(source.id))
  await context.landing.land({
    table: collector.lands,
    rows: [],
    notices: [],
    run: failedRun(run, capture, error, context),
  })
  return { source: source.id, iata: request?.iata ?? null, new_rows: 0, parsed_rows: 0, notices: 0, error }
}
