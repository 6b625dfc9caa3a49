import type { Row, Table } from '../tables/define.ts'

/** Values that a query may be given, by name ($name in the SQL). Instants are ISO strings. */
export type QueryValues = Record<string, string | number | boolean | null>

/** A column of a result: numbers come as Float64Array-like arrays, instants as epoch milliseconds, NULL as NaN or null. */
export type ResultColumns = Record<string, ArrayLike<unknown>>

/**
 * The open warehouse: views of all tables by name, over Parquet. Many readers; one writer at a time, by a lock.
 * Nothing of this is on the api's request path.
 */
export interface Warehouse {
  readonly data_dir: string
  /** Rows as plain objects: instants as ISO strings with Z, lists as arrays. For small results. */
  query: <R extends object = Record<string, unknown>>(sql: string, values?: QueryValues) => Promise<R[]>
  /** Whole columns: numbers as Float64Array (NULL = NaN), instants as Float64Array of epoch milliseconds, texts as string arrays. */
  columns: (sql: string, values?: QueryValues) => Promise<ResultColumns>
  /** Lands rows whose key is not there yet; returns how many were new. Atomic per partition, idempotent. */
  land: <T extends Table>(table: T, rows: Row<T>[]) => Promise<number>
  /** The same for the rows a SELECT gives (columns named as the table's). */
  landSelect: (table: Table, select: string, values?: QueryValues) => Promise<number>
  /** Makes the views see files written since opening. */
  refresh: () => Promise<void>
  close: () => Promise<void>
}
