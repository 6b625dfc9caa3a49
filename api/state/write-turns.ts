import { StateBusyError } from './unreachable.ts'

interface Waiting {
  begin: () => void
  timer: NodeJS.Timeout
}

/** Lets one write at a time use the writing connection, in the order of arrival, each after a bounded wait. */
export class WriteTurns {
  readonly #limitMs: number
  readonly #waiting = new Set<Waiting>()
  #isTaken = false

  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  /** Resolves when it is this write's turn; every turn ends with `end()`. @throws StateBusyError */
  async begin(): Promise<void> {
    if (!this.#isTaken) {
      this.#isTaken = true
      return
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting)
        reject(new StateBusyError())
      }, this.#limitMs)
      const waiting = { begin: resolve, timer }
      this.#waiting.add(waiting)
    })
  }

  end(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#isTaken = false
      return
    }
    this.#waiting.delete(next)
    clearTimeout(next.timer)
    next.begin()
  }
}
