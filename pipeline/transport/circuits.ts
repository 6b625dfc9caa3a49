import { AsyncLocalStorage } from 'node:async_hooks'
import { FetchError } from '../../config/errors.ts'
import { DAY_MS, HOUR_MS, isoUtc } from '../../config/vocabulary.ts'

/** Codes of failures that do not mean that the source is failing. */
const NOT_SOURCE_FAULTS = new Set(['ROBOTS_DISALLOWED', 'SITE_UNREACHABLE', 'BROWSER_UNAVAILABLE'])

/** Whether a failure counts towards opening the circuit. A missing page (404 and the like) is one address, not the source. */
function isSourceFault(error: unknown): boolean {
  if (!(error instanceof FetchError)) return true
  const missing = error.code === 'FETCH_FAILED' && !error.retryable && error.status !== null && error.status < 500
  return !missing && !NOT_SOURCE_FAULTS.has(error.code)
}

/** A circuit that is open; instants in epoch milliseconds. */
export interface OpenCircuit {
  /** Id of the source, or `<id>:page` for the page that its keys are learned from. */
  id: string
  source: string
  opened_ms: number
  /** When the canary may send its next probe, and the pause before that. */
  probe_due_ms: number
  rest_ms: number
  probes: number
}

/** One circuit breaker per source. An open circuit is closed by a successful probe, never by time alone. */
export interface Circuits {
  /** Runs work of a circuit and counts its failures. @throws FetchError CIRCUIT_OPEN, and whatever the work throws */
  guard: <T>(id: string, work: () => Promise<T>) => Promise<T>
  /** Throws when the circuit is open. @throws FetchError CIRCUIT_OPEN */
  check: (id: string) => void
  open: () => OpenCircuit[]
  /** Runs work whose requests to this source pass its open circuits, with one attempt each; its failures are not counted. */
  probe: <T>(source: string, work: () => Promise<T>) => Promise<T>
  /** Whether the caller is inside a probe of this circuit's source. */
  probing: (id: string) => boolean
  /** Opens the circuit of a source that another process found failing: its first probe is due at once. */
  trip: (source: string, openedMs: number) => void
  /** Closes the circuits of a source and forgets its failures. */
  close: (source: string) => void
  /** Schedules the next probe of a source after a failed one. */
  postponeProbe: (source: string) => void
}

const sourceOf = (id: string) => id.split(':')[0] ?? id

/** A circuit that has been open for longer is probed once a day: the source is gone, or blocks us. */
const LONG_OPEN_MS = 2 * DAY_MS

/**
 * The pause before the next probe of a circuit that has been open for `openForMs`: as long again, at least the first pause and at
 * most an hour, so that pauses double; one day after two days.
 */
export function restMs(openForMs: number, firstRestMs: number): number {
  return openForMs > LONG_OPEN_MS ? DAY_MS : Math.min(HOUR_MS, Math.max(firstRestMs, openForMs))
}

/** Whether a probe may be sent. A pause that seems longer than it was made began while the clock was ahead, and is over. */
export const isProbeDue = ({ probe_due_ms, rest_ms }: OpenCircuit, now: number): boolean =>
  probe_due_ms <= now || probe_due_ms - now > rest_ms

/** Marks the requests of a probe, so that the HTTP client and the browser need not pass the mark along. */
const probed = new AsyncLocalStorage<{ circuits: ReadonlyMap<string, OpenCircuit>; source: string }>()

/** Creates the circuits of one process: each opens after `failures` failures in a row. */
export function createCircuits(options: { failures: number; rest_ms: number; now: () => number }): Circuits {
  const failed = new Map<string, number>()
  const opened = new Map<string, OpenCircuit>()
  const probing = (id: string) => {
    const probe = probed.getStore()
    return probe?.circuits === opened && probe.source === sourceOf(id)
  }
  const circuitsOf = (source: string) => [...opened.values()].filter((circuit) => circuit.source === source)
  const openAt = (id: string, opened_ms: number, now: number, rest_ms: number, probes = 0) =>
    opened.set(id, { id, source: sourceOf(id), opened_ms, probe_due_ms: now + rest_ms, rest_ms, probes })

  const check = (id: string) => {
    const circuit = opened.get(id)
    if (!circuit || probing(id)) return
    const since = isoUtc(circuit.opened_ms)
    const due = isoUtc(circuit.probe_due_ms)
    const message = `${id}: its circuit is open since ${since}, after ${options.failures} failures in a row; the next probe is due at ${due}`
    throw new FetchError('CIRCUIT_OPEN', message, { retryable: true })
  }

  return {
    check,
    probing,
    guard: async (id, work) => {
      check(id)
      if (probing(id)) return work()
      try {
        const result = await work()
        failed.delete(id)
        return result
      } catch (error) {
        if (isSourceFault(error)) failed.set(id, (failed.get(id) ?? 0) + 1)
        const now = options.now()
        if ((failed.get(id) ?? 0) >= options.failures && !opened.has(id)) openAt(id, now, now, options.rest_ms)
        throw error
      }
    },
    open: () => [...opened.values()],
    probe: (source, work) => probed.run({ circuits: opened, source }, work),
    trip: (source, openedMs) => {
      if (!opened.has(source)) openAt(source, openedMs, options.now(), 0)
    },
    close: (source) => {
      for (const { id } of circuitsOf(source)) {
        opened.delete(id)
        failed.delete(id)
      }
    },
    postponeProbe: (source) => {
      const now = options.now()
      for (const { id, opened_ms, probes } of circuitsOf(source))
        openAt(id, opened_ms, now, restMs(now - opened_ms, options.rest_ms), probes + 1)
    },
  }
}
