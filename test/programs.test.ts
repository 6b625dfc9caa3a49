import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFile } from '../config/paths.ts'

const ROOMS = [
  'accounts',
  'answers',
  'api',
  'bin',
  'config',
  'forecasting',
  'jobs',
  'pipeline',
  'site',
  'training',
  'warehouse',
  'test',
  'tools',
]

test('every program that is started by its file is one of the source tree', () => {
  const sources = ROOMS.flatMap((room) =>
    readdirSync(projectFile(room), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(projectFile(room), name)),
  )
  const programs = sources.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/projectFile\('dist', ('[\w.', -]+\.js')\)/g)].map(([, parts = '']) =>
      parts.replaceAll("'", '').split(', ').join('/').replace(/\.js$/, '.ts'),
    ),
  )
  const started = sources.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/startProgram\('([\w-]+)'/g)].map(([, name]) => `test/programs/${name}.ts`),
  )
  programs.push(...started)
  expect(started.length).toBeGreaterThan(3)
  expect(programs.length).toBeGreaterThan(5)
  expect([...new Set(programs)].filter((path) => !existsSync(projectFile(path)))).toEqual([])
})
