import { createHash } from 'node:crypto'
import { z } from 'zod'
import { BorderDirection } from '../../config/border-direction.ts'
import { Iata, QueueKind, UtcInstant } from '../../config/vocabulary.ts'
import { FEATURES } from '../../forecasting/features/inputs.ts'
import { Calibration } from '../../forecasting/quantiles/calibration.ts'
import { byContender, CONTENDERS } from '../forecasters/contenders.ts'

const ScoreCard = z.strictObject({
  samples: z.int().min(0),
  mae_minutes: z.number(),
  pinball_minutes: z.number(),
  coverage_80: z.number(),
  within_5: z.number(),
})

/** Raised when the fields below change their meaning. A model of other inputs is known by their names (`sameFeatures`). */
export const CARD_FORMAT = 4

/** Description of a trained airport, saved beside the weights: its inputs, scores and calibration. */
export const ArtifactCard = z.strictObject({
  format: z.literal(CARD_FORMAT),
  /** e.g. model:JFK@2026-11-20T04Z-3fa9c1d2, or model:ZRH/entry@… for border queues in one direction; earlier releases: without digest. */
  version: z.string().regex(/^model:[A-Z]{3}(\/(entry|exit|unknown))?@\d{4}-\d\d-\d\dT\d\dZ(-[0-9a-f]{8})?$/),
  kind: QueueKind,
  iata: Iata,
  /** Set for border queues; absent in artifacts of an airport and its terminals. */
  direction: BorderDirection.optional(),
  /** The fit used nothing that became available later. */
  cutoff: UtcInstant,
  /** One net was fitted from each; the artifact's is their mean. */
  seeds: z.array(z.int()).min(1),
  /** The share of the net in the model's forecast; the rest is the rule's. */
  net_share: z.number().min(0).max(1),
  /** All settings of the training, as the release that trained it knew them. */
  settings: z.record(z.string(), z.unknown()),
  /** SHA-256 of the airport's own hours. */
  data: z.string(),
  /** Examples of all airports that the nets were fitted on, and the epochs. */
  rows: z.int().min(0),
  epochs: z.int().min(0),
  /** Inputs in order, with their normalisation; the weights fit no other list of inputs. */
  features: z.array(
    z.strictObject({
      name: z.string(),
      mean: z.number(),
      std: z.number().positive(),
      /** False when the training left the input out. */
      used: z.boolean().optional(),
    }),
  ),
  backtest: z.strictObject({
    evaluated_from: UtcInstant,
    evaluated_to: UtcInstant,
    /** The forecast that would have been served at each origin. */
    served: ScoreCard,
    ...byContender(() => ScoreCard),
  }),
  /** The contender whose forecasts of the airport are published: the model, unless a simpler one was clearly better in the last weeks. */
  served: z.enum(CONTENDERS),
  /**
   * The published contender and its calibration, for the airport (terminal '') and its terminals. `tables` are those of all
   * contenders: the rule serves while the model drifts, and forecasts are compared with the baseline.
   */
  calibration: z
    .array(
      z.strictObject({
        terminal: z.string(),
        served: z.enum(CONTENDERS),
        table: Calibration,
        tables: z.strictObject(byContender(() => Calibration)),
      }),
    )
    .min(1),
  /** SHA-256 of the net's files by name; absent until they are saved. */
  files: z.record(z.string(), z.string()).optional(),
})
export type ArtifactCard = z.infer<typeof ArtifactCard>

/** Whether the inputs of a card are the ones that this release computes, in the same order. */
export function sameFeatures(card: ArtifactCard): boolean {
  return card.features.length === FEATURES.length && card.features.every(({ name }, k) => name === FEATURES[k])
}

/**
 * Version of a model: the name of its subject, its cutoff, and a digest of its card (settings, data, scores, calibration) and weights,
 * so that it names one set of weights for ever.
 */
export function modelVersion(subject: string, card: Omit<ArtifactCard, 'version' | 'files'>, weights: string): string {
  const digest = createHash('sha256').update(JSON.stringify(card)).update(weights).digest('hex')
  return `model:${subject}@${card.cutoff.slice(0, 13)}Z-${digest.slice(0, 8)}`
}

/** Version that a forecast names: the model's, or the same with `rule:` or `baseline:` when that one serves. */
export function servedVersion({ served, version }: Pick<ArtifactCard, 'served' | 'version'>): string {
  return version.replace('model:', `${served}:`)
}

/** Folder name of a subject: without the slash of its name. */
export const subjectFolder = (subject: string) => subject.replace('/', '-')

/** Folder name of a version: without its prefix, because some file systems forbid the colon. */
export function versionFolder(card: Pick<ArtifactCard, 'version'>): string {
  return subjectFolder(card.version.slice('model:'.length))
}
