import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { projectFile } from '../config/paths.ts'
import { ROOMS, sourceFiles } from './source-files.ts'

test('every program that is started by its file is one of the source tree, and is built', () => {
  const sources = sourceFiles([...ROOMS, 'test', 'tools'])
  const programs = sources.flatMap(({ text }) =>
    [...text.matchAll(/projectFile\('dist', ('[\w.', -]+\.js')\)/g)].map(([, parts = '']) =>
      parts.replaceAll("'", '').split(', ').join('/').replace(/\.js$/, '.ts'),
    ),
  )
  const started = sources.flatMap(({ text }) =>
    [...text.matchAll(/startProgram\('([\w-]+)'/g)].map(([, name]) => `test/programs/${name}.ts`),
  )
  programs.push(...started)
  expect(started.length).toBeGreaterThan(3)
  expect(programs.length).toBeGreaterThan(5)
  expect([...new Set(programs)].filter((path) => !existsSync(projectFile(path)))).toEqual([])
  // `build.mjs` lists them.
  const isBuilt = (path: string) => existsSync(projectFile('dist', path.replace(/\.ts$/, '.js')))
  expect([...new Set(programs)].filter((path) => !isBuilt(path))).toEqual([])
})
