import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { projectFile } from '../config/paths.ts'
import { containerfile } from './containerfile.ts'
import { freePort } from './free-port.ts'
import { temporaryFolder } from './temporary-folder.ts'

/**
 * The steps of the Containerfile, run one after the other as a script in empty roots: what a container engine does, without one. The base
 * image is what it stands for here: Node.js with npm, a shell, the tools that the steps use, and the libraries of all of them.
 */
const TOOLS = ['sh', 'env', 'find', 'touch', 'rm', 'install']
/** Reading DuckDB's extensions needs another network than the registries; the cluster's tests try what it fetches. */
const NOT_HERE = / && node dist\/bin\/holdshort\.js store extensions \S+/
const NODE_USER = 1_000
/** Enters a root with the processes of this machine, in a view of the mounts that ends with the command. */
const IN_ROOT = 'mount --rbind /proc "$0/proc" && exec chroot "$@"'

const which = (name: string) => execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()

/** Libraries of a program, by their paths. */
const librariesOf = (program: string) =>
  [...execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path)

function copy(root: string, from: string, to = from): void {
  cpSync(realpathSync(from), join(root, to), { recursive: true })
}

async function baseRoot(): Promise<string> {
  const root = await temporaryFolder()
  for (const folder of ['usr/bin', 'usr/lib', 'usr/lib64', 'etc/ssl', 'tmp', 'dev', 'proc', 'root', 'home/node'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const folder of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${folder}`, join(root, folder))
  const programs = [...TOOLS.map((tool) => [which(tool), `/usr/bin/${tool}`]), [process.execPath, '/usr/bin/node']]
  for (const [program = '', to] of programs) {
    copy(root, program, to)
    for (const library of librariesOf(program)) copy(root, library)
  }
  const npm = dirname(dirname(realpathSync(which('npm'))))
  copy(root, npm, '/usr/lib/node_modules/npm')
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/bin/npm'))
  for (const file of ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf']) if (existsSync(file)) copy(root, file)
  for (const library of ['libnss_dns.so.2', 'libnss_files.so.2', 'libresolv.so.2', 'librt.so.1', 'libutil.so.1']) {
    const path = join(dirname(librariesOf(process.execPath)[0]!), library)
    if (existsSync(path)) copy(root, path)
  }
  writeFileSync(
    join(root, 'etc/passwd'),
    `root:x:0:0::/root:/bin/sh\nnode:x:${NODE_USER}:${NODE_USER}::/home/node:/bin/sh\n`,
  )
  writeFileSync(join(root, 'etc/group'), `root:x:0:\nnode:x:${NODE_USER}:\n`)
  writeFileSync(join(root, 'dev/null'), '')
  chownSync(join(root, 'home/node'), NODE_USER, NODE_USER)
  for (const [path, mode] of Object.entries({ '': 0o755, tmp: 0o1777, 'dev/null': 0o666 }))
    chmodSync(join(root, path), mode)
  return root
}

/** How npm reaches its registry on this machine: no part of the image. */
function registryAccess(root: string): NodeJS.ProcessEnv {
  const certificates = process.env['NODE_EXTRA_CA_CERTS']
  if (certificates) copy(root, certificates, '/tmp/certificates.pem')
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
  return { npm_config_registry: registry, NODE_EXTRA_CA_CERTS: certificates && '/tmp/certificates.pem' }
}

interface Stage {
  root: string
  folder: string
  environment: NodeJS.ProcessEnv
  user: number
}

/** A command in the root of a stage, as the engine would run it. */
function commandIn({ root, folder, environment, user }: Stage, command: string, over: NodeJS.ProcessEnv = {}) {
  return {
    args: [
      '--mount',
      '/bin/sh',
      '-c',
      IN_ROOT,
      root,
      `--userspec=${user}:${user}`,
      root,
      '/bin/sh',
      '-c',
      `cd ${folder} && ${command}`,
    ],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: user === 0 ? '/root' : '/home/node', ...environment, ...over },
  }
}

/** Runs the steps of both stages; returns the second one. */
async function build(): Promise<Stage> {
  const base = await baseRoot()
  const stages: Stage[] = []
  for (const [instruction, text] of containerfile()) {
    const stage = stages.at(-1)
    if (instruction === 'FROM') {
      const root = await temporaryFolder()
      execFileSync('cp', ['-a', `${base}/.`, root])
      stages.push({ root, folder: '/', environment: {}, user: 0 })
    } else if (stage === undefined) continue
    else if (instruction === 'WORKDIR') {
      stage.folder = text
      mkdirSync(join(stage.root, text), { recursive: true })
    } else if (instruction === 'ENV')
      Object.assign(stage.environment, Object.fromEntries(text.split(' ').map((pair) => pair.split('='))))
    else if (instruction === 'USER') stage.user = NODE_USER
    else if (instruction === 'RUN') {
      const { args, env } = commandIn(stage, text.replace(NOT_HERE, ''), registryAccess(stage.root))
      const { status, stdout, stderr } = spawnSync('unshare', args, {
        env,
        encoding: 'utf8',
        maxBuffer: 64 * 1_048_576,
      })
      if (status !== 0) throw new Error(`${text} ended with ${status}: ${`${stdout}${stderr}`.slice(-2_000)}`)
    } else if (instruction === 'COPY') copyStep(text, stage, stages[0]!)
  }
  return stages.at(-1)!
}

function copyStep(text: string, { root, folder }: Stage, first: Stage): void {
  const words = text.split(' ')
  const sources = words.filter((word) => !word.startsWith('--')).slice(0, -1)
  const to = join(root, words.at(-1)!.startsWith('/') ? '/' : folder, words.at(-1)!)
  mkdirSync(dirname(to), { recursive: true })
  if (text.startsWith('--from=build')) execFileSync('cp', ['-a', join(first.root, sources[0]!), to])
  else for (const file of sources.includes('.') ? trackedFiles() : sources) cpSync(projectFile(file), join(to, file))
}

/** What `COPY . .` takes of a clone: `.containerignore` keeps out what git does not track. */
const trackedFiles = () =>
  execFileSync('git', ['ls-files'], { cwd: projectFile(), encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(projectFile(file)))

const argumentOf = (name: string) => containerfile().find(([instruction]) => instruction === name)?.[1] ?? ''

/** The words of an instruction in the form of JSON, as a command line. */
const commandOf = (json: string) =>
  (JSON.parse(json) as string[]).map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')

function startIn(stage: Stage, command: string, port: number): ChildProcess {
  const { args, env } = commandIn(stage, `exec ${command}`, {
    HOLDSHORT_PORT: String(port),
    HOLDSHORT_HOST: '127.0.0.1',
  })
  const child = spawn('unshare', args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  onTestFinished(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // It has ended.
    }
  })
  return child
}

test('the steps of the Containerfile make an image that starts, is healthy, belongs to its user alone and stops (needs root and npm)', {
  timeout: 600_000,
}, async () => {
  const image = await build()
  expect(existsSync(join(image.root, 'opt/holdshort/test'))).toBe(false)
  expect(existsSync(join(image.root, 'opt/holdshort/node_modules/vitest'))).toBe(false)
  const port = await freePort()
  const entry = `${commandOf(argumentOf('ENTRYPOINT'))} ${commandOf(argumentOf('CMD'))}`
  const service = startIn(image, entry, port)
  let output = ''
  for (const stream of [service.stdout!, service.stderr!]) stream.on('data', (text) => (output += text))
  const check = argumentOf('HEALTHCHECK').replace(/^.*?CMD /, '')
  const isHealthy = () => {
    const { args, env } = commandIn(image, commandOf(check), { HOLDSHORT_PORT: String(port) })
    try {
      execFileSync('unshare', args, { env, stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }
  await expect
    .poll(isHealthy, { timeout: 120_000, interval: 1_000 })
    .toBe(true)
    .catch((error: Error) => {
      throw new Error(`${error.message}; the service said: ${output.slice(-2_000)}`)
    })
  // The owner's key is printed soon after the first answer.
  await expect.poll(() => output, { timeout: 60_000 }).toContain('enterprise')
  const ended = once(service, 'exit')
  service.kill(argumentOf('STOPSIGNAL') as NodeJS.Signals)
  expect((await ended)[0]).toBe(0)
  const owner = execFileSync('stat', ['-c', '%u %a', join(image.root, 'data')], { encoding: 'utf8' }).trim()
  expect(owner).toBe(`${NODE_USER} 700`)
  expect(readFileSync(join(image.root, 'data/world.json'), 'utf8')).toContain('false')
})
