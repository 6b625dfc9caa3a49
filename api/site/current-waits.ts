import type { Directory } from '../../config/airports/directory.ts'
import type { Basis, Freshness } from '../../config/domain.ts'
import type { Snapshot } from '../../warehouse/snapshot/types.ts'

export interface CurrentWait {
  iata: string
  name: string
  minutes: number
  basis: Basis | null
  source: string | null
  freshness: Freshness | null
  age_seconds: number | null
}

/** Airports that sources watch, with the security wait the snapshot gives: readings first, then by code. */
export function currentWaits(snapshot: Snapshot, directory: Directory): CurrentWait[] {
  const waits: CurrentWait[] = []
  for (const { iata, name } of directory.all) {
    if (snapshot.coverage(iata).sources.length === 0) continue
    const { average_wait_minutes, basis, source, freshness, age_seconds } = snapshot.queue(iata, 'security')
    if (average_wait_minutes === null || freshness === 'expired') continue
    waits.push({ iata, name, minutes: Math.round(average_wait_minutes), basis, source, freshness, age_seconds })
  }
  const unobserved = ({ freshness }: CurrentWait) => Number(freshness === null)
  return waits.sort((a, b) => unobserved(a) - unobserved(b) || (a.iata < b.iata ? -1 : 1))
}
