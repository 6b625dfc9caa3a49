import type { Airport } from '../../../config/airports/directory.ts'
import { getOrCreate } from '../../../config/once.ts'
import { localClock } from '../../../config/time-zones/local-time.ts'
import { type AirportSize, HORIZON_HOURS, HOUR_MS, startOfHour } from '../../../config/vocabulary.ts'
import { typicalModel, typicalQuantiles } from '../../../forecasting/prior/typical.ts'
import type { EncodedHours } from '../read/forecasts.ts'
import { adjustedSeries } from './adjusted-series.ts'
import { encodeHours, type ForecastBuilder, type ForecastRequest, type ValueSpan } from './forecast-block.ts'

interface PriorHours {
  start_ms: number
  /** Reading the clock of a time zone is the slow part, so it is read once a time zone and not once an airport. */
  clockOf: (timezone: string) => readonly LocalHour[]
  /** The values of airports of one size and time zone, of whose opening nothing is known. */
  sharedOf: (size: AirportSize, timezone: string) => EncodedHours
}

function priorHours(start_ms: number): PriorHours {
  const clocks = new Map<string, LocalHour[]>()
  const shared = new Map<string, EncodedHours>()
  const clockOf = (timezone: string) => getOrCreate(clocks, timezone, () => localHours(timezone, start_ms))
  return {
    start_ms,
    clockOf,
    sharedOf: (size, timezone) =>
      getOrCreate(shared, `${size}/${timezone}`, () =>
        encodeHours(clockOf(timezone).map(({ hour, weekday }) => typicalQuantiles(size, hour, weekday))),
      ),
  }
}

/** The prior depends on the hour alone, and there are many publications in it. */
let lastPrior: PriorHours | null = null

function priorFrom(start_ms: number): PriorHours {
  if (lastPrior?.start_ms !== start_ms) lastPrior = priorHours(start_ms)
  return lastPrior
}

/**
 * Adds the worldwide prior of these airports. Airports of one size and time zone share their values, unless something newer is
 * known: their current wait, or when they are open.
 */
export function addPrior(builder: ForecastBuilder, request: ForecastRequest, airports: readonly Airport[]): void {
  const startMs = startOfHour(request.now)
  const models = new Map<AirportSize, number>()
  const spans = new Map<string, ValueSpan>()
  const prior = priorFrom(startMs)
  for (const { iata, size, timezone } of airports) {
    if (!models.has(size)) models.set(size, builder.addModel(typicalModel(size)))
    const openAt = request.openAt?.(iata, '')
    const open = openAt ? prior.clockOf(timezone).map((_, ahead) => openAt(startMs + ahead * HOUR_MS)) : []
    const hoursOfClock = () =>
      prior
        .clockOf(timezone)
        .map(({ hour, weekday }, ahead) => ({ open: open[ahead] ?? null, ...typicalQuantiles(size, hour, weekday) }))
    const model = models.get(size) ?? 0
    const adjusted = adjustedSeries(request, {
      iata,
      terminal: '',
      version: builder.models[model]!.version,
      hours: hoursOfClock,
      start_ms: startMs,
      issued_basis: 'typical',
      expectedAt: (hour_ms) => {
        const { hour, weekday } = localClock(timezone, [hour_ms])
        return typicalQuantiles(size, hour[0]!, weekday[0]!).p50
      },
    })
    const isOpeningKnown = open.some((probability) => probability !== null)
    const key = request.everywhere || isOpeningKnown ? iata : `${size}/${timezone}`
    const ownHours = adjusted?.hours ?? (isOpeningKnown ? hoursOfClock() : null)
    const span = ownHours
      ? builder.addValues(ownHours)
      : (spans.get(key) ?? builder.addEncoded(prior.sharedOf(size, timezone)))
    if (!ownHours) spans.set(key, span)
    builder.addSeries(iata, '', startMs, span, model, adjusted?.adjusted_to ?? null)
  }
}

interface LocalHour {
  hour: number
  weekday: number
}

/** The hours of the forecast horizon on the clock of a time zone. */
function localHours(timezone: string, startMs: number): LocalHour[] {
  const instants = Float64Array.from({ length: HORIZON_HOURS }, (_, ahead) => startMs + ahead * HOUR_MS)
  const { hour, weekday } = localClock(timezone, instants)
  return Array.from(hour, (localHour, ahead) => ({ hour: localHour, weekday: weekday[ahead] ?? 1 }))
}
