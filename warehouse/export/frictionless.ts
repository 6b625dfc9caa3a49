import { LICENCES } from '../../config/licences.ts'
import type { Column } from '../tables/define.ts'
import { CSV_SCHEMA_FILE, type ExportedFile, type Manifest, mediaTypeOf } from './manifest.ts'
import { CSV_COLUMNS, CSV_MEANINGS, CSV_TABLE } from './write-files.ts'

/** The types of Frictionless Table Schema. */
const TYPES: Record<Column['type'], string> = {
  VARCHAR: 'string',
  'VARCHAR[]': 'array',
  BOOLEAN: 'boolean',
  INTEGER: 'integer',
  BIGINT: 'integer',
  DOUBLE: 'number',
  TIMESTAMPTZ: 'datetime',
  DATE: 'date',
}

type DescribedTable = Manifest['tables'][number]

const field = ({ name, type, meaning }: DescribedTable['columns'][number]) => ({
  name,
  type: TYPES[type as Column['type']],
  description: meaning,
})

/**
 * A column of a Parquet file as Frictionless 5.21 reads it, by way of pandas: a whole number beside a missing one is a float, and a list is an
 * object of no type of Table Schema.
 */
function parquetField(column: DescribedTable['columns'][number]) {
  const described = field(column)
  if (described.type === 'integer') return { ...described, type: 'number' }
  return described.type === 'array' ? { ...described, type: 'any' } : described
}

function csvField(table: DescribedTable, name: string) {
  const column = table.columns.find((candidate) => candidate.name === name)
  return column ? field(column) : { name, type: 'string', description: CSV_MEANINGS[name] ?? name }
}

/** Names of resources are lower case and unique. */
function resourceName({ table, airport, path }: ExportedFile): string {
  if (airport !== undefined) return `waits-${airport.toLowerCase()}`
  return path.split('/').at(-1)!.replace('.parquet', '').replaceAll('_', '-').toLowerCase() || table
}

function licencesOf({ licence, sources }: Manifest) {
  const ids = [...new Set([licence, ...sources.flatMap((source) => source.licence ?? [])])]
  return ids.map((id) => ({ name: id, title: LICENCES[id].title, path: LICENCES[id].url }))
}

/** The Table Schema of the CSVs; null if their table is not exported. */
export function csvSchema({ tables }: Manifest) {
  const table = tables.find(({ name }) => name === CSV_TABLE)
  if (!table) return null
  return {
    fields: CSV_COLUMNS.map((column) => csvField(table, column)),
    missingValues: [''],
    primaryKey: ['kind', 'hour'],
  }
}

/** The description of an export as a Frictionless Data Package (datapackage.json): a resource a file. */
export function dataPackage(manifest: Manifest) {
  const { name, title, description, simulated, sources, tables, files, may_be_passed_on } = manifest
  return {
    profile: 'data-package',
    name,
    title,
    description,
    version: '1.0.0',
    keywords: ['airports', 'waiting times', 'security', 'forecasts', ...(simulated ? ['simulated'] : [])],
    simulated,
    may_be_passed_on,
    licenses: licencesOf(manifest),
    contributors: [{ title: manifest.credit, role: 'publisher' }],
    ...(sources.length > 0 && {
      sources: sources.map(({ credit, page, terms }) => ({
        title: credit,
        ...(page !== null && { path: page }),
        terms,
      })),
    }),
    resources: files.map((file) => {
      const table = tables.find((candidate) => candidate.name === file.table)!
      const isCsv = file.airport !== undefined
      return {
        name: resourceName(file),
        path: file.path,
        profile: isCsv ? 'tabular-data-resource' : 'data-resource',
        format: isCsv ? 'csv' : 'parquet',
        mediatype: mediaTypeOf(file),
        ...(isCsv && { encoding: 'utf-8' }),
        // Frictionless 5.21 counts no bytes of Parquet and takes a stated size for a wrong one; manifest.json has it.
        ...(isCsv && { bytes: file.bytes }),
        hash: `sha256:${file.sha256}`,
        description: isCsv ? `Hourly waits of ${file.airport} as a whole airport.` : table.about,
        simulated,
        rows: file.rows,
        schema: isCsv ? CSV_SCHEMA_FILE : { fields: table.columns.map(parquetField), missingValues: [''] },
      }
    }),
  }
}
