import { z } from 'zod'
import { Basis, Freshness, Lane, QueueStatus, UtcInstant } from './vocabulary.ts'

/**
 * Values that several rooms pass on to answers: queue waits and model cards. Each is one schema, which the snapshot, the calls
 * between processes, REST, OpenAPI and MCP all use; the descriptions are public text.
 */

/** An instant as every answer writes it: ISO 8601 UTC in whole seconds, even if the source gives fractions. */
export const Instant = UtcInstant.overwrite((instant) => instant.replace(/\.\d+(?=Z$)/, ''))

/** Answers have whole minutes and seconds; a snapshot may hold fractions, which parsing rounds. */
const whole = z.number().overwrite(Math.round).int().min(0)

export const minutes = whole.describe('Minutes.')
export const nullableMinutes = whole.nullable().describe('Minutes; null when not known.')

const toThousandths = (value: number) => Math.round(value * 1_000) / 1_000
export const fraction = z.number().min(0).max(1).overwrite(toThousandths)
/** A figure of a backtest, rounded to three decimals: the samples support no more. */
export const statistic = z.number().overwrite(toThousandths)

export const ReopensBasis = z.enum(['measured', 'predicted'])

/** The fields of every figure that say where it comes from. */
export const provenance = {
  basis: Basis.nullable().describe(
    'measured: published by airport or authority; reported: by travellers; predicted: by the airport’s own model; typical: worldwide prior. Null when there is no figure.',
  ),
  observed_at: Instant.nullable().describe(
    'When the source observed the figure; null for predicted and typical figures.',
  ),
  age_seconds: whole.nullable().describe('Age of the observation at the time of the snapshot.'),
  source: z
    .string()
    .nullable()
    .describe('Id of the source or version of the model; ids joined by + where an average is over several sources.'),
  freshness: Freshness.nullable().describe(
    'live: under 10 minutes; recent: under 1 hour; stale: under 6 hours; expired.',
  ),
  travellers: z
    .int()
    .min(1)
    .optional()
    .describe('How many travellers’ reports are in a reported figure: of a lane it is their median.'),
}
const Provenance = z.strictObject(provenance)
export type Provenance = z.infer<typeof Provenance>

/** Provenance of an unknown value. */
export const NO_PROVENANCE: Provenance = {
  basis: null,
  observed_at: null,
  age_seconds: null,
  source: null,
  freshness: null,
}

export const unavailableReason = z
  .string()
  .nullable()
  .describe('Why there is no figure; `closed` when the queue is closed; null when there is a figure.')

/** The `unavailable_reason` of a queue that is closed: it has no wait. */
export const CLOSED_REASON = 'closed'

/** Whether a queue is open, with where that is known from. It may be another observation than that of the wait. */
export const statusFields = {
  status: QueueStatus.describe(
    'open: a source says so, or posts a wait above 0; closed: nobody is let through, so there is no wait; unknown: nothing says either.',
  ),
  status_basis: Basis.nullable().describe(
    'measured: the source says so; reported: travellers; predicted: learned from its opening hours. Null when unknown.',
  ),
  status_observed_at: Instant.nullable().describe('When the status was observed; null unless it was.'),
  status_age_seconds: whole.nullable().describe('Age of the status at the time of the snapshot.'),
  status_source: z.string().nullable().describe('Id of the source of the status; ids joined by +.'),
  reopens_at: Instant.nullable().describe('When a closed queue is expected to open; null when open or not known.'),
  reopens_basis: ReopensBasis.nullable().describe(
    'measured: opening hours that the source publishes; predicted: learned from the days before.',
  ),
  reopens_days: z
    .int()
    .min(0)
    .nullable()
    .describe('Days of observation that a learned `reopens_at` rests on; null otherwise.'),
}
const StatusFields = z.strictObject(statusFields)
export type StatusFields = z.infer<typeof StatusFields>

/** The status of an unknown queue. */
export const UNKNOWN_STATUS: StatusFields = {
  status: 'unknown',
  status_basis: null,
  status_observed_at: null,
  status_age_seconds: null,
  status_source: null,
  reopens_at: null,
  reopens_basis: null,
  reopens_days: null,
}

/** Whether a queue is expected to be open in an hour of a forecast. */
export const forecastStatusFields = {
  status: QueueStatus.describe(
    'closed: the queue is closed in this hour with high probability, so that there are no minutes; open: it is open with high probability; unknown: neither.',
  ),
  open_probability: fraction
    .nullable()
    .describe(
      'Probability that the queue is open in this hour, learned from the days before; null when nothing is known of its hours.',
    ),
}

