import { createRequire } from 'node:module'
import type * as Arrow from 'apache-arrow'
import { mapKeys } from '../../../config/map-keys.ts'

/** The package as its one file: its 146 modules take a tenth of a second to load, at every start of every process. */
const { makeTable, tableFromIPC, tableToIPC } = createRequire(import.meta.url)(
  'apache-arrow/Arrow.esnext.min',
) as typeof Arrow

/** Reads an Arrow IPC file. @throws Error if it is none */
export const readArrowFile = (bytes: Uint8Array): Arrow.Table => tableFromIPC(bytes)

/** An Arrow IPC file of typed arrays, one column each. Every column must be an array of its own. */
export function arrowFile(columns: Parameters<typeof Arrow.makeTable>[0]): Uint8Array {
  return tableToIPC(makeTable(columns), 'file')
}

/** Columns of an Arrow table as their typed arrays. */
export const arrowColumns = <Columns extends object>(table: Arrow.Table, names: readonly (keyof Columns & string)[]) =>
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
