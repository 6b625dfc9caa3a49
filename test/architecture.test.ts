import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS } from '../bin/commands/index.ts'
import { ERROR_CODES } from '../config/errors.ts'
import { PROJECT_ROOT, projectFile } from '../config/paths.ts'
import { environmentName, Settings } from '../config/settings.ts'
import { tableDictionary } from '../warehouse/tables/dictionary.ts'
import { allTables } from '../warehouse/tables/index.ts'
import { type Room, sourceFiles } from './source-files.ts'

/** Who may import whom: the house's one drawing. */
const MAY_IMPORT: Record<Room, Room[]> = {
  config: [],
  forecasting: ['config'],
  warehouse: ['config', 'forecasting'],
  jobs: ['config'],
  pipeline: ['config', 'forecasting', 'warehouse', 'jobs'],
  training: ['config', 'forecasting', 'warehouse', 'jobs'],
  answers: ['config', 'forecasting', 'warehouse', 'jobs'],
  api: ['config', 'forecasting', 'warehouse', 'jobs', 'answers'],
  site: ['config', 'forecasting', 'warehouse', 'jobs', 'answers', 'api'],
  accounts: ['config', 'forecasting', 'warehouse', 'jobs', 'answers', 'api', 'site'],
  bin: ['config', 'forecasting', 'warehouse', 'jobs', 'pipeline', 'training', 'answers', 'api', 'site', 'accounts'],
}

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.name === 'node_modules') return []
    if (entry.isDirectory()) return filesBelow(path, ending)
    return entry.name.endsWith(ending) ? [path] : []
  })
}

/** Builders of reference data run at a developer's desk only. */
const sources = sourceFiles().filter(({ path }) => !/^config\/[a-z-]+\/build\//.test(path))

test('rooms import only what the house allows', () => {
  expect(sources.length).toBeGreaterThan(150)
  const wrong: string[] = []
  for (const { room, path, text } of sources)
    for (const match of text.matchAll(/(?:from |import\()'(\.{1,2}\/[^']+)'/g)) {
      const target = match[1] ?? ''
      const other = join(path, '..', target).split('/')[0] as Room
      if (other !== room && !MAY_IMPORT[room as Room].includes(other)) wrong.push(`${path} → ${target}`)
    }
  expect(wrong).toEqual([])
})

test('no file imports itself by way of other files', () => {
  const graph = new Map(
    sources.map(({ path, text }) => [
      path,
      new Set(
        [...text.matchAll(/(?:from |import\()'(\.{1,2}\/[^']+)'/g)].map((match) => join(path, '..', match[1] ?? '')),
      ),
    ]),
  )
  expect(cyclesIn(graph)).toEqual([])
})

/** Cycles in a graph, each as the names along it. */
function cyclesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const cycles: string[] = []
  const finished = new Set<string>()
  const visit = (node: string, path: string[]) => {
    if (path.includes(node)) cycles.push([...path.slice(path.indexOf(node)), node].join(' → '))
    if (path.includes(node) || finished.has(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...path, node])
    finished.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return cycles
}

/** The imports between folders, each named by its first `depth` levels. */
function folderGraph(depth: number): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  const folderOf = (file: string) => dirname(file).split('/').slice(0, depth).join('/')
  for (const { path, text } of sources)
    for (const match of text.matchAll(/(?:from |import\()'(\.{1,2}\/[^']+)'/g)) {
      const from = folderOf(path)
      const to = folderOf(join(path, '..', match[1] ?? ''))
      if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to))
    }
  return graph
}

test.each([1, 2, 3, 4, 5])('no folder imports itself by way of another folder, at depth %i', (depth) => {
  const graph = folderGraph(depth)
  expect(graph.size).toBeGreaterThan(5)
  expect(cyclesIn(graph)).toEqual([])
})

test('the search for cycles finds one', () => {
  const graph = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c'])],
    ['c', new Set(['a'])],
  ])
  expect(cyclesIn(graph)).toEqual(['a → b → c → a'])
})

test('what learns from historical files is imported by its own command only', () => {
  const research = /from '[./]*\/(training\/)?research\//
  const importing = sources.filter(({ text }) => research.test(text)).map(({ path }) => path)
  expect(importing).toEqual(['bin/learn/main.ts'])
})

