import { sentenceOf } from './text.ts'

/** What is said before the first snapshot, as part of a sentence. */
export const NO_FIGURES = 'no figures yet: the first ones come after the first collection, usually within a few minutes'

/** The same as a sentence. */
export const NO_FIGURES_YET = sentenceOf(NO_FIGURES)

/** A history without a figure. */
export const noWaitObserved = (place: string, days: number): string =>
  `No wait at ${place} was observed in the last ${days} days.`
