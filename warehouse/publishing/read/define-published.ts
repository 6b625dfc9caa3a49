import type { ReadTime } from './read-time.ts'

/** The files of one snapshot on disk. Reading checks the digest and throws when the file is not the published one. */
export interface SnapshotFiles {
  bytes: (name: string) => Promise<Buffer>
  json: <T>(name: string) => Promise<T>
}

/**
 * How one published thing is read from a snapshot; `gather/` says how it is gathered and written. `Content` is plain values;
 * each of its keys belongs to one published thing only.
 */
export interface Published<
  Content extends object,
  Index extends object,
  Indexes extends object,
  Reader extends object,
> {
  /** Reads content that has files of its own; other content lies in facts.json under its keys. */
  decode?: (files: SnapshotFiles) => Promise<Content>
  /** Look-ups over the content, built once when a snapshot loads. All indexes together are one object. */
  index: (content: Content) => Index
  /** The methods of `Snapshot` that this thing adds, with figures as they stand at `time`. Must not touch a disk. */
  read: (indexes: Indexes, time: ReadTime) => Reader
}

/** Declares how a published thing is read. */
export function definePublished<
  Content extends object,
  Index extends object,
  Indexes extends object,
  Reader extends object,
>(thing: Published<Content, Index, Indexes, Reader>): Published<Content, Index, Indexes, Reader> {
  return thing
}
