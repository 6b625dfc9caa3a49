import type { Airport, Directory } from '../../../config/airports/directory.ts'
import type { QueueWait } from '../../../config/facts.ts'
import type { Snapshot } from '../../../warehouse/serving/snapshot/snapshot.ts'

/** An airport with the security wait that the snapshot gives for it. */
export interface CurrentWait {
  airport: Airport
  minutes: number
  wait: QueueWait
}

/**
 * Airports whose security wait is observed, or predicted by a model of their own: observed ones first, then by code.
 * Typical waits, which every airport has, are left out.
 */
export function currentWaits(snapshot: Snapshot, directory: Directory): CurrentWait[] {
  const waits: CurrentWait[] = []
  for (const airport of directory.all) {
    const wait = snapshot.queue(airport.iata, 'security')
    const { average_wait_minutes, basis, freshness } = wait
    if (average_wait_minutes === null || basis === 'typical' || freshness === 'expired') continue
    waits.push({ airport, minutes: Math.round(average_wait_minutes), wait })
  }
  const unobserved = ({ wait }: CurrentWait) => Number(wait.freshness === null)
  return waits.sort((a, b) => unobserved(a) - unobserved(b) || (a.airport.iata < b.airport.iata ? -1 : 1))
}
