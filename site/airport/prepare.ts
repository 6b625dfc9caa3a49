import { LRUCache } from 'lru-cache'
import type { AppDependencies } from '../../api/dependencies.ts'
import { getOrCreate, memoizeByObject } from '../../config/once.ts'
import { type AirportAnswers, type AirportRequest, answersFor } from './answers.ts'
import { drawCharts } from './drawn.ts'

/** The answers and the charts of an airport. */
export interface PreparedAirport {
  answers: AirportAnswers
  charts: Awaited<ReturnType<typeof drawCharts>>
}

const MAX_PREPARED = 300

/** Prepares airports for pages and pictures: once for each airport, tier, snapshot and minute, however many ask for it at once. */
class Preparation {
  readonly #prepared = new LRUCache<string, Promise<PreparedAirport>>({ max: MAX_PREPARED })

  prepare(request: AirportRequest): Promise<PreparedAirport> {
    const { airport, viewer, snapshot, now } = request
    const key = [airport.iata, viewer.tier, viewer.currentTier, snapshot.id, Math.floor(now / 60_000)].join(' ')
    return getOrCreate(this.#prepared, key, () => {
      const made = this.#prepare(request)
      made.catch(() => this.#prepared.delete(key))
      return made
    })
  }

  async #prepare(request: AirportRequest): Promise<PreparedAirport> {
    const answers = answersFor(request)
    return { answers, charts: await drawCharts(answers) }
  }
}

/** The preparation that the page and the pictures of an installation share. */
export const preparationOf = memoizeByObject((_: AppDependencies) => new Preparation())
