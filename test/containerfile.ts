import { readFileSync } from 'node:fs'
import { projectFile } from '../config/paths.ts'

/** The instructions of the Containerfile with their arguments, continued lines joined. */
export function containerfile(): [instruction: string, argument: string][] {
  const text = readFileSync(projectFile('deploy', 'Containerfile'), 'utf8')
  const joined = text.replace(/^#.*\n/gm, '').replace(/\\\n/g, ' ')
  return joined
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => [line.split(' ')[0] ?? '', line.slice(line.indexOf(' ') + 1).trim()])
}
