import { LRUCache } from 'lru-cache'
import type { Snapshot } from '../../../warehouse/publishing/snapshot/snapshot.ts'

const MAX_BYTES = 64 * 1_048_576

/**
 * Serialised answers of one snapshot, limited in bytes. All are dropped when the snapshot changes, so that an answer never
 * comes from another snapshot than the one its request read.
 */
export class AnswerCache<Answer extends { length: number }> {
  #snapshot: Snapshot | null = null
  readonly #answers = new LRUCache<string, Answer>({
    maxSize: MAX_BYTES,
    // Compressed forms are added later and are smaller: twice the uncompressed size covers all three.
    sizeCalculation: (answer, key) => 2 * answer.length + key.length + 256,
  })

  get(snapshot: Snapshot, key: string): Answer | undefined {
    if (snapshot !== this.#snapshot) {
      this.#answers.clear()
      this.#snapshot = snapshot
      return undefined
    }
    return this.#answers.get(key)
  }

  /** Caches an answer, unless a newer snapshot has been published meanwhile. */
  put(snapshot: Snapshot, key: string, answer: Answer): Answer {
    if (snapshot === this.#snapshot) this.#answers.set(key, answer)
    return answer
  }

  get size(): number {
    return this.#answers.size
  }
}
