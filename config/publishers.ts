import { Publisher } from './domain.ts'
import { allSources, type Source } from './sources.ts'

/** The source of travellers' reports, which has no entry in the catalogue. */
export const CROWD_SOURCE = 'crowd' as const

/** The catalogue's entry of a source; null for travellers' reports, imports, and sources that have left the catalogue. */
export function sourceOf(id: string): Source | null {
  return allSources().find((source) => source.id === id) ?? null
}

/** Who publishes a source's readings; what the catalogue does not know was imported. */
export function publisherOf(id: string): Publisher {
  return id === CROWD_SOURCE ? 'travellers' : (sourceOf(id)?.publisher ?? 'import')
}

/** What a figure of these sources is: `reported` as soon as travellers had a part in it. */
export const basisOf = (sources: readonly string[]): 'reported' | 'measured' =>
  sources.includes(CROWD_SOURCE) ? 'reported' : 'measured'

/** Place of a publisher in the order from the queue outwards, from 0. */
export const publisherRank = (publisher: Publisher): number => Publisher.options.indexOf(publisher)
