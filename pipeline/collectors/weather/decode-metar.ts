import { parseMetar } from 'metar-taf-parser'
import type { UtcInstant } from '../../../config/domain.ts'
import type { ParsedMetar } from '../../../warehouse/tables/weather.ts'
import { instantOfMs } from '../../parsing/fields.ts'
import { skyOfGroups } from './decode-sky.ts'
import { finite, hectopascal } from './units.ts'

export type DecodedMetar = Omit<ParsedMetar, 'raw' | 'observed_at'> & { observed_at: UtcInstant | null }

/**
 * Decodes the text of a METAR or SPECI. The text names day and time only: month and year are those that put it
 * nearest to `near`. Null when the text is not a report.
 */
export function decodeMetar(raw: string, near: Date): DecodedMetar | null {
  try {
    const report = parseMetar(raw, { issued: near })
    return {
      icao: report.station,
      observed_at: report.day === undefined ? null : instantOfMs(report.issued.getTime()),
      ...skyOfGroups(report),
      temperature_c: finite(report.temperature),
      dewpoint_c: finite(report.dewPoint),
      altimeter_hpa: report.altimeter ? hectopascal(report.altimeter.value, report.altimeter.unit) : null,
    }
  } catch {
    return null
  }
}
