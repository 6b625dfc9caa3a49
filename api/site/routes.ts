import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { addresses } from '../../config/settings.ts'
import { type AppDependencies, serviceFaults } from '../data/dependencies.ts'
import { COMMON_STATUSES, problemResponses } from '../data/rest/route-schema.ts'
import { maybeSimulated, SnapshotAge, snapshotAge } from '../data/status/status-report.ts'
import { addAccuracyRoute } from './accuracy/accuracy-route.ts'
import { addDiscoveryRoutes } from './discovery/routes.ts'
import type { SiteCatalogue } from './discovery/site-catalogue.ts'
import { addCachedText } from './pages/cached-text.ts'
import { pageHeaders } from './pages/document.tsx'
import { startPage } from './start-page.tsx'
import { addStatusRoute } from './status-route.ts'

const Health = z
  .strictObject({
    status: z
      .enum(['ok', 'degraded', 'starting'])
      .describe('degraded: it answers, but `faults` says what is wrong; starting: no snapshot has been published yet.'),
    snapshot: SnapshotAge,
    simulated: maybeSimulated,
    faults: z
      .array(z.strictObject({ code: z.string(), message: z.string() }))
      .describe(
        'STATE_UNWRITABLE: accounts and keys can be read but not changed, for example because a disk is full; DATA_FOLDER_GONE: the published snapshots were moved or deleted, and the last one is still served.',
      ),
  })
  .meta({ id: 'Health' })

const HTML = 'text/html; charset=utf-8'

/** The holding position marking of a taxiway, which the service is named after. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#1a1d21"/><path d="M2 4.5h12M2 7.5h12" stroke="#ffc34d" stroke-width="1.5"/><path d="M2 10h12M2 12.5h12" stroke="#ffc34d" stroke-width="1.5" stroke-dasharray="2.4 2.4"/></svg>`

/** What a phone needs to put the site on its home screen. iOS shows push messages only from there. */
const MANIFEST = {
  name: 'Holdshort',
  short_name: 'Holdshort',
  start_url: '/alerts',
  scope: '/',
  display: 'standalone',
  icons: [{ src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' }],
}

/** Adds the routes that need no key: health, status, the start page and the discovery documents. */
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
        summary: 'Whether the service is running, and how old its snapshot is',
        description: 'Answers 200 while the process is serving, with or without a snapshot. No key is needed.',
        response: {
          200: { description: 'The service is running.', content: { 'application/json': { schema: Health } } },
          ...problemResponses(COMMON_STATUSES),
        },
      },
    },
    (_request, reply) => {
      const snapshot = holder.current()
      const faults = serviceFaults(dependencies).map(({ code, message }) => ({ code, message }))
      return reply.header('cache-control', 'no-store').send({
        status: snapshot ? (faults.length > 0 && 'degraded') || 'ok' : 'starting',
        snapshot: snapshotAge(snapshot, clock()),
        simulated: snapshot?.simulated ?? null,
        faults,
      })
    },
  )

  addStatusRoute(app, dependencies)
  addAccuracyRoute(app, dependencies)

  const fixed = () => '1.0.0'
  const snapshotId = () => holder.current()?.id ?? 'none'
  // The page also changes every five minutes, because it shows the age of an old snapshot.
  const pageVersion = () => `${snapshotId()}.${Math.floor(clock() / 300_000)}`
  addCachedText(app, { url: '/', type: HTML, headers: pageHeaders(), maxAge: 30 }, pageVersion, () =>
    startPage({ snapshot: holder.current()?.asOf(clock()) ?? null, directory, site_url, mcp_url, now: clock() }),
  )
  addCachedText(app, { url: '/favicon.svg', type: 'image/svg+xml', maxAge: 86_400 }, fixed, () => ICON)
  const manifest = { url: '/manifest.webmanifest', type: 'application/manifest+json', maxAge: 86_400 }
  addCachedText(app, manifest, fixed, () => JSON.stringify(MANIFEST))
  addDiscoveryRoutes(app, catalogue, scope, dependencies)
}
