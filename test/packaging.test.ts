import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { minVersion, satisfies } from 'semver'
import { describe, expect, onTestFinished, test } from 'vitest'
import { projectFile } from '../config/paths.ts'
import { startSimulatedWorld } from '../pipeline/simulator/server.ts'
import { endWithTest } from './child-process.ts'
import { EXHAUSTIVE } from './exhaustive.ts'
import { temporaryFolder } from './temporary-folder.ts'

interface Locked {
  engines?: { node?: string }
  dev?: boolean
  optional?: boolean
  deprecated?: string
  hasInstallScript?: boolean
}

const run = promisify(execFile)
const { engines, version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8'))
const lock = JSON.parse(readFileSync(projectFile('package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }

/** The oldest of each release line of Node.js that we support. */
const SUPPORTED = ['20.19.0', '22.13.0', '24.0.0']

test.each(SUPPORTED)('every package can be installed on Node.js %s without a warning', (node) => {
  expect(satisfies(node, engines.node)).toBe(true)
  const unfit = Object.entries(lock.packages).filter(
    ([, { engines: needs, optional }]) => !optional && needs?.node !== undefined && !satisfies(node, needs.node),
  )
  expect(unfit.map(([name, { engines: needs }]) => `${name} needs ${needs?.node}`)).toEqual([])
})

test('Node.js older than the oldest supported is refused', () => {
  expect(minVersion(engines.node)?.version).toBe(SUPPORTED[0])
  expect(satisfies('18.20.0', engines.node)).toBe(false)
})

/** Packages of our lock files that are deprecated or run a script when they are installed, with the reason why they may. */
const ALLOWED_PACKAGES: Record<string, string> = {
  'node_modules/msgpackr-extract':
    'by bullmq, optional: the script only chooses a prebuilt binary, and msgpackr works without it',
  'node_modules/@modelcontextprotocol/inspector':
    'of test/conformance, which judges the MCP server in CI and is never shipped',
}
const LOCK_FILES = [
  'package-lock.json',
  'test/conformance/package-lock.json',
  'test/readers/package-lock.json',
  'config/airports/build/package-lock.json',
  'config/reference/build/package-lock.json',
  'config/time-zones/build/package-lock.json',
]

test('no package is deprecated or runs a script when it is installed, but those with a reason', () => {
  const found = LOCK_FILES.flatMap((name) => {
    const { packages } = JSON.parse(readFileSync(projectFile(name), 'utf8')) as typeof lock
    return Object.entries(packages).flatMap(([path, { deprecated, hasInstallScript }]) =>
      path !== '' && (deprecated !== undefined || hasInstallScript) ? [path] : [],
    )
  })
  expect(found).toEqual(Object.keys(ALLOWED_PACKAGES))
})

/** The packages that npm installs with the packed project: no development dependency. */
const installedPackages = () =>
  Object.entries(lock.packages).flatMap(([path, { dev }]) =>
    !dev && /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) ? [path] : [],
  )

/** Lays out an empty folder as `npm install holdshort.tgz` does: the project's packages lie beside it, not in it. */
async function installPacked(): Promise<{ cli: string; files: string[] }> {
  const folder = await temporaryFolder()
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: projectFile(),
    maxBuffer: 64 * 1_048_576,
  })
  const [{ filename, files }] = JSON.parse(stdout)
  const own = join(folder, 'node_modules', 'holdshort')
  await mkdir(own, { recursive: true })
  await run('tar', ['xzf', join(folder, filename), '-C', own, '--strip-components=1'])
  for (const path of installedPackages()) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await symlink(projectFile(path), join(folder, path)).catch(() => undefined)
  }
  return {
    cli: join(own, 'dist', 'bin', 'holdshort.js'),
    files: files.map(({ path }: { path: string }) => path),
  }
}

