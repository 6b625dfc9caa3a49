import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder that facts are imported from: it contains `reference-data/` and `samples/`. */
export interface SourceFolder {
  reference: (file: string) => unknown
  sample: (file: string) => unknown
  samplePath: (file: string) => string
}

/** Opens a folder of sources. Its functions throw when a file cannot be read. */
export function sourceFolder(folder: string): SourceFolder {
  const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
  return {
    reference: (file) => json(join(folder, 'reference-data', file)),
    sample: (file) => json(join(folder, 'samples', file)),
    samplePath: (file) => join(folder, 'samples', file),
  }
}
