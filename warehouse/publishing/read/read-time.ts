import {
  NO_PROVENANCE,
  type Provenance,
  type QueueWait,
  type StatusFields,
  UNKNOWN_STATUS,
} from '../../../config/answer-schemas.ts'
import { ageOf } from '../../../config/vocabulary.ts'

/** A figure that has an age. */
export type AgedFigure = Pick<Provenance, 'observed_at' | 'age_seconds' | 'freshness'>

/** The instant a snapshot is read at, and its figures as of that instant. */
export interface ReadTime {
  /** When the snapshot was generated, epoch milliseconds. */
  generatedMs: number
  /** The instant of reading, epoch milliseconds. */
  atMs: number
  /** The figure with its age and freshness as of `atMs`. At `generatedMs` it is the published object itself. */
  aged: <Figure extends AgedFigure>(figure: Figure) => Figure
}

/** Makes the read time of a snapshot generated at `generatedMs` and read at `atMs` (epoch milliseconds). */
export function readTime(generatedMs: number, atMs: number): ReadTime {
  return {
    generatedMs,
    atMs,
    aged(figure) {
      if (atMs <= generatedMs || figure.age_seconds === null || figure.observed_at === null) return figure
      return { ...figure, ...ageOf(figure.observed_at, atMs) }
    },
  }
}

/** A figure whose status has its age as of the time of reading; an expired status is unknown. */
export function agedStatus<Figure extends StatusFields>(figure: Figure, { atMs, generatedMs }: ReadTime): Figure {
  if (atMs <= generatedMs || figure.status_observed_at === null) return figure
  const { age_seconds, freshness } = ageOf(figure.status_observed_at, atMs)
  if (freshness === 'expired') return { ...figure, ...UNKNOWN_STATUS }
  return { ...figure, status_age_seconds: age_seconds }
}

export const isUnexpired = ({ freshness }: Pick<Provenance, 'freshness'>) => freshness !== 'expired'

/** A queue without any figure, and why. */
export const withoutFigure = (unavailable_reason: string): QueueWait => ({
  average_wait_minutes: null,
  unavailable_reason,
  terminals: [],
  ...UNKNOWN_STATUS,
  ...NO_PROVENANCE,
})
