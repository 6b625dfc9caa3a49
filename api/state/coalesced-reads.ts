/**
 * Coalesces concurrent calls of `read`: at most one runs and one waits for it. A caller never receives a read that started
 * before its own call, so its result includes every write that was acknowledged before the call.
 */
export function coalescedReads<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  let waiting: Promise<T> | null = null
  const start = (): Promise<T> => {
    const reading = read().finally(() => {
      running = null
    })
    running = reading
    return reading
  }
  const startAfter = async (current: Promise<T>): Promise<T> => {
    await current.catch(() => undefined)
    waiting = null
    return start()
  }
  return () => {
    if (waiting !== null) return waiting
    if (running === null) return start()
    waiting = startAfter(running)
    return waiting
  }
}
