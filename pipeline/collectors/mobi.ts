import { z } from 'zod'
import { isObject } from '../../config/json-object.ts'
import { laneOfWord } from '../../config/lanes.ts'
import { once } from '../../config/once.ts'
import { allSources } from '../../config/sources.ts'
import type { Lane, QueueKind } from '../../config/vocabulary.ts'
import { unixSeconds } from '../parsing/clocks.ts'
import { flagOf, isSet } from '../parsing/flags-and-ages.ts'
import { Anything, Text, textOf } from '../parsing/json.ts'
import { laneInName } from '../parsing/lanes.ts'
import { reportUnexpectedAirport } from '../parsing/notices.ts'
import { readMinutes, statusOfFlag } from '../parsing/posted-waits.ts'
import { learnedKeyRequest, pageAddress, valuesInScript } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const KEY_HEADERS = { api_key: 'api-key', api_version: 'api-version' }

const Row = z
  .object({
    id: Text,
    name: Text,
    lane: Text,
    attributes: Anything,
    isOpen: Anything,
    openTime: Anything,
    closeTime: Anything,
    isDisplayable: Anything,
    lastUpdatedTimestamp: Anything,
    waitSeconds: Anything,
    minWaitSeconds: Anything,
    maxWaitSeconds: Anything,
  })
  .refine(({ id, name }) => name !== '' || id !== '')
type MobiRow = z.output<typeof Row>

/**
 * The vendor family behind MCO, IAH, HOU, DFW, CLT and CVG. Its key and version are in each site's own scripts and
 * rotate, so they are learned at run time. Options: `rows`, the name of the list (`checkpoints` at CVG).
 */
export const mobi = waitCollector({
  id: 'mobi',
  options: () => z.strictObject({ rows: z.string().optional() }),
  learn: {
    page_url: pageAddress,
    // A page may request its sister airport (IAH and HOU share one): any request to the feed shows the keys.
    url_contains: (source) => source.url.slice(0, source.url.lastIndexOf('/') + 1),
    headers: KEY_HEADERS,
    fromScript: keysInScript,
  },
  request: (context) => [learnedKeyRequest(context, KEY_HEADERS)],
  read: (payload) => {
    const list = textOf(payload.source.options.rows) || 'wait_times'
    return payload.readJsonRows(['data', list], Row, (row, report) => {
      const name = row.name || row.id
      // The source keeps rows that it does not show; they hold numbers of months ago (CLT, seen 2026-07).
      if (flagOf(row.isDisplayable) === false) return null
      const [airport = ''] = name.split(/\s/, 1)
      if (familyAirports().has(airport) && payload.isOfAnother(airport))
        return reportUnexpectedAirport(name, report.at('name'))
      const kind = kindOf(row, name)
      const lane = kind === 'security' ? laneOfRow(row, name) : 'all'
      if (lane === null)
        return report.at('lane').warning('lane_unknown', 'The lane is unknown; its row is left out.', row.lane)
      const minutes = (field: keyof MobiRow) => readMinutes(row[field], 'seconds', report.at(field))
      return {
        ...payload.unknownReading,
        kind,
        terminal: name.match(/\bTerminal ([A-Z0-9]+)\b/)?.[1] ?? '',
        checkpoint: laneInName(name).place,
        lane,
        ...payload.observedAt(row.lastUpdatedTimestamp, unixSeconds, report.at('lastUpdatedTimestamp')),
        wait_minutes: minutes('waitSeconds'),
        wait_minutes_low: minutes('minWaitSeconds'),
        wait_minutes_high: minutes('maxWaitSeconds'),
        wait_text: hoursText(row),
        status: statusOfFlag(row.isOpen, report.at('isOpen')),
      }
    })
  },
})

/** Names may begin with the airport's code (IAH, HOU, CVG); only those of the family are codes there, as TSA is one too. */
const familyAirports = once(
  () => new Set(allSources().flatMap(({ collector, airports }) => (collector === 'mobi' ? airports : []))),
)

const CLOCK = /^([01]\d|2[0-4]):[0-5]\d$/

/** The hours of a row in the words of sources that post them; null if it has none, or several in a day. */
function hoursText({ openTime, closeTime }: MobiRow): string | null {
  const [opens, closes] = [textOf(openTime), textOf(closeTime)]
  return CLOCK.test(opens) && CLOCK.test(closes) ? `Open ${opens} - ${closes}` : null
}

/** Key and version in a script that names both close together: a bundle holds the keys of other clients too. */
export function keysInScript(script: string): Record<string, string> | null {
  for (const { value, nearby } of valuesInScript(script, KEY_HEADERS.api_key, { reach: 300, quoted: false })) {
    const api_version = valuesInScript(nearby, KEY_HEADERS.api_version, { quoted: false, min_length: 1 })[0]?.value
    if (api_version !== undefined && /^\d+$/.test(api_version)) return { api_key: value, api_version }
  }
  return null
}

/** IAH lists its passport control ("Int'l Arrivals Customs Checkpoint", attributes ["fis"]) among the checkpoints. */
function kindOf(row: MobiRow, name: string): QueueKind {
  const hasAttribute =
    Array.isArray(row.attributes) && row.attributes.some((word) => textOf(word).toLowerCase() === 'fis')
  return hasAttribute || /\b(customs|immigration|fis)\b/i.test(`${name} ${row.lane}`) ? 'immigration' : 'security'
}

/** The row's own lane first, then the attributes (CLT says `main` for every row), then the end of the name (IAH). */
function laneOfRow(row: MobiRow, name: string): Lane | null {
  const published = laneOfWord(row.lane)
  if (published !== null && published !== 'all') return published
  if (isObject(row.attributes)) {
    const { general, preCheck } = row.attributes
    if (isSet(preCheck)) return isSet(general) ? 'all' : 'precheck'
    if (isSet(general)) return 'standard'
  }
  return laneInName(name).lane ?? (row.lane === '' ? 'all' : published)
}
