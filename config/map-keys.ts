/** An object with a value for each key. */
export const mapKeys = <Key extends string, Value>(keys: readonly Key[], valueOf: (key: Key, index: number) => Value) =>
  Object.fromEntries(keys.map((key, index) => [key, valueOf(key, index)])) as Record<Key, Value>
