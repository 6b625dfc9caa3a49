import type { Lane } from '../../config/domain.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { isObject, jsonBody, listAt, objectAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { readMinutes } from '../parsing/minutes-value.ts'

/**
 * The zones that are checkpoints, among some fourteen that are not. The sources disagree on the lane of 5052, and split
 * neither 5047 nor 5068: one wait for all lanes.
 */
const ZONES: Record<string, { terminal: string; lane: Lane }> = {
  '4126': { terminal: 'D/E', lane: 'precheck' },
  '3971': { terminal: 'D/E', lane: 'standard' },
  '4377': { terminal: 'A-West', lane: 'standard' },
  '4386': { terminal: 'A-East', lane: 'precheck' },
  '4368': { terminal: 'A-East', lane: 'standard' },
  '5047': { terminal: 'B', lane: 'all' },
  '5052': { terminal: 'C', lane: 'all' },
  '5068': { terminal: 'F', lane: 'all' },
}

/**
 * Philadelphia: rows of zone, minutes and perhaps bounds (seen 2026-08). It goes on serving the last numbers when a
 * checkpoint has closed, and says neither so nor when they were taken: the status stays unknown.
 */
export const phlLivereach: Collector<'readings'> = {
  id: 'phl-livereach',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [
    {
      url: source.url,
      method: 'GET',
      headers: {
        Accept: 'application/json',
        Referer: `${new URL(source.url).origin}/`,
        'X-Requested-With': 'XMLHttpRequest',
      },
      body: null,
      iata: source.airports[0] ?? null,
    },
  ],
  parse: (body, context) => {
    const content = objectAt(objectAt(jsonBody(body), '$').content, 'content')
    const notices: Notice[] = []
    return finish(
      listAt(content.rows, 'content.rows').flatMap((row, at) => parseRow(row, `content.rows[${at}]`, context, notices)),
      notices,
      context,
    )
  },
}

function parseRow(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading[] {
  const iata = airportOf(context)
  if (!Array.isArray(row) || textOf(row[0]) === '') {
    notices.push(notice('row_unreadable', 'warning', path, 'A row names no zone.', row, iata))
    return []
  }
  const number = textOf(row[0])
  const zone = Object.hasOwn(ZONES, number) ? ZONES[number] : undefined
  if (zone === undefined) return []
  const bounds = isObject(row[2]) ? row[2] : {}
  const minutes = (value: unknown, field: string) =>
    readMinutes(value, 'minutes', { path: `${path}${field}`, iata, notices })
  return [
    {
      kind: 'security',
      iata,
      terminal: zone.terminal,
      checkpoint: '',
      lane: zone.lane,
      observed_at: context.fetched_at,
      observed_at_basis: 'fetch',
      wait_minutes: minutes(row[1], '[1]'),
      wait_minutes_low: minutes(bounds.lower_bound, '[2].lower_bound'),
      wait_minutes_high: minutes(bounds.upper_bound, '[2].upper_bound'),
      wait_text: null,
      status: 'unknown',
    },
  ]
}
