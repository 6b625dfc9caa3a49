import { EXAMPLE_BYTES } from '../../forecasting/features/examples.ts'
import {
  DEFAULT_TRAINING_SETTINGS,
  digestOfSettings,
  type GivenSettings,
  type TrainingSettings,
  trainingSettings,
} from './training-settings.ts'

/** The kinds of queues that have models. */
export const TRAINED_KINDS = ['security', 'immigration'] as const
export type TrainedKind = (typeof TRAINED_KINDS)[number]

/**
 * Passport control is published by the hour and days late, so that its nets change little from week to week, and the forecasts of a
 * week whose truths are known are few: calibrations learn more slowly. What is an airport's own was measured on security waits alone.
 */
const IMMIGRATION_SETTINGS: GivenSettings = {
  seeds: [1],
  net: { airport_inputs: 0 },
  fit: { origin_step_hours: 12 },
  backtest: { refit_days: 28 },
  calibration: { days: 28, feedback_hours: 500 },
}

/** The settings of a kind: those of the training, and where it changes none the kind's own. */
export function settingsOfKind(
  kind: TrainedKind,
  settings: TrainingSettings = DEFAULT_TRAINING_SETTINGS,
): TrainingSettings {
  const isDefault = digestOfSettings(settings) === digestOfSettings(DEFAULT_TRAINING_SETTINGS)
  return kind === 'immigration' && isDefault ? trainingSettings(IMMIGRATION_SETTINGS) : settings
}

/** Part of the memory of a machine that the examples of a training may take: the service runs beside it. */
const EXAMPLES_SHARE = 1 / 12
/** The fewest of airports that settings may name. */
const MIN_EXAMPLES = 1_000

/**
 * Settings with as many examples as fit in the memory of a machine (bytes), with the same proportion of airports and lanes. On 8
 * GB or more nothing changes.
 */
export function withinMemory(settings: TrainingSettings, bytes: number): TrainingSettings {
  const { airport_examples, lane_examples } = settings.fit
  const share = (bytes * EXAMPLES_SHARE) / EXAMPLE_BYTES / (airport_examples + lane_examples)
  if (share >= 1) return settings
  const fit = {
    airport_examples: Math.max(MIN_EXAMPLES, Math.floor(airport_examples * share)),
    lane_examples: Math.floor(lane_examples * share),
  }
  return { ...settings, fit: { ...settings.fit, ...fit } }
}
