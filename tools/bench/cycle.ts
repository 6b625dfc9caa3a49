import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { projectFile } from '../../config/paths.ts'
import { startSimulatedWorld } from '../../pipeline/simulator/server.ts'
import { type Measurement, timed } from './measurement.ts'

/** The fields of `/proc/<pid>/stat` after the name of the program; empty for a process that has ended. */
export async function statFields(pid: number | string): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Ids of a process and all its descendants, from Linux's process table. */
async function processTree(root: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    parents.set(Number(name), Number((await statFields(name))[1]))
  }
  const members = [root]
  for (const member of members) for (const [child, parent] of parents) if (parent === member) members.push(child)
  return members
}

const SAMPLE_MS = 100
const MAX_SECONDS = 15
const MAX_MEGABYTES = 500

/** Memory of a process and its descendants in MB; shared pages count once (PSS). */
async function megabytesOf(root: number): Promise<number> {
  const sizes = (await processTree(root)).map(async (pid) => {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
    return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1_024
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

async function highestMemory(child: ChildProcess): Promise<number> {
  let highest = 0
  while (child.exitCode === null && child.pid !== undefined) {
    highest = Math.max(highest, await megabytesOf(child.pid))
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS))
  }
  return highest
}

/** Measures one `holdshort run collect` of every active source of the simulated world, in a process of its own. */
export async function benchCycle(dataDir: string): Promise<Measurement[]> {
  const world = await startSimulatedWorld({ seed: 1 })
  try {
    const child = spawn(
      process.execPath,
      [projectFile('dist', 'bin', 'holdshort.js'), 'run', 'collect', '--json', '--data-dir', join(dataDir, 'cycle')],
      {
        env: { ...process.env, HOLDSHORT_SIMULATED_WORLD: world.url, HOLDSHORT_LOG_LEVEL: 'error' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const memory = highestMemory(child)
    const { result: output, seconds } = await timed(async () => {
      const [out] = await Promise.all([text(child.stdout), once(child, 'exit')])
      return out
    })
    const outcomes = JSON.parse(output) as { source: string; parsed_rows: number; error: { message: string } | null }[]
    const failed = outcomes.filter(({ error }) => error !== null)
    if (failed.length > 0) throw new Error(`${failed[0]?.source}: ${failed[0]?.error?.message}`)
    const sources = new Set(outcomes.map(({ source }) => source)).size
    return [
      {
        name: `cycle: ${sources} sources, ${outcomes.length} answers`,
        value: seconds,
        unit: 's',
        target: { at_most: MAX_SECONDS },
      },
      { name: 'cycle: memory with the browser', value: await memory, unit: 'MB', target: { at_most: MAX_MEGABYTES } },
      {
        name: 'cycle: requests of one host at once',
        value: world.maxRequestsAtOnce(),
        unit: '',
        target: { at_most: 1 },
      },
    ]
  } finally {
    await world.close()
  }
}
