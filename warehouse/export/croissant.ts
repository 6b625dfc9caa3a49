import { LICENCES } from '../../config/licences.ts'
import type { Column } from '../tables/define.ts'
import { type Manifest, TABLES_FOLDER } from './manifest.ts'

/**
 * The types of Croissant 1.0. The library of MLCommons has none for instants and refuses a field without a type that it knows; it
 * reads a date as an instant.
 */
const TYPES: Record<Column['type'], string | readonly string[]> = {
  VARCHAR: 'sc:Text',
  'VARCHAR[]': 'sc:Text',
  BOOLEAN: 'sc:Boolean',
  INTEGER: 'sc:Integer',
  BIGINT: 'sc:Integer',
  DOUBLE: 'sc:Float',
  TIMESTAMPTZ: ['sc:DateTime', 'sc:Date'],
  DATE: 'sc:Date',
}

/** The JSON-LD context of the specification of Croissant 1.0 (appendix 1). */
const CONTEXT = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  citeAs: 'cr:citeAs',
  column: 'cr:column',
  conformsTo: 'dct:conformsTo',
  cr: 'http://mlcommons.org/croissant/',
  rai: 'http://mlcommons.org/croissant/RAI/',
  data: { '@id': 'cr:data', '@type': '@json' },
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  dct: 'http://purl.org/dc/terms/',
  examples: { '@id': 'cr:examples', '@type': '@json' },
  extract: 'cr:extract',
  field: 'cr:field',
  fileProperty: 'cr:fileProperty',
  fileObject: 'cr:fileObject',
  fileSet: 'cr:fileSet',
  format: 'cr:format',
  includes: 'cr:includes',
  isLiveDataset: 'cr:isLiveDataset',
  jsonPath: 'cr:jsonPath',
  key: 'cr:key',
  md5: 'cr:md5',
  parentField: 'cr:parentField',
  path: 'cr:path',
  recordSet: 'cr:recordSet',
  references: 'cr:references',
  regex: 'cr:regex',
  repeated: 'cr:repeated',
  replace: 'cr:replace',
  sc: 'https://schema.org/',
  separator: 'cr:separator',
  source: 'cr:source',
  subField: 'cr:subField',
  transform: 'cr:transform',
}

/** The description of an export for machine learning (croissant.json, MLCommons Croissant 1.0): each file with its digest, and a record set a table over all its files. */
export function croissant(manifest: Manifest) {
  const { name, title, description, tables, files, licence, sources, to, credit } = manifest
  const licences = [...new Set([licence, ...sources.flatMap((source) => source.licence ?? [])])]
  const exported = tables.filter((table) => table.files > 0)
  return {
    '@context': CONTEXT,
    '@type': 'sc:Dataset',
    name,
    alternateName: title,
    description,
    conformsTo: 'http://mlcommons.org/croissant/1.0',
    license: licences.map((id) => LICENCES[id].url),
    url: 'https://github.com/holdshort/holdshort',
    version: '1.0.0',
    ...(to !== null && { datePublished: to.slice(0, 10) }),
    creator: { '@type': 'sc:Organization', name: credit },
    citeAs: citationOf(manifest),
    distribution: [
      ...files.map((file) => ({
        '@type': 'cr:FileObject',
        '@id': file.path,
        name: file.path.split('/').at(-1)!,
        description: file.airport === undefined ? `Rows of ${file.table}.` : `Hourly waits of ${file.airport}.`,
        contentUrl: file.path,
        contentSize: `${file.bytes} B`,
        encodingFormat: file.airport === undefined ? PARQUET : 'text/csv',
        sha256: file.sha256,
      })),
      ...exported.map((table) => ({
        '@type': 'cr:FileSet',
        '@id': filesId(table.name),
        name: filesId(table.name),
        description: `All files of ${table.name}.`,
        encodingFormat: PARQUET,
        includes: `${TABLES_FOLDER}/${table.name}/*/*/*.parquet`,
      })),
    ],
    recordSet: exported.map((table) => ({
      '@type': 'cr:RecordSet',
      '@id': table.name,
      name: table.name,
      description: table.about,
      field: table.columns.map((column) => ({
        '@type': 'cr:Field',
        '@id': `${table.name}/${column.name}`,
        name: column.name,
        description: column.meaning,
        dataType: TYPES[column.type as Column['type']],
        ...(column.type === 'VARCHAR[]' && { repeated: true }),
        source: { fileSet: { '@id': filesId(table.name) }, extract: { column: column.name } },
      })),
    })),
  }
}

const PARQUET = 'application/x-parquet'
const filesId = (table: string) => `${table}-files`

/** How to cite an export, as BibTeX. */
export function citationOf({ name, title, to, credit }: Pick<Manifest, 'name' | 'title' | 'to' | 'credit'>): string {
  const year = to?.slice(0, 4)
  return `@misc{${name},\n  title = {${title}},\n  author = {${credit}},${year === undefined ? '' : `\n  year = {${year}},`}\n  note = {Rows up to ${to ?? 'none'}}\n}`
}
