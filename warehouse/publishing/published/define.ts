import type { Airport } from '../../../config/airports/directory.ts'
import type { Source } from '../../../config/sources.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import type { AdjustmentRow } from '../../tables/adjustments.ts'
import type { RecordedState, SubjectState } from '../health/recorded-states.ts'
import type { ReadTime } from './read-time.ts'

/** All that gathering may use. */
export interface GatherContext {
  warehouse: Warehouse
  /** Epoch milliseconds. */
  now: number
  airports: readonly Airport[]
  /** The sources of the installation. */
  sources: readonly Source[]
  /** The states that sources and facts were last recorded in, by subject. */
  recordedStates: ReadonlyMap<string, RecordedState>
  /** States found while gathering; `publish` records those that have changed. */
  currentStates: SubjectState[]
  /** What forecasts were adjusted to while gathering; `publish` records it. */
  adjustments: AdjustmentRow[]
}

/** The files of one snapshot on disk. Reading checks the digest and throws when the file is not the published one. */
export interface SnapshotFiles {
  has: (name: string) => boolean
  bytes: (name: string) => Promise<Buffer>
  json: <T>(name: string) => Promise<T>
}

/**
 * One published thing: how it is gathered from the tables, written, loaded and read. A snapshot is the sum of the list in
 * index.ts. `Content` is plain values, ready to be written; each of its keys belongs to one published thing only.
 */
export interface Published<
  Content extends object,
  Earlier extends object,
  Index extends object,
  Indexes extends object,
  Reader extends object,
> {
  /** Reads the content from the tables. `earlier` is the content of the things above it in the list. */
  gather: (context: GatherContext, earlier: Earlier) => Promise<Content>
  /** Content that is large or numeric has files of its own; other content lies in facts.json under its keys. */
  files?: {
    /** The keys of the content that these files hold. */
    keys: readonly (keyof Content)[]
    encode: (content: Content) => Record<string, Uint8Array>
    decode: (files: SnapshotFiles) => Promise<Content>
  }
  /** The content of snapshots that were written before this thing existed. */
  absent?: Content
  /** Look-ups over the content, built once when a snapshot loads. All indexes together are one object. */
  index: (content: Content) => Index
  /** The methods of `Snapshot` that this thing adds, with figures as they stand at `time`. Must not touch a disk. */
  read: (indexes: Indexes, time: ReadTime) => Reader
}

/** Declares a published thing. */
export function definePublished<
  Content extends object,
  Index extends object,
  Indexes extends object,
  Reader extends object,
  Earlier extends object = object,
>(thing: Published<Content, Earlier, Index, Indexes, Reader>): Published<Content, Earlier, Index, Indexes, Reader> {
  return thing
}
