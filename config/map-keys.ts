/** An object with a value for each key. */
export function mapKeys<Key extends string, Value>(
  keys: readonly Key[],
  makeValue: (key: Key, index: number) => Value,
): Record<Key, Value> {
  const values = {} as Record<Key, Value>
  for (const [index, key] of keys.entries()) values[key] = makeValue(key, index)
  return values
}
