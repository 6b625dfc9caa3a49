import { join } from 'node:path'
import { z } from 'zod'
import { LICENCE_IDS } from '../../config/licences.ts'
import { Sha256 } from '../storage/file-identity.ts'
import { readOrdinaryText } from '../storage/ordinary-file.ts'

export const EXPORT_FORMAT = 1
export const MANIFEST_FILE = 'manifest.json'
/** The Table Schema of every CSV, which datapackage.json names. */
export const CSV_SCHEMA_FILE = 'airports.schema.json'
/** The folder of the tables in an export, and its version: a change that breaks readers gets a new one. */
export const TABLES_FOLDER = 'data/v1'
/** Path at which the api serves an export. */
const SERVED_AT = '/data'

const Instant = z.string()
const Licence = z.enum(LICENCE_IDS)

/** Relative to the folder of the export, with `/`; it can never lead out of it. */
const InnerPath = z
  .string()
  .refine((path) => path.split('/').every((name) => /^[A-Za-z0-9._=-]+$/.test(name) && !/^\.+$/.test(name)))

export const ExportedFile = z.object({
  path: InnerPath.describe('Relative to the manifest.'),
  table: z.string(),
  airport: z.string().optional().describe('Only of a CSV of one airport.'),
  rows: z.int().min(1),
  bytes: z.int().min(1),
  sha256: Sha256,
  from: Instant.describe('The first instant of the time column.'),
  to: Instant.describe('The last instant of the time column.'),
  // Earlier builds wrote the rows of each beside its id.
  sources: z
    .array(z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]))
    .describe('Ids; empty for figures of the installation itself.'),
})
export type ExportedFile = z.infer<typeof ExportedFile>

/** The path of a file below `SERVED_AT`. */
export const servedPath = ({ path }: Pick<ExportedFile, 'path'>) => path.replace(/^data\//, '')

/** The path at which a service that publishes an export serves a file of it, relative to its origin. */
export const addressOf = (file: Pick<ExportedFile, 'path'>) => `${SERVED_AT}/${servedPath(file)}`

export const mediaTypeOf = ({ path }: Pick<ExportedFile, 'path'>) =>
  path.endsWith('.csv') ? 'text/csv' : 'application/vnd.apache.parquet'

export const Exclusion = z.strictObject({
  table: z.string(),
  source: z.string().nullable().describe('As the column `source` has it; null for rows without one.'),
  rows: z.int().min(1),
  reason: z.string(),
})
export type Exclusion = z.infer<typeof Exclusion>

/** The content of an export: its tables, files, sources with their terms, and exclusions. It has no time of its making: the same rows make the same manifest. */
export const Manifest = z.strictObject({
  format: z.literal(EXPORT_FORMAT),
  name: z.string(),
  title: z.string(),
  description: z.string(),
  simulated: z.boolean().describe('Whether every row was made by a simulator.'),
  may_be_passed_on: z
    .boolean()
    .describe('False for an export for the own use of an operator, which holds rows of unknown terms.'),
  licence: Licence.describe('Of the figures that the installation itself computed; those of sources have their own.'),
  credit: z.string(),
  from: Instant.nullable(),
  to: Instant.nullable(),
  rows: z.int().min(0),
  bytes: z.int().min(0),
  sources: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      credit: z.string(),
      licence: Licence.nullable(),
      licence_url: z.string().nullable(),
      terms: z.string(),
      page: z.string().nullable(),
    }),
  ),
  tables: z.array(
    z.strictObject({
      name: z.string(),
      about: z.string(),
      credit: z.enum(['source', 'own']),
      rows: z.int().min(0),
      bytes: z.int().min(0),
      files: z.int().min(0),
      from: Instant.nullable(),
      to: Instant.nullable(),
      time_column: z.string(),
      key: z.array(z.string()),
      sorted_by: z.array(z.string()),
      preview: z.array(z.record(z.string(), z.unknown())).describe('The first rows of the newest file.'),
      columns: z.array(z.strictObject({ name: z.string(), type: z.string(), meaning: z.string() })),
    }),
  ),
  files: z.array(ExportedFile),
  left_out: z.array(Exclusion),
  withheld_tables: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
})
export type Manifest = z.infer<typeof Manifest>

/** The manifest of an exported folder; null if there is none, or none that this release understands. */
export async function readExportManifest(folder: string): Promise<Manifest | null> {
  const text = await readOrdinaryText(join(folder, MANIFEST_FILE)).catch(() => null)
  return text === null ? null : parseExportManifest(text)
}

/** The manifest in a text; null for one that this release does not understand. */
export function parseExportManifest(text: string): Manifest | null {
  try {
    return Manifest.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** The files of an export that describe it, in the order in which they are replaced: the manifest is the last. */
export const DOCUMENTS = {
  [CSV_SCHEMA_FILE]: 'application/json; charset=utf-8',
  'README.md': 'text/markdown; charset=utf-8',
  'datapackage.json': 'application/json; charset=utf-8',
  [MANIFEST_FILE]: 'application/json; charset=utf-8',
} as const
