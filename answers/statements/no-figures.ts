import { countText } from '../../config/count-text.ts'
import { sentenceOf } from './text.ts'

/** What is said before the first snapshot, as part of a sentence. */
export const NO_FIGURES = 'no figures yet: the first ones come after the first collection, usually within a few minutes'

/** The same as a sentence. */
export const NO_FIGURES_YET = sentenceOf(NO_FIGURES)

/** A history without a figure. */
export const noWaitObserved = (place: string, days: number): string =>
  `No wait at ${place} was observed in the last ${days} days.`

/** Why a list of observed waits is empty. `closed`: the airports of which it is known that they, or their security, are closed. */
export const noWaitsText = (closed: number): string =>
  closed === 0
    ? 'No source has given a wait in the last six hours.'
    : `No wait is observed now; ${countText(closed, 'airport')} ${closed === 1 ? 'is' : 'are'} closed, wholly or at security.`
