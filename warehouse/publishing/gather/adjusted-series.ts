import type { Airport } from '../../../config/airports/directory.ts'
import type { AdjustedTo } from '../../../config/answer-schemas.ts'
import { HOUR_MS, isoUtc, startOfHour } from '../../../config/vocabulary.ts'
import {
  ASSIMILATION_VERSION,
  assimilate,
  type ForecastBasis,
  type HourForecast,
} from '../../../forecasting/nowcast/assimilate.ts'
import { nowcastCoefficients } from '../../../forecasting/nowcast/coefficients.ts'
import {
  isNowcastKnown,
  type NowcastSource,
  nowcastHours,
  withNowcast,
} from '../../../forecasting/nowcast/next-hours.ts'
import { withScans } from '../../../forecasting/nowcast/series.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { nowcasts } from '../../tables/nowcasts.ts'
import type { SourcedWait } from '../waits/newest-waits.ts'
import { readNowcastSeries, readOwnNowcasts } from '../waits/nowcast-readings.ts'
import type { ForecastRequest, IssuedHour } from './forecast-block.ts'

/** An issued forecast of an airport or terminal, with what its adjustment needs. */
interface IssuedSeries {
  iata: string
  terminal: string
  version: string
  start_ms: number
  hours: IssuedHour[] | (() => IssuedHour[])
  /** The knowledge of the issued hours about the queue. */
  issued_basis: ForecastBasis
  /** The median that was forecast for the hour that starts at an instant, minutes. */
  expectedAt: (hour_ms: number) => number
}

/** The series adjusted to its newest wait, which is recorded; null if no newer wait is known. */
export function adjustedSeries(
  { newestWaitOf, nowcastOf, record, now }: ForecastRequest,
  { iata, terminal, version, start_ms, hours, issued_basis, expectedAt }: IssuedSeries,
): { hours: IssuedHour[]; adjusted_to: AdjustedTo } | null {
  const newest = newestWaitOf?.(iata, terminal)
  if (!newest) return null
  const { wait_minutes, observed_at, basis } = newest
  const expected = expectedAt(startOfHour(newest.observed_ms))
  const issued = typeof hours === 'function' ? hours() : hours
  const carried = assimilate(issued, start_ms, expected, newest, issued_basis)
  // The reliability of travellers' reports is unknown, so they only carry on.
  const source = basis === 'measured' ? nowcastOf?.(iata, terminal) : null
  const nowcastBasis = /^(prior|adapted):/.test(version) ? 'typical' : 'predicted'
  const known = source && isNowcastKnown(source.series, now, nowcastBasis) ? shownScan(source, newest) : null
  const adjusted = known ? withNowcast(carried, start_ms, now, nowcastBasis, known) : carried
  const first = Math.max(0, Math.floor((now - start_ms) / HOUR_MS))
  record?.push({
    kind: 'security',
    iata,
    terminal,
    adjusted_at: isoUtc(now),
    model: version,
    observed_at,
    source: newest.source,
    basis,
    wait_minutes,
    expected_p50: expected,
    process: ASSIMILATION_VERSION,
    hours: known ? recordedHours(adjusted.slice(first, first + nowcastHours(nowcastBasis))) : null,
  })
  return {
    hours: adjusted.map((hour, ahead) =>
      hour === issued[ahead] ? hour : { ...hour, open: issued[ahead]?.open ?? null },
    ),
    adjusted_to: {
      wait_minutes,
      observed_at,
      source: newest.source,
      basis,
      expected_minutes: Math.round(expected),
    },
  }
}

/** The source with the wait that the snapshot shows as its newest scan, so that both start from the same wait. */
function shownScan(source: NowcastSource, { observed_ms, wait_minutes }: SourcedWait): NowcastSource {
  const { scans } = source.series
  const before = scans.observed_ms.findLastIndex((instant) => instant < observed_ms) + 1
  const withShown = (values: Float64Array, shown: number) => Float64Array.from([...values.subarray(0, before), shown])
  const series = withScans(source.series, {
    observed_ms: withShown(scans.observed_ms, observed_ms),
    available_ms: withShown(scans.available_ms, observed_ms),
    minutes: withShown(scans.minutes, wait_minutes),
  })
  return { series, own: source.own, shared: source.shared }
}

/** Look-up of what nowcasts are made from. */
export async function nowcastSources(warehouse: Warehouse, airports: readonly Airport[], now: number) {
  const seriesOf = await readNowcastSeries(warehouse, airports, now)
  const ownOf = await warehouse.remembered('own nowcasts', [nowcasts], '', () => readOwnNowcasts(warehouse))
  const { shared } = nowcastCoefficients()
  return (iata: string, terminal: string): NowcastSource | null => {
    const series = seriesOf(iata, terminal)
    return series && { series, own: ownOf.get(iata) ?? null, shared }
  }
}

/** The first hours of a forecast as the table `adjustments` keeps them. */
const recordedHours = (hours: readonly HourForecast[]): string =>
  JSON.stringify(hours.map(({ p10, p50, p90, confidence }) => [p10, p50, p90, confidence]))
