import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { projectFile } from '../../../config/paths.ts'
import { waitCollectors } from '../../../pipeline/collectors/index.ts'

const text = (...path: string[]) => readFileSync(projectFile('pipeline', ...path), 'utf8')

describe('the table of notices', () => {
  it('explains exactly the codes that the collectors of waits raise', () => {
    const files = [
      ...waitCollectors.map(({ id }) => ['collectors', `${id}.ts`]),
      ...readdirSync(projectFile('pipeline', 'parsing')).map((file) => ['parsing', file]),
    ]
    const raised = files.flatMap((path) =>
      [...text(...path).matchAll(/(?:notice|leaveOut)\(\s*'([a-z_]+)'/g)].map((match) => match[1]),
    )
    const explained = [...text('collectors', 'README.md').matchAll(/^\| `([a-z_]+)` \|/gm)].map((match) => match[1])
    expect(raised.length).toBeGreaterThan(10)
    expect([...new Set(raised)].sort()).toEqual(explained.sort())
  })
})
