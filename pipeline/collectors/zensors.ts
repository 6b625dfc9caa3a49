import { z } from 'zod'
import { ParseError } from '../../config/errors.ts'
import { instantOfMs } from '../parsing/clocks.ts'
import { Anything, optionalObject, readEntries, readJson } from '../parsing/json.ts'
import { knownLane } from '../parsing/lanes.ts'
import { readMinutes, statusOfFlag } from '../parsing/posted-waits.ts'
import { onlyAirport, optionPairs, pageAddress } from '../parsing/requests.ts'
import { type WaitPayload, waitCollector } from '../parsing/wait-collector.ts'

const Answer = z.tuple(
  [z.object({ result: z.object({ data: z.object({ paths: z.record(z.string(), z.unknown()) }) }) })],
  z.unknown(),
)
const LanePath = z.object({ open: Anything, waitTime: optionalObject({ value: Anything, timestamp: Anything }) })

/**
 * The widget of LAS and BOS: one query per journey (a checkpoint), answered by lane (seen 2026-07 and 2026-08). Slug and
 * token are in the address of the frame on the airport's page. Options: `journeys`, "id=name of the checkpoint; …".
 */
export const zensors = waitCollector({
  id: 'zensors',
  options: () => z.strictObject({ journeys: z.string() }),
  learn: {
    page_url: pageAddress,
    url_contains: (source) => `${new URL(source.url).host}/${source.airports[0]}/`,
    headers: {},
    fromUrl: keysInFrame,
    fromScript: keysInFrame,
  },
  request: ({ source, learned_keys }) => {
    const iata = onlyAirport(source)
    const { origin } = new URL(source.url)
    const { slug = '', token = '' } = learned_keys
    return [...optionPairs(source.options.journeys).keys()].map((journey) => {
      const url = new URL(source.url)
      url.searchParams.set('batch', '1')
      url.searchParams.set('input', JSON.stringify({ 0: { journey, slug, domainSlug: iata, token } }))
      return { url: url.href, method: 'GET', headers: { Accept: '*/*', Referer: `${origin}/` }, body: null, iata }
    })
  },
  read: (payload) => {
    const [{ result }] = readJson(payload.body, Answer)
    const checkpoint = requestedCheckpoint(payload)
    const terminal = checkpoint.match(/^T(\d)\b/)?.[1] ?? checkpoint.match(/\bTerminal (\w+)/)?.[1] ?? ''
    const pathsReport = payload.report.at('[0].result.data.paths')
    // A lane that is not in the answer is not offered.
    return readEntries(Object.entries(result.data.paths), pathsReport, LanePath, ({ open, waitTime }, report, word) => {
      const lane = knownLane(word, report)
      if (lane === null) return null
      return {
        ...payload.unknownReading,
        terminal,
        checkpoint,
        lane,
        ...payload.observedAt(waitTime?.timestamp, instantOfMs, report.at('waitTime.timestamp')),
        wait_minutes: readMinutes(waitTime?.value, 'minutes', report.at('waitTime.value')),
        status: statusOfFlag(open, report.at('open')),
      }
    })
  },
})

/** Slug and token of the frame's address, `…/LAS/<slug>/waitTimeExplorer?token=…`, alone or within a page. */
export function keysInFrame(text: string): Record<string, string> | null {
  const [, slug, token] = /embed\.zensors\.live\/\w+\/([\w-]+)\/waitTimeExplorer\?token=([\w-]+)/.exec(text) ?? []
  return slug === undefined || token === undefined ? null : { slug, token }
}

/** The checkpoint of the request: the answer does not name it. @throws ParseError */
function requestedCheckpoint({ source, url }: WaitPayload): string {
  const input = new URL(url).searchParams.get('input') ?? ''
  const journey = /"journey":"([^"]+)"/.exec(input)?.[1] ?? ''
  const name = optionPairs(source.options.journeys).get(journey)
  if (name === undefined) throw new ParseError('input', `names no journey that the catalogue knows: "${journey}"`)
  return name
}
