import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { projectFile } from '../config/paths.ts'
import { EXHAUSTIVE } from './exhaustive.ts'
import { temporaryFolder } from './temporary-folder.ts'

const run = promisify(execFile)
const { version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { version: string }
const NPM = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel', 'error']

/** The environment of a person: without what npm and the tests set for this process. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_)|HOLDSHORT_|VITEST|NODE_|TESTS)/i.test(name)),
  )

async function packed(folder: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: projectFile(),
    maxBuffer: 64 * 1_048_576,
  })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  return join(folder, filename)
}

/** Where npx keeps what it has installed. */
async function npxFolders(): Promise<string[]> {
  const { stdout } = await run('npm', ['config', 'get', 'cache'], { env: environment() })
  const folder = join(stdout.trim(), '_npx')
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name))
}

/** Runs a demo until it serves; returns what it said. The demo and all that it started end with the test. */
async function untilServing(command: string, args: string[], cwd: string): Promise<string> {
  const child = spawn(command, args, { cwd, env: environment(), stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // It has ended.
    }
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  await expect
    .poll(() => output, { timeout: 200_000, interval: 200 })
    .toMatch(/Holdshort is serving a SIMULATED world|npm error/)
  return output
}

test.runIf(EXHAUSTIVE)(
  'npm i -g of the packed project gives the command (needs npm)',
  { timeout: 300_000 },
  async () => {
    const folder = await temporaryFolder()
    const archive = await packed(folder)
    const prefix = join(folder, 'prefix')
    await mkdir(prefix)
    await run('npm', ['install', '--global', '--prefix', prefix, ...NPM, archive], { cwd: folder, env: environment() })
    const command = join(prefix, 'bin', 'holdshort')
    const { stdout } = await run(command, ['--version'], { cwd: folder, env: environment() })
    expect(stdout).toContain(`holdshort ${version} (time zone rules `)
    const { stdout: help } = await run(command, ['--help'], { cwd: folder, env: environment() })
    expect(help).toContain('demo')
  },
)

test.runIf(EXHAUSTIVE)(
  'npx runs the demo of the packed project in an empty folder (needs npm)',
  { timeout: 300_000 },
  async () => {
    const folder = await temporaryFolder()
    const archive = await packed(folder)
    const empty = join(folder, 'empty')
    await mkdir(empty)
    const installed = await npxFolders()
    onTestFinished(async () => {
      for (const path of await npxFolders()) if (!installed.includes(path)) await rm(path, { recursive: true })
    })
    const output = await untilServing(
      'npx',
      ['--yes', ...NPM, '--package', archive, 'holdshort', 'demo', '--port', '0'],
      empty,
    )
    expect(output).toContain('SIMULATED')
    // What the demo wrote is in the folder in which it was started, or nowhere.
    for (const name of await readdir(empty)) expect(name).toMatch(/data|demo/)
  },
)
