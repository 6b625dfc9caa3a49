import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Progress } from '../../bin/runtime/output.ts'
import { projectFile } from '../../config/paths.ts'
import { freePort } from '../free-port.ts'
import { type Measurement, median } from './measurement.ts'
import { cpuSecondsOf } from './process-tree.ts'

const CLI = projectFile('dist', 'bin', 'holdshort.js')
const ROUNDS = 5
const MAX_HELP_SECONDS = 0.3
const MAX_DEMO_ANSWER_SECONDS = 20
const MAX_DEMO_WHOLE_SECONDS = 90
/** Waiting is not judged, only CPU time: a busy machine needs long for little. */
const TIMEOUT_MS = 1_800_000

/** CPU time of one command that ends by itself, in seconds. */
async function cpuOfCommand(args: readonly string[]): Promise<number> {
  const child = spawn(
    process.execPath,
    ['--import', projectFile('dist', 'test', 'bench', 'cpu-at-exit.js'), CLI, ...args],
    { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] },
  )
  const [reported, [code]] = await Promise.all([text(child.stdio[3] as Readable), once(child, 'exit')])
  if (code !== 0) throw new Error(`holdshort ${args.join(' ')} ended with ${code}`)
  return Number(reported)
}

/** Resolves when a stream of a process contains a text; what follows is read and dropped. */
async function printed(child: ChildProcess, stream: Readable, wanted: string): Promise<void> {
  stream.setEncoding('utf8')
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`"${wanted}" was not printed in time`)), TIMEOUT_MS)
    let all = ''
    stream.on('data', (part: string) => {
      all += part
      if (!all.includes(wanted)) return
      clearTimeout(timer)
      resolve()
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`it ended with ${code} before it printed "${wanted}": ${all.slice(-500)}`))
    })
  })
}

/** Runs a command that serves; returns the CPU time of all its processes at each text that it prints, in seconds. */
async function cpuUntil(
  command: string,
  marks: readonly { of: 'stdout' | 'stderr'; text: string }[],
): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'holdshort-bench-'))
  const child = spawn(
    process.execPath,
    [CLI, command, '--port', String(await freePort()), '--data-dir', join(folder, command)],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  try {
    const seconds = marks.map(async (mark) => {
      await printed(child, child[mark.of], mark.text)
      return cpuSecondsOf(child.pid ?? 0)
    })
    return await Promise.all(seconds)
  } finally {
    if (child.exitCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  }
}

/** Measures the CPU time, of all processes together, that the first commands of a newcomer take. */
export async function benchFirstAnswer(bar: Progress): Promise<Measurement[]> {
  const found: Measurement[] = []
  for (const [done, option] of ['--help', '--version'].entries()) {
    bar.update(done, 4, option)
    const seconds: number[] = []
    for (let round = 0; round < ROUNDS; round++) seconds.push(await cpuOfCommand([option]))
    found.push({
      name: `${option}: CPU time`,
      value: median(seconds),
      unit: 's',
      target: { at_most: MAX_HELP_SECONDS },
    })
  }
  bar.update(2, 4, 'start')
  const [greeting = Number.NaN] = await cpuUntil('start', [{ of: 'stdout', text: 'Ctrl-C stops it' }])
  bar.update(3, 4, 'demo')
  const [answer = Number.NaN, whole = Number.NaN] = await cpuUntil('demo', [
    { of: 'stdout', text: 'is serving a SIMULATED world' },
    { of: 'stderr', text: 'Whole after' },
  ])
  return [
    ...found,
    { name: 'start: CPU time to its first answer', value: greeting, unit: 's', target: null },
    {
      name: 'demo: CPU time to its first answer',
      value: answer,
      unit: 's',
      target: { at_most: MAX_DEMO_ANSWER_SECONDS },
    },
    { name: 'demo: CPU time until it is whole', value: whole, unit: 's', target: { at_most: MAX_DEMO_WHOLE_SECONDS } },
  ]
}
