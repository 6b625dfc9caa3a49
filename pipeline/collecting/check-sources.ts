import { HoldshortError } from '../../config/errors.ts'
import { allSources, type Source, sourceById } from '../../config/sources.ts'
import { collectorById } from '../collectors/index.ts'
import { parseBody } from '../parsing/parse-body.ts'
import { redactKeys } from '../transport/redact.ts'
import { type FetchContext, fetchAnswer, requestsOf } from './collect-source.ts'
import { parseContext } from './stamp-rows.ts'

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

/**
 * Makes one request of a source and reads the answer, as collecting would, but lands nothing: its first, or the one at
 * `turn`, counted round and round. Never throws for the world's faults.
 */
export async function checkSource(source: Source, context: FetchContext, turn = 0): Promise<SourceCheck> {
  const from = context.now()
  const done = (over: Partial<SourceCheck>): SourceCheck => ({
    source: source.id,
    ok: true,
    code: null,
    message: '',
    rows: 0,
    notices: 0,
    milliseconds: context.now() - from,
    ...over,
  })
  try {
    const collector = collectorById(source.collector)
    const requests = await requestsOf(source, collector, context)
    const request = requests[turn % requests.length]
    if (!request) return done({ ok: false, code: 'INTERNAL', message: 'the collector asks nothing' })
    const answer = await fetchAnswer(source, collector, request, context)
    const capture = {
      iata: request.iata,
      url: answer.url,
      content_type: answer.content_type,
      fetched_at: answer.fetched_at,
    }
    const parsed = parseBody(collector, answer.body, parseContext(source, capture))
    return done({
      rows: parsed.readings.length,
      notices: parsed.notices.length,
      message: parsed.notices[0]?.message ?? (parsed.readings.length === 0 ? 'answered, with nothing to report' : ''),
    })
  } catch (cause) {
    const error = cause instanceof HoldshortError ? cause : null
    return done({
      ok: false,
      code: error?.code ?? 'INTERNAL',
      message: redactKeys((cause as Error).message, context.memory.learned_keys.get(source.id)),
    })
  }
}

/** Asks sources one after another (the given ids, or all active ones). Never throws for the world's faults. */
export async function checkSources(
  ids: string[],
  context: FetchContext,
  onProgress: (done: number, total: number, id: string) => void = () => undefined,
): Promise<SourceCheck[]> {
  const wanted = ids.length > 0 ? ids.map(sourceById) : allSources().filter((source) => source.active)
  const checks: SourceCheck[] = []
  for (const source of wanted) {
    onProgress(checks.length, wanted.length, source.id)
    checks.push(await checkSource(source, context))
  }
  return checks
}
