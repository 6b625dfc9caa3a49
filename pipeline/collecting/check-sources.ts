import { HoldshortError } from '../../config/errors.ts'
import { allSources, type Source, sourceById } from '../../config/sources.ts'
import { collectorById } from '../collectors/index.ts'
import { parseBody, parseContext } from '../parsing/parse-body.ts'
import { redactKeys } from '../transport/redact.ts'
import type { FetchContext } from './collect-context.ts'
import { fetchAnswer, requestsOf } from './source-requests.ts'

/** The result of one request to a source. */
export interface SourceCheck {
  source: string
  ok: boolean
  /** Stable error code; null when the answer could be parsed. */
  code: string | null
  message: string
  rows: number
  notices: number
  milliseconds: number
}

/**
 * Sends one request to a source and parses the answer as collecting does, but lands nothing. `index` chooses the request (modulo
 * their number). Faults of a site never make it throw.
 */
export async function checkSource(source: Source, context: FetchContext, index = 0): Promise<SourceCheck> {
  const from = context.now()
  const result = (fields: Partial<SourceCheck>): SourceCheck => ({
    source: source.id,
    ok: true,
    code: null,
    message: '',
    rows: 0,
    notices: 0,
    milliseconds: context.now() - from,
    ...fields,
  })
  try {
    const collector = collectorById(source.collector)
    const requests = await requestsOf(source, collector, context)
    const request = requests[index % requests.length]
    if (!request) return result({ ok: false, code: 'INTERNAL', message: 'the collector made no request' })
    const answer = await fetchAnswer(source, collector, request, requests, context)
    const parsed = parseBody(collector, answer.body, parseContext(source, { ...answer, iata: request.iata }))
    return result({
      rows: parsed.readings.length,
      notices: parsed.notices.length,
      message: parsed.notices[0]?.message ?? (parsed.readings.length === 0 ? 'answered without rows' : ''),
    })
  } catch (cause) {
    const error = cause instanceof HoldshortError ? cause : null
    return result({
      ok: false,
      code: error?.code ?? 'INTERNAL',
      message: redactKeys((cause as Error).message, context.memory.learned_keys.get(source.id)),
    })
  }
}

/** Checks the sources with these ids, or all active sources, one after another. Faults of a site never make it throw. */
export async function checkSources(
  ids: string[],
  context: FetchContext,
  onProgress: (done: number, total: number, id: string) => void = () => undefined,
): Promise<SourceCheck[]> {
  const sources = ids.length > 0 ? ids.map(sourceById) : allSources().filter((source) => source.active)
  const checks: SourceCheck[] = []
  for (const source of sources) {
    onProgress(checks.length, sources.length, source.id)
    checks.push(await checkSource(source, context))
  }
  return checks
}
