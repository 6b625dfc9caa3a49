import type { Source } from '../../../config/sources.ts'
import type { CheckContext } from '../../../pipeline/checks/index.ts'

/** A check's context in which nothing was known before; override what the test is about. */
export function checkContext(source: Source, fetched_at: string, over: Partial<CheckContext> = {}): CheckContext {
  return { source, fetched_at, recent: new Map(), others: [], lanes_before: new Map(), ...over }
}
