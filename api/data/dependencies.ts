import type { Logger } from 'pino'
import type { Directory } from '../../config/airports/directory.ts'
import { HoldshortError } from '../../config/errors.ts'
import type { Settings } from '../../config/settings.ts'
import type { CallClient } from '../../jobs/calls/define-call.ts'
import type { Snapshot } from '../../warehouse/serving/snapshot/snapshot.ts'
import type { State } from '../state/state.ts'
import type { Gate } from './gate/admission.ts'
import type { CredentialReader } from './gate/credentials.ts'

/** All that the app is made of; nothing else is looked up anywhere. */
export interface AppDependencies {
  settings: Settings
  state: State
  holder: SnapshotHolder
  directory: Directory
  /**
   * Calls the pipeline. Without it, live requests are answered LIVE_UNAVAILABLE and questions about the past
   * ARCHIVE_UNAVAILABLE, and travellers' reports wait.
   */
  pipelineClient?: CallClient
  /** Makes the gate; without one, a gate of this process alone. */
  makeGate?: (reader: CredentialReader) => Gate
  /** Epoch milliseconds; the real clock unless a test sets another. */
  clock?: () => number
  logger?: Logger
}

/** The newest snapshot, as it may be read at `now`. @throws HoldshortError NOT_READY while there is none. */
export function snapshotOf(holder: SnapshotHolder, now: number): Snapshot {
  const snapshot = holder.current()
  if (!snapshot) throw new HoldshortError('NOT_READY', 'no snapshot has been published yet; try again shortly')
  return snapshot.asOf(now)
}

/** Work of the api that comes round by itself. Every process of an installation does it, so it must bear being done twice. */
export interface PeriodicTask {
  name: string
  every_ms: number
  /** `stopping` fires when the process is to end: what can be left to another time then is. */
  run: (dependencies: AppDependencies, now: number, stopping?: AbortSignal) => Promise<void>
}

/** Where the api gets the newest published snapshot; a request takes it once, so that no answer mixes two. */
export interface SnapshotHolder {
  /** The newest snapshot, or null while none has been published. */
  current: () => Snapshot | null
}
