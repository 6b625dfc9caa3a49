import type { PublishedContent } from '../read/index.ts'
import { gatherAccuracy } from './accuracy.ts'
import { gatherBorderForecasts } from './border-forecasts.ts'
import { gatherCoverage } from './coverage.ts'
import type { Gathered } from './define-gathered.ts'
import { gatherDelays } from './delays.ts'
import { gatherFacts } from './fact-coverage.ts'
import { gatherForecasts } from './forecasts.ts'
import { gatherHistory } from './history.ts'
import { gatherMaps } from './maps.ts'
import { gatherOpeningHours } from './opening-hours.ts'
import { gatherScreened } from './screened.ts'
import { gatherHealth } from './source-health.ts'
import { gatherWaits } from './waits.ts'
import { gatherTafs, gatherWeather } from './weather.ts'
import { gatherWeatherAlerts } from './weather-alerts.ts'

/**
 * How everything in a snapshot is gathered, in this order: a thing may use the content of those above it. A new published thing is
 * a file here, one in `read/`, and a line in both lists.
 */
const GATHERED = [
  gatherOpeningHours,
  gatherWaits,
  gatherForecasts,
  gatherHistory,
  gatherBorderForecasts,
  gatherAccuracy,
  gatherDelays,
  gatherWeather,
  gatherTafs,
  gatherWeatherAlerts,
  gatherMaps,
  gatherScreened,
  gatherHealth,
  gatherCoverage,
  gatherFacts,
] as const

/** The list for loops over all things, in which each makes its own part of the whole content. */
export const allGathered: readonly Gathered<Partial<PublishedContent>, PublishedContent>[] = GATHERED as never
