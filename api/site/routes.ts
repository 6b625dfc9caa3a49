import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { addresses } from '../../config/settings.ts'
import type { AppDependencies } from '../data/dependencies.ts'
import { COMMON_STATUSES, problemResponses } from '../data/rest/route-schema.ts'
import { maybeSimulated, SnapshotAge, snapshotAge } from '../data/status/status-report.ts'
import { addDiscoveryRoutes } from './discovery/routes.ts'
import type { SiteCatalogue } from './discovery/site-catalogue.ts'
import { pageHeaders } from './pages/document.ts'
import { MANIFEST } from './pages/manifest.ts'
import { addText } from './pages/static-body.ts'
import { ICON, startPage } from './start/start-page.ts'
import { addStatusRoute } from './status/route.ts'

const Health = z
  .strictObject({
    status: z.enum(['ok', 'starting']).describe('starting: no snapshot has been published yet.'),
    snapshot: SnapshotAge,
    simulated: maybeSimulated,
  })
  .meta({ id: 'Health' })

const HTML = 'text/html; charset=utf-8'

/** What needs no key: liveness, the start page and the documents that machines look for. */
export function addSiteRoutes(
  app: FastifyInstance,
  catalogue: SiteCatalogue,
  scope: string,
  dependencies: AppDependencies,
): void {
  const { settings, holder, directory, clock = Date.now } = dependencies
  const { site_url, mcp_url } = addresses(settings)

  app.get(
    '/health',
    {
      schema: {
        tags: ['service'],
        operationId: 'getHealth',
        summary: 'Whether the service lives, and how old its snapshot is',
        description: 'Answers 200 as long as the process serves, with or without a snapshot. No key is needed.',
        response: {
          200: { description: 'It lives.', content: { 'application/json': { schema: Health } } },
          ...problemResponses(COMMON_STATUSES),
        },
      },
    },
    (_request, reply) => {
      const snapshot = holder.current()
      return reply.header('cache-control', 'no-store').send({
        status: snapshot ? 'ok' : 'starting',
        snapshot: snapshotAge(snapshot, clock()),
        simulated: snapshot?.simulated ?? null,
      })
    },
  )

  addStatusRoute(app, dependencies)

  const fixed = () => '1.0.0'
  const snapshotId = () => holder.current()?.id ?? 'none'
  // Made anew every five minutes too: it says how old an old snapshot is.
  const pageVersion = () => `${snapshotId()}.${Math.floor(clock() / 300_000)}`
  addText(app, { url: '/', type: HTML, headers: pageHeaders(), maxAge: 30 }, pageVersion, () =>
    startPage({ snapshot: holder.current()?.asOf(clock()) ?? null, directory, site_url, mcp_url, now: clock() }),
  )
  addText(app, { url: '/favicon.svg', type: 'image/svg+xml', maxAge: 86_400 }, fixed, () => ICON)
  const manifest = { url: '/manifest.webmanifest', type: 'application/manifest+json', maxAge: 86_400 }
  addText(app, manifest, fixed, () => JSON.stringify(MANIFEST))
  addDiscoveryRoutes(app, catalogue, scope, dependencies)
}
