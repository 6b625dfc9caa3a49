import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../accounts/keys/keys.ts'
import { openState } from '../../api/state/open.ts'
import { startServer } from '../../bin/service/server.ts'
import { projectFile } from '../../config/paths.ts'
import { readSettings } from '../../config/settings.ts'
import { DIRECTORY } from '../api/airport-directory.ts'
import { NOW, snapshotAt } from '../api/example-snapshot.ts'
import { makeFolder } from '../kept-folder.ts'

/** The packages of this folder, which are no dependencies of the project. */
const packages = projectFile('test', 'client', 'node_modules')
const INSTALLED = existsSync(join(packages, 'openapi-typescript'))
if (!INSTALLED) console.warn('test/client is skipped: run `npm ci --prefix test/client` first')

const kept = makeFolder()
afterAll(kept.remove)

const run = (script: string[], args: string[], cwd: string) =>
  execFileSync(process.execPath, [join(packages, ...script), ...args], { cwd, encoding: 'utf8', stdio: 'pipe' })

/** The program of this folder with the types that openapi-typescript makes of openapi.json, compiled by TypeScript. */
async function compiledClient(): Promise<{ use: (baseUrl: string, key: string) => Promise<object> }> {
  const folder = await kept.make()
  symlinkSync(packages, join(folder, 'node_modules'))
  cpSync(projectFile('test', 'client', 'use.ts'), join(folder, 'use.ts'))
  run(['openapi-typescript', 'bin', 'cli.js'], [projectFile('openapi.json'), '--output', 'api.ts'], folder)
  const options = ['--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler']
  const rewrite = ['--rewriteRelativeImportExtensions', '--skipLibCheck', '--outDir', 'made']
  try {
    run(['typescript', 'bin', 'tsc'], ['use.ts', ...options, ...rewrite], folder)
  } catch (error) {
    throw new Error(`the generated client does not compile:\n${(error as { stdout: string }).stdout}`)
  }
  cpSync(join(folder, 'made', 'use.js'), join(folder, 'use.mjs'))
  return import(pathToFileURL(join(folder, 'use.mjs')).href)
}

test.skipIf(!INSTALLED)('a client generated from openapi.json compiles and gets every answer', async () => {
  const { use } = await compiledClient()
  const settings = readSettings({ HOLDSHORT_DATA_DIR: await kept.make(), HOLDSHORT_PORT: '0' })
  const state = await openState(settings)
  const { key } = await issueKey(state, { tier: 'enterprise' }, NOW)
  const snapshot = snapshotAt()
  const dependencies = { settings, state, directory: DIRECTORY, holder: { current: () => snapshot }, clock: () => NOW }
  const server = await startServer(dependencies)
  const answers = await use(server.address, key)
  await server.stop()
  await state.close()
  expect(answers).toEqual({
    codes: ['JFK', 'LGA'],
    wait: 14,
    predicted: expect.arrayContaining([expect.any(Number)]),
    observed: expect.arrayContaining([expect.any(Number)]),
    header: expect.stringMatching(/^airport,terminal,time,/),
    status: expect.any(String),
    found: 1,
    probability: expect.any(Number),
    facts: [],
    days: 30,
    tier: 'enterprise',
    failure: expect.objectContaining({ code: 'AIRPORT_NOT_FOUND', detail: expect.stringContaining('QQQ') }),
  })
})
