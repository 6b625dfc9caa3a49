import type { Lane } from '../../config/domain.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { isObject, type JsonObject, jsonBody, listAt, objectAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { laneInName } from '../parsing/lane.ts'
import { laneSaid } from '../parsing/lane-said.ts'
import { type Place, readMinutes } from '../parsing/minutes-value.ts'
import { newestOnly } from '../parsing/newest.ts'
import { observedAt } from '../parsing/observed.ts'
import { pairsOf } from '../parsing/pairs.ts'
import { statusSaid } from '../parsing/status-said.ts'
import { isoClock, localClock } from '../parsing/wall-clock.ts'

/**
 * The ACI/ACRIS wait-times shape (v1.6) as MIA, PHX, BWI and MUC speak it. Options of a member:
 * `wait_unit`: seconds, minutes, or unknown (the number is then kept as text: no size tells its unit);
 * `rows`: the list (default `current`); `key`: header or query, where the site's own key goes; `clock`: local where times
 * are local though marked UTC; `keep`: the word that makes a queue's id a security queue; `id_lanes`, `names`: "word=meaning; …".
 */
export const aci: Collector<'readings'> = {
  id: 'aci',
  lands: 'readings',
  transport: 'http',
  learn: {
    needed: (source) => source.options.key !== undefined,
    page_url: (source) => source.page_url ?? source.url,
    url_contains: (source) => source.url,
    headers: { api_key: 'x-apikey' },
    fromUrl: keyInUrl,
    fromScript: keyInScript,
  },
  request: ({ source, learned_keys: learnt }) => {
    const url = new URL(source.url)
    if (source.options.key === 'query' && learnt.api_key !== undefined) url.searchParams.set('Key', learnt.api_key)
    const inHeader = source.options.key === 'header' && learnt.api_key !== undefined
    return [
      {
        url: url.href,
        method: 'GET',
        headers: { Accept: 'application/json', ...(inHeader ? { 'x-apikey': learnt.api_key ?? '' } : {}) },
        body: null,
        iata: source.airports[0] ?? null,
      },
    ]
  },
  parse: (body, context) => {
    // `success` is not read: PHX says false beside good rows, and a 200 with true may hold none.
    const list = textOf(context.source.options.rows) || 'current'
    const steps = list.split('.')
    const holder = steps.slice(0, -1).reduce((at, step) => objectAt(at[step], step), objectAt(jsonBody(body), '$'))
    const notices: Notice[] = []
    const rows = listAt(holder[steps.at(-1) ?? ''], list).flatMap((row, at) =>
      parseRow(row, `${list}[${at}]`, context, notices),
    )
    return finish(newestOnly(rows, context.fetched_at, notices), notices, context)
  },
}

/** The key in the address that the page itself asks (PHX). */
function keyInUrl(url: string): Record<string, string> | null {
  const api_key = new URL(url).searchParams.get('Key')
  return api_key === null ? null : { api_key }
}

/** The key beside the header's or the address's name in a script. */
export function keyInScript(script: string): Record<string, string> | null {
  const api_key =
    /["']?x-apikey["']?\s*[:,=]\s*["'`]([\w-]{8,})["'`]/i.exec(script)?.[1] ??
    /avn-wait-times\/raw\?Key=([\w-]{8,})/i.exec(script)?.[1]
  return api_key === undefined ? null : { api_key }
}

/** A field in the standard's spelling (`queueName`) or in BWI's (`Queue_Name`); BWI's empty text is nothing. */
function field(row: JsonObject, name: string): unknown {
  const spelt = name.replace(/^./, (first) => first.toUpperCase()).replace(/(?<=.)([A-Z])/g, '_$1')
  const value = row[name] ?? row[spelt]
  return value === '' ? null : value
}

function parseRow(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading[] {
  const iata = airportOf(context)
  const { options } = context.source
  const name = isObject(row) ? textOf(field(row, 'queueName')) || textOf(field(row, 'queueId')) : ''
  if (!isObject(row) || name === '') {
    notices.push(notice('row_unreadable', 'warning', path, 'A queue has no name.', row, iata))
    return []
  }
  if (textOf(options.keep) !== '' && !name.split('_').includes(textOf(options.keep))) return []
  const place = (of: string) => ({ path: `${path}.${of}`, iata, notices })
  // MIA lists its passport control as "FIS General" among the checkpoints.
  const kind = /\b(fis|customs|immigration)\b/i.test(name) ? 'immigration' : 'security'
  const { checkpoint, lane } = queueIn(name, context, place('queueName'))
  if (lane === null) return []
  const zone = context.timezoneOf(iata)
  const time = field(row, 'time') ?? field(row, 'updatedTime')
  const read =
    options.clock === 'local' ? localClock(time, zone, context.fetched_at) : isoClock(time, zone, context.fetched_at)
  return [
    {
      kind,
      iata,
      terminal:
        name
          .match(/^T(\d)\b|^T(\d)_/)
          ?.slice(1)
          .find(Boolean) ?? '',
      checkpoint,
      lane: kind === 'immigration' ? 'all' : lane,
      ...observedAt(read, time, context, place('time')),
      ...waitOf(field(row, 'projectedWaitTime'), textOf(options.wait_unit), place('projectedWaitTime')),
      wait_minutes_low: readMinutes(field(row, 'projectedMinWaitMinutes'), 'minutes', place('projectedMinWaitMinutes')),
      wait_minutes_high: readMinutes(
        field(row, 'projectedMaxWaitMinutes'),
        'minutes',
        place('projectedMaxWaitMinutes'),
      ),
      status: statusSaid(field(row, 'status') ?? field(row, 'queueState')),
    },
  ]
}

/** Place and lane are in the name: "2 General", "T4 Checkpoint A General", "T2_Abflug_SIKO_ECO_NORD". */
function queueIn(name: string, context: ParseContext, place: Place): { checkpoint: string; lane: Lane | null } {
  const { options } = context.source
  const idLanes = pairsOf(options.id_lanes)
  if (idLanes.size > 0) {
    const word = name.split('_').find((part) => idLanes.has(part))
    return { checkpoint: name.replaceAll('_', ' '), lane: laneSaid(idLanes.get(word ?? '') ?? name, place) }
  }
  const split = laneInName(name)
  const checkpoint = pairsOf(options.names).get(split.place) ?? split.place
  return { checkpoint, lane: split.lane ?? laneSaid(name.split(' ').at(-1) ?? '', place) }
}

/** The wait by the member's own unit. A negative number is these feeds' "not known". */
function waitOf(wait: unknown, unit: string, place: Place): Pick<ParsedReading, 'wait_minutes' | 'wait_text'> {
  if (Number(wait) < 0) {
    place.notices.push(
      notice('sentinel_value', 'info', place.path, 'A number stands for "not known".', wait, place.iata),
    )
    return { wait_minutes: null, wait_text: null }
  }
  if (unit === 'seconds' || unit === 'minutes') return { wait_minutes: readMinutes(wait, unit, place), wait_text: null }
  if (textOf(wait) !== '')
    place.notices.push(
      notice(
        'unit_unknown',
        'info',
        place.path,
        'The unit of a wait is not known; it is kept as text.',
        wait,
        place.iata,
      ),
    )
  return { wait_minutes: null, wait_text: textOf(wait) || null }
}
