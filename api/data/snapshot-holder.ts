import type { Snapshot } from '../../warehouse/serving/snapshot/snapshot.ts'

/** Where the api gets the newest published snapshot; a request takes it once, so that no answer mixes two. */
export interface SnapshotHolder {
  /** The newest snapshot, or null while none has been published. */
  current: () => Snapshot | null
}
