import { z } from 'zod'
import { objectOf } from '../../answers/questions/shared-fields.ts'
import { Instant } from '../../config/answer-schemas.ts'
import type { HoldshortError } from '../../config/errors.ts'
import { type RulesVersions, rulesVersions } from '../../config/time-zones/rules.ts'
import { ageSeconds, isoUtc } from '../../config/vocabulary.ts'
import { SOURCE_STATES } from '../../warehouse/publishing/read/source-health.ts'
import { KnownZones } from '../../warehouse/publishing/read/weather-alerts.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { Availability, NOT_MEASURED } from './availability.ts'
import { OVERALL_RULE, OVERALL_STATES, overallStatus, type StateCounts } from './overall.ts'
import { SourceStatus, sourceStatuses } from './source-status.ts'

const count = z.int().min(0)

/** The served snapshot and its age; null while none has been published. */
export const SnapshotAge = z.strictObject({ id: z.string(), generated_at: Instant, age_seconds: count }).nullable()
export const maybeSimulated = z.boolean().nullable().describe('Null while there is no snapshot.')

const WarehouseHolder = z
  .strictObject({
    name: z.string().describe('Its program, or its command of this service.'),
    pid: z.int().nullable().describe('Its process id on its machine; null where it is not known.'),
    since: Instant.nullable().describe(
      'When that process was started, by its operating system, or, on several machines, took its turn to write; null where it is not known.',
    ),
  })
  .nullable()
  .describe(
    'The process for which what is collected waits, because it holds the warehouse; the rows are stored when it ends. Null when nothing waits, or the pipeline gives no answer.',
  )
export type WarehouseHolder = z.input<typeof WarehouseHolder>

export const StatusReport = z
  .strictObject({
    status: z.enum(OVERALL_STATES).describe(OVERALL_RULE),
    reason: z.string().nullable().describe('Why the status is not ok; null when it is.'),
    checked_at: Instant.describe('Time of this answer; its ages are as of then.'),
    snapshot: SnapshotAge,
    simulated: maybeSimulated,
    counts: objectOf(SOURCE_STATES, count).describe('Sources by state.'),
    time_zone_rules: z
      .strictObject({
        version: z
          .string()
          .describe('Release of the IANA time zone database that every local time follows, like 2026f.'),
        runtime_version: z.string().nullable().describe('Release that the Node.js of this server has; it is not used.'),
        is_outdated: z
          .boolean()
          .describe(
            'Whether the Node.js of this server has newer rules: local times may then be wrong where clocks changed.',
          ),
      })
      .describe('The time zone rules in use.'),
    weather_alert_zones: KnownZones.nullable().describe(
      'For how many airports of the US and its territories the zones of their weather alerts are known; null where alerts are not collected, or without a snapshot.',
    ),
    warehouse_held_by: WarehouseHolder,
    availability: Availability.describe('Of the service itself, over the last 30 days.'),
    sources: z.array(SourceStatus),
  })
  .meta({ id: 'StatusReport', description: 'The state of the service and of each of its sources.' })
export type StatusReport = z.output<typeof StatusReport>

/** The snapshot's id and age at `now` (epoch ms). */
export function snapshotAge(snapshot: Snapshot | null, now: number): z.input<typeof SnapshotAge> {
  if (!snapshot) return null
  const { id, generated_at } = snapshot
  return { id, generated_at, age_seconds: ageSeconds(generated_at, now) }
}

/** The status of the whole service at `now` (epoch ms), with its sources and how many are in each state. */
export function serviceStatus(snapshot: Snapshot | null, now: number, faults: readonly HoldshortError[]) {
  const sources = sourceStatuses(snapshot?.sourceHealth() ?? [], now)
  const counts = Object.fromEntries(SOURCE_STATES.map((state) => [state, 0])) as StateCounts
  for (const { state } of sources) counts[state]++
  return { ...overallStatus(snapshot && now - snapshot.generated_ms, counts, faults), counts, sources }
}

/** The public state of the service and its sources at `now` (epoch ms). */
export function statusReport(
  snapshot: Snapshot | null,
  now: number,
  availability: Availability = NOT_MEASURED,
  faults: readonly HoldshortError[] = [],
  warehouse_held_by: WarehouseHolder = null,
  rules: RulesVersions = rulesVersions(),
): StatusReport {
  return StatusReport.parse({
    ...serviceStatus(snapshot, now, faults),
    checked_at: isoUtc(now),
    snapshot: snapshotAge(snapshot, now),
    simulated: snapshot?.simulated ?? null,
    time_zone_rules: { version: rules.ours, runtime_version: rules.runtime, is_outdated: rules.is_runtime_newer },
    weather_alert_zones: snapshot?.knownAlertZones() ?? null,
    warehouse_held_by,
    availability,
  })
}
