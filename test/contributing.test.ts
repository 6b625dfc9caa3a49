import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { projectFile } from '../config/paths.ts'
import { EXHAUSTIVE } from './exhaustive.ts'
import { ROOMS } from './source-files.ts'
import { temporaryFolder } from './temporary-folder.ts'

const execute = promisify(execFile)

/** Runs a program; a failure shows what it printed. */
async function run(file: string, args: string[], options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<void> {
  await execute(file, args, options).catch((error: { stdout: string; stderr: string }) =>
    expect.fail(`${args.join(' ')}\n${error.stdout}\n${error.stderr}`),
  )
}

/** One code block of a recipe: a new file, or lines that are added to an existing one. */
interface Block {
  recipe: string
  kind: 'new' | 'diff'
  path: string
  text: string
}

const RECIPES = [
  'Add an airport of a known family',
  'Add a JSON feed',
  'Add a source of a new kind',
  'Add a table',
  'Add a query',
  'Add a tool',
  'Add a page',
  'Add a command',
  'Add an input of the model',
  'Add a forecaster',
]

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  for (const section of markdown.split(/^### /m).slice(1)) {
    const recipe = section.slice(0, section.indexOf('\n'))
    for (const [, language, path = '', text = ''] of section.matchAll(/^```(\w+) (\S+\.\w+)\n(.*?)^```$/gms))
      blocks.push({ recipe, kind: language === 'diff' ? 'diff' : 'new', path, text })
  }
  return blocks
}

/** Follows one block in a copy of the project. */
function follow({ recipe, kind, path, text }: Block, folder: string): void {
  const file = join(folder, path)
  if (kind === 'new') {
    expect(existsSync(file), `${recipe}: ${path} must be a new file`).toBe(false)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return
  }
  const [context = '', ...rest] = text.trimEnd().split('\n')
  const added = rest.map((line) => line.replace(/^\+/, ''))
  const lines = readFileSync(file, 'utf8').split('\n')
  const places = lines.flatMap((line, index) => (line === context.slice(1) ? [index] : []))
  expect(places, `${recipe}: ${path} must have the line "${context.slice(1)}" once`).toHaveLength(1)
  writeFileSync(file, lines.toSpliced(places[0]! + 1, 0, ...added).join('\n'))
}

const COPIED = [...ROOMS, 'test', 'tools', 'docs/operate', 'docs/use']
const CONFIGURATION = [
  'biome.json',
  'build.mjs',
  'package.json',
  'tsconfig.json',
  'tsconfig.browser.json',
  'vitest.config.ts',
]

test('the recipes of CONTRIBUTING.md work when they are followed to the letter', async () => {
  const blocks = blocksOf(readFileSync(projectFile('CONTRIBUTING.md'), 'utf8'))
  expect([...new Set(blocks.map(({ recipe }) => recipe))]).toEqual(RECIPES)
  const folder = join(await temporaryFolder(), 'project')
  mkdirSync(folder)
  for (const name of [...COPIED, ...CONFIGURATION])
    cpSync(projectFile(name), join(folder, name), {
      recursive: true,
      filter: (source) => !source.includes('node_modules'),
    })
  for (const block of blocks) follow(block, folder)
  // Compiling the copy and running the recipes' own tests takes half a minute.
  if (!EXHAUSTIVE) return
  symlinkSync(projectFile('node_modules'), join(folder, 'node_modules'))
  const options = { cwd: folder, env: { ...process.env, VITEST: '' } }
  const tool = (name: string) => projectFile('node_modules', '.bin', name)
  await run(process.execPath, ['build.mjs'], options)
  await run(tool('tsc'), ['-p', 'tsconfig.browser.json'], options)
  await run(process.execPath, ['dist/bin/generate.js'], options)
  expect(readFileSync(join(folder, 'openapi.json'), 'utf8')).toContain('"getLocalClock"')
  expect(readFileSync(join(folder, 'warehouse', 'TABLES.md'), 'utf8')).toContain('gate_changes')
  const changed = [...new Set(blocks.map(({ path }) => path))]
  await run(
    tool('biome'),
    ['check', '--error-on-warnings', ...changed.filter((path) => !path.endsWith('.md'))],
    options,
  )
  await run(tool('tsc'), ['--noEmit'], options)
  const tests = changed.filter((path) => path.endsWith('.test.ts'))
  expect(tests.length).toBe(7)
  const collectors = ['catalogue', 'cases'].map((name) => `test/pipeline/collectors/${name}.test.ts`)
  await run(tool('vitest'), ['run', '--project', 'shared', ...tests, ...collectors], options)
}, 180_000)
