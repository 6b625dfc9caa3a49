import type { Source } from '../../config/sources.ts'
import { checkSource, type SourceCheck } from './check-sources.ts'
import { type CollectContext, type CollectOutcome, collectSource } from './collect-source.ts'
import { restoreCircuits } from './restore-circuits.ts'

/** What became of one source whose circuit was open. */
export interface Probe {
  source: string
  /** The answer to the probe; null when our own machinery failed, and `error` says how. */
  check: SourceCheck | null
  /** What was collected at once after the circuit was closed. */
  outcomes: CollectOutcome[]
  error: unknown
}

const AT_ONCE = 4

type Collect = (source: Source) => Promise<CollectOutcome[]>

/** Makes one request of a source, and collects it at once when the answer could be read. */
async function probeSource(source: Source, context: CollectContext, collect: Collect): Promise<Probe> {
  const { circuits } = context.transport
  // Another of its addresses each time: one that is gone must not keep the others shut.
  const turn = Math.max(0, ...circuits.open().map((circuit) => (circuit.source === source.id ? circuit.probes : 0)))
  let check: SourceCheck | null = null
  try {
    check = await circuits.probe(source.id, () => checkSource(source, context, turn))
    if (!check.ok) {
      // The site's keys may have changed while it was left in peace: the next probe reads them again.
      if (check.code === 'FETCH_REFUSED') context.memory.learned_keys.delete(source.id)
      circuits.postponeProbe(source.id)
      return { source: source.id, check, outcomes: [], error: null }
    }
    circuits.close(source.id)
    return { source: source.id, check, outcomes: await collect(source), error: null }
  } catch (error) {
    circuits.postponeProbe(source.id)
    return { source: source.id, check, outcomes: [], error }
  }
}

/**
 * Probes every source whose circuit is open and whose rest is over, each with one request; what answers is in service again.
 * One that fails, whatever way, stops no other. `signal` ends it before the next source; `collect` is how a source is collected
 * in this process, so that its runs keep their turns.
 */
export async function runCanary(
  sources: readonly Source[],
  context: CollectContext,
  signal?: AbortSignal,
  collect: Collect = (source) => collectSource(source, context),
): Promise<Probe[]> {
  const now = context.now()
  await context.warehouse.refresh()
  await restoreCircuits(context.warehouse, context.transport.circuits, now)
  const due = context.transport.circuits.open().filter(({ probe_due_ms }) => probe_due_ms <= now)
  const queue = sources.filter(({ id, active }) => active && due.some(({ source }) => source === id))
  const probes: Probe[] = []
  const next = async () => {
    for (let source = queue.shift(); source && !signal?.aborted; source = queue.shift())
      probes.push(await probeSource(source, context, collect))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
  return probes
}
