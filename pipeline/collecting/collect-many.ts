import type { Source } from '../../config/sources.ts'
import { type CollectContext, type CollectOutcome, collectSource } from './collect-source.ts'

const AT_ONCE = 8

/** Collects sources, eight at a time (the doors keep each host to one request); outcomes in the order they came. */
export async function collectMany(
  sources: readonly Source[],
  context: CollectContext,
  onProgress: (done: number, total: number, source: string) => void = () => undefined,
): Promise<CollectOutcome[]> {
  const queue = [...sources]
  const outcomes: CollectOutcome[] = []
  let done = 0
  const next = async () => {
    for (let source = queue.shift(); source; source = queue.shift()) {
      outcomes.push(...(await collectSource(source, context)))
      done += 1
      onProgress(done, sources.length, source.id)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
  return outcomes
}