test('the state knows nothing of what it is asked over, and only the composing files import the registry', () => {
  const importsOf = ({ path, text }: (typeof sources)[number]) =>
    [...text.matchAll(/(?:from |import\()'(\.{1,2}\/[^']+)'/g)].map((match) => join(path, '..', match[1] ?? ''))
  const below = sources.filter(({ path }) => path.startsWith('api/state/'))
  expect(below.length).toBeGreaterThan(20)
  expect(
    below.flatMap(importsOf).filter((target) => target.startsWith('api/') && !target.startsWith('api/state/')),
  ).toEqual([])
  const composing = sources.filter((source) => importsOf(source).includes('bin/service/registry.ts'))
  expect(composing.length).toBeGreaterThan(1)
  expect(composing.filter(({ room }) => room !== 'bin').map(({ path }) => path)).toEqual([])
})

test('answers know no transport: no HTTP, no MCP, no JSX, no tool and no state', () => {
  const answers = sources.filter(({ room }) => room === 'answers')
  expect(answers.length).toBeGreaterThan(80)
  const transport = /from '(fastify|preact|@modelcontextprotocol|kysely|node:https?)|from '[./]*\/(api|site|accounts)\//
  expect(
    answers.filter(({ path, text }) => /\.tsx$/.test(path) || transport.test(text)).map(({ path }) => path),
  ).toEqual([])
})

test('pages and accounts ask questions, never a tool', () => {
  const asking = sources.filter(({ room }) => room === 'site' || room === 'accounts')
  expect(asking.length).toBeGreaterThan(150)
  // The declaration of tools: the documentation lists them, and one tool stores an alert of an account.
  const tool = /from '[./]*\/api\/tools\/(?!define\.ts|answer-size\.ts)/
  expect(asking.filter(({ text }) => tool.test(text)).map(({ path }) => path)).toEqual([])
})

test('no face words a wait, a closure, a delay or an age: statements do', () => {
  const faces = sources.filter(({ room }) => room === 'site' || room === 'accounts' || room === 'api')
  expect(faces.length).toBeGreaterThan(300)
  const wordTables = /from '[./]*\/(config\/reference\/faa-words|warehouse\/tables\/closure|answers\/\S+-words\.json)/
  const phrases =
    /\} ago\b|(?<!\w)closed (until|to airlines)|opens? (at|about) \$|min on average|(wait|queue|delays?) (is|are) not known|–\$\{[^}]*\} min/
  // What the service says of itself, legends of a map, and what tools are for.
  const allowed = /^(site\/status\/|site\/map\/map-colours\.ts)/
  const withoutProse = (text: string) =>
    text
      .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      .replace(/description:\s*(['`])[\s\S]*?\1,\n|describe\([\s\S]*?\),?\n/g, '')
  const wording = faces
    .map(({ path, text }) => ({ path, text: withoutProse(text) }))
    .filter(({ path, text }) => !allowed.test(path) && (wordTables.test(text) || phrases.test(text)))
  expect(wording.map(({ path, text }) => `${path}: ${phrases.exec(text)?.[0]}`)).toEqual([])
})

test("collectors' parsers do no I/O and read no clock", () => {
  const parsers = sources.filter(
    ({ path }) => path.startsWith('pipeline/collectors/') || path.startsWith('pipeline/checks/'),
  )
  expect(parsers.length).toBeGreaterThan(20)
  const impure = /from 'node:(fs|http|https|net|child_process)|Date\.now\(|new Date\(\)|Math\.random\(|console\./
  expect(parsers.filter(({ text }) => impure.test(text)).map(({ path }) => path)).toEqual([])
})

test('file names say what they understand', () => {
  // A Gaussian process is a word of statistics.
  const banned = /(^|-)(data|info|item|utils?|helpers?|misc|manager|(?<!gaussian-)process\w*|handle\w*)(-|\.tsx?$)/
  const names = sources.map(({ path }) => path.split('/').at(-1) ?? '')
  expect(names.filter((name) => banned.test(name) || !/^[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.tsx?$/.test(name))).toEqual([])
})

test('in the pipeline, only transport and simulator send requests to other hosts', () => {
  const talks = /[^.\w]fetch\(|from 'playwright-core'|from 'node:https?'/
  // The bucket is the installation's own. The greeting waits for our own api. A live request crosses from one process of ours to the other over a Unix socket.
  const allowed =
    /^(pipeline\/(transport|simulator)|api|site|accounts|bin\/service|bin\/demo|bin\/runtime\/mcp-bridge|bin\/runtime\/wait-until-up|jobs\/transports|warehouse\/objects)[/.]/
  const talkers = sources.filter(({ text }) => talks.test(text)).map(({ path }) => path)
  expect(talkers.length).toBeGreaterThan(2)
  expect(talkers.filter((path) => !allowed.test(path))).toEqual([])
})

test('every fixture is used by a test', () => {
  const tests = filesBelow(projectFile('test'), '.ts')
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  const fixtures = filesBelow(projectFile('test'), '').filter(
    (path) => path.includes('/fixtures/') && statSync(path).isFile(),
  )
  expect(fixtures.length).toBeGreaterThan(10)
  const unused = fixtures.filter((path) => {
    const parts = relative(projectFile('test'), path).split('/')
    const name = parts.at(-1) ?? ''
    const folder = parts.at(-2) ?? ''
    return (
      !tests.includes(name) &&
      !tests.includes(name.replace(/\.[^.]+$/, '')) &&
      !tests.includes(`'${folder}'`) &&
      !tests.includes(`/${folder}`)
    )
  })
  expect(unused).toEqual([])
})

test('the table dictionary is current and every column has a meaning', () => {
  expect(readFileSync(projectFile('warehouse', 'TABLES.md'), 'utf8')).toBe(tableDictionary())
  for (const { columns, key, sort, age } of allTables) {
    for (const name of [...key, ...sort, age]) expect(columns).toHaveProperty(name)
    for (const { meaning } of Object.values(columns)) expect(meaning).toMatch(/\.$/)
  }
})

test('every setting has a meaning, and every error code and setting is in the manual of operators', () => {
  const manual = (name: string) => readFileSync(projectFile('docs', 'operate', name), 'utf8')
  const [settings, errors] = [manual('settings.md'), manual('errors.md')]
  for (const name of Object.keys(Settings.shape))
    expect(settings).toMatch(new RegExp(`^\\| \`${environmentName(name)}\` \\| .+ \\| .+\\. \\|$`, 'm'))
  expect(Object.keys(ERROR_CODES).filter((code) => !errors.includes(`\`${code}\``))).toEqual([])
  for (const [, code] of errors.matchAll(/^\| `([A-Z_]+)` \| .+ \| .+ \|$/gm)) expect(ERROR_CODES).toHaveProperty(code!)
})

test('every file of bin/commands is a command of the list', () => {
  const files = readdirSync(projectFile('bin', 'commands')).map((name) => name.replace(/\.ts$/, ''))
  expect(Object.keys(COMMANDS).sort()).toEqual(files.filter((name) => name !== 'index').sort())
})

/** The files that a file imports, directly or by others, and the packages that all of them do. */
function reachOf(start: string, imports: RegExp): { files: string[]; packages: string[] } {
  const files = new Set<string>()
  const packages = new Set<string>()
  const follow = (path: string) => {
    if (files.has(path)) return
    files.add(path)
    for (const [, target = ''] of readFileSync(path, 'utf8').matchAll(imports)) {
      if (target.startsWith('.')) follow(join(path, '..', target))
      else packages.add(target)
    }
  }
  follow(start)
  return { files: [...files].map((path) => relative(PROJECT_ROOT, path)), packages: [...packages] }
}

test('serve carries no warehouse engine, model or browser, nor a driver that it may not need', () => {
  const serve = projectFile('bin', 'commands', 'serve.ts')
  const { files, packages } = reachOf(serve, /^import (?!type )(?:[^']*?from )?'([^']+)'/gms)
  expect(files.length).toBeGreaterThan(50)
  expect(packages.filter((name) => /duckdb|tensorflow|playwright|chromium|bullmq|ioredis|^pg$/.test(name))).toEqual([])
})

test('the process that waits for a query loads no package', () => {
  const statement = projectFile('bin', 'query', 'statement.ts')
  const { files, packages } = reachOf(statement, /^import (?!type )(?:[^']*?from )?'([^']+)'/gms)
  expect(files.length).toBeGreaterThan(2)
  expect(packages.filter((name) => !name.startsWith('node:'))).toEqual([])
})

test('what reads a snapshot knows what is published, and nothing of how it is gathered or stored', () => {
  const load = projectFile('warehouse', 'publishing', 'snapshot', 'load.ts')
  const { files } = reachOf(load, /^import (?:[^']*?from )?'([^']+)'/gms)
  expect(files.length).toBeGreaterThan(25)
  expect(files.length).toBeLessThanOrEqual(58)
  expect(files.filter((file) => /publishing\/(gather|health)|storage\/(?!ordinary-file)/.test(file))).toEqual([])
})
