import type { ForecastFigures } from '../../answers/accuracy/figures.ts'
import type { Accuracy } from '../../answers/accuracy/get-accuracy.ts'
import { MIN_JUDGED_HOURS } from '../../answers/statements/words.ts'
import { countText } from '../../config/count-text.ts'
import { HOUR_MS } from '../../config/vocabulary.ts'

/** The figures of a record as people read them: the same words on every page. */

export const signed = (share: number) => `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)} %`
export const percent = (share: number) => `${(100 * share).toFixed(0)} %`

type Judged = Pick<ForecastFigures, 'compared' | 'skill_mae'>

/** The verdict of a record against the simple rule: `better`, `worse`, `no better`, or that it is too short to say. */
export function verdictText({ compared, skill_mae: skill }: Judged): { text: string; verdict: string } {
  if (!skill) return { text: '–', verdict: 'undecided' }
  if (compared < MIN_JUDGED_HOURS || skill.low === null) return { text: 'too few to judge', verdict: 'undecided' }
  return { text: skill.verdict === 'undecided' ? 'no better' : skill.verdict, verdict: skill.verdict }
}

/** Whether figures are of enough hours to say how good forecasts are. */
const isEnough = (figures: { samples: number } | null | undefined) => (figures?.samples ?? 0) >= MIN_JUDGED_HOURS

/** Whether enough forecasts of an hour ahead came true to say how good they are. */
export const isJudged = ({ horizons }: Accuracy) => isEnough(horizons[0]?.figures)

/** The record as the page shows it: what rests on too few hours to say anything is left out, live figures above all. */
export function shownRecord(record: Accuracy): Accuracy {
  const { backtest, horizons } = record
  const shown = {
    ...record,
    backtest: { ...backtest, reliability: backtest.reliability.filter(isEnough) },
    horizons: horizons.map((horizon) =>
      isEnough(horizon.figures) ? horizon : { ...horizon, figures: null, skill_mae: null, skill_pinball: null },
    ),
    airports: record.airports.map((airport) => ({
      ...airport,
      horizons: airport.horizons.map((horizon, k) =>
        isEnough(horizons[k]?.figures) ? horizon : { ...horizon, live: null },
      ),
    })),
  }
  if (!isJudged(record)) return { ...shown, reliability: [], calibration_error: null, misses: [] }
  return { ...shown, reliability: record.reliability.filter(isEnough) }
}

/** How far a record is that is too short to be shown, and when it will be; null if nothing came true, or enough. */
export function waitingSentence(record: Accuracy): string | null {
  const { horizons, recorded_since, generated_at } = record
  const scored = horizons[0]?.figures?.samples ?? 0
  if (scored === 0 || isJudged(record)) return null
  const start = `So far ${countText(scored, 'hour')} of airports ${scored === 1 ? 'was' : 'were'} observed that had a forecast one hour before; live figures follow from ${MIN_JUDGED_HOURS}`
  if (recorded_since === null) return `${start}.`
  const hours = (Date.parse(generated_at) - Date.parse(recorded_since)) / HOUR_MS
  const left = Math.ceil((hours * (MIN_JUDGED_HOURS - scored)) / scored)
  return `${start}, at this pace in about ${left < 48 ? countText(Math.max(1, left), 'hour') : countText(Math.round(left / 24), 'day')}.`
}

/** The record in one sentence, live once that says anything; null if nothing was scored. */
export function recordSentence(record: Accuracy): string | null {
  const isLive = isJudged(record)
  const figures = (isLive ? record : record.backtest).horizons[0]?.figures
  if (!figures) return null
  const off = `${figures.mae_minutes.toFixed(1)} min; ${percent(figures.coverage_80)} fell inside the range`
  if (isLive) return `One hour ahead we are off by ${off}.`
  return `One hour ahead our forecasts would have been off by ${off}, on hours that they had not seen.`
}
