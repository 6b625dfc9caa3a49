import { makeTable, type Table, tableToIPC } from 'apache-arrow'
import { mapKeys } from '../../../config/map-keys.ts'

/** An Arrow IPC file of typed arrays, one column each. Every column must be an array of its own. */
export function arrowFile(columns: Parameters<typeof makeTable>[0]): Uint8Array {
  return tableToIPC(makeTable(columns), 'file')
}

/** Columns of an Arrow table as their typed arrays. */
export const arrowColumns = <Columns extends object>(table: Table, names: readonly (keyof Columns & string)[]) =>
  mapKeys(names, (name) => {
    const vector = table.getChild(name)
    if (!vector) throw new Error(`column ${name} is missing`)
    return vector.toArray() as unknown
  }) as Columns

/** A span of typed arrays; nothing is copied. */
export const viewsOf = <Columns extends object>(
  columns: Columns,
  names: readonly (keyof Columns & string)[],
  start: number,
  end: number,
) => mapKeys(names, (name) => (columns[name] as Int32Array).subarray(start, end)) as unknown as Columns
