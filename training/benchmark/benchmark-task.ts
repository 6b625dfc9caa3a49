import type { TrainedKind } from '../settings/kinds.ts'
import { SCORER_FILES } from './scorer.ts'

/** The forecasts that a benchmark is made with, from the best to the simplest, and what they are. */
export const REFERENCES = {
  holdshort: 'What Holdshort would have served.',
  model: 'Its nets alone.',
  rule: 'Climatologies, moved by the last weeks; no net.',
  same_hour: 'Quantiles of the same local hour in the 28 days before: the rule to beat.',
} as const
export type ReferenceName = keyof typeof REFERENCES

/** A source of the observed waits, with what is known about its terms. */
export interface BenchmarkSource {
  id: string
  credit: string
  licence: string | null
  terms: string
}

/** The task of a benchmark (task.json): what is known, what is asked, how it is scored. */
export interface BenchmarkTask {
  format: 1
  title: string
  kind: TrainedKind
  simulated: boolean
  may_be_passed_on: boolean
  made_by: string
  train: { from: string; to: string }
  test: { first_issue: string; last_issue: string; every_hours: number }
  horizon_hours: number
  horizon_buckets: readonly (readonly [number, number])[]
  quantiles: readonly number[]
  measure: string
  rules: string[]
  airports: string[]
  sources: readonly BenchmarkSource[]
  files: { history: string; truth: string; issues: string; references: Record<ReferenceName, string> }
}

export const RULES = [
  'A forecast issued at an instant may use the rows of the history whose available_at is not later, and anything else that was public then.',
  'Settings are chosen by the train span alone; whatever learns may be fitted again at every issue.',
  'A forecast is wanted for each issue of issues and each of the hours of the horizon whose wait was observed; the hour of the issue is the first.',
  'p10, p50 and p90 are quantiles of the mean wait of the UTC hour, in minutes, in order and not negative.',
]

/** The files that a benchmark of these contents has. */
export function benchmarkFiles(simulated: boolean): BenchmarkTask['files'] {
  const mark = simulated ? '-simulated' : ''
  const reference = (name: ReferenceName) => `references/${name}${mark}.csv.gz`
  return {
    history: `history${mark}.csv.gz`,
    truth: `truth${mark}.csv`,
    issues: `issues${mark}.csv`,
    references: {
      holdshort: reference('holdshort'),
      model: reference('model'),
      rule: reference('rule'),
      same_hour: reference('same_hour'),
    },
  }
}

/** All files of a benchmark, by their path in its folder. */
export const benchmarkPaths = ({ history, truth, issues, references }: BenchmarkTask['files']): string[] => [
  history,
  truth,
  issues,
  ...Object.values(references),
  ...SCORER_FILES,
  'scores.json',
  'README.md',
  'task.json',
]
