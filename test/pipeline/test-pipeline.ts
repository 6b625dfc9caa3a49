import { onTestFinished } from 'vitest'
import { airportDirectory } from '../../config/airports/directory.ts'
import { readSettings } from '../../config/settings.ts'
import { sourceById } from '../../config/sources.ts'
import { type CollectContext, emptyMemory } from '../../pipeline/collecting/collect-context.ts'
import { collectSource } from '../../pipeline/collecting/collect-source.ts'
import { createLanding } from '../../pipeline/collecting/landing.ts'
import type { Faults } from '../../pipeline/simulator/faults.ts'
import { startSimulatedWorld } from '../../pipeline/simulator/server.ts'
import { createHttpClient, type HttpClientOptions } from '../../pipeline/transport/http-client.ts'
import { learnSiteKeys } from '../../pipeline/transport/learn-site-keys.ts'
import type { Transport } from '../../pipeline/transport/transport.ts'
import { publish } from '../../warehouse/publishing/publish.ts'
import { loadSnapshot } from '../../warehouse/publishing/snapshot/load.ts'
import type { NoticeRow } from '../../warehouse/tables/notices.ts'
import type { Run } from '../../warehouse/tables/runs.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { openOrCopy } from '../warehouse/empty-warehouse.ts'
import { openLocalSite } from './local-site.ts'

/** Publishing these takes a hundredth of the time of the whole directory. */
const PUBLISHED = airportDirectory().all.filter(({ iata }) => ['JAX', 'LAX', 'SEA'].includes(iata))

/** The pipeline of a data folder with a given transport, composed as `holdshort work` does. */
export async function openTestPipeline(data_dir: string, transport: Transport, now: () => number) {
  const warehouse = await openOrCopy(data_dir)
  const landing = createLanding(warehouse)
  const context: CollectContext = { warehouse, landing, transport, now, memory: emptyMemory() }
  return {
    warehouse,
    context,
    collect: (id: string) => collectSource(sourceById(id), context),
    notices: (source: string) =>
      warehouse.query<NoticeRow>('SELECT * FROM notices WHERE source = $source ORDER BY noticed_at', { source }),
    /** Runs of a source, oldest first. */
    runs: (source: string) =>
      warehouse.query<Run>('SELECT * FROM runs WHERE source = $source ORDER BY started_at', { source }),
    /** Publishes at an instant (epoch milliseconds) and loads what a server would then serve. */
    publishAt: async (now: number) => {
      await publish(warehouse, { now, simulated: true, airports: PUBLISHED })
      const snapshot = await loadSnapshot(`${data_dir}/snapshots`)
      if (!snapshot) throw new Error('nothing was published')
      return snapshot
    },
    close: async () => {
      await landing.idle()
      await warehouse.close()
    },
  }
}
export type TestPipeline = Awaited<ReturnType<typeof openTestPipeline>>

/** The HTTP client for a simulated world, without a pace; pages that need a browser cannot be opened. */
export function testTransport(simulated_world: string, options: Partial<HttpClientOptions> = {}): Transport {
  const http = createHttpClient({ version: '1', contact: 'x@example.org', simulated_world, backoff_ms: 1, ...options })
  const unpaced = (id: string) => ({ ...sourceById(id), pace_seconds: 0 })
  return {
    fetch: (request, source, previous) => http.fetch(request, unpaced(source.id), previous),
    openPage: () => Promise.reject(new Error('this test opens no page')),
    circuits: http.circuits,
    learn: (source, recipe) => learnSiteKeys(recipe, unpaced(source.id), { http, browser: null }),
  }
}

/** A pipeline over a site, on a clock that the test moves; it is closed after the test. */
export async function openPipelineOn(clock: { now: number }, site: string, options: Partial<HttpClientOptions> = {}) {
  const now = () => clock.now
  const transport = testTransport(site, { now, ...options })
  const pipeline = await openTestPipeline(await temporaryFolder(), transport, now)
  onTestFinished(pipeline.close)
  return pipeline
}

/** A simulated world and a pipeline that collects from it, on one clock. */
export async function openWorldOn(clock: { now: number }, faults: Faults = {}) {
  const simulator = await startSimulatedWorld({ seed: 7, now: () => clock.now, faults })
  onTestFinished(simulator.close)
  return openPipelineOn(clock, simulator.url)
}

/** A local site and a pipeline that collects from it, on one clock. */
export async function openSiteOn(clock: { now: number }) {
  const site = await openLocalSite()
  onTestFinished(site.close)
  return { site, pipeline: await openPipelineOn(clock, site.url) }
}

/** Settings of an installation that reads a simulated world. */
export const simulatedSettings = (data_dir: string, world: string) =>
  readSettings({ HOLDSHORT_DATA_DIR: data_dir, HOLDSHORT_SIMULATED_WORLD: world })
