import { setImmediate as nextTurn } from 'node:timers/promises'

let last: Promise<unknown> = Promise.resolve()

/**
 * Long work of the main thread is cut into slices and awaits this between them. In each turn of the event loop one slice
 * of all such work runs, in the order of arrival, so that short requests are answered in between however many long ones
 * there are.
 */
export function nextSlice(): Promise<void> {
  const mine = last.then(() => nextTurn())
  last = mine
  return mine
}

/** The entries of a list in parts of at most `length`. */
export function* partsOf<T>(entries: Iterable<T>, length: number): Generator<T[]> {
  let part: T[] = []
  for (const entry of entries) {
    part.push(entry)
    if (part.length < length) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}
