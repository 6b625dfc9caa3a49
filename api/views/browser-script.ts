import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { projectFile } from '../../config/paths.ts'

const IMPORT = /^import \{[^}]*\} from ['"](.+)['"];\n/gm

/**
 * The text of a compiled script (a path below `dist/`) as one file: what it imports stands in it, and nothing makes it a module, because the
 * marks of a module are errors in a picture and in a service worker.
 */
export const browserScript = (...path: string[]): string => plainScript(projectFile('dist', ...path))

function plainScript(file: string): string {
  return readFileSync(file, 'utf8')
    .replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n')
    .replace(IMPORT, (_, imported: string) => plainScript(resolve(dirname(file), imported)))
    .replace(/^export (\{\};\n)?/gm, '')
}
