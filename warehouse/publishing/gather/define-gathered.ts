import type { Airport } from '../../../config/airports/directory.ts'
import type { Source } from '../../../config/sources.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import type { AdjustmentRow } from '../../tables/adjustments.ts'
import type { RecordedState, SubjectState } from '../health/recorded-states.ts'
import type { StillWaits } from '../waits/still-waits.ts'

/** All that gathering may use. */
export interface GatherContext {
  warehouse: Warehouse
  /** Epoch milliseconds. */
  now: number
  airports: readonly Airport[]
  /** The sources of the installation. */
  sources: readonly Source[]
  /** The queues whose waits stand still. */
  still: readonly StillWaits[]
  /** The states that sources and facts were last recorded in, by subject. */
  recordedStates: ReadonlyMap<string, RecordedState>
  /** States found while gathering; `publish` records those that have changed. */
  currentStates: SubjectState[]
  /** The waits that forecasts were adjusted to while gathering; `publish` records them. */
  adjustments: AdjustmentRow[]
}

/** How one published thing is gathered from the tables and written; `read/` says how it is read. */
export interface Gathered<Content extends object, Earlier extends object> {
  /** Reads the content from the tables. `earlier` is the content of the things above it in the list. */
  gather: (context: GatherContext, earlier: Earlier) => Promise<Content>
  /** Content that is large or numeric has files of its own; other content lies in facts.json under its keys. */
  files?: {
    /** The keys of the content that these files hold. */
    keys: readonly (keyof Content)[]
    encode: (content: Content) => Record<string, Uint8Array>
  }
}

/** Declares how a published thing is gathered. */
export function defineGathered<Content extends object, Earlier extends object = object>(
  thing: Gathered<Content, Earlier>,
): Gathered<Content, Earlier> {
  return thing
}
