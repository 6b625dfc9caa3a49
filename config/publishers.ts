import { allSources, type Source } from './sources.ts'
import { HOUR_MS, Publisher } from './vocabulary.ts'

/** The source id of travellers' reports; it has no entry in the catalogue. */
export const CROWD_SOURCE = 'crowd' as const
/** The wait of a lane by travellers is the median of what they reported within this time of the newest report. */
export const CROWD_WINDOW_MS = HOUR_MS

/** Names of imported sources begin so; no source of the catalogue does. */
const IMPORT_PREFIX = 'import'

/** Whether a source is a file that was imported, by its id. */
export const isImported = (id: string): boolean => id.startsWith(IMPORT_PREFIX)

/** The catalogue entry of a source; null for travellers' reports, imports and sources removed from the catalogue. */
export function sourceOf(id: string): Source | null {
  return allSources().find((source) => source.id === id) ?? null
}

/** The publisher of a source's readings; a source that is not in the catalogue was imported. */
export function publisherOf(id: string): Publisher {
  return id === CROWD_SOURCE ? 'travellers' : (sourceOf(id)?.publisher ?? 'import')
}

/** The basis of a figure from these sources: `reported` if travellers' reports contribute to it. */
export const basisOf = (sources: readonly string[]): 'reported' | 'measured' =>
  sources.includes(CROWD_SOURCE) ? 'reported' : 'measured'

/** The rank of a publisher by closeness to the queue; 0 is closest. */
export const publisherRank = (publisher: Publisher): number => Publisher.options.indexOf(publisher)
