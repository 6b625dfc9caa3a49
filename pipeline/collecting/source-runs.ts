import type { Source } from '../../config/sources.ts'
import type { SourceRequest } from '../parsing/collector.ts'
import type { CollectContext, CollectOutcome } from './collect-context.ts'
import { type CollectOptions, collectSource } from './collect-source.ts'
import { coversAirport } from './source-requests.ts'

/** The outcome of one request of a run, and its rows. */
export interface RequestResult {
  outcome: CollectOutcome
  rows: object[]
}

/**
 * All runs of sources in this process. The runs of one source wait for each other. A caller that needs one airport joins a run that
 * is in progress and will cover it.
 */
export interface SourceRuns {
  collect: (source: Source, mayGoOn?: () => boolean) => Promise<CollectOutcome[]>
  /** The results for an airport of a run in progress; null when no run in progress will cover it. */
  join: (source: Source, iata: string) => Promise<RequestResult[] | null>
  /** The results for an airport of a run in progress, else of a new run that sends the requests of this airport only. */
  collectAirport: (source: Source, iata: string) => Promise<RequestResult[]>
}

/** A run that has been started or waits in the queue of its source. */
interface Run {
  /** Resolves when all requests that cover the airport have landed; null when none does. */
  resultsFor: (iata: string) => Promise<RequestResult[] | null>
  ended: Promise<CollectOutcome[]>
}

/** Creates the queue of runs of one process. */
export function createSourceRuns(context: CollectContext): SourceRuns {
  const runsInProgress = new Map<string, Set<Run>>()
  const queueEnds = new Map<string, Promise<unknown>>()

  function start(source: Source, iata?: string, mayGoOn?: () => boolean): Run {
    const runs = runsInProgress.get(source.id) ?? new Set()
    runsInProgress.set(source.id, runs)
    const begin = (onRequest: RequestListener) =>
      (queueEnds.get(source.id) ?? Promise.resolve()).then(() =>
        collectSource(source, context, {
          onRequest,
          ...(iata === undefined ? {} : { iata }),
          ...(mayGoOn && { mayGoOn }),
        }),
      )
    const run = observedRun(begin)
    runs.add(run)
    const ended = run.ended.then(
      () => void runs.delete(run),
      () => void runs.delete(run),
    )
    queueEnds.set(source.id, ended)
    return run
  }

  /**
   * The results of the first run in progress that covers the airport. When none does, calls `otherwise` synchronously, so that two
   * callers never start two runs.
   */
  async function resultsOrElse<T>(source: Source, iata: string, otherwise: () => T): Promise<RequestResult[] | T> {
    const checked = new Set<Run>()
    for (;;) {
      const run = [...(runsInProgress.get(source.id) ?? [])].find((candidate) => !checked.has(candidate))
      if (run === undefined) return otherwise()
      const results = await run.resultsFor(iata)
      if (results !== null) return results
      checked.add(run)
    }
  }

  return {
    collect: (source, mayGoOn) => start(source, undefined, mayGoOn).ended,
    join: (source, iata) => resultsOrElse(source, iata, () => null),
    collectAirport: async (source, iata) =>
      (await resultsOrElse(source, iata, () => start(source, iata).resultsFor(iata))) ?? [],
  }
}

type RequestListener = NonNullable<CollectOptions['onRequest']>

/** Starts a run and lets callers wait for one airport: they get its results as soon as its last request has landed. */
function observedRun(begin: (onRequest: RequestListener) => Promise<CollectOutcome[]>): Run {
  const results: RequestResult[] = []
  const waiting = new Set<() => void>()
  // Unknown until the first request has landed.
  let left: readonly SourceRequest[] | null = null
  const ended = begin((outcome, rows, stillLeft) => {
    results.push({ outcome, rows })
    left = stillLeft
    for (const check of [...waiting]) check()
  })
  const isExpected = (iata: string) => left === null || left.some((request) => coversAirport(request, iata))
  const resultsFor = async (iata: string): Promise<RequestResult[] | null> => {
    if (!isExpected(iata)) return null
    const complete = new Promise<void>((resolve) => {
      const check = () => {
        if (isExpected(iata)) return
        waiting.delete(check)
        resolve()
      }
      waiting.add(check)
    })
    await Promise.race([complete, ended])
    const own = results.filter(({ outcome }) => coversAirport(outcome, iata))
    return own.length > 0 ? own : null
  }
  return { resultsFor, ended }
}
