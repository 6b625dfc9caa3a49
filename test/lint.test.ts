import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFile } from '../config/paths.ts'
import { temporaryFolder } from './temporary-folder.ts'

const REFUSED = [
  'export const spread = { a: 1, ...{ b: 2 } }',
  'export const spread = [1, ...[2, 3]]',
  'export const spread = Math.max(...[1, 2])',
  "export const spread = [1, ...(['a', 2] as const)]",
  'export const spread = [0, ...[1, 2].map(String)]',
]
const ALLOWED = `const a = { b: 1 }
export const spread = { ...a, ...(a.b > 0 && { c: 2 }) }
export const list = [...Object.keys(a)]
`

test('the linter refuses a literal that is spread into a literal or a call, and allows a value or a condition', async () => {
  const folder = await temporaryFolder()
  for (const [index, code] of REFUSED.entries()) writeFileSync(join(folder, `refused-${index}.ts`), `${code}\n`)
  writeFileSync(join(folder, 'allowed.ts'), ALLOWED)
  const biome = projectFile('node_modules', '.bin', 'biome')
  const { status, stdout, stderr } = spawnSync(biome, ['lint', `--config-path=${projectFile()}`, folder], {
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  for (const index of REFUSED.keys())
    expect(stderr).toMatch(new RegExp(`refused-${index}\\.ts:[^\\n]*\\n[^/]*Write the members out`))
  expect(stdout + stderr).not.toContain('allowed.ts')
})
