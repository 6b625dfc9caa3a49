import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type AppDependencies, snapshotOf } from '../api/dependencies.ts'
import { COMMON_STATUSES, problemResponses } from '../api/rest/route-schema.ts'
import { healthOf } from '../api/status/health.ts'
import { OVERALL_RULE, OVERALL_STATES } from '../api/status/overall.ts'
import { pipelineProbe } from '../api/status/stale-snapshot.ts'
import { maybeSimulated, SnapshotAge, snapshotAge } from '../api/status/status-report.ts'
import { HoldshortError } from '../config/errors.ts'
import { PAINT } from '../config/palette.ts'
import { addDiscoveryRoutes } from './discovery/routes.ts'
import type { SiteCatalogue } from './discovery/site-catalogue.ts'
import { addCachedText } from './pages/cached-text.ts'
import { ICON } from './pages/mark.tsx'
import { addIcons, MANIFEST_ICONS } from './pictures/icons.ts'

const Health = z
  .strictObject({
    status: z.enum(OVERALL_STATES).describe(`As on \`/status\`. ${OVERALL_RULE}`),
    reason: z.string().nullable().describe('Why the status is not ok; null when it is.'),
    snapshot: SnapshotAge,
    simulated: maybeSimulated,
    faults: z
      .array(z.strictObject({ code: z.string(), message: z.string() }))
      .describe(
        'STATE_UNWRITABLE: accounts and keys can be read but not changed, for example because a disk is full; STATE_UNREACHABLE: their database gives no answer, and GATE_UNAVAILABLE: Redis gives none, so that calls with a key are answered 503; DATA_FOLDER_GONE: the published snapshots were moved or deleted, and the last one is still served; WAREHOUSE_CORRUPT: a repair of the warehouse was cut off; DATA_FOLDER_UNUSABLE: the folder of the warehouse cannot be read, for example because of its permissions; STORE_UNREACHABLE, STORE_REFUSED, STORE_DAMAGED: no newer snapshot could be fetched from the shared stores, and the last one, if there is one, is still served; SNAPSHOT_STALE: nothing has been published for two periods, with the reason; SNAPSHOT_INVALID: the newest snapshot cannot be read, and the one before is still served; SNAPSHOT_AHEAD: the newest snapshot is dated ahead of this machine’s clock; FORECASTS_ENDED: the hours of the newest forecast are over; PROCESS_SILENT: a process of the service gives no sign of life, and is killed and started again soon.',
      ),
  })
  .meta({ id: 'Health' })

const Readiness = z
  .strictObject({ ready: z.literal(true), snapshot: z.string().describe('Id of the snapshot that is served.') })
  .meta({ id: 'Readiness' })

/** The manifest with which a phone puts the site on its home screen. iOS shows push messages only from there. */
const MANIFEST = {
  name: 'Holdshort',
  short_name: 'Holdshort',
  start_url: '/',
  background_color: PAINT.asphalt,
  theme_color: PAINT.asphalt,
  scope: '/',
  display: 'standalone',
  icons: MANIFEST_ICONS,
}

/** Adds the routes that need no key: health, the icon and the discovery documents. */
export function addSiteRoutes(
  app: FastifyInstance,
  catalogue: SiteCatalogue,
  scope: string,
  dependencies: AppDependencies,
): void {
  const { holder, pipelineClient, clock = Date.now } = dependencies
  const probe = pipelineProbe(pipelineClient, clock)

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
    async (_request, reply) => {
      const now = clock()
      const { snapshot, faults, status, reason } = await healthOf(dependencies, now, probe)
      return reply.header('cache-control', 'no-store').send({
        status,
        reason,
        snapshot: snapshotAge(snapshot, now),
        simulated: snapshot?.simulated ?? null,
        faults: faults.map(({ code, message }) => ({ code, message })),
      })
    },
  )

  app.get(
    '/health/ready',
    {
      schema: {
        tags: ['service'],
        operationId: 'getReadiness',
        summary: 'Whether this process should be sent requests',
        description:
          'Answers 200 while a snapshot is loaded and the process is not about to stop, and 503 otherwise. For load balancers; `/health` tells whether the process lives. No key is needed.',
        response: {
          200: { description: 'Send requests here.', content: { 'application/json': { schema: Readiness } } },
          ...problemResponses([...COMMON_STATUSES, 503], { 503: ['NOT_READY'] }),
        },
      },
    },
    (_request, reply) => {
      if (dependencies.isDraining?.()) throw new HoldshortError('NOT_READY', 'this process is about to stop')
      const { id } = snapshotOf(holder, clock())
      return reply.header('cache-control', 'no-store').send({ ready: true, snapshot: id })
    },
  )

  const fixed = () => '1.2.0'
  addCachedText(app, { url: '/favicon.svg', type: 'image/svg+xml', maxAge: 86_400 }, fixed, () => ICON)
  addIcons(app)
  const manifest = { url: '/manifest.webmanifest', type: 'application/manifest+json', maxAge: 86_400 }
  addCachedText(app, manifest, fixed, () => JSON.stringify(MANIFEST))
  addDiscoveryRoutes(app, catalogue, scope, dependencies)
}
