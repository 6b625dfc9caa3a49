import { type Airport, airportDirectory } from '../../config/airports/directory.ts'
import { dataPaths } from '../../config/settings.ts'
import { allSources, type Source } from '../../config/sources.ts'
import { withLandedTexts } from '../../config/untrusted-text.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import type { Warehouse } from '../storage/warehouse.ts'
import { type AdjustmentRow, adjustments } from '../tables/adjustments.ts'
import type { GatherContext } from './gather/define-gathered.ts'
import { allGathered } from './gather/index.ts'
import {
  type RecordedState,
  readRecordedStates,
  recordStateChanges,
  type SubjectState,
} from './health/recorded-states.ts'
import type { SnapshotContent } from './read/index.ts'
import { type BeforeCurrent, writeSnapshot } from './snapshot/write.ts'
import { stillWaits } from './waits/still-waits.ts'

export interface PublishOptions {
  /** Epoch milliseconds. */
  now: number
  simulated: boolean
  airports?: readonly Airport[]
  /** The sources of the installation; the whole catalogue by default. */
  sources?: readonly Source[]
  beforeCurrent?: BeforeCurrent | undefined
}

/** The content of a snapshot, the present state of each source and fact, and what its forecasts were adjusted to. */
export interface Gathered {
  content: SnapshotContent
  states: SubjectState[]
  adjustments: AdjustmentRow[]
}

/** Gathers everything a snapshot holds from the warehouse's tables; it reads nothing else. */
export async function gatherSnapshot(
  warehouse: Warehouse,
  { now, simulated, airports = airportDirectory().all, sources = allSources() }: PublishOptions,
  recordedStates: ReadonlyMap<string, RecordedState> = new Map(),
): Promise<Gathered> {
  const context: GatherContext = {
    warehouse,
    now,
    airports,
    sources,
    still: await stillWaits(warehouse, now),
    recordedStates,
    currentStates: [],
    adjustments: [],
  }
  const content = { generated_at: isoUtc(now), simulated } as SnapshotContent
  // Rows that landed before texts were cleaned at the door are cleaned here.
  for (const { gather } of allGathered) Object.assign(content, withLandedTexts(await gather(context, content)))
  return { content, states: context.currentStates, adjustments: context.adjustments }
}

/**
 * Publishes a snapshot of the warehouse and records which sources and facts have entered another state; returns the
 * snapshot's id. A reader sees either the previous snapshot or this one.
 */
export async function publish(warehouse: Warehouse, options: PublishOptions): Promise<string> {
  const { snapshots } = dataPaths(warehouse.data_dir)
  const recordedStates = await readRecordedStates(warehouse, options.now)
  const { content, states, adjustments: adjusted } = await gatherSnapshot(warehouse, options, recordedStates)
  await recordStateChanges(warehouse, recordedStates, states, options.now)
  await warehouse.land(adjustments, adjusted)
  return writeSnapshot(snapshots, content, options.beforeCurrent)
}
