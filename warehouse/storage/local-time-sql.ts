import type { DuckDBConnection } from '@duckdb/node-api'
import { transitionsOf, zoneName, zoneNames } from '../../config/time-zones/rules.ts'

/** The table of the offsets of all zones, each from an instant until another. */
export const OFFSETS = 'time_zone_offsets'

/** Each known zone with the instants (epoch ms; null for the beginning) from which it has an offset (seconds), as JSON. */
function zonesAsJson(names: readonly string[]): string {
  const known = names.filter((name) => zoneName(name) !== null)
  const zones = [...new Set(known.map((name) => name.toLowerCase()))].map((name) => {
    const { begins_ms, offset_ms } = transitionsOf(name)!
    return { zone: name, from_ms: [...begins_ms], offset_seconds: Array.from(offset_ms, (ms) => ms / 1_000) }
  })
  return JSON.stringify(zones)
}

/** SQL: whether a row `o` of the offsets holds in a zone at an instant. */
const holds = (zone: string, instant: string) =>
  `o.zone_name = lower(${zone}) AND o.valid_from <= ${instant} AND ${instant} < o.valid_until`

/** SQL: a join that gives each row the offset of its zone at its instant as `o`; a row of an unknown zone has none. */
export const joinOffset = (zone: string, instant: string) => `LEFT JOIN ${OFFSETS} o ON ${holds(zone, instant)}`

/** SQL: the local time of an instant beside `joinOffset`; null without an offset. */
export const localTimeOf = (instant: string) => `timezone('UTC', ${instant}) + to_seconds(o.offset_seconds)`

/** SQL: the instants at which the clocks of a zone show a local time: none in an hour that they skip, two in one that they repeat. */
export function instantsOfLocal(zone: string, local: string): string {
  const instant = `timezone('UTC', ${local}) - to_seconds(o.offset_seconds)`
  return `(SELECT list(${instant} ORDER BY o.valid_from) FROM ${OFFSETS} o WHERE ${holds(zone, instant)})`
}

/** SQL: whether a name is that of a zone, in whatever case. */
export const isZoneSql = (zone: string) => `lower(${zone}) IN (SELECT DISTINCT zone_name FROM ${OFFSETS})`

/** Creates the table of the offsets of all zones, or of some; all zones take the engine a tenth of a second. */
export async function createOffsets(connection: DuckDBConnection, someZones?: readonly string[]): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE ${someZones ? 'TEMP' : ''} TABLE ${OFFSETS} AS
     WITH zones AS (
       SELECT unnest(from_json($zones::JSON, '[{"zone": "VARCHAR", "from_ms": ["BIGINT"], "offset_seconds": ["INTEGER"]}]'), recursive := true)
     ),
     changes AS (
       SELECT zone, unnest(from_ms) AS from_ms, unnest(list_append(from_ms[2:], NULL)) AS until_ms, unnest(offset_seconds) AS offset_seconds FROM zones
     )
     SELECT zone AS zone_name, coalesce(make_timestamp_ms(from_ms), '-infinity'::TIMESTAMP)::TIMESTAMPTZ AS valid_from,
       coalesce(make_timestamp_ms(until_ms), 'infinity'::TIMESTAMP)::TIMESTAMPTZ AS valid_until, offset_seconds FROM changes`,
    { zones: zonesAsJson(someZones ?? zoneNames()) },
  )
}

/**
 * Creates the function `local_time(instant, zone)` over the offsets: the time on the clocks of a zone by the
 * project's own rules, null for an unknown zone. The engine's `AT TIME ZONE` follows older rules.
 */
export async function createLocalTimeFunction(connection: DuckDBConnection, kind = ''): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE ${kind} MACRO local_time(instant, zone) AS
     timezone('UTC', instant::TIMESTAMPTZ) + to_seconds((SELECT o.offset_seconds FROM ${OFFSETS} o WHERE ${holds('zone', 'instant::TIMESTAMPTZ')}))`,
  )
}

/** Creates the offsets of some zones and the function of local time as temporary things, which this connection alone sees; of all zones for the whole engine. */
export async function createLocalTime(connection: DuckDBConnection, someZones?: readonly string[]): Promise<void> {
  await createOffsets(connection, someZones)
  await createLocalTimeFunction(connection, someZones ? 'TEMP' : '')
}
