import type { Logger } from 'pino'
import { NO_FIGURES } from '../answers/statements/no-figures.ts'
import type { Directory } from '../config/airports/directory.ts'
import { HoldshortError } from '../config/errors.ts'
import type { Settings } from '../config/settings.ts'
import type { CallClient } from '../jobs/calls/define-call.ts'
import type { Snapshot } from '../warehouse/publishing/snapshot/snapshot.ts'
import type { ExportFetcher } from '../warehouse/sharing/published-export.ts'
import { warehouseFault } from '../warehouse/storage/kept-copies.ts'
import type { Gate } from './gate/admission.ts'
import type { CredentialReader } from './gate/credentials.ts'
import type { State } from './state/state.ts'

/** Everything that the app gets from outside; no other global or singleton is used. */
export interface AppDependencies {
  settings: Settings
  state: State
  holder: SnapshotHolder
  directory: Directory
  /**
   * Calls the pipeline. Without it, live requests are answered LIVE_UNAVAILABLE, and travellers' reports wait.
   */
  pipelineClient?: CallClient
  /** Makes the gate; without one, a gate of this process alone. */
  makeGate?: (reader: CredentialReader) => Gate
  /** Why that gate decides on no call; null while it does. */
  gateFault?: () => HoldshortError | null
  /** Finds the open data of the bucket; without it they are in the data folder. */
  fetchExport?: ExportFetcher
  /** Whether the process is about to stop: it still answers, but a proxy should send new requests elsewhere. */
  isDraining?: () => boolean
  /** Epoch milliseconds; the real clock unless a test sets another. */
  clock?: () => number
  logger?: Logger
}

/** The newest snapshot, as it may be read at `now`. @throws HoldshortError NOT_READY while there is none. */
export function snapshotOf(holder: SnapshotHolder, now: number): Snapshot {
  return published(holder.current()).asOf(now)
}

/** A snapshot that may be missing. @throws HoldshortError NOT_READY while there is none */
export function published(snapshot: Snapshot | null): Snapshot {
  if (snapshot) return snapshot
  throw new HoldshortError('NOT_READY', NO_FIGURES)
}

/** What a process depends on that can be at fault. */
export type Stores = Pick<AppDependencies, 'holder' | 'state' | 'settings' | 'gateFault'>

/**
 * The faults of this process's stores: its published snapshots, the database of accounts and keys, its secret, the Redis of its
 * limits, and the warehouse: its copies, its folder, a repair that was cut off.
 */
export function serviceFaults({ holder, state, settings, gateFault }: Stores): HoldshortError[] {
  const faults = [
    holder.fault?.() ?? null,
    gateFault?.() ?? null,
    state.fault(),
    state.peppers.fault(),
    warehouseFault(settings.data_dir),
  ]
  return faults.filter((fault) => fault !== null)
}

/** Work that is repeated at an interval. Every process of an installation runs it, so running it twice must be harmless. */
export interface PeriodicTask {
  name: string
  every_ms: number
  /** Whether it deletes or ends what is old, and so must not run while the clock is in doubt. */
  by_age?: true
  /** `stopping` fires when the process is about to end; work that can wait should then be left for later. */
  run: (dependencies: AppDependencies, now: number, stopping?: AbortSignal) => Promise<void>
}

/** Holds the newest published snapshot. A request reads it once, so that no answer mixes two snapshots. */
export interface SnapshotHolder {
  /** The newest snapshot, or null while none has been published. */
  current: () => Snapshot | null
  /** With a bucket: seconds since it last answered, which is how far behind this process may be. */
  store_age_seconds?: () => number
  /** Why the published snapshots cannot be found any more; null while they can. */
  fault?: () => HoldshortError | null
}