test('every text, style and table beside the code of the api and the command line is in the package', async () => {
  const { files } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { files: string[] }
  const patterns = files.map((name) => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(/|$)`))
  const { stdout } = await run('git', ['ls-files', 'accounts', 'answers', 'api', 'site', 'bin'], { cwd: projectFile() })
  const beside = stdout.split('\n').filter((path) => path !== '' && !/\.tsx?$|README\.md$/.test(path))
  expect(beside.length).toBeGreaterThan(10)
  expect(beside.filter((path) => !patterns.some((pattern) => pattern.test(path)))).toEqual([])
})

describe.runIf(EXHAUSTIVE)('the packed project', { timeout: 240_000 }, () => {
  test('has what running needs and nothing else, and works in an empty folder', async () => {
    const { cli, files } = await installPacked()
    for (const needed of ['README.md', 'LICENSE', 'CHANGELOG.md', 'docs/operate/README.md', 'config/sources.json'])
      expect(files).toContain(needed)
    expect(
      files.filter((path) =>
        /(^|\/)(test|learn|research|\.ci|build|node_modules)\/|^dist\/tools\/|\.(map|ts|tsx|tsbuildinfo)$/.test(path),
      ),
    ).toEqual([])
    // Each is a file of the project, a part of its programs, or made from one file.
    const { stdout } = await run('git', ['ls-files'], { cwd: projectFile() })
    const tracked = new Set(stdout.split('\n'))
    const sourcesOf = (path: string) => ['.ts', '.tsx'].map((ending) => path.replace(/^dist\/(.*)\.js$/, `$1${ending}`))
    expect(
      files.filter(
        (path) =>
          !tracked.has(path) &&
          !/^dist\/parts\/[\w-]+\.js$/.test(path) &&
          !sourcesOf(path).some((source) => tracked.has(source)),
      ),
    ).toEqual([])

    const world = await startSimulatedWorld({ seed: 3 })
    onTestFinished(() => world.close())
    const dataDir = join(await temporaryFolder(), 'data')
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, HOLDSHORT_DATA_DIR: dataDir }
    const holdshort = (args: string[], more: Record<string, string> = {}) =>
      run(process.execPath, [cli, ...args], { env: { ...env, ...more }, cwd: dirname(dataDir) })

    expect((await holdshort(['--version'])).stdout).toContain(`holdshort ${version} (time zone rules `)
    expect((await holdshort(['--help'])).stdout).toContain('demo')
    // Atlanta's numbers appear only in a browser, which is an optional package: the doctor names it, and finds it once it is there.
    const browser = async () => {
      const { stdout } = await holdshort(['doctor', '--json'], { HOLDSHORT_PORT: '0' })
      return (JSON.parse(stdout) as { check: string; says: string }[]).find(({ check }) => check === 'browser')?.says
    }
    expect(await browser()).toMatch(/add the package @sparticuz\/chromium|\(installed\) starts/)
    const packages = join(dirname(cli), '..', '..', '..')
    await mkdir(join(packages, '@sparticuz'))
    await symlink(projectFile('node_modules/@sparticuz/chromium'), join(packages, '@sparticuz', 'chromium'))
    expect(await browser()).toContain('(@sparticuz/chromium) starts')
    // Atlanta's numbers appear only in a browser.
    const collected = await holdshort(['run', 'collect', 'atl-html', '--json'], {
      HOLDSHORT_SIMULATED_WORLD: world.url,
    })
    const [outcome] = JSON.parse(collected.stdout)
    expect(outcome).toMatchObject({ source: 'atl-html', error: null })
    expect(outcome.new_rows).toBeGreaterThan(0)

    const demo = spawn(process.execPath, [cli, 'demo', '--port', '0', '--data-dir', join(dirname(dataDir), 'demo')], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    endWithTest(demo)
    let output = ''
    demo.stdout.on('data', (text) => (output += text))
    demo.stderr.on('data', (text) => (output += text))
    await expect
      .poll(() => output, { timeout: 180_000, interval: 500 })
      .toContain('Holdshort is serving a SIMULATED world')
    expect(output).not.toMatch(/Unsupported|ERR_|Cannot find/)
    const ended = once(demo, 'exit')
    demo.kill('SIGINT')
    await ended
  })
})
