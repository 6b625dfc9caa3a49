import type { Source } from '../../config/sources.ts'
import type { SourceRequest } from '../parsing/collector.ts'
import { type CollectContext, type CollectOutcome, collectSource, coversAirport } from './collect-source.ts'

/** What one request of a run came to, and the rows it landed. */
export interface RequestResult {
  outcome: CollectOutcome
  rows: object[]
}

/** All runs of sources in this process: those of one source take turns, and who wants an airport of one under way joins it. */
export interface SourceRuns {
  /** A run of the whole source. */
  collect: (source: Source) => Promise<CollectOutcome[]>
  /** What a run under way will yet tell of an airport; null when none will. */
  join: (source: Source, iata: string) => Promise<RequestResult[] | null>
  /** The same, of a run of this airport's requests alone when none will. */
  collectAirport: (source: Source, iata: string) => Promise<RequestResult[]>
}

interface Run {
  of: (iata: string) => Promise<RequestResult[] | null>
  ended: Promise<CollectOutcome[]>
}

/** Keeps the runs of a process in order. */
export function createSourceRuns(context: CollectContext): SourceRuns {
  const underWay = new Map<string, Set<Run>>()
  const tails = new Map<string, Promise<unknown>>()

  function start(source: Source, iata?: string): Run {
    const runs = underWay.get(source.id) ?? new Set()
    underWay.set(source.id, runs)
    const begin = (onRequest: Listener) =>
      (tails.get(source.id) ?? Promise.resolve()).then(() =>
        collectSource(source, context, iata === undefined ? { onRequest } : { iata, onRequest }),
      )
    const run = watched(begin)
    runs.add(run)
    const over = run.ended.then(
      () => void runs.delete(run),
      () => void runs.delete(run),
    )
    tails.set(source.id, over)
    return run
  }

  /** Looks until no run is left that may tell; then `otherwise` is called in the same turn, so that no two begin. */
  async function find<T>(source: Source, iata: string, otherwise: () => T): Promise<RequestResult[] | T> {
    for (const passed = new Set<Run>(); ; ) {
      const run = [...(underWay.get(source.id) ?? [])].find((one) => !passed.has(one))
      if (run === undefined) return otherwise()
      const told = await run.of(iata)
      if (told !== null) return told
      passed.add(run)
    }
  }

  return {
    collect: (source) => start(source).ended,
    join: (source, iata) => find(source, iata, () => null),
    collectAirport: async (source, iata) => (await find(source, iata, () => start(source, iata).of(iata))) ?? [],
  }
}

type Listener = (outcome: CollectOutcome, rows: object[], left: readonly SourceRequest[]) => void

/** A run that tells those who wait for an airport as soon as its last request has landed. */
function watched(begin: (onRequest: Listener) => Promise<CollectOutcome[]>): Run {
  const told: RequestResult[] = []
  const waiting = new Set<() => void>()
  // What is still to be asked is not known before the first request has been made.
  let left: readonly SourceRequest[] | null = null
  const tell = () => {
    for (const look of [...waiting]) look()
  }
  const ended = begin((outcome, rows, still) => {
    told.push({ outcome, rows })
    left = still
    tell()
  })
  const toCome = (iata: string) => left === null || left.some((request) => coversAirport(request, iata))
  const of = async (iata: string): Promise<RequestResult[] | null> => {
    if (!toCome(iata)) return null
    const whole = new Promise<void>((resolve) => {
      const look = () => {
        if (toCome(iata)) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
    })
    await Promise.race([whole, ended])
    const mine = told.filter(({ outcome }) => coversAirport(outcome, iata))
    return mine.length > 0 ? mine : null
  }
  return { of, ended }
}
