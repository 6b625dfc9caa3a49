import { dataPaths, type Settings } from '../../config/settings.ts'
import { loadSnapshot } from '../../warehouse/publishing/snapshot/load.ts'

/** The airports that the demo shows first. */
export interface Showcase {
  /** An airport with a busy queue now, so that the first answer is worth looking at whatever the hour. */
  busy: string
  /** An airport with a delay, if there is one. */
  delayed: string
}

/** Airports whose sources the demo collects first, in every part of the world. */
export const CANDIDATES = ['JFK', 'SEA', 'EWR', 'LGA', 'MCO', 'DFW', 'DEN', 'LHR', 'AMS', 'DOH', 'DEL', 'ICN']

/** Chooses the airports of the welcome from the first snapshot. */
export async function chooseShowcase(settings: Settings): Promise<Showcase> {
  const snapshot = await loadSnapshot(dataPaths(settings.data_dir).snapshots)
  const waitOf = (iata: string) => {
    const wait = snapshot?.queue(iata, 'security')
    return wait?.basis === 'measured' && wait.status !== 'closed' ? (wait.average_wait_minutes ?? -1) : -1
  }
  const [busy = 'JFK'] = CANDIDATES.toSorted((a, b) => waitOf(b) - waitOf(a))
  const delayed = CANDIDATES.find((iata) => {
    const status = snapshot?.delays(iata).status
    return status !== undefined && status !== 'normal' && status !== 'unknown'
  })
  return { busy, delayed: delayed ?? 'EWR' }
}
