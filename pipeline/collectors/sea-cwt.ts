import type { Lane } from '../../config/domain.ts'
import { laneOfWord } from '../../config/lanes.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { isObject, jsonBody, listAt, textOf } from '../parsing/body.ts'
import { slashDate } from '../parsing/clocks.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { observedAt } from '../parsing/observed.ts'

/** Seattle's options that are no queue of their own: a reservation, and passes for people who do not fly. */
const NOT_LANES = new Set(['Spot Saver', 'Visitor Pass'])

/** Port of Seattle's checkpoint feed: keyless JSON, one wait a checkpoint whatever its lanes (seen 2026-03 to 2026-08). */
export const seaCwt: Collector<'readings'> = {
  id: 'sea-cwt',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [
    { url: source.url, method: 'GET', headers: { Accept: 'application/json' }, body: null, iata: null },
  ],
  parse: (body, context) => {
    const notices: Notice[] = []
    const rows = listAt(jsonBody(body), '$').flatMap((row, at) => parseCheckpoint(row, `$[${at}]`, context, notices))
    return finish(rows, notices, context)
  },
}

function parseCheckpoint(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading[] {
  const iata = airportOf(context)
  const checkpoint = isObject(row) ? textOf(row.Name) : ''
  if (!isObject(row) || checkpoint === '') {
    notices.push(notice('row_unreadable', 'warning', path, 'A checkpoint has no name.', row, iata))
    return []
  }
  const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
  const reading = {
    kind: 'security' as const,
    iata,
    terminal: '',
    checkpoint,
    ...observedAt(slashDate(row.LastUpdated), row.LastUpdated, context, place('LastUpdated')),
    wait_minutes: usable(row, path, iata, notices)
      ? readMinutes(row.WaitTimeMinutes, 'minutes', place('WaitTimeMinutes'))
      : null,
    wait_minutes_low: null,
    wait_minutes_high: null,
    wait_text: null,
    status: row.IsOpen === true ? ('open' as const) : row.IsOpen === false ? ('closed' as const) : ('unknown' as const),
  }
  return lanesOf(row, path, iata, notices).map((lane) => ({ ...reading, lane }))
}

/** The site itself would not show a number that it calls unavailable or out of date. */
function usable(row: Record<string, unknown>, path: string, iata: string, notices: Notice[]): boolean {
  if (row.IsDataAvailable === false) return false
  const left = row.MinutesTillInvalid
  if (typeof left !== 'number' || left > 0) return true
  notices.push(
    notice(
      'source_says_stale',
      'info',
      `${path}.MinutesTillInvalid`,
      'The source calls its own number out of date.',
      left,
      iata,
    ),
  )
  return false
}

/**
 * Lanes that the one wait speaks for: `all` when standard lanes share it with others, the lane itself when it is alone,
 * each of them when no standard lane is among several.
 */
function lanesOf(row: Record<string, unknown>, path: string, iata: string, notices: Notice[]): Lane[] {
  const lanes = new Set<Lane>()
  for (const option of Array.isArray(row.Options) ? row.Options : []) {
    const name = isObject(option) ? textOf(option.Name) : ''
    const offered = isObject(option) && (option.Availability === 'Available' || option.Availability === 'Only')
    if (!offered || NOT_LANES.has(name)) continue
    const lane = laneOfWord(name)
    if (lane !== null) lanes.add(lane)
    else notices.push(notice('lane_unknown', 'warning', `${path}.Options`, 'A lane is new to us.', name, iata))
  }
  if (lanes.size > 1 && lanes.has('standard')) return ['all']
  return lanes.size === 0 ? ['all'] : [...lanes]
}
