import type { SourceFigure } from '../../config/answer-schemas.ts'
import { rangeFigure } from './terminal-state.ts'
import { listText, sourceText } from './text.ts'

/** The figures of several sources of one queue, beside each other. */
export interface SourceFiguresText {
  /** `Port Authority: 12 min; Delta Air Lines: 31 min.` */
  figures: string
  /** A sentence if they differ more than usual; null if they do not or if it is unknown. */
  notice: string | null
}

/** The figures of several sources in words; null if one source alone has one. */
export function sourceFiguresText(figures: readonly SourceFigure[]): SourceFiguresText | null {
  const [first, ...others] = figures
  if (first === undefined || others.length === 0) return null
  const text = figures.map(({ source, wait_minutes }) => `${sourceText(source)}: ${wait_minutes} min`).join('; ')
  const far = farFrom(others)
  if (far.length === 0) return { figures: `${text}.`, notice: null }
  const names = figures.length === 2 ? 'They' : listText([first, ...far].map(({ source }) => sourceText(source)))
  const usual = Math.max(...far.map(({ usual_difference_minutes: minutes }) => minutes ?? 0))
  const notice = `${names} disagree more than they usually do, which is by at most ${usual} min: allow for the longer wait.`
  return { figures: `${text}.`, notice }
}

const farFrom = (others: readonly SourceFigure[]) => others.filter(({ disagrees }) => disagrees)

/** What the sources say that differ more than usual from the one that is shown, within a sentence: `another source says 45 min`, `other sources say 31–45 min`; null if none does. */
export function otherSourcesText([, ...others]: readonly SourceFigure[]): string | null {
  const minutes = farFrom(others).map(({ wait_minutes }) => wait_minutes)
  if (minutes.length === 0) return null
  const range = rangeFigure({ low: Math.min(...minutes), high: Math.max(...minutes) })
  return `${minutes.length === 1 ? 'another source says' : 'other sources say'} ${range} min`
}
