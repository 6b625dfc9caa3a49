import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type ParameterFault, SettingsError } from '../../config/errors.ts'
import { readNamedFile } from '../../config/named-file.ts'
import { INPUT_GROUPS, InputGroup } from '../../forecasting/features/inputs.ts'
import { DEFAULT_CALIBRATION } from '../../forecasting/quantiles/calibration.ts'

const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`
  return z.int({ error }).min(min, { error }).max(max, { error })
}

const number = (min: number, max: number) => {
  const error = `must be a number from ${min} to ${max}`
  return z.number({ error }).min(min, { error }).max(max, { error })
}

const NetSettings = z
  .strictObject({
    hidden_units: z
      .array(whole(1, 512))
      .min(1, { error: 'must have 1 to 4 layers' })
      .max(4, { error: 'must have 1 to 4 layers' })
      .default([32, 32])
      .describe('Units of each hidden layer.'),
    dropout: number(0, 0.9).default(0.1).describe('Share of the hidden units that a step of the fit leaves out.'),
    airport_inputs: whole(0, 32)
      .default(4)
      .describe('Inputs that are learned for each airport: what is its own in nets that all airports share.'),
    airport_penalty: number(0, 1)
      .default(0.001)
      .describe('Draws these inputs towards 0, where all airports are alike: loss for each sum of their squares.'),
  })
  .prefault({})
  .describe('The net.')

const FitSettings = z
  .strictObject({
    epochs: whole(1, 100).default(7),
    batch_size: whole(16, 65_536).default(2_048).describe('Examples in one step.'),
    learning_rate: number(0.000_001, 1)
      .default(0.002)
      .describe('The highest rate; it rises to it and then falls along a cosine.'),
    warm_up_steps: whole(1, 10_000).default(50).describe('Steps in which the rate rises.'),
    near_hours: whole(0, 168).default(24).describe('Hours ahead that are in every epoch.'),
    far_share: number(0, 1)
      .default(0.35)
      .describe('Share of the later hours that is in an epoch, drawn anew each time.'),
    origin_step_hours: whole(1, 168).default(6).describe('Hours between the origins of examples.'),
    airport_examples: whole(1_000, 100_000_000)
      .default(600_000)
      .describe(
        'With more examples of airports and terminals than about this, hours far ahead are thinned, and then origins.',
      ),
    lane_examples: whole(0, 100_000_000)
      .default(700_000)
      .describe('The same for single lanes, which only teach; 0 leaves them out.'),
  })
  .prefault({})
  .describe('How the nets are fitted.')

const NetShareSettings = z
  .strictObject({
    most: number(0, 1).default(0.9).describe('Share of the nets when they have learned enough; the rest is the rule.'),
    from_days: number(0, 365)
      .default(20)
      .describe(
        'Nets that have seen origins of fewer days have no share: they know less than the rule. On real security waits nets of 17 days were useless, and the best share was about 0.4 after 24 days, 0.5 after 31 and 0.75 to 1 from 38 on.',
      ),
    full_days: number(1, 366)
      .default(40)
      .describe('Nets that have seen origins of this many days have their full share.'),
  })
  .refine(({ from_days, full_days }) => full_days > from_days, {
    path: ['full_days'],
    error: 'must be more than from_days',
  })
  .prefault({})
  .describe('How much of the forecast of the model is the nets.')
export type NetShareSettings = z.infer<typeof NetShareSettings>

const BacktestSettings = z
  .strictObject({
    hold_out_days: number(1, 365).default(28).describe('Days at the end of the history that are scored.'),
    min_hold_out_days: number(0.25, 365)
      .default(3)
      .describe(
        'With a short history, half of what is left after warm-up and burn-in is scored, but at least this many days.',
      ),
    every_hours: whole(1, 168).default(6).describe('Hours between origins.'),
    refit_days: number(1, 365).default(7).describe('Days between refits of the nets, each on what was known then.'),
    seeds: whole(1, 20)
      .default(1)
      .describe('A training backtests nets of the first so many seeds; what it exports has all.'),
    burn_in_days: number(0, 90)
      .default(14)
      .describe('Days before the scored ones that only teach the first calibration and choice.'),
  })
  .prefault({})
  .describe('The rolling backtest.')

const CalibrationSettings = z
  .strictObject({
    days: number(1, 120).default(DEFAULT_CALIBRATION.days).describe('Forecasts of this many days teach a calibration.'),
    confidence_days: number(1, 120)
      .default(DEFAULT_CALIBRATION.confidence_days)
      .describe('Forecasts of this many days teach the probability of being within 5 minutes.'),
    pool_hours: number(0, 100_000)
      .default(DEFAULT_CALIBRATION.pool_hours)
      .describe('Of how many of its own hours an airport counts as much as all airports together.'),
    feedback_hours: number(1, 100_000)
      .default(DEFAULT_CALIBRATION.feedback_hours)
      .describe(
        'The misses that have become known since the last calibration correct the share that is aimed at by as much as these hours are beside so many earlier ones.',
      ),
  })
  .prefault({})
  .describe('How intervals are calibrated.')

const ChoiceSettings = z
  .strictObject({
    days: number(1, 365).default(28).describe('Forecasts of this many days decide which forecaster serves an airport.'),
    margin: number(0, 1)
      .default(0.03)
      .describe(
        'A simpler forecaster serves only when its loss was lower by more than this share: a small difference does not last.',
      ),
    min_hours: whole(0, 10_000).default(72).describe('With fewer observed hours the model serves.'),
  })
  .prefault({})
  .describe('The choice between model, rule and baseline.')

const ChallengerSettings = z
  .strictObject({
    margin: number(0, 1)
      .default(0.03)
      .describe('A new model whose loss was higher than that of the serving one by more than this share is held back.'),
    min_days: whole(1, 365).default(7).describe('With fewer days that both scored, the new model serves.'),
  })
  .prefault({})
  .describe('When a new model replaces the one that serves.')

const HistorySettings = z
  .strictObject({
    days: number(7, 1_100).default(180).describe('Days of history that are read.'),
    min_days: number(1, 365).default(21).describe('An airport with a shorter history is not trained.'),
    min_hours: whole(24, 10_000).default(300).describe('Nor is an airport with fewer observed hours.'),
  })
  .prefault({})
  .describe('What is learned from.')

/** Every setting of a training or a backtest. A file of settings names only what differs from the defaults. */
export const TrainingSettings = z
  .strictObject({
    seeds: z
      .array(whole(0, 1_000_000))
      .min(1, { error: 'must hold 1 to 20 whole numbers' })
      .max(20, { error: 'must hold 1 to 20 whole numbers' })
      .refine((seeds) => new Set(seeds).size === seeds.length, { error: 'must not hold a seed twice' })
      .default([1, 2, 3])
      .describe('One net is fitted from each; the model is their mean.'),
    net_share: NetShareSettings,
    leave_out: z
      .array(InputGroup)
      .default([])
      .describe(`Groups of inputs that the nets do not see: ${INPUT_GROUPS.join(', ')}.`),
    history: HistorySettings,
    net: NetSettings,
    fit: FitSettings,
    backtest: BacktestSettings,
    calibration: CalibrationSettings,
    choice: ChoiceSettings,
    challenger: ChallengerSettings,
  })
  .meta({ title: 'Settings of a training' })
export type TrainingSettings = z.infer<typeof TrainingSettings>
export type GivenSettings = z.input<typeof TrainingSettings>

/** The settings with all that is not given at its default. */
export const trainingSettings = (overrides: GivenSettings = {}): TrainingSettings => TrainingSettings.parse(overrides)

export const DEFAULT_TRAINING_SETTINGS: TrainingSettings = trainingSettings()

/** Reads a JSON file of settings. @throws SettingsError that names each wrong field and what is allowed */
export function readTrainingSettings(path: string): TrainingSettings {
  return parseTrainingSettings(readJson(path), path)
}

const MAX_SETTINGS_BYTES = 1_048_576

function readJson(path: string): unknown {
  try {
    // Unlike a buffer, the decoder leaves out the byte order mark that some editors write.
    return JSON.parse(new TextDecoder().decode(readNamedFile(path, MAX_SETTINGS_BYTES)))
  } catch (error) {
    const message = error instanceof SyntaxError ? `is not JSON (${error.message})` : (error as Error).message
    throw new SettingsError([{ parameter: path, message }])
  }
}

function parseTrainingSettings(value: unknown, path: string): TrainingSettings {
  const parsed = TrainingSettings.safeParse(value)
  if (parsed.success) return parsed.data
  throw new SettingsError(parsed.error.issues.flatMap((issue) => faultsOf(issue, path)))
}

function faultsOf(issue: z.core.$ZodIssue, path: string): ParameterFault[] {
  const field = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys')
    return [{ parameter: `${path}: ${field || 'settings'}`, message: issue.message }]
  return issue.keys.map((key) => ({
    parameter: `${path}: ${[...issue.path, key].join('.')}`,
    message: `is not a setting; allowed are ${namesAt(issue.path).join(', ')}`,
  }))
}

/** Names of the settings in a group; of the groups themselves for an empty path. */
function namesAt(path: readonly PropertyKey[]): string[] {
  const standard = path.reduce(
    (value: unknown, key) => (value as Record<PropertyKey, unknown>)[key],
    DEFAULT_TRAINING_SETTINGS,
  )
  return Object.keys(standard as object)
}

/** A short name for exactly these settings: the same settings always have the same digest. */
export function digestOfSettings(settings: TrainingSettings): string {
  return createHash('sha256')
    .update(JSON.stringify(TrainingSettings.parse(settings)))
    .digest('hex')
    .slice(0, 12)
}
