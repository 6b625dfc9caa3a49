import { enteredAt } from '../health/recorded-states.ts'
import type { CoverageContent } from '../read/coverage.ts'
import { type DelaysContent, delays } from '../read/delays.ts'
import { type FactsContent, factsLookup } from '../read/fact-coverage.ts'
import { type ForecastsContent, forecasts } from '../read/forecasts.ts'
import { type HistoryContent, history } from '../read/history.ts'
import { health, type SourceHealthContent } from '../read/source-health.ts'
import { type WaitsContent, waits } from '../read/waits.ts'
import { type WeatherContent, weather } from '../read/weather.ts'
import { defineGathered } from './define-gathered.ts'

type FactSources = WaitsContent &
  ForecastsContent &
  HistoryContent &
  DelaysContent &
  WeatherContent &
  SourceHealthContent &
  CoverageContent

export const gatherFacts = defineGathered({
  /** Only airports with an active source can change their facts by what is observed, so only they are recorded. */
  async gather({ now, recordedStates, currentStates }, earlier: FactSources): Promise<FactsContent> {
    const factsOf = factsLookup(
      {
        ...waits.index(earlier),
        ...forecasts.index(earlier),
        ...history.index(earlier),
        ...delays.index(earlier),
        ...weather.index(earlier),
        ...health.index(earlier),
      },
      {},
      now,
      now,
    )
    const since: FactsContent['facts'] = {}
    for (const iata of Object.keys(earlier.coverage)) {
      for (const { fact, state, reason } of factsOf(iata)) {
        const subject = `fact:${iata}/${fact}`
        currentStates.push({ subject, state, reason })
        const entered_at = enteredAt(recordedStates.get(subject), state, now)
        if (entered_at !== null) since[iata] = { ...since[iata], [fact]: entered_at }
      }
    }
    return { facts: since }
  },
})
