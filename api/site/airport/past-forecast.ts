import { LRUCache } from 'lru-cache'
import { getVintage, type Vintage } from '../../../answers/accuracy/get-vintage.ts'
import type { QueryContext } from '../../../answers/questions/define.ts'
import { HOUR_MS, isoUtc } from '../../../config/domain.ts'
import { getOrCreate } from '../../../config/once.ts'
import type { Settings } from '../../../config/settings.ts'
import type { CallClient } from '../../../jobs/calls/define-call.ts'

/** What had been forecast the day before for the hours that have ended since, or why it is not known. */
export interface PastForecast {
  hours: Vintage['hours']
  unavailable_reason: string | null
}

const HOURS = 24
/** A page does not wait longer for the pipeline; the answer is kept for the next one. */
const PATIENCE_MS = 700
/** A failure is forgotten after this time, so that the pipeline is asked again. */
const RETRY_MS = 30_000
const MAX_CACHED = 2_000

const unavailable = (unavailable_reason: string): PastForecast => ({ hours: [], unavailable_reason })

/** Past forecasts of airports, asked from the pipeline once an hour each, however many pages show them. */
export class PastForecasts {
  readonly #pipelineClient: CallClient | null
  readonly #settings: Settings
  readonly #cached = new LRUCache<string, Promise<PastForecast>>({ max: MAX_CACHED })

  constructor(pipelineClient: CallClient | null, settings: Settings) {
    this.#pipelineClient = pipelineClient
    this.#settings = settings
  }

  /** The forecast issued a day ago for the 24 hours before the current one. It never throws and never takes long. */
  async of(iata: string, context: QueryContext): Promise<PastForecast> {
    if (!context.snapshot.history(iata))
      return unavailable('forecasts are kept only for airports that have readings of their own')
    const thisHour = Math.floor(context.now / HOUR_MS) * HOUR_MS
    const key = `${iata} ${thisHour}`
    const asked = getOrCreate(this.#cached, key, () => {
      const asking = this.#ask(iata, thisHour, context)
      void asking.then(({ unavailable_reason }) => {
        if (unavailable_reason === PIPELINE_SILENT) setTimeout(() => this.#cached.delete(key), RETRY_MS).unref()
      })
      return asking
    })
    const patience = new Promise<PastForecast>((resolve) => {
      setTimeout(() => resolve(unavailable(PIPELINE_SILENT)), PATIENCE_MS).unref()
    })
    return Promise.race([asked, patience])
  }

  async #ask(iata: string, thisHour: number, context: QueryContext): Promise<PastForecast> {
    const as_of = isoUtc(thisHour - HOURS * HOUR_MS)
    try {
      const archive = { ...context, pipelineClient: this.#pipelineClient, settings: this.#settings }
      const { hours, issued_at } = (await getVintage.runPast!({ iata, as_of }, archive)) as Vintage
      if (issued_at === null) return unavailable('no forecast of a day ago is kept yet')
      return { hours, unavailable_reason: null }
    } catch {
      return unavailable(PIPELINE_SILENT)
    }
  }
}

const PIPELINE_SILENT = 'the forecast of a day ago cannot be read at the moment'
