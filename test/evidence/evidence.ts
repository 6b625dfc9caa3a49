import { DateTime } from 'luxon'
import { publisherOf } from '../../config/publishers.ts'
import { HOUR_MS } from '../../config/vocabulary.ts'
import { assimilate } from '../../forecasting/nowcast/assimilate.ts'
import { typicalModel, typicalQuantiles } from '../../forecasting/prior/typical.ts'
import type { AdjustmentRow } from '../../warehouse/tables/adjustments.ts'
import type { Forecast } from '../../warehouse/tables/forecasts.ts'
import type { Reading } from '../../warehouse/tables/readings.ts'
import { DIRECTORY } from '../api/airport-directory.ts'

/** The rows that the figures of an answer may rest on. */
export interface Evidence {
  readings: Reading[]
  forecasts: Forecast[]
  /** The record of what the published forecasts were adjusted to. */
  adjustments: AdjustmentRow[]
  generated_ms: number
  /** The instant that ages are as of. */
  at_ms: number
}

/** A reading as one number, or null: the published one, the middle of its range, or its one bound. */
export function minutesOf({ wait_minutes, wait_minutes_low: low, wait_minutes_high: high }: Reading): number | null {
  if (wait_minutes !== null) return wait_minutes
  return low !== null && high !== null ? (low + high) / 2 : (low ?? high)
}

export const isStandard = ({ lane }: Pick<Reading, 'lane'>) => lane === 'standard' || lane === 'all'

export const isOpenStandard = (row: Pick<Reading, 'lane' | 'status'>) => isStandard(row) && row.status !== 'closed'

/** Readings that a current answer may rest on: of live sources, unexpired and not ahead of the clock, unflagged. */
export function currentReadings({ readings, generated_ms, at_ms }: Evidence, iata: string, kind: string): Reading[] {
  return readings.filter((row) => {
    const observed = Date.parse(row.observed_at)
    const closed = row.status === 'closed' && row.flags.join() === 'wait_on_closed'
    const timely = at_ms - observed < 6 * HOUR_MS && observed <= generated_ms + 120_000
    return (
      row.iata === iata && row.kind === kind && row.source !== 'cbp-awt' && timely && (row.flags.length === 0 || closed)
    )
  })
}

/** Unflagged waits of open standard lanes in an hour with their sources, one entry a publisher; an answer uses one of them. */
export function observedHour(
  { readings }: Evidence,
  iata: string,
  terminal: string | null,
  start_ms: number,
): { waits: number[]; source: string }[] {
  const byPublisher = new Map<string, [minutes: number, source: string][]>()
  for (const row of readings) {
    const minutes = minutesOf(row)
    const inHour = Math.floor(Date.parse(row.observed_at) / HOUR_MS) * HOUR_MS === start_ms
    const here = row.iata === iata && row.kind === 'security' && (terminal === null || row.terminal === terminal)
    if (!inHour || !here || !isOpenStandard(row) || row.flags.length > 0 || minutes === null) continue
    const publisher = publisherOf(row.source)
    byPublisher.set(publisher, [...(byPublisher.get(publisher) ?? []), [minutes, row.source]])
  }
  return [...byPublisher.values()].map((rows) => ({
    waits: rows.map(([minutes]) => minutes),
    source: [...new Set(rows.map(([, source]) => source))].sort().join('+'),
  }))
}

/** Whole minutes of a forecast figure, rounded to tenths first, as a snapshot stores it. */
const whole = (minutes: number) => Math.max(0, Math.round(Math.round(minutes * 10) / 10))

/** The recorded adjustment of a version's forecast; undefined when it was served as issued. */
export const adjustmentOf = ({ adjustments }: Evidence, version: string, iata: string, terminal: string) =>
  adjustments.find((row) => row.model === version && row.iata === iata && row.terminal === terminal)

/** Whether a recorded adjustment is to a wait that was current when the snapshot was made. */
export function isCurrentWait(evidence: Evidence, row: AdjustmentRow): boolean {
  const atPublication = { ...evidence, at_ms: evidence.generated_ms }
  const behind = currentReadings(atPublication, row.iata, row.kind).filter(
    (reading) =>
      row.source.split('+').includes(reading.source) && isOpenStandard(reading) && minutesOf(reading) !== null,
  )
  const waits = behind.map((reading) => minutesOf(reading) ?? Number.NaN)
  const basis = row.source.split('+').includes('crowd') ? 'reported' : 'measured'
  return (
    row.basis === basis &&
    row.wait_minutes >= Math.floor(Math.min(...waits)) &&
    row.wait_minutes <= Math.ceil(Math.max(...waits)) &&
    behind.some((reading) => reading.observed_at === row.observed_at)
  )
}

/** An issued forecast of an hour with its recorded adjustment. */
function adjusted(row: AdjustmentRow | undefined, hour: Quantiles, start_ms: number): Quantiles {
  if (!row) return hour
  const newest = { observed_ms: Date.parse(row.observed_at), wait_minutes: row.wait_minutes, basis: row.basis }
  const ahead = (start_ms - Math.floor(Date.parse(row.adjusted_at) / HOUR_MS) * HOUR_MS) / HOUR_MS
  const nowcast: [number, number, number] | undefined = row.hours ? JSON.parse(row.hours)[ahead] : undefined
  if (nowcast) return { p10: nowcast[0], p50: nowcast[1], p90: nowcast[2] }
  const known = row.model.startsWith('prior:') ? 'typical' : 'predicted'
  return assimilate([{ ...hour, confidence: null }], start_ms, row.expected_p50, newest, known)[0]!
}

interface Quantiles {
  p10: number
  p50: number
  p90: number
}

/** A model's forecast of an hour in whole minutes, adjusted as recorded; null when it has none. */
export function forecastHour(evidence: Evidence, version: string, iata: string, terminal: string, start_ms: number) {
  const airport = DIRECTORY.byIata.get(iata)
  if (!airport) return null
  const local = DateTime.fromMillis(start_ms, { zone: airport.timezone })
  const own = evidence.forecasts.find(
    (row) =>
      row.model === version && row.iata === iata && row.terminal === terminal && Date.parse(row.valid_at) === start_ms,
  )
  const typical = terminal === '' && airport.scheduled_service && version === typicalModel(airport.size).version
  const issued = own ?? (typical ? typicalQuantiles(airport.size, local.hour, local.weekday) : null)
  if (!issued) return null
  const hour = adjusted(adjustmentOf(evidence, version, iata, terminal), issued, start_ms)
  return { low: whole(hour.p10), wait: whole(hour.p50), high: whole(hour.p90), basis: own?.basis ?? 'typical' }
}
