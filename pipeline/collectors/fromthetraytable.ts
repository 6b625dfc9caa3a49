import type { Lane } from '../../config/domain.ts'
import { laneOf } from '../../config/lanes.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { isObject, jsonBody, listAt, objectAt, textOf } from '../parsing/body.ts'
import { instantOf } from '../parsing/clocks.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { isoMs } from '../parsing/fields.ts'
import { finish } from '../parsing/finish.ts'
import { laneSaid } from '../parsing/lane-said.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { observedAt } from '../parsing/observed.ts'

/** Seattle's options that are no queue of their own, passed on as lanes. */
const NOT_LANES = new Set(['Spot Saver', 'Visitor Pass'])

/**
 * An aggregator of US airports' own feeds, a request an airport (seen to 2026-08). For CLE it turns words of a level into
 * 15, 30 and 35 minutes, which nobody measured: CLE is not among its airports here.
 */
export const fromTheTrayTable: Collector<'readings'> = {
  id: 'fromthetraytable',
  lands: 'readings',
  transport: 'http',
  request: ({ source, airports }) =>
    airports.map((iata) => ({
      url: `${source.url}/${iata}`,
      method: 'GET',
      headers: { Accept: 'application/json' },
      body: null,
      iata,
    })),
  parse: (body, context) => {
    const airport = objectAt(objectAt(jsonBody(body), '$').airport, 'airport')
    const notices: Notice[] = []
    const iata = textOf(airport.code)
    const asked = context.iata === null ? context.source.airports.includes(iata) : context.iata === iata
    if (!asked) {
      const message = 'An answer is about an airport not asked for.'
      return finish([], [notice('airport_unexpected', 'warning', 'airport.code', message, iata, context.iata)], context)
    }
    const error = textOf(airport.scrapeError)
    if (error !== '') notices.push(notice('source_reports_error', 'info', 'airport', 'It has no numbers.', error, iata))
    const rows = listAt(airport.checkpoints, 'airport.checkpoints').flatMap((row, at) =>
      parseCheckpoint(row, `airport.checkpoints[${at}]`, iata, context, notices),
    )
    return finish(rows, notices, context)
  },
}

function parseCheckpoint(
  row: unknown,
  path: string,
  iata: string,
  context: ParseContext,
  notices: Notice[],
): ParsedReading[] {
  const name = isObject(row) ? textOf(row.name) : ''
  if (!isObject(row) || name === '') {
    notices.push(notice('row_unreadable', 'warning', path, 'A checkpoint has no name.', row, iata))
    return []
  }
  const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
  const stamp = instantOf(isoMs(textOf(row.lastUpdated)))
  const minutes = (field: string) => readMinutes(row[field], 'minutes', place(field))
  const reading = {
    // Miami's passport control stands among its checkpoints.
    kind: /\b(fis|customs|immigration)\b/i.test(name) ? ('immigration' as const) : ('security' as const),
    iata,
    terminal: name.match(/^Terminal ([A-Z0-9]+)\b/)?.[1] ?? '',
    checkpoint: placeIn(name),
    ...observedAt(stamp, row.lastUpdated, context, place('lastUpdated')),
    wait_minutes: minutes('waitMinutes'),
    wait_minutes_low: minutes('waitRangeMin'),
    wait_minutes_high: minutes('waitRangeMax'),
    wait_text: null,
    status:
      row.status === 'open' ? ('open' as const) : row.status === 'closed' ? ('closed' as const) : ('unknown' as const),
  }
  return lanesOf(row.lanes, name, place('lanes')).map((lane) => ({ ...reading, lane }))
}

/** "Terminal 2 South (PreCheck)" without the lane in its brackets; other brackets are part of the name. */
function placeIn(name: string): string {
  const bracket = name.match(/^(.+?) \(([^()]+)\)$/)
  return bracket?.[1] !== undefined && laneOf(bracket[2] ?? '') !== null ? bracket[1] : name
}

/** The lanes that one number speaks for: `all` for none named or where standard is among several, else each of them. */
function lanesOf(value: unknown, name: string, place: Parameters<typeof laneSaid>[1]): Lane[] {
  const words = (Array.isArray(value) ? value.map(textOf) : []).filter((word) => word !== '' && !NOT_LANES.has(word))
  if (words.length === 0) {
    const inName = laneOf(name.match(/\(([^()]+)\)$/)?.[1] ?? '')
    return [inName ?? 'all']
  }
  const lanes = new Set(words.flatMap((word) => laneSaid(word, place) ?? []))
  return lanes.size > 1 && lanes.has('standard') ? ['all'] : [...lanes]
}
