import { onTestFinished } from 'vitest'
import { type Source, sourceById } from '../../config/sources.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import type { LiveKind } from '../../jobs/calls/live.ts'
import { createSourceRuns, type SourceRuns } from '../../pipeline/collecting/source-runs.ts'
import { createLiveAnswerer, type LiveContext } from '../../pipeline/live/answer-live-requests.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { type LocalSite, openLocalSite } from './local-site.ts'
import { openTestPipeline, type TestPipeline, testTransport } from './test-pipeline.ts'

export const NOW = Date.parse('2026-11-21T10:03:00Z')
export const SEA = '/www.portseattle.org/api/cwt/wait-times'
export const swedavia = (iata: string) => `/www.swedavia.com/services/queuetimes/v2/airport/en/${iata}/true`

type Page = LocalSite['pages'] extends Map<string, infer P> ? P : never

/** A page whose answers wait until the test calls `open`. */
export function heldPage(page: Page) {
  let open: (() => void) | undefined
  let come: (() => void) | undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const requested = new Promise<void>((resolve) => {
    come = resolve
  })
  const held: Page = (request, response) => {
    come?.()
    void opened.then(() => page(request, response))
  }
  return { page: held, requested, open: () => open?.() }
}

export const json = (value: unknown, status = 200): Page => {
  const body = JSON.stringify(value)
  return (_, response) => response.writeHead(status, { 'Content-Type': 'application/json' }).end(body)
}

/** Seattle's feed with one checkpoint. */
export const seaFeed = (minutes: number, updated_ms: number, fields: object = {}) => [
  {
    Name: '2',
    IsOpen: true,
    WaitTimeMinutes: minutes,
    IsDataAvailable: true,
    MinutesTillInvalid: 9,
    Options: [{ Name: 'General', Availability: 'Available' }],
    LastUpdated: `/Date(${updated_ms})/`,
    ...fields,
  },
]

export interface LiveSetup {
  site: LocalSite
  pipeline: TestPipeline
  runs: SourceRuns
  data_dir: string
  now: () => number
  later: (seconds: number) => void
  request: (iata: string, kind?: LiveKind) => ReturnType<ReturnType<typeof createLiveAnswerer>>
  /** Number of requests to a path. */
  requestsTo: (path: string) => number
}

/** The pipeline of one machine with a local site. For a second machine on the same data folder, pass the first as `beside`. */
export async function openLiveSetup(
  sources: readonly (string | Source)[],
  fields: Partial<LiveContext> = {},
  beside?: LiveSetup,
): Promise<LiveSetup> {
  const site = beside?.site ?? (await openLocalSite())
  const data_dir = beside?.data_dir ?? (await temporaryFolder())
  let clock = NOW
  const now = beside?.now ?? (() => clock)
  const pipeline = await openTestPipeline(data_dir, testTransport(site.url, { now, retries: 0 }), now)
  const runs = createSourceRuns(pipeline.context)
  const answer = createLiveAnswerer({
    collect: pipeline.context,
    runs,
    min_age_seconds: 60,
    within_ms: 20_000,
    sources: sources.map((source) => (typeof source === 'string' ? sourceById(source) : source)),
    ...fields,
  })
  onTestFinished(async () => {
    await pipeline.close()
    if (!beside) await site.close()
  })
  return {
    site,
    pipeline: pipeline,
    runs,
    data_dir,
    now,
    later: (seconds) => {
      clock += seconds * 1_000
    },
    request: (iata, kind = 'security') => answer({ iata, kind }),
    requestsTo: (path) => site.seen.filter((request) => request.path.split('?')[0] === path).length,
  }
}

export const minutesAgo = (minutes: number) => isoUtc(NOW - minutes * 60_000)
