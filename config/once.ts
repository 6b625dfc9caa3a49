/** Values that are created when first needed, and then cached. */

export function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The same for each object, as long as the object is kept. */
export function memoizeByObject<Key extends WeakKey, Made>(make: (object: Key) => Made): (object: Key) => Made {
  const made = new WeakMap<Key, { value: Made }>()
  return (object) => getOrCreate(made, object, () => ({ value: make(object) })).value
}

/** Callers with the same key share one piece of work while it is under way. */
export function createSharing<Made>(): (key: string, work: () => Promise<Made>) => Promise<Made> {
  const underWay = new Map<string, Promise<Made>>()
  return (key, work) => getOrCreate(underWay, key, () => work().finally(() => underWay.delete(key)))
}

/** Returns the cached value of a key; creates and caches it if there is none. */
export function getOrCreate<Key, Made>(
  cache: { get: (key: Key) => Made | undefined; set: (key: Key, made: Made) => unknown },
  key: Key,
  make: () => Made,
): Made {
  const known = cache.get(key)
  if (known !== undefined) return known
  const made = make()
  cache.set(key, made)
  return made
}
