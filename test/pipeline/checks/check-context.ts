import type { Source } from '../../../config/sources.ts'
import type { CheckContext } from '../../../pipeline/checks/index.ts'

/** A check's context without earlier readings; every field can be overridden. */
export function checkContext(source: Source, fetched_at: string, fields: Partial<CheckContext> = {}): CheckContext {
  return { source, fetched_at, recent: new Map(), others: [], lanes_before: new Map(), ...fields }
}
