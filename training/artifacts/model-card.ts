import { z } from 'zod'
import { Iata, QueueKind, UtcInstant } from '../../config/domain.ts'
import { FEATURES } from '../features/features.ts'
import { Calibration } from '../scoring/calibration.ts'

const ScoreCard = z.strictObject({
  samples: z.int().min(0),
  mae_minutes: z.number(),
  pinball_minutes: z.number(),
  coverage_80: z.number(),
  within_5: z.number(),
})

/** What an artifact says of itself, beside the weights: enough to judge it and to use it. */
export const ModelCard = z.strictObject({
  format: z.literal(1),
  /** e.g. model:JFK@2026-11-20T04Z */
  version: z.string().regex(/^model:[A-Z]{3}@\d{4}-\d\d-\d\dT\d\dZ$/),
  kind: QueueKind,
  iata: Iata,
  trained_at: UtcInstant,
  /** The fit saw nothing available after this. */
  cutoff: UtcInstant,
  seed: z.int(),
  /** Examples the net was fitted on, of all airports together, and the epochs kept. */
  rows: z.int().min(0),
  epochs: z.int().min(0),
  /** Inputs in order; they must be exactly this release's, or the weights mean something else. */
  features: z.array(z.strictObject({ name: z.string(), mean: z.number(), std: z.number().positive() })),
  backtest: z.strictObject({
    evaluated_from: UtcInstant,
    evaluated_to: UtcInstant,
    model: ScoreCard,
    baseline: ScoreCard,
  }),
  /** The contender with the smaller pinball loss on the backtest. */
  served: z.enum(['model', 'baseline']),
  /** Calibration of the contender that serves; '' is the airport as a whole, else a terminal. */
  calibration: z.array(z.strictObject({ terminal: z.string(), table: Calibration })).min(1),
})
export type ModelCard = z.infer<typeof ModelCard>

/** Whether a card's inputs are the ones this release computes. */
export function sameFeatures(card: ModelCard): boolean {
  return card.features.length === FEATURES.length && card.features.every(({ name }, k) => name === FEATURES[k])
}

/** Version of a model by its airport and cutoff. */
export function modelVersion(iata: string, cutoff: UtcInstant): string {
  return `model:${iata}@${cutoff.slice(0, 13)}Z`
}

/** What a forecast names as its source: the model's version, or the same with `baseline:`. */
export function servedVersion(card: ModelCard): string {
  return card.served === 'model' ? card.version : card.version.replace('model:', 'baseline:')
}

/** Folder of a version inside its airport's: the version without its prefix, which file systems dislike. */
export function versionFolder(card: ModelCard): string {
  return card.version.slice('model:'.length)
}
