import { type AppDependencies, serviceFaults } from '../../api/dependencies.ts'
import { negotiateType } from '../../api/rest/negotiate.ts'
import { ResponseBody, sendBody } from '../../api/rest/response-body.ts'
import { COMMON_STATUSES, NOT_MODIFIED, problemResponses } from '../../api/rest/route-schema.ts'
import { type Availability, measuredAvailability, NOT_MEASURED } from '../../api/status/availability.ts'
import { faultsOf } from '../../api/status/health.ts'
import { pipelineProbe, UNANSWERED } from '../../api/status/stale-snapshot.ts'
import { StatusReport, statusReport } from '../../api/status/status-report.ts'
import { HoldshortError } from '../../config/errors.ts'
import { cachedBody } from '../pages/cached-text.ts'
import { sendOpenPage } from '../pages/open-page.tsx'
import type { AddPages } from '../pages/page-scope.tsx'
import { statusPage } from './status-page.tsx'

const MEDIA_TYPES = ['application/json', 'text/html'] as const
/** Anyone may call this route without a key, so an answer is built at most this often. */
const REBUILD_MS = 5_000

/** Adds GET /status, as JSON or as a page. It needs no key and answers 200 in any state. */
export const addStatusRoute: AddPages = (pages, dependencies: AppDependencies) => {
  const { holder, state, settings, pipelineClient, clock = Date.now } = dependencies
  const version = () => {
    const faults = serviceFaults(dependencies).map(({ code }) => code)
    return [holder.current()?.id ?? 'none', Math.floor(clock() / REBUILD_MS), ...faults].join('.')
  }
  let availability: Availability = NOT_MEASURED
  const probe = pipelineProbe(pipelineClient, clock)
  let pipeline = UNANSWERED
  const measure = async () => {
    const measured = measuredAvailability(state.db, settings.sla_percent, clock()).catch(() => availability)
    pipeline = await probe()
    availability = await measured
  }
  let measuring = { version: '', done: Promise.resolve() }
  /** Measures once for each version; while the state cannot be reached, the last availability stands. */
  const measured = (): Promise<void> => {
    if (measuring.version !== version()) measuring = { version: version(), done: measure() }
    return measuring.done
  }
  const report = () => {
    const now = clock()
    const snapshot = holder.current()?.asOf(now) ?? null
    const faults = faultsOf(dependencies, snapshot, now, pipeline)
    return statusReport(snapshot, now, availability, faults, pipeline.held_by)
  }
  const json = cachedBody(version, (made) => {
    const headers = { 'access-control-allow-origin': '*' }
    return new ResponseBody(JSON.stringify(report()), 'application/json; charset=utf-8', made, headers)
  })
  pages.get(
    '/status',
    {
      config: { isOpenPage: true },
      schema: {
        tags: ['service'],
        operationId: 'getStatus',
        summary: 'How the service and each of its sources are doing',
        description:
          'The state of the service and of every source, with its start, reason, the age of its newest reading, and uptime and freshness over 24 hours, 7 days and 30 days. States are as of the snapshot. No key is needed; the answer is 200 in any state. `Accept: text/html` returns a page.',
        response: {
          200: {
            description: 'The status.',
            content: {
              'application/json': { schema: StatusReport },
            },
          },
          304: NOT_MODIFIED,
          ...problemResponses([406, ...COMMON_STATUSES]),
        },
      },
    },
    async (request, reply) => {
      const type = negotiateType(request.headers.accept, MEDIA_TYPES)
      if (type === null) throw new HoldshortError('NOT_ACCEPTABLE', `this address answers ${MEDIA_TYPES.join(' or ')}`)
      await measured()
      if (type === 'text/html') return sendOpenPage(request, reply, `/status ${version()}`, () => statusPage(report()))
      return sendBody(request, reply, json(), `public, max-age=${REBUILD_MS / 1_000}`)
    },
  )
}
