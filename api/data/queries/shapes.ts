import { z } from 'zod'
import { AirportSize, Basis, Freshness, Iata, Lane, UtcInstant } from '../../../config/domain.ts'

/** Shapes that several answers share, described once. */

export const iata = Iata.describe('IATA code of the airport: three capital letters.').meta({ examples: ['JFK'] })

export const countryFilter = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'must be an ISO 3166-1 code of two letters, like US')
  .optional()
  .describe('Only airports of this country (ISO 3166-1 alpha-2).')
  .meta({ examples: ['US'] })

export const simulated = z
  .boolean()
  .describe('True when the figures are of a simulated world (the demo), false when they are of the real one.')

/** An instant as every answer writes it: ISO 8601 UTC in whole seconds, whatever the clock of its source gave. */
export const Instant = UtcInstant.overwrite((instant) => instant.replace(/\.\d+(?=Z$)/, ''))

export const timestamp = Instant.describe(
  'When the snapshot that answers was made (UTC). Ages are as of this instant; once it is over five minutes old, as of the minute of the answer.',
)

export const minutes = z.int().min(0).describe('Minutes.')
export const maybeMinutes = z.int().min(0).nullable().describe('Minutes; null when not known.')

const toThousandths = (value: number) => Math.round(value * 1_000) / 1_000
export const fraction = z.number().min(0).max(1).overwrite(toThousandths)
/** A figure of a backtest: more than three decimals would claim what no sample can tell. */
export const statistic = z.number().overwrite(toThousandths)

/** Where a number comes from. */
export const provenance = {
  basis: Basis.nullable().describe(
    'measured: published by airport or authority; reported: by travellers; predicted: by the airport’s own model; typical: worldwide prior. Null when there is no figure.',
  ),
  observed_at: Instant.nullable().describe('When the world was so; null for predicted and typical figures.'),
  age_seconds: z.int().min(0).nullable().describe('Age of the observation at the time of the snapshot.'),
  source: z
    .string()
    .nullable()
    .describe('Id of the source or version of the model; ids joined by + where an average is over several sources.'),
  freshness: Freshness.nullable().describe(
    'live: under 10 minutes; recent: under 1 hour; stale: under 6 hours; expired.',
  ),
}

export const unavailableReason = z.string().nullable().describe('Why there is no figure; null when there is one.')

/** An object with the same schema under each name. Spelled out, not a record, so that the document lists its properties. */
export function each<Name extends string, S extends z.ZodType>(names: readonly Name[], schema: S) {
  return z.strictObject(Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, S>)
}

const range = z
  .strictObject({ low: maybeMinutes, high: maybeMinutes })
  .nullable()
  .describe('The range as posted, where the source posts a range.')

export const TerminalWaits = z
  .strictObject({
    terminal: z.string().describe('Terminal as the source names it; empty when it names none.'),
    wait_minutes: maybeMinutes.describe('Average over its open standard lanes, in minutes; null with a reason.'),
    ...provenance,
    unavailable_reason: unavailableReason,
    checkpoints: z.array(
      z.strictObject({
        checkpoint: z.string(),
        lane: Lane,
        wait_minutes: maybeMinutes.describe(
          'As posted; the middle of a posted range, or its one bound: `range` has what was posted.',
        ),
        range,
        open: z.boolean().nullable().describe('Null when the source does not say.'),
        ...provenance,
        observed_at: Instant.describe('When the source saw the lane so.'),
      }),
    ),
  })
  .meta({ id: 'TerminalWaits' })

export const QueueWaits = z
  .strictObject({
    average_wait_minutes: maybeMinutes.describe('Average over open standard lanes, in minutes; null with a reason.'),
    ...provenance,
    unavailable_reason: unavailableReason,
    terminals: z.array(TerminalWaits).describe('One entry a terminal on Enterprise; empty on lower tiers.'),
  })
  .meta({ id: 'QueueWaits', description: 'The current wait of one kind of queue.' })

export const AirportEntry = z
  .strictObject({
    iata,
    icao: z.string().nullable(),
    name: z.string(),
    city: z.string().nullable(),
    country: z.string().length(2).describe('ISO 3166-1 alpha-2.'),
    region: z.string().nullable(),
    latitude: z.number(),
    longitude: z.number(),
    elevation_ft: z.number().nullable(),
    timezone: z.string().describe('IANA name.'),
    size: AirportSize,
    scheduled_service: z.boolean(),
    live: z.boolean().describe('Whether a source gives a live reading at this moment.'),
    sources: z.array(z.string()).describe('Ids of the active sources that cover it: waits, delays and weather.'),
  })
  .meta({ id: 'Airport', description: 'One airport of the directory.' })
