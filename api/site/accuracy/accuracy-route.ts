import type { FastifyInstance } from 'fastify'
import { ParameterError } from '../../../config/errors.ts'
import type { AppDependencies } from '../../data/dependencies.ts'
import { ResponseBody, sendBody } from '../../data/rest/response-body.ts'
import { cachedBody } from '../pages/cached-text.ts'
import { pageHeaders } from '../pages/document.tsx'
import { accuracyPage, PERIODS } from './accuracy-page.tsx'

const HTML = 'text/html; charset=utf-8'

/** Adds GET /accuracy: the record of the forecasts as a page. It needs no key. */
export function addAccuracyRoute(
  app: FastifyInstance,
  { holder, directory, clock = Date.now }: Pick<AppDependencies, 'holder' | 'directory' | 'clock'>,
): void {
  const version = () => holder.current()?.id ?? 'none'
  const bodies = new Map(
    PERIODS.map((period) => [
      String(period),
      cachedBody(version, (made) => {
        const snapshot = holder.current()?.asOf(clock()) ?? null
        return new ResponseBody(accuracyPage({ snapshot, directory, period }), HTML, made, pageHeaders())
      }),
    ]),
  )
  app.get('/accuracy', { schema: { hide: true } }, (request, reply) => {
    const { days = '30' } = request.query as { days?: unknown }
    const body = typeof days === 'string' ? bodies.get(days) : undefined
    if (!body) throw new ParameterError([{ parameter: 'days', message: `must be one of ${PERIODS.join(', ')}` }])
    return sendBody(request, reply, body(), 'public, max-age=30')
  })
}
