import type { QueueKind } from '../../../config/vocabulary.ts'
import type { LearnedHours } from '../waits/learned-hours.ts'
import { definePublished } from './define-published.ts'

/** The learned opening hours of one queue. */
export interface QueueHours extends LearnedHours {
  kind: string
  iata: string
  /** Empty for the airport as a whole. */
  terminal: string
}

export interface OpeningHoursContent {
  opening_hours: QueueHours[]
}

export interface OpeningHoursIndex {
  /** The hours of a terminal, or those of its airport when it has none of its own. */
  learnedHours: (iata: string, kind: QueueKind, terminal?: string) => QueueHours | null
}

export const openingHours = definePublished({
  decode: async (files) => ({ opening_hours: await files.json<QueueHours[]>('opening-hours.json') }),
  index: ({ opening_hours }: OpeningHoursContent): OpeningHoursIndex => {
    const byQueue = new Map(opening_hours.map((queue) => [`${queue.iata}/${queue.kind}/${queue.terminal}`, queue]))
    return {
      learnedHours: (iata, kind, terminal = '') =>
        byQueue.get(`${iata}/${kind}/${terminal}`) ?? byQueue.get(`${iata}/${kind}/`) ?? null,
    }
  },
  read: ({ learnedHours }: OpeningHoursIndex) => ({
    /** When a queue is open, learned from the last four weeks; null when nothing was observed. */
    openingHours: learnedHours,
  }),
})
