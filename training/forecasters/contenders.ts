import { mapKeys } from '../../config/map-keys.ts'
import type { FeatureRows } from '../../forecasting/features/features.ts'
import type { Quantiles } from '../../forecasting/quantiles/quantiles.ts'
import type { TrainingSettings } from '../settings/training-settings.ts'
import { baseline } from './baseline.ts'
import type { WeightedNet } from './forecaster.ts'
import { model } from './model.ts'
import { rule } from './rule.ts'

/** The forecasters that an airport can be served by, the richest first. A new one is one file and one line here. */
const FORECASTERS = [
  model, //
  rule,
  baseline,
] as const

/** Their names. */
export const CONTENDERS = FORECASTERS.map(({ name }) => name)
export type Contender = (typeof FORECASTERS)[number]['name']

/** Something of each contender. */
export const byContender = <T>(ofContender: (contender: Contender) => T): Record<Contender, T> =>
  mapKeys(CONTENDERS, ofContender)

/** Whether a contender's loss is so much lower than the model's that it serves in its place, on enough observed hours. */
export const servesInPlace = (
  loss: number,
  modelLoss: number,
  hours: number,
  { margin, min_hours }: TrainingSettings['choice'],
): boolean => hours >= min_hours && loss < (1 - margin) * modelLoss

/** Quantiles of each contender before calibration, minutes. */
export const contenderQuantiles = (fitted: WeightedNet, rows: FeatureRows): Record<Contender, Quantiles> =>
  Object.fromEntries(FORECASTERS.map(({ name, predict }) => [name, predict(rows, fitted)])) as Record<
    Contender,
    Quantiles
  >
