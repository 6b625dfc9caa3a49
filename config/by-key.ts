/** An object with a value for each key. */
export const byKey = <Key extends string, Value>(keys: readonly Key[], of: (key: Key, at: number) => Value) =>
  Object.fromEntries(keys.map((key, at) => [key, of(key, at)])) as Record<Key, Value>
