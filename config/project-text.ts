import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { SettingsError } from './errors.ts'
import { projectFile } from './paths.ts'

/**
 * A text of the project that is kept as a file: Markdown for people or agents, a style sheet. A slot such as `{{site_url}}`, without spaces, becomes the value of that name.
 * @throws Error for a slot without a value
 */
export function projectText(path: string, slots: Readonly<Record<string, string>> = {}): string {
  return readFileSync(projectFile(...path.split('/')), 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = slots[name]
    if (value === undefined) throw new Error(`${path} has a slot without a value: ${name}`)
    return value
  })
}

/** A JSON file of the project that operators edit. @throws SettingsError as `parseEditedTable` */
export const editedTable = <Shape extends z.ZodType>(path: string, shape: Shape): z.output<Shape> =>
  parseEditedTable(path, projectText(path), shape)

/**
 * The content of a file that operators edit.
 * @throws SettingsError with a line for each fault: the file, the place in it (a row by its `id`), and what is wrong
 */
export function parseEditedTable<Shape extends z.ZodType>(path: string, text: string, shape: Shape): z.output<Shape> {
  let table: unknown
  try {
    table = JSON.parse(text)
  } catch (error) {
    throw new SettingsError([{ parameter: path, message: `is not JSON: ${(error as Error).message}` }])
  }
  const result = shape.safeParse(table)
  if (result.success) return result.data
  const faults = result.error.issues.map((issue) => {
    const place = issue.path.map((key, depth) => (depth === 0 ? rowName(table, key) : String(key)))
    return { parameter: [path, ...place].join(': '), message: issue.message }
  })
  throw new SettingsError(faults)
}

/** The id of a row of a list, where it has one; otherwise its key, rows counted from 1. */
function rowName(table: unknown, key: PropertyKey): string {
  if (!Array.isArray(table)) return String(key)
  const { id } = (table[Number(key)] ?? {}) as { id?: unknown }
  return typeof id === 'string' && id !== '' ? id : `row ${Number(key) + 1}`
}

/** A table of the project that is kept as a JSON file. */
export const projectTable = <Value>(path: string): Readonly<Record<string, Value>> => JSON.parse(projectText(path))
