import { HoldshortError } from '../../config/errors.ts'

/** Contents that are named by their digest lie below it, each stored once. */
export const CONTENTS = 'objects/'

/** An object and the tag of its version. */
export interface StoredObject {
  bytes: Uint8Array
  etag: string
}

/** What must be true of an object for it to be written: it has this version, or it does not exist. */
export type Precondition = { etag: string } | 'absent'

export interface RequestOptions {
  /** How long the request may take with all its attempts, in milliseconds. */
  within_ms?: number
}

/**
 * A bucket of an object store, below a prefix. Every method retries what may be retried, within its time.
 * @throws HoldshortError STORE_UNREACHABLE when no usable answer came in time; STORE_REFUSED when the store refuses: the
 *   credentials, the bucket or a setting is wrong, and a retry cannot succeed.
 */
export interface ObjectStore {
  /** For people: without credentials. */
  readonly address: string
  /** Null when there is no such object. */
  get: (key: string, options?: RequestOptions) => Promise<StoredObject | null>
  /** As `get`, but 'unchanged' when the object still has this version. */
  getUnless: (key: string, etag: string, options?: RequestOptions) => Promise<StoredObject | 'unchanged' | null>
  put: (key: string, bytes: Uint8Array, options?: RequestOptions) => Promise<void>
  /**
   * Writes an object if the precondition holds; returns its new tag, or null when the precondition does not hold. After a
   * lost answer this may return null although the object was written: compare its content.
   */
  putIf: (
    key: string,
    bytes: Uint8Array,
    precondition: Precondition,
    options?: RequestOptions,
  ) => Promise<string | null>
  /** An object that does not exist counts as deleted. */
  delete: (key: string, options?: RequestOptions) => Promise<void>
  /** The keys that begin with a prefix, in order. */
  list: (prefix: string) => Promise<{ key: string; bytes: number }[]>
}

export const unreachable = (address: string, reason: string, cause?: unknown): HoldshortError =>
  new HoldshortError('STORE_UNREACHABLE', `${address} gave no usable answer (${reason})`, { cause })

/** Writes a small object if the precondition holds, also when the answer to the first attempt was lost. */
export async function replaceObject(
  store: ObjectStore,
  key: string,
  bytes: Uint8Array,
  precondition: Precondition,
  options: RequestOptions = {},
): Promise<string | null> {
  const etag = await store.putIf(key, bytes, precondition, options)
  if (etag !== null) return etag
  const found = await store.get(key, options)
  return found && Buffer.from(found.bytes).equals(bytes) ? found.etag : null
}

/** Reads a JSON object of a store. @throws HoldshortError STORE_DAMAGED when it is none */
export function parseObject<T>(
  store: ObjectStore,
  key: string,
  { bytes }: Pick<StoredObject, 'bytes'>,
  schema: { parse: (value: unknown) => T },
): T {
  try {
    return schema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')))
  } catch (cause) {
    throw new HoldshortError('STORE_DAMAGED', `${store.address}/${key} is damaged or of a newer release`, { cause })
  }
}

/** Reads a JSON object of a store with the tag of its version; null when there is none. @throws HoldshortError STORE_DAMAGED */
export async function readObject<T>(
  store: ObjectStore,
  key: string,
  schema: { parse: (value: unknown) => T },
  options: RequestOptions = {},
): Promise<{ value: T; etag: string } | null> {
  const found = await store.get(key, options)
  return found && { value: parseObject(store, key, found, schema), etag: found.etag }
}

/** Where a content is stored that is named by its digest. */
export const contentKey = (sha256: string) => `${CONTENTS}${sha256.slice(0, 2)}/${sha256}`

export const jsonBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
