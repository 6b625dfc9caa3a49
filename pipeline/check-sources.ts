import { airportDirectory } from '../config/airports/directory.ts'
import { HoldshortError } from '../config/errors.ts'
import { allSources, type Source, sourceById } from '../config/sources.ts'
import { collectorById } from './collectors/index.ts'
import type { Doors } from './doors.ts'
import { parseContext } from './stamp.ts'

export interface SourceCheck {
  source: string
  ok: boolean
  /** Stable error code; null when it answered and its answer was understood. */
  code: string | null
  message: string
  rows: number
  notices: number
  milliseconds: number
}

/** Asks one source for its first airport and reads the answer, as collecting would, but lands nothing. */
async function checkSource(source: Source, doors: Doors, now: () => number): Promise<SourceCheck> {
  const from = now()
  const done = (over: Partial<SourceCheck>): SourceCheck => ({
    source: source.id,
    ok: true,
    code: null,
    message: '',
    rows: 0,
    notices: 0,
    milliseconds: now() - from,
    ...over,
  })
  try {
    const collector = collectorById(source.collector)
    const learnt = collector.learn ? await doors.learn(source, collector.learn) : {}
    const icaoOf = (iata: string) => airportDirectory().byIata.get(iata)?.icao ?? null
    const [request] = collector.request({ source, airports: source.airports, now: from, learnt, icaoOf })
    if (!request) return done({ ok: false, code: 'INTERNAL', message: 'the collector asks nothing' })
    const answer =
      collector.transport === 'browser' && collector.page
        ? await doors.openPage(request, source, collector.page)
        : await doors.fetch(request, source, null)
    const capture = {
      iata: request.iata,
      url: answer.url,
      content_type: answer.content_type,
      fetched_at: answer.fetched_at,
    }
    const parsed = collector.parse(new TextDecoder().decode(answer.body), parseContext(source, capture))
    return done({
      rows: parsed.readings.length,
      notices: parsed.notices.length,
      message: parsed.notices[0]?.message ?? (parsed.readings.length === 0 ? 'answered, with nothing to report' : ''),
    })
  } catch (cause) {
    const error = cause instanceof HoldshortError ? cause : null
    return done({ ok: false, code: error?.code ?? 'INTERNAL', message: (cause as Error).message })
  }
}

/** Asks sources one after another (the given ids, or all active ones). Never throws for the world's faults. */
export async function checkSources(
  ids: string[],
  doors: Doors,
  now: () => number,
  onProgress: (done: number, total: number, id: string) => void = () => undefined,
): Promise<SourceCheck[]> {
  const wanted = ids.length > 0 ? ids.map(sourceById) : allSources().filter((source) => source.active)
  const checks: SourceCheck[] = []
  for (const source of wanted) {
    onProgress(checks.length, wanted.length, source.id)
    checks.push(await checkSource(source, doors, now))
  }
  return checks
}
