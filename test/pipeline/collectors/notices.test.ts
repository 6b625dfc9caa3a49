import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { projectFile } from '../../../config/paths.ts'

const text = (...path: string[]) => readFileSync(projectFile('pipeline', ...path), 'utf8')

/** TypeScript files of a folder of the pipeline and of the folders below it. */
const filesOf = (folder: string) =>
  readdirSync(projectFile('pipeline', folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => text(folder, file))

it('the table of notices in the README explains exactly the codes that the collectors raise', () => {
  const raised = [...filesOf('collectors'), ...filesOf('parsing')].flatMap((source) =>
    [...source.matchAll(/\b(?:notice|note|leaveOut|info|warning)\(\s*'([a-z_]+)'/g)].map((match) => match[1]),
  )
  const explained = [...text('collectors', 'README.md').matchAll(/^\| `([a-z_]+)` \|/gm)].map((match) => match[1])
  expect(raised.length).toBeGreaterThan(30)
  expect([...new Set(raised)].sort()).toEqual(explained.sort())
})
