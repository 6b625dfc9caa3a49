import type { ForecastFigures } from '../../answers/accuracy/figures.ts'
import type { Accuracy } from '../../answers/accuracy/get-accuracy.ts'
import { countText } from '../../answers/statements/text.ts'
import { MIN_JUDGED_HOURS } from '../../answers/statements/words.ts'
import { HOUR_MS } from '../../config/domain.ts'

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

/** Whether enough forecasts of an hour ahead came true to say how good they are. */
export const isJudged = ({ horizons }: Accuracy) => (horizons[0]?.figures?.samples ?? 0) >= MIN_JUDGED_HOURS

/**
 * The record as the page shows it: without the live figures of a distance, and the points of the diagram, of which fewer hours
 * came true than say anything.
 */
export function shownRecord(record: Accuracy): Accuracy {
  const shown = record.horizons.map(({ figures }) => (figures?.samples ?? 0) >= MIN_JUDGED_HOURS)
  const rest = isJudged(record) ? {} : { calibration_error: null, misses: [] }
  const judged = ({ samples }: { samples: number }) => samples >= MIN_JUDGED_HOURS
  return {
    ...record,
    ...rest,
    reliability: isJudged(record) ? record.reliability.filter(judged) : [],
    backtest: { ...record.backtest, reliability: record.backtest.reliability.filter(judged) },
    horizons: record.horizons.map((one, k) =>
      shown[k] ? one : { ...one, figures: null, skill_mae: null, skill_pinball: null },
    ),
    airports: record.airports.map((airport) => ({
      ...airport,
      horizons: airport.horizons.map((one, k) => (shown[k] ? one : { ...one, live: null })),
    })),
  }
}

/** How far a record is that is too short to be shown, and when it will be; null where nothing came true, or enough. */
export function waitingSentence(record: Accuracy): string | null {
  const { horizons, recorded_since, generated_at } = record
  const scored = horizons[0]?.figures?.samples ?? 0
  if (scored === 0 || isJudged(record)) return null
  const start = `So far ${countText(scored, 'hour')} of airports ${scored === 1 ? 'was' : 'were'} observed after a forecast of the hour; live figures follow from ${MIN_JUDGED_HOURS}`
  if (recorded_since === null) return `${start}.`
  const hours = (Date.parse(generated_at) - Date.parse(recorded_since)) / HOUR_MS
  const left = Math.ceil((hours * (MIN_JUDGED_HOURS - scored)) / scored)
  return `${start}, at this pace in about ${left < 48 ? countText(Math.max(1, left), 'hour') : countText(Math.round(left / 24), 'day')}.`
}

/** The record in one sentence; null where nothing was scored. */
export function recordSentence(record: Accuracy): string | null {
  const { horizons, backtest } = shownRecord(record)
  const live = horizons[0]?.figures ?? null
  const figures = live ?? backtest.horizons[0]?.figures ?? null
  if (!figures) return null
  const off = `${figures.mae_minutes.toFixed(1)} min; ${percent(figures.coverage_80)} fell inside the range`
  if (!live) return `One hour ahead our forecasts would have been off by ${off}, on hours that they had not seen.`
  return `One hour ahead we are off by ${off}.`
}
