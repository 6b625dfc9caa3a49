import { MinuteWindow } from '../../data/gate/minute-window.ts'
import { sourceNetwork } from '../../data/gate/source-network.ts'

const MOST_HELD = 10_000

/** How often each source network may do something in a minute, by the memory of this process. */
export class SourceLimit {
  readonly #limit: number
  readonly #windows = new Map<string, MinuteWindow>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Takes a place; returns 0, or the seconds to wait where there is none. */
  take(address: string, now: number): number {
    const network = sourceNetwork(address)
    const window = this.#windows.get(network) ?? new MinuteWindow(this.#limit)
    if (!window.take(now)) return window.resetSeconds(now)
    if (this.#windows.size >= MOST_HELD)
      for (const [name, held] of this.#windows) if (held.idle(now)) this.#windows.delete(name)
    this.#windows.set(network, window)
    return 0
  }
}
