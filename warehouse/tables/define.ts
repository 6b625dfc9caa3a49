import { z } from 'zod'

/** Types of columns, as DuckDB spells them. Instants are TIMESTAMPTZ in UTC, days DATE. */
export type ColumnType = 'VARCHAR' | 'VARCHAR[]' | 'BOOLEAN' | 'INTEGER' | 'BIGINT' | 'DOUBLE' | 'TIMESTAMPTZ' | 'DATE'

export interface Column {
  type: ColumnType
  schema: z.ZodType
  /** The meaning of the column, with its unit; appears in the table dictionary. */
  meaning: string
}

/** A column: the zod schema of one value, what it means, and its type, which follows from the schema unless it is given. */
export function column<S extends z.ZodType>(schema: S, meaning: string, type = typeOf(schema)) {
  return { type, schema, meaning }
}

function typeOf(schema: z.ZodType): ColumnType {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return typeOf(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodISODateTime) return 'TIMESTAMPTZ'
  if (schema instanceof z.ZodBoolean) return 'BOOLEAN'
  if (schema instanceof z.ZodArray) return 'VARCHAR[]'
  if (schema instanceof z.ZodNumber) return schema.isInt ? 'INTEGER' : 'DOUBLE'
  return 'VARCHAR'
}

type Columns = Record<string, Column>
type Optional<C extends Columns> = { [K in keyof C]: undefined extends z.infer<C[K]['schema']> ? K : never }[keyof C]
/** A column whose schema is optional may be left out of a row; it is null in the table. */
type RowOf<C extends Columns> = { -readonly [K in Exclude<keyof C, Optional<C>>]: z.infer<C[K]['schema']> } & {
  -readonly [K in Optional<C>]?: z.infer<C[K]['schema']>
}

/** A table with any columns, as the storage code uses it. */
export interface Table {
  name: string
  /** One sentence for the table dictionary. */
  about: string
  owner: 'pipeline' | 'training'
  /** The operator's limits on age and volume that apply to it. */
  retention: 'readings' | 'rollups' | 'forecasts'
  columns: Columns
  /** Columns that identify a row; landing a row whose key is present changes nothing. Null counts as a value. */
  key: readonly string[]
  /** The order in which rows are written, and in which an export has them. */
  sort: readonly string[]
  /** The instant that the column `date` is derived from, and that retention counts age by. */
  age: string
  /** Whether a day of it is made, and changes, for each kind of queue apart. */
  by_kind?: true
  /** The instant whose local time at the airport of the row `holdshort query` shows beside it. */
  local?: string
}

/** A table whose columns are known to the compiler. */
export interface TableOf<C extends Columns> extends Table {
  columns: C
  key: readonly (keyof C & string)[]
  sort: readonly (keyof C & string)[]
  age: keyof C & string
  local?: keyof C & string
  row: z.ZodObject<{ [K in keyof C]: C[K]['schema'] }>
}

/** Declares a table; its row schema is made from the columns. */
export function defineTable<const C extends Columns>(table: Omit<TableOf<C>, 'row'>): TableOf<C> {
  const shape = Object.fromEntries(Object.entries(table.columns).map(([name, { schema }]) => [name, schema]))
  return { ...table, row: z.strictObject(shape) as unknown as TableOf<C>['row'] }
}

/** The row type of a table. */
export type Row<T> = T extends { columns: infer C extends Columns } ? RowOf<C> : never

/** The column that every table has beside its own: the UTC day of its `age`. Statements name it to read few days. */
export const DATE_COLUMN = 'date'

/** SQL of the value of `date` of a row. */
export const dateSql = ({ age }: Table): string => `(${age} AT TIME ZONE 'UTC')::DATE`
