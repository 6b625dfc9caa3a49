import { AsyncLocalStorage } from 'node:async_hooks'
import { DAY_MS, HOUR_MS, isoUtc } from '../../config/domain.ts'
import { FetchError } from '../../config/errors.ts'

/** None says anything about the health of the source. */
const NOT_SOURCE_FAULTS = new Set(['ROBOTS_DISALLOWED', 'SITE_UNREACHABLE', 'BROWSER_UNAVAILABLE'])

/** A page that is not there (404 and its kin) is one address of a source, not the source. */
function isSourceFault(error: unknown): boolean {
  if (!(error instanceof FetchError)) return true
  const missing = error.code === 'FETCH_FAILED' && !error.retryable && error.status !== null && error.status < 500
  return !missing && !NOT_SOURCE_FAULTS.has(error.code)
}

/** A circuit that is open; instants in epoch milliseconds. */
export interface OpenCircuit {
  /** Id of the source, or `<id>:page` for the page that its keys are learnt from. */
  id: string
  source: string
  opened_ms: number
  /** When the canary may ask next. */
  probe_due_ms: number
  /** Probes that failed so far. */
  probes: number
}

/** One circuit breaker a source. An open one is closed by a probe that succeeded, never by time alone. */
export interface Circuits {
  /** Runs work of a circuit and counts its failures. @throws FetchError CIRCUIT_OPEN, and whatever the work throws */
  guard: <T>(id: string, work: () => Promise<T>) => Promise<T>
  /** Fails when the circuit is open. @throws FetchError CIRCUIT_OPEN */
  check: (id: string) => void
  /** The circuits that are open now. */
  open: () => OpenCircuit[]
  /** Runs work whose requests for this source pass its open circuits, in one attempt each, and count for nothing. */
  probe: <T>(source: string, work: () => Promise<T>) => Promise<T>
  /** Whether the caller is inside a probe of this circuit's source. */
  probing: (id: string) => boolean
  /** Opens a source's circuit on the word of an earlier process: its first probe is due at once. */
  trip: (source: string, openedMs: number) => void
  /** Closes a source's circuits, as if nothing had failed. */
  close: (source: string) => void
  /** A probe of the source failed: puts the next one off. */
  postponeProbe: (source: string) => void
}

const sourceOf = (id: string) => id.split(':')[0] ?? id

/** A circuit open for longer is probed once a day: the source has gone, or does not want us. */
const LONG_OPEN_MS = 2 * DAY_MS

/**
 * The pause before the next probe of a circuit that has been open for so long: as long again, at least the first rest and
 * at most an hour, so that pauses double; a day after two days.
 */
export function restMs(openForMs: number, firstRestMs: number): number {
  return openForMs > LONG_OPEN_MS ? DAY_MS : Math.min(HOUR_MS, Math.max(firstRestMs, openForMs))
}

/** Makes the circuits of one process: each opens after so many failures in a row. */
export function createCircuits(options: { failures: number; rest_ms: number; now: () => number }): Circuits {
  const failed = new Map<string, number>()
  const opened = new Map<string, OpenCircuit>()
  // Marks the requests of a probe through both doors, without each of them handing the mark on.
  const probed = new AsyncLocalStorage<string>()
  const probing = (id: string) => probed.getStore() === sourceOf(id)
  const own = (source: string) => [...opened.values()].filter((circuit) => circuit.source === source)
  const openAt = (id: string, opened_ms: number, probe_due_ms: number, probes = 0) =>
    opened.set(id, { id, source: sourceOf(id), opened_ms, probe_due_ms, probes })

  const check = (id: string) => {
    const circuit = opened.get(id)
    if (!circuit || probing(id)) return
    const [since, due] = [isoUtc(circuit.opened_ms), isoUtc(circuit.probe_due_ms)]
    const message = `${id}: its circuit is open since ${since}, after ${options.failures} failures in a row; the canary asks it from ${due} on`
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
        if ((failed.get(id) ?? 0) >= options.failures && !opened.has(id)) openAt(id, now, now + options.rest_ms)
        throw error
      }
    },
    open: () => [...opened.values()],
    probe: (source, work) => probed.run(source, work),
    trip: (source, openedMs) => {
      if (!opened.has(source)) openAt(source, openedMs, options.now())
    },
    close: (source) => {
      for (const { id } of own(source)) {
        opened.delete(id)
        failed.delete(id)
      }
    },
    postponeProbe: (source) => {
      const now = options.now()
      for (const { id, opened_ms, probes } of own(source))
        openAt(id, opened_ms, now + restMs(now - opened_ms, options.rest_ms), probes + 1)
    },
  }
}
