/** Runs pieces of work one after another, in the order in which they are given; a piece that fails stops none after it. */
export function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}

/** Works on entries, a few at a time; the first error ends it. */
export async function forEachOf<T>(
  entries: readonly T[],
  concurrent: number,
  work: (entry: T) => Promise<void>,
): Promise<void> {
  let next = 0
  const worker = async () => {
    for (let index = next++; index < entries.length; index = next++) await work(entries[index] as T)
  }
  try {
    await Promise.all(Array.from({ length: concurrent }, worker))
  } catch (error) {
    next = entries.length
    throw error
  }
}
