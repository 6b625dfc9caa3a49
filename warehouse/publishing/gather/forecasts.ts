import { hasTypicalWaits } from '../../../config/airports/directory.ts'
import { arrowFile } from '../read/arrow.ts'
import type { ForecastBlock, ForecastsContent } from '../read/forecasts.ts'
import { type OpeningHoursContent, openingHours } from '../read/opening-hours.ts'
import { newestSecurityWaits, type PublishedQueues } from '../waits/newest-waits.ts'
import { type CurrentQueue, openProbability, statusOfTerminal } from '../waits/open-probability.ts'
import { nowcastSources } from './adjusted-series.ts'
import { defineGathered } from './define-gathered.ts'
import { ForecastBuilder, type ForecastRequest, type OpenProbability } from './forecast-block.ts'
import { addOwnForecasts } from './own-forecasts.ts'
import { addPrior } from './prior-hours.ts'

export const gatherForecasts = defineGathered({
  async gather(
    { warehouse, airports, now, adjustments },
    { queues, opening_hours = [] }: PublishedQueues & Partial<OpeningHoursContent>,
  ): Promise<ForecastsContent> {
    const newestWaitOf = newestSecurityWaits(queues)
    const openAt = openProbabilities({ queues, opening_hours }, now)
    const nowcastOf = await nowcastSources(warehouse, airports, now)
    return {
      forecasts: await forecastBlock({
        warehouse,
        airports,
        now,
        newestWaitOf,
        nowcastOf,
        openAt,
        record: adjustments,
      }),
    }
  },
  files: {
    keys: ['forecasts'],
    encode({ forecasts: { models, series, adjustments, p10, p50, p90, confidence, open } }) {
      return {
        'forecasts.json': Buffer.from(JSON.stringify({ models, series, adjustments })),
        'forecasts.arrow': arrowFile({ p10, p50, p90, confidence, open }),
      }
    },
  },
})

/**
 * Every forecast a snapshot serves: first airports with an own history (model or baseline), then the worldwide prior for
 * every other airport that typical waits hold for. An airfield without scheduled service has no queue, so it gets none. The
 * next hours are adjusted to the newest wait where one is known.
 */
export async function forecastBlock(request: ForecastRequest): Promise<ForecastBlock> {
  const { airports, everywhere = false } = request
  const builder = new ForecastBuilder()
  const withOwnForecast = await addOwnForecasts(builder, request)
  addPrior(
    builder,
    request,
    airports.filter((airport) => !withOwnForecast.has(airport.iata) && (hasTypicalWaits(airport) || everywhere)),
  )
  return builder.build()
}

/** The waits that were gathered before. */
interface CurrentQueues {
  queues: readonly CurrentQueue[]
}

/** Security queues as their hours and their newest observation show them. */
function openProbabilities(
  { queues, opening_hours }: CurrentQueues & OpeningHoursContent,
  now: number,
): OpenProbability {
  const { learnedHours } = openingHours.index({ opening_hours })
  const waits = new Map(queues.filter(({ kind }) => kind === 'security').map(({ iata, wait }) => [iata, wait]))
  // Most airports have no own knowledge, and there are thousands of them.
  const known = new Set([...waits.keys(), ...opening_hours.map(({ iata }) => iata)])
  return (iata, terminal) => {
    if (!known.has(iata)) return null
    const wait = waits.get(iata)
    const observed = wait ? statusOfTerminal(wait, terminal) : null
    const learned = learnedHours(iata, 'security', terminal)
    return (start) => openProbability(learned, observed, start, now)
  }
}
