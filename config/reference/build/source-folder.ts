import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'

/** The folder that facts are imported from: it contains `reference-data/`, `samples/` and `history/`. */
export interface SourceFolder {
  reference: (file: string) => unknown
  sample: (file: string) => unknown
  samplePath: (file: string) => string
  /** The rows of a compressed CSV file of the history, by column. */
  history: (file: string) => Record<string, string>[]
}

/** Opens a folder of sources. Its functions throw when a file cannot be read. */
export function sourceFolder(folder: string): SourceFolder {
  const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
  return {
    reference: (file) => json(join(folder, 'reference-data', file)),
    sample: (file) => json(join(folder, 'samples', file)),
    samplePath: (file) => join(folder, 'samples', file),
    history: (file) => parse(gunzipSync(readFileSync(join(folder, 'history', file))), { columns: true }),
  }
}
