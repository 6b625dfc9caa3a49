import { randomUUID } from 'node:crypto'
import type { ObjectStore } from '../../../warehouse/objects/object-store.ts'

/** A bucket in memory. `before` is called ahead of each request and may wait or throw; `after` behind it. */
export function memoryStore({
  before = async () => undefined,
  after = async () => undefined,
}: {
  before?: (method: string, key: string) => Promise<void> | Promise<undefined>
  after?: (method: string, key: string) => Promise<void> | Promise<undefined>
} = {}): ObjectStore & { objects: Map<string, { bytes: Uint8Array; etag: string }> } {
  const objects = new Map<string, { bytes: Uint8Array; etag: string }>()
  const request = async <T>(method: string, key: string, work: () => T): Promise<T> => {
    await before(method, key)
    const result = work()
    await after(method, key)
    return result
  }
  const write = (key: string, bytes: Uint8Array) => {
    const etag = `"${randomUUID()}"`
    objects.set(key, { bytes: Uint8Array.from(bytes), etag })
    return etag
  }
  return {
    objects,
    address: 's3://memory/test',
    get: (key) => request('get', key, () => objects.get(key) ?? null),
    getUnless: (key, etag) =>
      request('get', key, () => {
        const found = objects.get(key) ?? null
        return found?.etag === etag ? 'unchanged' : found
      }),
    put: (key, bytes) => request('put', key, () => void write(key, bytes)),
    putIf: (key, bytes, precondition) =>
      request('put', key, () => {
        const etag = objects.get(key)?.etag
        const isHeld = precondition === 'absent' ? etag === undefined : etag === precondition.etag
        return isHeld ? write(key, bytes) : null
      }),
    delete: (key) => request('delete', key, () => void objects.delete(key)),
    list: (prefix) =>
      request('list', prefix, () =>
        [...objects]
          .filter(([key]) => key.startsWith(prefix))
          .map(([key, { bytes }]) => ({ key, bytes: bytes.byteLength })),
      ),
  }
}
