import { airportDirectory } from '../../config/airports/directory.ts'
import { groupBy } from '../../config/group-by.ts'
import { DAY_MS, MINUTE_MS } from '../../config/vocabulary.ts'
import { nowcastCoefficients, type SharedNowcast } from '../../forecasting/nowcast/coefficients.ts'
import { carriedPrior, isNowcastKnown } from '../../forecasting/nowcast/next-hours.ts'
import type { Nowcast } from '../../forecasting/nowcast/nowcast.ts'
import { recentAt } from '../../forecasting/nowcast/nowcast-inputs.ts'
import { type LaneReading, nowcastSeries, scansOf } from '../../forecasting/nowcast/series.ts'
import { typicalWaitAt } from '../../forecasting/nowcast/usual-waits.ts'
import { readLaneReadings } from '../../warehouse/publishing/waits/nowcast-readings.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { Closures } from './closures.ts'
import type { NowcastKey } from './keys.ts'
import { readStatuses } from './readings.ts'
import { NowcastWalk, OWN_DAYS } from './walk.ts'

/** The nowcast that would have been served for an instant: minutes while open; null if nothing is known. */
export interface ServedNowcast {
  p10: number | null
  p50: number | null
  p90: number | null
  p_closed: number | null
}

/** Days of readings before the first issue: those that are learned from, and those that these were forecast from. */
const READ_DAYS = OWN_DAYS + 60

/**
 * The served nowcast of each key, in the order of the keys: the one from the readings that were available at its issue, or the
 * worldwide prior where there was none. No airport learns from anything that became known later.
 */
export async function nowcastKeys(
  warehouse: Warehouse,
  keys: readonly NowcastKey[],
  onProgress: (done: number, total: number) => void = () => {},
): Promise<ServedNowcast[]> {
  const served = new Array<ServedNowcast>(keys.length)
  const groups = groupBy(keys.entries(), ([, key]) => key.airport)
  let done = 0
  for (const [iata, own] of groups) {
    own.sort(([, a], [, b]) => a.issued_ms - b.issued_ms)
    const from_ms = own[0]![1].issued_ms - READ_DAYS * DAY_MS
    const request = { kind: 'security', iata, from_ms, cutoff_ms: own.at(-1)![1].issued_ms } as const
    const readings = (await readLaneReadings(warehouse, request)).get(iata) ?? []
    const statuses = (await readStatuses(warehouse, request)).get(iata) ?? []
    const airport = airportDirectory().byIata.get(iata)!
    const walk = new ReadingsWalk(airport, readings, nowcastCoefficients().shared)
    const closures = new Closures(statuses, airport.timezone)
    for (const [place, { issued_ms, valid_ms }] of own) {
      const minutes =
        walk.quantilesAt(issued_ms, valid_ms) ?? (airport.scheduled_service ? typicalWaitAt(airport, valid_ms) : null)
      served[place] = {
        p10: minutes?.p10 ?? null,
        p50: minutes?.p50 ?? null,
        p90: minutes?.p90 ?? null,
        p_closed: closures.closedProbabilityAt(issued_ms, valid_ms),
      }
    }
    onProgress(++done, groups.size)
  }
  return served
}

/** A reading that becomes known this much after it was made is late. */
const LATE_MS = MINUTE_MS

/** A walk whose series holds late readings from the issue on at which they were available. */
class ReadingsWalk {
  private readonly airport: Parameters<typeof nowcastSeries>[0]
  private readonly readings: readonly LaneReading[]
  /** When each late reading was available, ascending. */
  private readonly late: Float64Array
  private known = 0
  private readonly walk: NowcastWalk

  constructor(airport: Parameters<typeof nowcastSeries>[0], readings: readonly LaneReading[], shared: SharedNowcast) {
    this.airport = airport
    this.readings = readings
    this.late = Float64Array.from(readings.filter(isLate), ({ available_ms }) => available_ms).sort()
    this.walk = new NowcastWalk(this.seriesAt(Number.NEGATIVE_INFINITY), shared)
  }

  /** The nowcast that would have been served; null when no reading was known. */
  quantilesAt(issued_ms: number, valid_ms: number): Pick<Nowcast, 'p10' | 'p50' | 'p90'> | null {
    let known = this.known
    while (known < this.late.length && this.late[known]! <= issued_ms) known++
    if (known !== this.known) this.walk.series = this.seriesAt(issued_ms)
    this.known = known
    const recent = recentAt(this.walk.series, issued_ms)
    if (!recent) return null
    return isNowcastKnown(this.walk.series, issued_ms, 'typical')
      ? this.walk.nowcastsAt(issued_ms, [valid_ms])![0]!
      : carriedPrior(this.airport, recent, valid_ms)
  }

  private seriesAt(issued_ms: number) {
    const known = this.readings.filter((reading) => !isLate(reading) || reading.available_ms <= issued_ms)
    return nowcastSeries(this.airport, scansOf(known))
  }
}

const isLate = ({ observed_ms, available_ms }: LaneReading) => available_ms - observed_ms > LATE_MS