const range = z
  .strictObject({ low: nullableMinutes, high: nullableMinutes })
  .nullable()
  .describe('The range as posted, where the source posts a range.')

/** The wait at one lane of a checkpoint. */
export const CheckpointWait = z.strictObject({
  checkpoint: z.string().describe('Checkpoint as the source names it; `all` when it names none.'),
  lane: Lane,
  wait_minutes: nullableMinutes.describe(
    'As posted; the middle of a posted range, or its one bound: `range` has what was posted.',
  ),
  range,
  open: z.boolean().nullable().describe('The same as `status`: true is open, false closed, null unknown.'),
  ...statusFields,
  ...provenance,
  observed_at: Instant.describe('When the source observed the lane.'),
  unavailable_reason: unavailableReason,
})
export type CheckpointWait = z.infer<typeof CheckpointWait>

export const TerminalWait = z.strictObject({
  terminal: z.string().describe('Terminal as the source names it; `all` for a source that tells of the whole airport.'),
  wait_minutes: nullableMinutes.describe('Average over its open standard lanes, in minutes; null with a reason.'),
  ...statusFields,
  ...provenance,
  unavailable_reason: unavailableReason,
  checkpoints: z.array(CheckpointWait),
})
export type TerminalWait = z.infer<typeof TerminalWait>

/** The current wait of one queue of one airport. Without a figure `average_wait_minutes` is null and a reason is given. */
export const QueueWait = z.strictObject({
  average_wait_minutes: nullableMinutes.describe('Average over open standard lanes, in minutes; null with a reason.'),
  ...statusFields,
  ...provenance,
  unavailable_reason: unavailableReason,
  terminals: z.array(TerminalWait).describe('One entry a terminal on Enterprise; empty on lower tiers.'),
})
export type QueueWait = z.infer<typeof QueueWait>

/** The figure of one of several live sources of a queue, beside the others. */
export const SourceFigure = z
  .strictObject({
    source: z.string().describe('Id of the source.'),
    wait_minutes: minutes.describe('Average over the open standard lanes that it has, in minutes.'),
    basis: z.literal('measured'),
    observed_at: Instant.describe('When it observed the oldest of them.'),
    age_seconds: whole.describe('Age of that at the time of the snapshot.'),
    freshness: Freshness,
    usual_difference_minutes: nullableMinutes.describe(
      'By how many minutes it was at most apart from the first source in 99 of 100 periods of ten minutes of the last 28 days; null: of the first, or not known, as they were compared too rarely.',
    ),
    disagrees: z
      .boolean()
      .describe('Whether it is further from the first source now than it usually is, and by 5 minutes at least.'),
  })
  .meta({ id: 'SourceFigure', description: 'What one of several sources of a queue says.' })
export type SourceFigure = z.infer<typeof SourceFigure>

/** The newest wait that the next hours of a forecast were adjusted to. */
export const AdjustedTo = z
  .strictObject({
    wait_minutes: minutes.describe('The wait, in minutes.'),
    observed_at: Instant.describe('When the source observed it.'),
    source: z.string().describe('Id of the source; ids joined by + where the wait is over several.'),
    basis: z.enum(['measured', 'reported']).describe('measured by airport or authority, or reported by travellers.'),
    expected_minutes: minutes.describe('The wait that the forecast had expected in the hour of the observation.'),
  })
  .meta({
    id: 'AdjustedTo',
    description:
      'The newest wait, to which the next hours of the forecast were adjusted: a nowcast from the readings of the last hours and the usual waits, which shows how far such a wait was to be trusted before; where little is known of the queue, its deviation from what was expected is carried forward and fades.',
  })
export type AdjustedTo = z.infer<typeof AdjustedTo>

/** The model of a forecast. Versions: model:JFK@2026-11-20T04Z, baseline:JFK@…, prior:typical-large@2026-11-21, adapted:JFK@2026-11-20 (the prior, drawn to the airport by its own readings). */
export const ModelCard = z
  .strictObject({
    version: z.string(),
    trained_at: Instant.nullable(),
    basis: Basis,
    backtest: z.strictObject({
      mae_minutes: statistic.nullable(),
      baseline_mae_minutes: statistic.nullable(),
      coverage_80: fraction.nullable(),
      samples: z.int(),
    }),
  })
  .meta({ id: 'Model', description: 'What made the forecast, and how it did on hours it had not seen.' })
export type ModelCard = z.infer<typeof ModelCard>
