import { type IForecastContainer, parseTAFAsForecast } from 'metar-taf-parser'
import type { UtcInstant } from '../../../config/domain.ts'
import type { ParsedTaf } from '../../../warehouse/tables/weather.ts'
import { instantOfMs } from '../../parsing/fields.ts'
import { skyOfGroups } from './decode-sky.ts'
import { finite } from './units.ts'

export type DecodedPeriod = Omit<ParsedTaf, 'icao' | 'issued_at' | 'raw'>

export interface DecodedTaf {
  icao: string
  issued_at: UtcInstant | null
  periods: DecodedPeriod[]
}

const CHANGES = new Set<string>(['FM', 'BECMG', 'TEMPO', 'PROB'])

/** A lowest visibility with a direction (`3000E`) makes the parser refuse a group that has no other visibility. */
const DIRECTED_VISIBILITY = / \d{4}(?:N|NE|E|SE|S|SW|W|NW)(?= |$)/g

function forecastOf(raw: string, near: Date): IForecastContainer | null {
  for (const text of [raw, raw.replace(DIRECTED_VISIBILITY, '')]) {
    try {
      return parseTAFAsForecast(text, { issued: near })
    } catch {
      // Every fault of the parser means the same to us: this text is not understood.
    }
  }
  return null
}

/**
 * Decodes the text of a TAF into its periods. Days are dated so that the forecast lies nearest to `near`; periods of a
 * kind our table does not have (INTER) are left out. Null when the text is not understood.
 */
export function decodeTaf(raw: string, near: Date): DecodedTaf | null {
  const taf = forecastOf(raw, near)
  if (!taf) return null
  const periods = taf.forecast.flatMap((forecast) => {
    const period_from = instantOfMs(forecast.start.getTime())
    const period_to = instantOfMs(forecast.end.getTime())
    const change = forecast.type ?? null
    if (period_from === null || period_to === null || (change !== null && !CHANGES.has(change))) return []
    return [
      {
        period_from,
        period_to,
        change: change as DecodedPeriod['change'],
        probability: finite(forecast.probability),
        ...skyOfGroups(forecast),
      },
    ]
  })
  return { icao: taf.station, issued_at: instantOfMs(taf.issued.getTime()), periods }
}
