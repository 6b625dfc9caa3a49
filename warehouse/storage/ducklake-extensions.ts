import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { HoldshortError } from '../../config/errors.ts'
import { quoteText } from './sql.ts'

/** The version of the engine, and so of its extensions: the bindings of the package and the extensions change together. */
export const EXTENSIONS_VERSION = '1.5.5'
/** Ordered as they are loaded. */
const EXTENSIONS = ['httpfs', 'postgres_scanner', 'ducklake'] as const

/** The file of an extension in a folder, however deep: DuckDB's own layout and that of the Python wheels differ. */
function extensionFile(folder: string, name: string): string {
  const found = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) =>
        path.endsWith(`${name}.duckdb_extension`),
      )
    : undefined
  if (found === undefined)
    throw new HoldshortError(
      'EXTENSION_MISSING',
      `HOLDSHORT_DUCKDB_EXTENSIONS: ${folder} has no ${name}.duckdb_extension`,
    )
  return join(folder, found)
}

const firstLine = ({ message }: Error) => message.split('\n')[0]

/** Loads the extensions: the files of a folder, or those that DuckDB has installed or can install. @throws HoldshortError EXTENSION_MISSING */
export async function loadExtensions(connection: DuckDBConnection, folder: string | undefined): Promise<void> {
  for (const name of EXTENSIONS) {
    try {
      if (folder !== undefined) await connection.run(`LOAD ${quoteText(extensionFile(folder, name))}`)
      else await connection.run(`LOAD ${name}`).catch(() => connection.run(`INSTALL ${name}; LOAD ${name}`))
    } catch (cause) {
      if (cause instanceof HoldshortError) throw cause
      throw new HoldshortError(
        'EXTENSION_MISSING',
        `DuckDB's extension ${name} ${EXTENSIONS_VERSION} cannot be loaded (${firstLine(cause as Error)}); where extensions.duckdb.org cannot be reached, run \`holdshort store extensions <folder>\` on a machine that can, copy the folder, and name it in HOLDSHORT_DUCKDB_EXTENSIONS`,
        { cause },
      )
    }
  }
}

/** Downloads the extensions for this platform into a folder. @throws HoldshortError EXTENSION_MISSING */
export async function installExtensions(connection: DuckDBConnection, folder: string): Promise<void> {
  await connection.run(`SET extension_directory = ${quoteText(folder)}`)
  for (const name of EXTENSIONS)
    await connection.run(`INSTALL ${name}`).catch((cause: Error) => {
      throw new HoldshortError(
        'EXTENSION_MISSING',
        `DuckDB's extension ${name} cannot be downloaded: ${firstLine(cause)}`,
        { cause },
      )
    })
}
