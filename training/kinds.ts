/** The kinds of queues that have models. */
export const TRAINED_KINDS = ['security', 'immigration'] as const
export type TrainedKind = (typeof TRAINED_KINDS)[number]
