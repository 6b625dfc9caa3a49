import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectFile } from '../../config/paths.ts'

/** Code that decides what a task computes. */
const CODE = /\.(js|ts|json)$/
const ROOMS = ['config', 'jobs', 'training'] as const

/** The folder that holds the rooms of the running program: that of the build, or of its sources. */
const PROGRAM = join(import.meta.dirname, '..', '..')

/**
 * Identifies the build of this process: the code and the data of its program, the versions of its packages, and of Node with its
 * calendars. Two processes with the same identity compute the same bytes.
 */
export async function buildIdentity(): Promise<string> {
  const digest = createHash('sha256')
  const { node, v8, icu, tz, uv } = process.versions
  digest.update(JSON.stringify([process.arch, node, v8, icu, tz, uv]))
  digest.update(await readFile(projectFile('package.json')))
  for (const folder of new Set([...ROOMS.map((room) => join(PROGRAM, room)), projectFile('config')])) {
    const files = await readdir(folder, { recursive: true, withFileTypes: true })
    const paths = files
      .filter((file) => file.isFile() && CODE.test(file.name) && !file.name.endsWith('.d.ts'))
      .map((file) => join(file.parentPath, file.name))
      .sort()
    for (const path of paths) {
      digest.update(path.slice(folder.length))
      digest.update(await readFile(path))
    }
  }
  return digest.digest('hex').slice(0, 16)
}
