import type { ForecastFigures } from '../../answers/accuracy/figures.ts'
import type { Accuracy } from '../../answers/accuracy/get-accuracy.ts'
import { fewText, MIN_JUDGED_HOURS } from '../../answers/statements/words.ts'

/** The figures of a record as people read them: the same words on every page. */

export const signed = (share: number) => `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)} %`
export const percent = (share: number) => `${(100 * share).toFixed(0)} %`

type Judged = Pick<ForecastFigures, 'compared' | 'skill_mae'>

/** What a record says against the simple rule: `better`, `worse`, `no better`, or that it is too short to say. */
export function verdictText({ compared, skill_mae: skill }: Judged): { text: string; verdict: string } {
  if (!skill) return { text: '–', verdict: 'undecided' }
  if (compared < MIN_JUDGED_HOURS || skill.low === null) return { text: 'too few to judge', verdict: 'undecided' }
  return { text: skill.verdict === 'undecided' ? 'no better' : skill.verdict, verdict: skill.verdict }
}

/** The record in one sentence; null where nothing was scored. */
export function recordSentence({ horizons, backtest }: Accuracy): string | null {
  const live = horizons[0]?.figures ?? null
  const figures = live ?? backtest.horizons[0]?.figures ?? null
  if (!figures) return null
  const off = `${figures.mae_minutes.toFixed(1)} min; ${percent(figures.coverage_80)} fell inside the range`
  if (!live) return `One hour ahead our forecasts would have been off by ${off}, on hours that they had not seen.`
  return `One hour ahead we are off by ${off}.${fewText(live.samples)}`
}
