import { HoldshortError } from '../../config/errors.ts'
import type { Pointer, Pointers } from '../../warehouse/coordination/pointers.ts'
import type { ObjectStore } from '../../warehouse/objects/s3.ts'
import type { Sharing } from '../../warehouse/sharing/published-files.ts'
import { sha256Of } from '../../warehouse/storage/file-identity.ts'

export interface MemorySharing extends Sharing {
  objects: Map<string, { bytes: Uint8Array; modified_ms: number }>
  /** While it is set, every request to either store fails. */
  isAway: boolean
}

/** A bucket and pointers in memory, which behave as the real ones do. */
export function memorySharing(): MemorySharing {
  const objects: MemorySharing['objects'] = new Map()
  const published = new Map<string, Pointer & { epoch: number }>()
  let clock = 0
  const here = () => {
    if (sharing.isAway) throw new HoldshortError('STORE_UNREACHABLE', 'away')
  }
  const store: ObjectStore = {
    address: 's3://memory',
    get: async (key) => {
      here()
      return objects.get(key)?.bytes ?? null
    },
    put: async (key, bytes) => {
      here()
      objects.set(key, { bytes, modified_ms: Date.now() })
    },
    digest: async (key) => {
      const found = objects.get(key)
      return found ? sha256Of(found.bytes) : null
    },
    delete: async (key) => void objects.delete(key),
    list: async (prefix) =>
      [...objects]
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, { bytes, modified_ms }]) => ({ key, bytes: bytes.length, modified_ms, etag: sha256Of(bytes) })),
  }
  const pointers: Pointers = {
    read: async (name) => {
      here()
      return published.get(name) ?? null
    },
    all: async () => [...published.values()],
    write: async (name, epoch, manifest) => {
      here()
      if ((published.get(name)?.epoch ?? 0) > epoch)
        throw new HoldshortError('WRITE_FENCED', 'a later leader has begun')
      clock += 1_000
      published.set(name, { name, epoch, manifest: JSON.parse(JSON.stringify(manifest)), published_ms: clock })
    },
    close: async () => undefined,
  }
  const sharing: MemorySharing = { store, pointers, objects, isAway: false }
  return sharing
}
