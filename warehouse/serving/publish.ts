import { mkdir } from 'node:fs/promises'
import { type Airport, airportDirectory } from '../../config/airports/directory.ts'
import { isoUtc } from '../../config/domain.ts'
import { dataPaths } from '../../config/settings.ts'
import { allSources, type Source } from '../../config/sources.ts'
import type { Warehouse } from '../storage/warehouse.ts'
import { borderForecasts } from './border-forecasts.ts'
import { factStates, factsSince } from './fact-states.ts'
import { type KnownState, keepChanges, knownStates } from './health/recorded-states.ts'
import { delayStates } from './published/delays.ts'
import { forecastBlock } from './published/forecasts.ts'
import { historySeries } from './published/history.ts'
import { airportMaps } from './published/maps.ts'
import { sourceHealth } from './published/source-health.ts'
import { tafViews } from './published/tafs.ts'
import { weatherViews } from './published/weather.ts'
import type { SnapshotContent } from './snapshot/content.ts'
import { writeSnapshot } from './snapshot/write.ts'
import { currentWaits, latestReadings } from './waits/choice-of-source.ts'

export interface PublishOptions {
  /** Epoch milliseconds. */
  now: number
  simulated: boolean
  airports?: readonly Airport[]
  /** The sources of the installation; the whole catalogue unless given. */
  sources?: readonly Source[]
}

function coverage(queues: SnapshotContent['queues'], sources: readonly Source[]): SnapshotContent['coverage'] {
  const fresh = new Set(
    queues.filter(({ kind, wait }) => kind === 'security' && wait.freshness !== 'stale').map(({ iata }) => iata),
  )
  const entries: SnapshotContent['coverage'] = {}
  for (const source of sources.filter(({ active }) => active))
    for (const iata of source.airports) {
      const entry = entries[iata] ?? { live: fresh.has(iata), sources: [] }
      entries[iata] = { ...entry, sources: [...entry.sources, source.id] }
    }
  return entries
}

/** Gathers everything a snapshot holds from the warehouse's tables; nothing else is consulted. */
export async function snapshotContent(
  warehouse: Warehouse,
  options: PublishOptions,
  known: ReadonlyMap<string, KnownState> = new Map(),
): Promise<SnapshotContent> {
  const { now, simulated } = options
  const airports = options.airports ?? airportDirectory().all
  const sources = options.sources ?? allSources()
  const queues = currentWaits(await latestReadings(warehouse, now), now)
  return {
    generated_at: isoUtc(now),
    simulated,
    queues,
    forecasts: await forecastBlock(warehouse, airports, now),
    history: await historySeries(warehouse, now),
    border_forecasts: await borderForecasts(warehouse, now),
    ...(await delayStates(warehouse, now)),
    faa_airports: airports.filter((airport) => airport.faa_id !== null).map((airport) => airport.iata),
    weather: await weatherViews(warehouse, now),
    tafs: await tafViews(warehouse, now),
    maps: new Map((await airportMaps(warehouse, now)).map((one) => [one.iata, JSON.stringify(one)])),
    health: await sourceHealth(warehouse, now, known, sources),
    coverage: coverage(queues, sources),
    facts: {},
  }
}

/**
 * Publishes a snapshot of the warehouse as it is, and keeps which sources and facts came into another state; returns its
 * id. A reader sees the old one or the new, whole.
 */
export async function publish(warehouse: Warehouse, options: PublishOptions): Promise<string> {
  const { snapshots } = dataPaths(warehouse.data_dir)
  await mkdir(snapshots, { recursive: true })
  const known = await knownStates(warehouse)
  const content = await snapshotContent(warehouse, options, known)
  const facts = factStates(content)
  const sources = content.health.map(({ source, state, reason }) => ({ subject: `source:${source}`, state, reason }))
  await keepChanges(warehouse, known, [...sources, ...facts], options.now)
  return writeSnapshot(snapshots, { ...content, facts: factsSince(facts, known, options.now) })
}
