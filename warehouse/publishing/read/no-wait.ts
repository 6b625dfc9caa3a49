import { airportDirectory, withoutTypicalWaits } from '../../../config/airports/directory.ts'
import { getOrCreate, memoizeByObject } from '../../../config/once.ts'
import { allSources, type Source } from '../../../config/sources.ts'
import { type QueueKind, queueName } from '../../../config/vocabulary.ts'
import type { SourceHealthIndex } from './source-health.ts'

/** The installation's sources by the airports they name; whether a source is active is taken from the publication. */
export const sourcesByAirport = memoizeByObject(
  (healthBySource: SourceHealthIndex['healthBySource']): ReadonlyMap<string, Source[]> => {
    const byAirport = new Map<string, Source[]>()
    for (const source of allSources()) {
      const published = healthBySource.get(source.id)
      if (!published) continue
      const entry = { ...source, active: published.state !== 'off' }
      for (const iata of source.airports) getOrCreate(byAirport, iata, () => []).push(entry)
    }
    return byAirport
  },
)

/** Whether a source gives waits of a queue. */
export const isOfQueue = ({ kind, further_kinds }: Source, queue: QueueKind): boolean =>
  [kind, ...further_kinds].some((other) => other === queue)

/** The queues of which travellers alone report waits. */
const REPORTED_ONLY: Partial<Record<QueueKind, string>> = {
  baggage: 'Only travellers report waits for baggage; none did lately.',
  lounge: 'Only travellers report waits at lounges; none did lately.',
  ees_kiosk: 'Only travellers report waits at EES kiosks; none did lately.',
}

export interface QueueWithoutWait {
  iata: string
  queue: QueueKind
  /** All sources of the airport. */
  sources: readonly Source[]
  /** Whether it had a wait before: a source may give waits of a queue that the catalogue does not name. */
  hadWait: boolean
}

/**
 * Why a queue without a wait in the last six hours has none: a sentence.
 * @param nameOf The name of a source in it.
 */
export function noWaitText(
  { iata, queue, sources, hadWait }: QueueWithoutWait,
  nameOf: (source: Source) => string,
): string {
  const own = sources.filter((source) => isOfQueue(source, queue))
  const active = own.filter((source) => source.active)
  const live = active.filter(({ timeliness }) => timeliness === 'live')
  // Names of publishers may have commas.
  const namesOf = (named: readonly Source[]) => [...new Set(named.map(nameOf))].join(' and ')
  const untypical = untypicalText(iata, queue)
  if (live.length > 0) return `${namesOf(live)} gave no wait in the last six hours${untypical}.`
  if (active.length > 0)
    return `Waits of ${namesOf(active)} come days late, so the present one is not known${untypical}.`
  if (own.length > 0) return `Waits of ${namesOf(own)} are not read here${untypical}.`
  if (hadWait) return `No source has reported it in the last six hours${untypical}.`
  return REPORTED_ONLY[queue] ?? `No source of ${queueName(queue)} waits covers this airport${untypical}.`
}

/** Why no typical wait of security stands in either, as the end of a sentence; empty where one may. */
function untypicalText(iata: string, queue: QueueKind): string {
  const airport = queue === 'security' && airportDirectory().byIata.get(iata)
  const why = airport ? withoutTypicalWaits(airport) : null
  return why === null ? '' : `, and no typical wait can be claimed: ${why}`
}
