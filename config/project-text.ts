import { readFileSync } from 'node:fs'
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

/** A table of the project that is kept as a JSON file. */
export const projectTable = <Value>(path: string): Readonly<Record<string, Value>> => JSON.parse(projectText(path))
