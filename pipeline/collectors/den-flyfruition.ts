import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { isObject, jsonBody, listAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { laneSaid } from '../parsing/lane-said.ts'
import { postedWait } from '../parsing/posted.ts'

/** Denver's widget: a band a lane ("3-7"), no time of its own. The widget's key is learnt from the page (seen 2026-08). */
export const denFlyfruition: Collector<'readings'> = {
  id: 'den-flyfruition',
  lands: 'readings',
  transport: 'http',
  learn: {
    page_url: (source) => source.page_url ?? source.url,
    url_contains: (source) => source.url,
    headers: { api_key: 'x-api-key' },
    fromScript: keyInWidget,
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
          Referer: `${new URL(page).origin}/`,
          ...(learnt.api_key === undefined ? {} : { 'x-api-key': learnt.api_key }),
        },
        body: null,
        iata: source.airports[0] ?? null,
      },
    ]
  },
  parse: (body, context) => {
    const notices: Notice[] = []
    const checkpoints = listAt(jsonBody(body), '$')
    return finish(
      checkpoints.flatMap((row, at) => parseCheckpoint(row, `$[${at}]`, context, notices)),
      notices,
      context,
    )
  },
}

/** The key, where a script names the feed within the same breath: other widgets of a page have keys of that header too. */
export function keyInWidget(script: string): Record<string, string> | null {
  for (const key of script.matchAll(/["']?x-api-key["']?\s*[:,=]\s*["'`]([\w-]{8,})["'`]/gi)) {
    const near = script.slice(Math.max(0, key.index - 600), key.index + 600)
    if (key[1] && near.includes('flyfruition')) return { api_key: key[1] }
  }
  return null
}

function parseCheckpoint(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading[] {
  const iata = airportOf(context)
  const checkpoint = isObject(row) ? textOf(row.title) : ''
  if (!isObject(row) || checkpoint === '') {
    notices.push(notice('row_unreadable', 'warning', path, 'A checkpoint has no title.', row, iata))
    return []
  }
  return listAt(row.lanes ?? [], `${path}.lanes`).flatMap((each, at): ParsedReading[] => {
    const place = { path: `${path}.lanes[${at}]`, iata, notices }
    if (!isObject(each)) {
      notices.push(notice('row_unreadable', 'warning', place.path, 'A lane is not an object.', each, iata))
      return []
    }
    if (each.hide_lane === true) return []
    const lane = laneSaid(textOf(each.title), place)
    if (lane === null) return []
    const posted = postedWait(textOf(each.wait_time), place)
    const closed = each.closed === true || each.force_close === true
    return [
      {
        kind: 'security',
        iata,
        terminal: '',
        checkpoint,
        lane,
        observed_at: context.fetched_at,
        observed_at_basis: 'fetch',
        ...posted,
        status: closed ? 'closed' : posted.status,
      },
    ]
  })
}
