import type { BorderDirection } from '../../../config/border-direction.ts'
import { groupBy } from '../../../config/group-by.ts'
import type { Skill } from '../../../forecasting/skill/skill.ts'
import { type Miss, SUMS } from '../../tables/scores.ts'
import { definePublished } from './define-published.ts'

/** The periods of the record, in days. */
export const RECORD_DAYS = [7, 30, 90] as const
export type RecordDays = (typeof RECORD_DAYS)[number]

/** Sums of `scores` that only the contest of model and rule needs. */
const UNPUBLISHED = ['contended', 'model_error_minutes', 'model_above_median', 'rule_error_minutes'] as const
type SumName = Exclude<keyof typeof SUMS, (typeof UNPUBLISHED)[number]>
const isPublished = (name: string): name is SumName => !(UNPUBLISHED as readonly string[]).includes(name)

/** Sums over forecast hours that came true: columns of the table `scores`. */
export const SUM_NAMES = Object.keys(SUMS).filter(isPublished)
export type ScoreSums = Record<SumName, number>

/** Forecasts that claimed a probability within the same tenth. */
export interface ReliabilitySums {
  tenth: number
  claimed: number
  confidence: number
  claimed_within_5: number
}

/** The figures of a queue in one bucket of hours ahead. */
export interface BucketRecord extends ScoreSums {
  from_hours: number
  /** Against the baseline on the same hours; null if none is known. */
  skill_mae: Skill | null
  skill_pinball: Skill | null
}

/** The record of one queue over one period, or its backtest. */
export interface QueueRecord {
  buckets: BucketRecord[]
  reliability: ReliabilitySums[]
}

/** The record of a queue of an airport over a period. */
export interface AirportRecord extends QueueRecord {
  kind: 'security' | 'immigration'
  iata: string
  direction: BorderDirection | null
  basis: 'predicted' | 'typical'
  days: RecordDays
}

/** The newest backtest of an airport's security waits. */
export interface AirportBacktest extends QueueRecord {
  iata: string
  model: string
  evaluated_from: string
  evaluated_to: string
}

/** The skill over all airports in one bucket. */
export interface OverallSkill {
  /** Null: the newest backtests. */
  days: RecordDays | null
  from_hours: number
  airports: number
  skill_mae: Skill | null
  skill_pinball: Skill | null
}

/** The last days clearly differ from the backtest; `on_rule`: and the rule serves in place of the model. */
export type Drifting = 'drifting' | 'on_rule'

/** An airport whose model drifts. */
export interface DriftingModel {
  iata: string
  state: Drifting
  since: string
  reason: string | null
}

/** Forecasts made elsewhere beside the airport's own model, on the same forecast hours of the last days. */
export interface OutsideRecord {
  forecaster: string
  iata: string
  hours: number
  /** Null before the first observed hour that both forecast. */
  mae_minutes: number | null
  model_mae_minutes: number | null
  serves: boolean
  /** Its imported forecasts of hours that had not begun when the record was made. */
  open_forecasts: number
}

export interface Accuracy {
  /** The first day with a score; null before. */
  recorded_since: string | null
  /** The instant that the periods are counted back from. */
  until: string
  records: AirportRecord[]
  backtests: AirportBacktest[]
  overall: OverallSkill[]
  /** The worst hours of the last 30 days. */
  misses: Omit<Miss, 'day' | 'kind'>[]
  drifting: DriftingModel[]
  /** Absent in snapshots without any. */
  outside?: OutsideRecord[]
}

export interface AccuracyContent {
  accuracy: Accuracy
}

interface AccuracyIndex {
  accuracyContent: Accuracy
  recordsOfAirport: ReadonlyMap<string, AirportRecord[]>
  backtestOfAirport: ReadonlyMap<string, AirportBacktest>
}

export const accuracy = definePublished({
  decode: async (files) => ({ accuracy: await files.json<Accuracy>('accuracy.json') }),
  index: ({ accuracy: content }: AccuracyContent): AccuracyIndex => {
    return {
      accuracyContent: content,
      recordsOfAirport: groupBy(content.records, ({ iata }) => iata),
      backtestOfAirport: new Map(content.backtests.map((backtest) => [backtest.iata, backtest])),
    }
  },
  read: ({ accuracyContent, recordsOfAirport, backtestOfAirport }: AccuracyIndex) => ({
    /** How the forecasts of all airports did. */
    accuracy: () => accuracyContent,
    /** The records of an airport: its queues, by basis and period. */
    accuracyOf: (iata: string): readonly AirportRecord[] => recordsOfAirport.get(iata) ?? [],
    /** The newest backtest of an airport's security waits; null if there is none. */
    backtestOf: (iata: string) => backtestOfAirport.get(iata) ?? null,
  }),
})
