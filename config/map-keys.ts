/** An object with a value for each key. */
export const mapKeys = <Key extends string, Value>(
  keys: readonly Key[],
  makeValue: (key: Key, index: number) => Value,
) => Object.fromEntries(keys.map((key, index) => [key, makeValue(key, index)])) as Record<Key, Value>
