import { MinuteWindow } from './minute-window.ts'
import { sourceNetwork } from './source-network.ts'

const MAX_WINDOWS = 10_000

/** A limit per minute for each source network, in the memory of this process. */
export class SourceLimit {
  readonly #limit: number
  readonly #windows = new Map<string, MinuteWindow>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Counts a request and returns 0, or returns the seconds to wait if the limit is reached. */
  take(address: string, now: number): number {
    const network = sourceNetwork(address)
    const window = this.#windows.get(network) ?? new MinuteWindow(this.#limit)
    if (!window.take(now)) return window.quota(now).reset_seconds
    if (this.#windows.size >= MAX_WINDOWS)
      for (const [name, other] of this.#windows) if (other.idle(now)) this.#windows.delete(name)
    this.#windows.set(network, window)
    return 0
  }
}
