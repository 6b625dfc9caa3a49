import type { Lane } from '../../config/domain.ts'
import { ParseError } from '../../config/errors.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { isObject, jsonBody, listAt, objectAt } from '../parsing/body.ts'
import { instantOf } from '../parsing/clocks.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { laneSaid } from '../parsing/lane-said.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { NO_BAND } from '../parsing/no-band.ts'
import { observedAt } from '../parsing/observed.ts'
import { pairsOf } from '../parsing/pairs.ts'
import { statusSaid } from '../parsing/status-said.ts'

/**
 * The widget of LAS and BOS: one question a journey (a checkpoint), answered by lane (seen 2026-07 and 2026-08). Slug and
 * token stand in the address of the frame on the airport's page. Options: `journeys`, "id=name of the checkpoint; …".
 */
export const zensors: Collector<'readings'> = {
  id: 'zensors',
  lands: 'readings',
  transport: 'http',
  learn: {
    page_url: (source) => source.page_url ?? source.url,
    url_contains: (source) => `${new URL(source.url).host}/${source.airports[0]}/`,
    headers: {},
    fromUrl: frameIn,
    fromScript: frameIn,
  },
  request: ({ source, learned_keys: learnt }) => {
    const [iata = null] = source.airports
    const { origin } = new URL(source.url)
    return [...pairsOf(source.options.journeys).keys()].map((journey) => {
      const url = new URL(source.url)
      url.searchParams.set('batch', '1')
      const { slug = '', token = '' } = learnt
      url.searchParams.set('input', JSON.stringify({ 0: { journey, slug, domainSlug: iata, token } }))
      return { url: url.href, method: 'GET', headers: { Accept: '*/*', Referer: `${origin}/` }, body: null, iata }
    })
  },
  parse: (body, context) => {
    const [answer] = listAt(jsonBody(body), '$')
    const result = objectAt(objectAt(answer, '$[0]').result, '$[0].result')
    const paths = objectAt(objectAt(result.data, '$[0].result.data').paths, '$[0].result.data.paths')
    const checkpoint = checkpointAsked(context)
    const notices: Notice[] = []
    // A lane that is not there is not offered.
    const rows = Object.entries(paths).flatMap(([word, path]) => {
      const at = `$[0].result.data.paths.${word}`
      const lane = laneSaid(word, { path: at, iata: airportOf(context), notices })
      return lane === null ? [] : parsePath(path, at, { checkpoint, lane }, context, notices)
    })
    return finish(rows, notices, context)
  },
}

/** The frame's address, `…/LAS/<slug>/waitTimeExplorer?token=…`, alone or within a page. */
export function frameIn(text: string): Record<string, string> | null {
  const [, slug, token] = /embed\.zensors\.live\/\w+\/([\w-]+)\/waitTimeExplorer\?token=([\w-]+)/.exec(text) ?? []
  return slug === undefined || token === undefined ? null : { slug, token }
}

/** The answer does not say which checkpoint it is of; the question does. @throws ParseError */
function checkpointAsked({ source, url }: ParseContext): string {
  const input = new URL(url).searchParams.get('input') ?? ''
  const journey = /"journey":"([^"]+)"/.exec(input)?.[1] ?? ''
  const name = pairsOf(source.options.journeys).get(journey)
  if (name === undefined) throw new ParseError('input', `names no journey that the catalogue knows: "${journey}"`)
  return name
}

function parsePath(
  path: unknown,
  at: string,
  queue: { checkpoint: string; lane: Lane },
  context: ParseContext,
  notices: Notice[],
): ParsedReading[] {
  const iata = airportOf(context)
  if (!isObject(path)) {
    notices.push(notice('row_unreadable', 'warning', at, 'A lane is not an object.', path, iata))
    return []
  }
  const wait = isObject(path.waitTime) ? path.waitTime : {}
  const place = (field: string) => ({ path: `${at}.${field}`, iata, notices })
  return [
    {
      kind: 'security',
      iata,
      terminal: queue.checkpoint.match(/^T(\d)\b/)?.[1] ?? queue.checkpoint.match(/\bTerminal (\w+)/)?.[1] ?? '',
      ...queue,
      ...observedAt(instantOf(wait.timestamp), wait.timestamp, context, place('waitTime.timestamp')),
      wait_minutes: readMinutes(wait.value, 'minutes', place('waitTime.value')),
      ...NO_BAND,
      status: statusSaid(path.open),
    },
  ]
}
