import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { projectFile } from '../paths.ts'

/** One file of facts: its name, the schema of a row, and its rows, read on first use. */
export interface ReferenceFile<Row> {
  name: string
  row: z.ZodType<Row>
  rows: () => readonly Row[]
}

/** The path of a file of facts. */
export const referencePath = (name: string) => projectFile('config', 'reference', `${name}.json`)

/** Declares a file of facts. Its rows are checked at the import and by a test, not at every start. */
export function referenceFile<Shape extends z.ZodType>(name: string, row: Shape): ReferenceFile<z.output<Shape>> {
  let rows: readonly z.output<Shape>[] | null = null
  return {
    name,
    row: row as z.ZodType<z.output<Shape>>,
    rows: () => {
      rows ??= JSON.parse(readFileSync(referencePath(name), 'utf8')) as z.output<Shape>[]
      return rows
    },
  }
}

/** Texts found in the source. An empty list means that none was found, not that there is none. */
export const foundTexts = z.array(z.string().min(1))
export const Currency = z.string().regex(/^[A-Z]{3}$/)
