import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { projectFile } from '../../config/paths.ts'

/** The program: its file names its parts, and those names hold the hashes of what is in them (see `build.mjs`). */
const PROGRAM = projectFile('dist', 'bin', 'runtime', 'compute-tasks.js')

/**
 * Identifies the build of this process: the code and the data of its program, the versions of its packages, and of Node with its
 * calendars. Two processes with the same identity compute the same bytes.
 */
export async function buildIdentity(): Promise<string> {
  const digest = createHash('sha256')
  const { node, v8, icu, tz, uv } = process.versions
  digest.update(JSON.stringify([process.arch, node, v8, icu, tz, uv]))
  const data = await Promise.all(['config', 'forecasting'].map(dataOf))
  for (const path of [projectFile('package.json'), PROGRAM, ...data.flat()]) {
    digest.update(path.slice(projectFile().length))
    digest.update(await readFile(path))
  }
  return digest.digest('hex').slice(0, 16)
}

async function dataOf(room: string): Promise<string[]> {
  const files = await readdir(projectFile(room), { recursive: true })
  return files
    .filter((path) => path.endsWith('.json') && !path.includes('node_modules'))
    .map((path) => projectFile(room, path))
    .sort()
}
