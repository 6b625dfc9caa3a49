import type { Airport } from '../../../config/airports/directory.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { metarOf } from '../weather/metar.ts'
import { tafOf } from '../weather/taf.ts'
import { json, type Site, type SiteAnswer, text } from './site.ts'

/** The real service returns at most this many rows per request. */
const MAX_ROWS = 400

const REPORTS: Record<string, typeof metarOf> = { '/api/data/metar': metarOf, '/api/data/taf': tafOf }

/** METARs and TAFs of any airport of the directory. Unknown stations are omitted; without any station the answer is a 204. */
export const aviationweather: Site = {
  hosts: ['aviationweather.gov'],
  answer: ({ path, query }, { queues, now }) => {
    const report = REPORTS[path]
    if (report === undefined) return null
    if (query.get('format') !== 'json') return text('error: only format=json is simulated', 400)
    return answer(stationsIn(query.get('ids') ?? '').map((airport) => report(queues.seed, airport, now)))
  },
}

function stationsIn(ids: string): Airport[] {
  const { byIcao } = airportDirectory()
  const known = ids
    .toUpperCase()
    .split(/[\s,]+/)
    .flatMap((id) => byIcao.get(id) ?? [])
  return [...new Set(known)].slice(0, MAX_ROWS)
}

function answer(rows: object[]): SiteAnswer {
  return rows.length === 0 ? text('', 204) : json(rows)
}
