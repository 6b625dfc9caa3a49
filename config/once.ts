/** What is made when it is first needed, and then kept. */

export function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The same for each object, as long as the object is kept. */
export function memoizeByObject<Of extends WeakKey, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const made = new WeakMap<Of, { value: Made }>()
  return (of) => getOrCreate(made, of, () => ({ value: make(of) })).value
}

/** What a map or cache keeps under a key; made, and kept there, when it has nothing. */
export function getOrCreate<Key, Made>(
  kept: { get: (key: Key) => Made | undefined; set: (key: Key, made: Made) => unknown },
  key: Key,
  make: () => Made,
): Made {
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = make()
  kept.set(key, made)
  return made
}
