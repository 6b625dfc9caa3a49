import { UsageError } from '../../config/errors.ts'
import type { Settings } from '../../config/settings.ts'
import { TRAINED_KINDS, type TrainedKind } from '../../training/settings/kinds.ts'
import {
  readTrainingSettings,
  type TrainingSettings,
  trainingSettings,
} from '../../training/settings/training-settings.ts'

/** The kinds of queues that a flag selects: all without it. */
export function trainedKindsFlag(value: string | undefined): readonly TrainedKind[] {
  if (value === undefined) return TRAINED_KINDS
  const kind = TRAINED_KINDS.find((trainedKind) => trainedKind === value)
  if (!kind) throw new UsageError(`--kind: "${value}" must be ${TRAINED_KINDS.join(' or ')}`)
  return [kind]
}

/** The option of every command that trains or backtests. */
export const SETTINGS_FLAG = [
  '--settings <file>',
  'JSON file of training settings (HOLDSHORT_TRAINING_SETTINGS)',
] as const

/** The settings of a training: of the file of the flag, else of the installation, else those of the release. @throws SettingsError */
export function trainingSettingsFlag(
  path: string | undefined,
  { training_settings }: Partial<Pick<Settings, 'training_settings'>> = {},
): TrainingSettings {
  const file = path ?? training_settings
  return file === undefined ? trainingSettings() : readTrainingSettings(file)
}
