import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../accounts/keys/keys.ts'
import { openState } from '../../api/state/open.ts'
import { startServer } from '../../bin/service/server.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { projectFile } from '../../config/paths.ts'
import { readSettings } from '../../config/settings.ts'
import { HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import openapi from '../../openapi.json' with { type: 'json' }
import { NOW, snapshotAt } from '../api/example-snapshot.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { makeFolder } from '../kept-folder.ts'

/** The generator and what its Python client needs, which `.ci/run` installs: no dependencies of the project. */
const packages = projectFile('.cache', 'clients')
const generator = join(packages, 'openapi_generator_cli', 'openapi-generator.jar')
const runs = (program: string, version: string) => spawnSync(program, [version]).status === 0
const hasGenerator = EXHAUSTIVE && existsSync(generator) && runs('java', '-version')

const kept = makeFolder()
afterAll(kept.remove)

const run = promisify(execFile)
/** Runs a program in a folder and gives what it printed. @throws Error with all that it printed */
async function output(program: string, args: string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  try {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
    return (await run(program, args, options)).stdout.trim()
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${program} ${args[0]}: ${stdout.slice(-4_000)}${stderr.slice(-4_000)}`, { cause: error })
  }
}

/** The client of a language in a folder of its own. */
async function generated(language: string): Promise<string> {
  const folder = await kept.make()
  const document = projectFile('openapi.json')
  await output('java', ['-jar', generator, 'generate', '-g', language, '-i', document, '-o', folder], folder)
  return folder
}

const caller = (name: string) => projectFile('test', 'client', 'callers', name)

/** How often an operation is called: at three airports where it is of one, else once. */
function expectedCalls(): number {
  let calls = 0
  for (const [path, operations] of Object.entries(openapi.paths))
    for (const { operationId } of Object.values(operations) as { operationId: string }[])
      if (operationId !== 'registerAgent' && operationId !== 'revokeKey') calls += path.includes('{iata}') ? 3 : 1
  return calls
}

/** Runs the program of a generated client against a server, with its address, a key and a departure. */
async function callsAgainstServer(program: (args: string[]) => Promise<string>): Promise<number> {
  const settings = readSettings({ HOLDSHORT_DATA_DIR: await kept.make(), HOLDSHORT_PORT: '0' })
  const state = await openState(settings)
  const { key } = await issueKey(state, { tier: 'enterprise' }, NOW)
  const snapshot = snapshotAt()
  const directory = airportDirectory()
  const server = await startServer({
    settings,
    state,
    directory,
    holder: { current: () => snapshot },
    clock: () => NOW,
  })
  try {
    return Number(await program([server.address, key, isoUtc(NOW + 20 * HOUR_MS)]))
  } finally {
    await server.stop()
    await state.close()
  }
}

test.runIf(hasGenerator && runs('python3', '--version'))(
  'the client that OpenAPI Generator makes for Python reads every answer',
  async () => {
    const folder = await generated('python')
    const env = { PYTHONPATH: [folder, packages].join(delimiter) }
    const calls = await callsAgainstServer((args) => output('python3', [caller('call.py'), ...args], folder, env))
    expect(calls).toBe(expectedCalls())
  },
  120_000,
)

test.runIf(hasGenerator && runs('go', 'version'))(
  'the client that it makes for Go compiles and reads every answer',
  async () => {
    const folder = await generated('go')
    mkdirSync(join(folder, 'call'))
    copyFileSync(caller('call.go'), join(folder, 'call', 'call.go'))
    await output('go', ['mod', 'tidy'], folder)
    await output('go', ['build', '-o', 'made', './call'], folder)
    const calls = await callsAgainstServer((args) => output(join(folder, 'made'), args, folder))
    expect(calls).toBe(expectedCalls())
  },
  240_000,
)

test.runIf(hasGenerator && runs('javac', '-version') && runs('mvn', '-v'))(
  'the client that it makes for Java compiles and reads every answer',
  async () => {
    const folder = await generated('java')
    const build = ['-q', '-B', '-Dmaven.test.skip=true', 'compile', 'dependency:copy-dependencies']
    await output('mvn', build, folder)
    const classes = [join('target', 'classes'), join('target', 'dependency', '*'), '.'].join(delimiter)
    await output('javac', ['-cp', classes, '-d', '.', caller('Call.java')], folder)
    const calls = await callsAgainstServer((args) => output('java', ['-cp', classes, 'Call', ...args], folder))
    expect(calls).toBe(expectedCalls())
  },
  300_000,
)

/** What makes a client of Go of the document, by the name of its package: tools of `go/go.mod`, which holds their sums. */
const goGenerators = {
  oapi: (document: string) => [
    'oapi-codegen',
    '-package',
    'oapi',
    '-generate',
    'types,client',
    '-o',
    'oapi/client.go',
    document,
  ],
  ogen: (document: string) => ['ogen', '--config', 'ogen.yml', '--package', 'ogen', '--target', 'ogen', document],
}
/** The Go that `go/go.mod` requires: of an older one `.ci/run` fetches a newer toolchain. */
const MIN_GO_MINOR = 26
const goMinor = Number(/go1\.(\d+)/.exec(spawnSync('go', ['env', 'GOVERSION']).stdout?.toString() ?? '')?.[1] ?? 0)

for (const [name, generate] of Object.entries(goGenerators))
  test.runIf(EXHAUSTIVE && goMinor >= MIN_GO_MINOR)(
    `the client that ${name} makes for Go compiles and reads every answer`,
    async () => {
      const folder = await kept.make()
      cpSync(projectFile('test', 'client', 'go'), folder, { recursive: true })
      mkdirSync(join(folder, name))
      await output('go', ['tool', ...generate(projectFile('openapi.json'))], folder)
      await output('go', ['build', '-o', 'made', `./call-${name}`], folder)
      const calls = await callsAgainstServer((args) => output(join(folder, 'made'), args, folder))
      expect(calls).toBe(expectedCalls())
    },
    240_000,
  )
