import type { Lane, QueueKind } from '../../config/domain.ts'
import { laneOfWord } from '../../config/lanes.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { isObject, jsonBody, listAt, objectAt, textOf } from '../parsing/body.ts'
import { unixSeconds } from '../parsing/clocks.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { laneInName } from '../parsing/lane.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { observedAt } from '../parsing/observed.ts'

/**
 * The vendor family behind MCO, IAH, HOU, DFW, CLT and CVG. Its key and version stand in each site's own scripts and
 * rotate, so they are learnt at run time. Options: `rows`, the name of the list (`checkpoints` at CVG).
 */
export const mobi: Collector<'readings'> = {
  id: 'mobi',
  lands: 'readings',
  transport: 'http',
  learn: {
    page_url: (source) => source.page_url ?? source.url,
    // A page may ask for its sister airport (IAH and HOU share one): all that matters is the feed.
    url_contains: (source) => source.url.slice(0, source.url.lastIndexOf('/') + 1),
    headers: { api_key: 'api-key', api_version: 'api-version' },
    fromScript: keysInScript,
  },
  request: ({ source, learned_keys: learnt }) => {
    const page = source.page_url ?? source.url
    return [
      {
        url: source.url,
        method: 'GET',
        headers: {
          Accept: 'application/json',
          Origin: new URL(page).origin,
          Referer: page,
          ...(learnt.api_key === undefined ? {} : { 'api-key': learnt.api_key }),
          ...(learnt.api_version === undefined ? {} : { 'api-version': learnt.api_version }),
        },
        body: null,
        iata: source.airports[0] ?? null,
      },
    ]
  },
  parse: (body, context) => {
    const list = textOf(context.source.options.rows) || 'wait_times'
    const answer = objectAt(jsonBody(body), '$')
    const rows = listAt(objectAt(answer.data, 'data')[list], `data.${list}`)
    const notices: Notice[] = []
    return finish(
      rows.flatMap((row, at) => parseRow(row, `data.${list}[${at}]`, context, notices)),
      notices,
      context,
    )
  },
}

/** Reads key and version where a script names both within one breath; a bundle holds other clients' ids too. */
export function keysInScript(script: string): Record<string, string> | null {
  const word = (name: string) => new RegExp(`["']?${name}["']?\\s*[:,=]\\s*["'\`]?([\\w-]+)["'\`]?`, 'gi')
  for (const key of script.matchAll(word('api-key'))) {
    const near = script.slice(Math.max(0, key.index - 300), key.index + 300)
    const version = word('api-version').exec(near)?.[1]
    if (key[1] && key[1].length >= 8 && version && /^\d+$/.test(version))
      return { api_key: key[1], api_version: version }
  }
  return null
}

function parseRow(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading[] {
  const iata = airportOf(context)
  const name = isObject(row) ? textOf(row.name) || textOf(row.id) : ''
  if (!isObject(row) || name === '') {
    notices.push(notice('row_unreadable', 'warning', path, 'A checkpoint has no name.', row, iata))
    return []
  }
  // The source keeps rows it does not show; they hold numbers of months ago (CLT, seen 2026-07).
  if (row.isDisplayable === false) return []
  const kind = kindOf(row, name)
  const { place: checkpoint } = laneInName(name)
  const lane = kind === 'security' ? laneOfRow(row, name) : 'all'
  if (lane === null) {
    notices.push(
      notice('lane_unknown', 'warning', `${path}.lane`, 'A lane is new to us; its row is left out.', row.lane, iata),
    )
    return []
  }
  const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
  const seconds = (field: string) => readMinutes(row[field], 'seconds', place(field))
  return [
    {
      kind,
      iata,
      terminal: name.match(/\bTerminal ([A-Z0-9]+)\b/)?.[1] ?? '',
      checkpoint,
      lane,
      ...observedAt(
        unixSeconds(row.lastUpdatedTimestamp),
        row.lastUpdatedTimestamp,
        context,
        place('lastUpdatedTimestamp'),
      ),
      wait_minutes: seconds('waitSeconds'),
      wait_minutes_low: seconds('minWaitSeconds'),
      wait_minutes_high: seconds('maxWaitSeconds'),
      wait_text: null,
      status: row.isOpen === true ? 'open' : row.isOpen === false ? 'closed' : 'unknown',
    },
  ]
}

/** IAH lists its passport control ("Int'l Arrivals Customs Checkpoint", attributes ["fis"]) among the checkpoints. */
function kindOf(row: Record<string, unknown>, name: string): QueueKind {
  const marked = Array.isArray(row.attributes) && row.attributes.some((word) => textOf(word).toLowerCase() === 'fis')
  const named = /\b(customs|immigration|fis)\b/i.test(`${name} ${textOf(row.lane)}`)
  return marked || named ? 'immigration' : 'security'
}

/** The lane's own word first, then the attributes (CLT says `main` for every row), then the end of the name (IAH). */
function laneOfRow(row: Record<string, unknown>, name: string): Lane | null {
  const word = textOf(row.lane)
  const said = laneOfWord(word)
  if (said !== null && said !== 'all') return said
  if (isObject(row.attributes)) {
    const { general, preCheck } = row.attributes
    if (preCheck === true) return general === true ? 'all' : 'precheck'
    if (general === true) return 'standard'
  }
  return laneInName(name).lane ?? (word === '' ? 'all' : said)
}
