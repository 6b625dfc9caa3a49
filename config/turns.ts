/**
 * Runs pieces of work one after the other, in the order in which they were asked for; a failure is its caller's and holds
 * nobody up.
 */
export function takeTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
