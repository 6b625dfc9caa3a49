import type { ParsedDelay } from '../../../warehouse/tables/delays.ts'
import { parseNotam } from './notam.ts'

function identity({ faa_id, type, reason, start }: ParsedDelay): string {
  const notam = type === 'closure' && reason ? parseNotam(reason).id : null
  return JSON.stringify(notam ? [faa_id, type, notam] : [faa_id, type, reason, start])
}

/** Drops repeated rows: the FAA lists closures in two blocks, and one NOTAM may stand in both. The first one stays. */
export function withoutDuplicates(rows: ParsedDelay[]): ParsedDelay[] {
  const first = new Map<string, ParsedDelay>()
  for (const row of rows) {
    const key = identity(row)
    if (!first.has(key)) first.set(key, row)
  }
  return [...first.values()]
}
