import { LRUCache } from 'lru-cache'
import type { Snapshot } from '../../warehouse/snapshot/types.ts'
import type { Body } from './body.ts'

const MOST_BYTES = 64 * 1_048_576

/**
 * Serialised answers of one snapshot, bounded in bytes. All are dropped when the snapshot changes, so that an answer
 * can never come from another snapshot than the one its request took.
 */
export class AnswerCache {
  #snapshot: Snapshot | null = null
  readonly #bodies = new LRUCache<string, Body>({
    maxSize: MOST_BYTES,
    // Compressed forms are made later and are smaller: twice the plain size covers all three.
    sizeCalculation: (body, key) => 2 * body.length + key.length + 256,
  })

  get(snapshot: Snapshot, key: string): Body | undefined {
    if (snapshot !== this.#snapshot) {
      this.#bodies.clear()
      this.#snapshot = snapshot
      return undefined
    }
    return this.#bodies.get(key)
  }

  /** Keeps an answer, unless a newer snapshot has come meanwhile. */
  put(snapshot: Snapshot, key: string, body: Body): Body {
    if (snapshot === this.#snapshot) this.#bodies.set(key, body)
    return body
  }

  get size(): number {
    return this.#bodies.size
  }
}
