import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFile } from '../config/paths.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Lints a text with the rules of this project; returns what the linter reports. */
async function lint(code: string): Promise<{ status: number | null; report: string }> {
  const file = join(await temporaryFolder(), 'example.ts')
  await writeFile(file, code)
  const biome = projectFile('node_modules', '.bin', 'biome')
  const { status, stdout, stderr } = spawnSync(biome, ['lint', `--config-path=${projectFile()}`, file], {
    encoding: 'utf8',
  })
  return { status, report: stdout + stderr }
}

test.each([
  'export const spread = { a: 1, ...{ b: 2 } }',
  'export const spread = [1, ...[2, 3]]',
  'export const spread = Math.max(...[1, 2])',
  "export const spread = [1, ...(['a', 2] as const)]",
  'export const spread = [0, ...[1, 2].map(String)]',
])('refuses a literal that is spread into a literal or a call: %s', async (code) => {
  const { status, report } = await lint(`${code}\n`)
  expect(status).toBe(1)
  expect(report).toContain('Write the members out')
})

test('allows spreading a value or a condition', async () => {
  const code = `const a = { b: 1 }
export const spread = { ...a, ...(a.b > 0 && { c: 2 }) }
export const list = [...Object.keys(a)]
`
  expect(await lint(code)).toMatchObject({ status: 0 })
})
