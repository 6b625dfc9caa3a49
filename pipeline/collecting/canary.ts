import type { Source } from '../../config/sources.ts'
import { isProbeDue } from '../transport/circuits.ts'
import { checkSource, type SourceCheck } from './check-sources.ts'
import type { CollectContext, CollectOutcome } from './collect-context.ts'
import { collectSource } from './collect-source.ts'
import { restoreCircuits } from './restore-circuits.ts'

/** The result of probing one source whose circuit was open. */
export interface Probe {
  source: string
  /** The answer to the probe; null when our own code failed, and `error` holds the reason. */
  check: SourceCheck | null
  /** Outcomes of the run that follows a successful probe. */
  outcomes: CollectOutcome[]
  error: unknown
}

const PROBES_AT_ONCE = 4

type Collect = (source: Source) => Promise<CollectOutcome[]>

/** Sends one request to a source. When the answer could be parsed, closes the circuit and collects the source at once. */
async function probeSource(source: Source, context: CollectContext, collect: Collect): Promise<Probe> {
  const { circuits } = context.transport
  // Each probe uses the next request of the source: one dead address must not keep the circuit of the others open.
  const probes = circuits.open().map((circuit) => (circuit.source === source.id ? circuit.probes : 0))
  const index = Math.max(0, ...probes)
  let check: SourceCheck | null = null
  try {
    check = await circuits.probe(source.id, () => checkSource(source, context, index))
    if (!check.ok) {
      // The site may have replaced its keys while no request was sent: the next probe learns them again.
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
 * Probes every source whose circuit is open and whose next probe is due, with one request each. A failed probe does not stop the
 * others. An aborted `signal` stops before the next source. `collect` runs a source; this process may pass its own, which queues
 * the runs of one source.
 */
export async function runCanary(
  sources: readonly Source[],
  context: CollectContext,
  signal?: AbortSignal,
  collect: Collect = (source) => collectSource(source, context),
): Promise<Probe[]> {
  const { circuits } = context.transport
  const now = context.now()
  await restoreCircuits(context.warehouse, circuits, now)
  const due = circuits.open().filter((circuit) => isProbeDue(circuit, now))
  const queue = sources.filter(({ id, active }) => active && due.some(({ source }) => source === id))
  const probes: Probe[] = []
  const work = async () => {
    for (let source = queue.shift(); source && !signal?.aborted; source = queue.shift())
      probes.push(await probeSource(source, context, collect))
  }
  await Promise.all(Array.from({ length: PROBES_AT_ONCE }, work))
  return probes
}
