import { getOrCreate } from './once.ts'
/** The rows by a key of theirs, each group in the order of the rows. `Map.groupBy` is missing in Node 20. */
export function groupBy<Key, Row>(rows: Iterable<Row>, keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>()
  for (const row of rows) {
    getOrCreate(groups, keyOf(row), () => []).push(row)
  }
  return groups
}
