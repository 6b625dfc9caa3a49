import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { projectFile } from '../config/paths.ts'

/** Reads a table of cases, a JSON file named by its path below `test/`. Who reads it states the form of its rows. */
export const readCases = <T>(path: string): T => JSON.parse(readFileSync(projectFile('test', path), 'utf8'))

/** Rows of one function: what it is given, and last what it returns. */
type Rows = [...given: unknown[], expected: unknown][]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Expects of a call the value of a row: of an object, also of one in a list, the fields that are named.
 * `{ "matches": pattern }` stands for a text, `{ "throws": pattern }` for an error.
 */
async function expectValue(call: () => unknown, expected: unknown): Promise<void> {
  const value = (async () => call())()
  if (isObject(expected) && 'throws' in expected)
    await expect(value).rejects.toThrow(new RegExp(String(expected.throws)))
  else if (isObject(expected) && 'matches' in expected)
    expect(await value).toMatch(new RegExp(String(expected.matches)))
  else if ([expected].flat().some(isObject)) expect(await value).toMatchObject(expected as object)
  else expect(await value).toEqual(expected)
}

/**
 * Tests functions, or what their promises resolve with, by a table of cases: a JSON file by its path below `test/` with the
 * rows of each. A key is the name of a function, and after a colon what its rows are about.
 */
export function testValues(path: string, functions: Record<string, (...given: never[]) => unknown>): void {
  const groups = Object.entries(readCases<Record<string, Rows>>(path))
  const nameOf = (key: string) => key.split(':')[0]!
  test(`${path} has rows of each function, and of no other`, () => {
    expect([...new Set(groups.map(([key]) => nameOf(key)))].sort()).toEqual(Object.keys(functions).sort())
  })
  describe.each(groups)('%s', (key, rows) => {
    for (const row of rows)
      test(JSON.stringify(row), () =>
        expectValue(() => functions[nameOf(key)]!(...(row.slice(0, -1) as never[])), row.at(-1)),
      )
  })
}
