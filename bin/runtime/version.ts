import { readFileSync } from 'node:fs'
import { projectFile } from '../../config/paths.ts'

/** The version of this program. In a file of its own, because the help shows it and must not wait for other code. */
export const VERSION = (JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { version: string }).version
