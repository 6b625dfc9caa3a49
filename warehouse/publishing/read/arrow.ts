import { makeTable, type Table, tableToIPC } from 'apache-arrow'

/** An Arrow IPC file of typed arrays, one column each. Every column must be an array of its own. */
export function arrowFile(columns: Parameters<typeof makeTable>[0]): Uint8Array {
  return tableToIPC(makeTable(columns), 'file')
}

/** A column of an Arrow table as its typed array. */
export function arrowColumn<T>(table: Table, name: string): T {
  const vector = table.getChild(name)
  if (!vector) throw new Error(`column ${name} is missing`)
  return vector.toArray() as T
}
