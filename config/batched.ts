/** Databases limit the number of parameters of a statement. */
const MAX_KEYS = 500

interface Batch<Value> {
  keys: Set<string>
  found: Promise<ReadonlyMap<string, Value>>
}

/**
 * Reads by key: one call of `read` for all keys requested in one turn of the event loop, up to 500. It begins after the
 * requests, so it sees every write acknowledged before. A key that `read` does not find is undefined.
 */
export function batched<Value>(
  read: (keys: string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let open: Batch<Value> | null = null
  const begin = (): Batch<Value> => {
    const keys = new Set<string>()
    const found = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      if (open?.keys === keys) open = null
      return read([...keys])
    })
    return { keys, found }
  }
  return async (key) => {
    if (open === null || open.keys.size >= MAX_KEYS) open = begin()
    const { keys, found } = open
    keys.add(key)
    return (await found).get(key)
  }
}
