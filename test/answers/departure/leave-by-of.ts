import { getLeaveBy } from '../../../answers/departure/get-leave-by.ts'
import type { LeaveBy } from '../../../answers/departure/leave-by-answer.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { localClock } from '../../../config/time-zones/local-time.ts'
import { HOUR_MS, MINUTE_MS, type Tier } from '../../../config/vocabulary.ts'
import { typicalModel, typicalQuantiles } from '../../../forecasting/prior/typical.ts'
import type { ForecastSeries } from '../../../warehouse/publishing/read/forecasts.ts'
import { NOW, snapshotAt, THIS_HOUR } from '../../api/example-snapshot.ts'
import { forecastFrom } from '../../api/fake-snapshot.ts'

export const directory = airportDirectory()

/** A forecast of 168 hours with the same quantiles in minutes, like that of an airport's own model. */
export function steady(iata: string, p10: number, p50: number, p90: number, terminal = ''): ForecastSeries {
  const fill = (minutes: number) => new Int16Array(168).fill(minutes * 10)
  return Object.assign(forecastFrom(iata, THIS_HOUR, terminal), { p10: fill(p10), p50: fill(p50), p90: fill(p90) })
}

/** The worldwide prior of an airport, as the snapshot holds it. */
export function typical(iata: string): ForecastSeries {
  const { size, timezone } = directory.byIata.get(iata)!
  const starts = Array.from({ length: 168 }, (_, hour) => THIS_HOUR + hour * HOUR_MS)
  const { hour, weekday } = localClock(timezone, starts)
  const waits = starts.map((_, index) => typicalQuantiles(size, hour[index]!, weekday[index]!))
  const tenths = (figureOf: (wait: (typeof waits)[number]) => number) =>
    Int16Array.from(waits, (wait) => figureOf(wait) * 10)
  const quantiles = { p10: tenths(({ p10 }) => p10), p50: tenths(({ p50 }) => p50), p90: tenths(({ p90 }) => p90) }
  return Object.assign(forecastFrom(iata, THIS_HOUR), quantiles, { model: typicalModel(size) })
}

const PRIORS = ['ATL', 'LIS', 'ZRH', 'DUB', 'YYZ', 'SIN', 'LHR', 'CDG', 'BTV', 'SJU'].map(typical)
export const FORECASTS = PRIORS.concat(steady('JFK', 6, 12, 25), steady('JFK', 2, 4, 8, '4'))
export const snapshot = snapshotAt(NOW, { forecasts: FORECASTS })

export function leaveBy(input: object, tier: Tier = 'pro', over = snapshot): LeaveBy {
  const request = { iata: 'JFK', departure: '2026-11-22T08:30', ...input }
  return getLeaveBy.run(request, { snapshot: over, directory, tier, now: NOW }) as LeaveBy
}
export const minutesOf = (instant: string | null | undefined) => Date.parse(instant ?? '') / MINUTE_MS
export const stepsOf = ({ steps }: LeaveBy) => steps.map(({ step }) => step)
export const assumed = ({ assumptions }: LeaveBy, name: string) =>
  assumptions.find((assumption) => assumption.name === name)
