import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { groupBy } from '../group-by.ts'
import { getOrCreate } from '../once.ts'
import { projectFile } from '../paths.ts'

/** One file of facts: its name, the schema of a row, and its rows, read on first use. */
export interface ReferenceFile<Row> {
  name: string
  row: z.ZodType<Row>
  rows: () => readonly Row[]
  /** The rows whose field has a value, by an index that is made at the first look. */
  where<Field extends keyof Row>(field: Field, value: Row[Field]): readonly Row[]
}

/** The path of a file of facts. */
export const referencePath = (name: string) => projectFile('config', 'reference', `${name}.json`)

/** Declares a file of facts. Its rows are checked at the import and by a test, not at every start. */
export function referenceFile<Shape extends z.ZodType>(name: string, row: Shape): ReferenceFile<z.output<Shape>> {
  type Row = z.output<Shape>
  let read: readonly Row[] | null = null
  const indexes = new Map<keyof Row, ReadonlyMap<unknown, readonly Row[]>>()
  const rows = () => {
    read ??= JSON.parse(readFileSync(referencePath(name), 'utf8')) as Row[]
    return read
  }
  return {
    name,
    row: row as z.ZodType<Row>,
    rows,
    where: (field, value) => {
      const index = getOrCreate(indexes, field, () => groupBy(rows(), (row) => row[field] as unknown))
      return index.get(value) ?? []
    },
  }
}

/** Texts found in the source. An empty list means that none was found, not that there is none. */
export const foundTexts = z.array(z.string().min(1))
export const Currency = z.string().regex(/^[A-Z]{3}$/)
