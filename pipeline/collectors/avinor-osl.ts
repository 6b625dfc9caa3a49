import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { isObject, jsonBody, listAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { queueUnknown, rowUnreadable } from '../parsing/left-out.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { observedAt } from '../parsing/observed.ts'
import { plainWait } from '../parsing/plain-wait.ts'
import { isoClock } from '../parsing/wall-clock.ts'

/** Areas of Oslo: `csc` is the central security control, `emi` the passport control on the way out. */
const AREAS: Record<string, { kind: 'security' | 'immigration'; name: string }> = {
  csc: { kind: 'security', name: 'Central security' },
  emi: { kind: 'immigration', name: 'Passport control' },
}

/** Avinor's page API for Oslo, in seconds. */
export const avinorOsl: Collector<'readings'> = {
  id: 'avinor-osl',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(source.url, null)],
  parse: (body, context) => {
    const notices: Notice[] = []
    return finish(
      listAt(jsonBody(body), '$').flatMap((row, at) => parseRow(row, `$[${at}]`, context, notices) ?? []),
      notices,
      context,
    )
  },
}

function parseRow(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading | null {
  const iata = airportOf(context)
  const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
  const code = isObject(row) ? textOf(row.area).toLowerCase() : ''
  if (!isObject(row) || code === '') return rowUnreadable(row, { path, iata, notices })
  const about = textOf(row.airportIata)
  if (about !== '' && about !== iata) {
    const message = 'A row is about an airport that was not asked for.'
    notices.push(notice('airport_unexpected', 'warning', `${path}.airportIata`, message, about, iata))
    return null
  }
  const area = Object.hasOwn(AREAS, code) ? AREAS[code] : undefined
  if (area === undefined) return queueUnknown(code, place('area'))
  const updated = isoClock(row.lastUpdated, context.timezoneOf(iata), context.fetched_at)
  return {
    kind: area.kind,
    iata,
    terminal: '',
    checkpoint: [area.name, textOf(row.location)].filter(Boolean).join(', '),
    lane: 'all',
    ...observedAt(updated, row.lastUpdated, context, place('lastUpdated')),
    ...plainWait(row.isAvailable === false ? null : readMinutes(row.timeSecond, 'seconds', place('timeSecond'))),
  }
}
