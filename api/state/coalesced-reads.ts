/**
 * Shares reads among concurrent askers: at most one is under way and one waits. An asker never gets a read that had begun
 * before it asked, so what was acknowledged to anyone before is in its answer.
 */
export function coalescedReads<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  let waiting: Promise<T> | null = null
  const begin = (): Promise<T> => {
    const reading = read().finally(() => {
      running = null
    })
    running = reading
    return reading
  }
  const afterwards = async (one: Promise<T>): Promise<T> => {
    await one.catch(() => undefined)
    waiting = null
    return begin()
  }
  return () => {
    if (waiting !== null) return waiting
    if (running === null) return begin()
    waiting = afterwards(running)
    return waiting
  }
}
