/** The kinds of queues that have models. */
export const TRAINED_KINDS = ['security', 'immigration'] as const
export type TrainedKind = (typeof TRAINED_KINDS)[number]

/** How a kind of queue is trained. */
export interface TrainingPlan {
  /** Days of history that are read. */
  days: number
  /** Days between refits of the backtest. */
  refit_days: number
  seeds: readonly number[]
  /** Hours between the origins of the examples, of up to 24 series. */
  step_hours: number
}

/** Immigration is published by the hour and days late, so its nets change little from week to week. */
export const TRAINING_PLANS: Record<TrainedKind, TrainingPlan> = {
  security: { days: 180, refit_days: 7, seeds: [1, 2, 3], step_hours: 6 },
  immigration: { days: 180, refit_days: 28, seeds: [1], step_hours: 12 },
}
