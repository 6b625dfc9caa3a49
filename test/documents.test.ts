import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS } from '../bin/commands/index.ts'
import { PROJECT_ROOT, projectFile } from '../config/paths.ts'
import { anchorOf } from '../site/docs/doc-page.ts'
import { ROOMS } from './source-files.ts'

const FOLDERS = [...ROOMS, 'deploy', 'docs', 'notebooks', 'test', 'tools']

const files = FOLDERS.flatMap((folder) =>
  readdirSync(projectFile(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map(({ parentPath, name }) => relative(PROJECT_ROOT, join(parentPath, name))),
)
files.push(...readdirSync(PROJECT_ROOT).filter((name) => /\.(md|json|ts)$/.test(name)))

const read = (path: string) => readFileSync(projectFile(path), 'utf8')
/** Code blocks are examples: the recipes in them name files that do not exist yet. */
const withoutBlocks = (text: string) => text.replace(/^```.*?^```/gms, '')
const documents = files
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: withoutBlocks(read(path)) }))

/** The anchors of a document, as the sites of source code make them. */
const anchorsOf = (path: string) =>
  [...withoutBlocks(read(path)).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchorOf(title.replaceAll('`', '')))

/** The links of a document to files of the project. */
const linksOf = (text: string) =>
  [...text.replace(/`[^`\n]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, href = '']) => href)
    .filter((href) => !/^(https?:|mailto:|\/|\{\{)/.test(href))

test('every link of every document leads to a file, and its anchor to a heading', () => {
  const wrong: string[] = []
  let count = 0
  for (const { path, text } of documents)
    for (const href of linksOf(text)) {
      count += 1
      const [address = '', anchor] = href.split('#')
      const target = address === '' ? path : posix.join(posix.dirname(path), address)
      if (!existsSync(projectFile(target))) wrong.push(`${path}: ${href}`)
      else if (anchor !== undefined && !anchorsOf(target).includes(anchor)) wrong.push(`${path}: ${href}`)
    }
  expect(count).toBeGreaterThan(80)
  expect(wrong).toEqual([])
})

test('every file that a document names in code exists, and every document that a source file names', () => {
  const missing: string[] = []
  const exists = (name: string) => {
    const ending = name.replace(/^(\.\.?\/)+/, '')
    return files.some((path) => path === ending || path.endsWith(`/${ending}`))
  }
  for (const { path, text } of documents)
    for (const [, name = ''] of text.matchAll(/`([\w./-]+\.tsx?)`/g))
      if (!exists(name)) missing.push(`${path}: ${name}`)
  for (const path of files.filter((name) => /\.(ts|tsx|md|yaml|env)$/.test(name)))
    for (const [name] of read(path).matchAll(/(?<![\w/])docs\/[\w/-]+\.md\b/g))
      if (!existsSync(projectFile(name))) missing.push(`${path}: ${name}`)
  expect(missing).toEqual([])
})

test('every command that a document shows is one', () => {
  const names = new Set(Object.keys(COMMANDS))
  const scripts = Object.keys(JSON.parse(read('package.json')).scripts)
  const wrong: string[] = []
  let count = 0
  // The recipes of CONTRIBUTING.md add commands.
  for (const { path } of documents.filter((document) => document.path !== 'CONTRIBUTING.md')) {
    const text = read(path)
    for (const [shown, name = ''] of text.matchAll(/(?<=`|npx |^)holdshort ([a-z][a-z-]*)/gm)) {
      count += 1
      if (!names.has(name)) wrong.push(`${path}: ${shown}`)
    }
    for (const [shown, name = ''] of text.matchAll(/npm run (?:--silent )?([a-z][a-z:-]*)/g))
      if (!scripts.includes(name)) wrong.push(`${path}: ${shown}`)
  }
  expect(count).toBeGreaterThan(40)
  expect(wrong).toEqual([])
})

test.each(ROOMS)(
  '%s has a README of one screen: what comes in, what goes out, what to read first, how to test it alone',
  (room) => {
    const text = read(`${room}/README.md`)
    expect(text.split('\n').length).toBeLessThan(50)
    for (const part of ['In', 'Out', 'Read first', 'Test this room alone']) expect(text).toContain(`**${part}:**`)
    const [, first = ''] = /\*\*Read first:\*\* `([^`]+)`/.exec(text) ?? []
    expect(existsSync(projectFile(room, first)), first).toBe(true)
    expect(text).toContain(`npx vitest run test/${room}`)
    const folders = [...text.matchAll(/^(?:\| `| {0,2})([a-z-]+)\/(?:` \|| {2,})/gm)].map(([, name = '']) => name)
    expect(
      folders.filter((name) => !files.some((path) => path.startsWith(`${room}/`) && path.includes(`/${name}/`))),
    ).toEqual([])
  },
)

test('every path that ARCHITECTURE names exists, and has what a stranger looks for', () => {
  const text = read('ARCHITECTURE.md')
  const paths = [...text.matchAll(/`((?:[a-z-]+\/)+[\w.-]*)`/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(50)
  expect(paths.filter((path) => !existsSync(projectFile(path)))).toEqual([])
  for (const [path, part] of [
    ['config/sources.json', '"airports"'],
    ['api/tools/get-lounges.ts', 'description:'],
    ['forecasting/features/inputs.ts', 'formula:'],
    ['warehouse/tables/readings.ts', 'retention:'],
    ['config/settings.ts', 'readings_days'],
    ['CONTRIBUTING.md', '### Add a page'],
  ] as const)
    expect(read(path)).toContain(part)
})
