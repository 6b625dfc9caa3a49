import { LICENCES } from '../../config/licences.ts'
import { projectText } from '../../config/project-text.ts'
import { duckdbLines } from './duckdb-lines.ts'
import { type Manifest, TABLES_FOLDER } from './manifest.ts'
import { CSV_COLUMNS } from './write-files.ts'

/** The sizes of datasets that hubs name: `n<1K`, `1K<n<10K` and so on. */
const SIZES = ['1K', '10K', '100K', '1M', '10M', '100M', '1B', '10B', '100B', '1T']

function sizeOf(rows: number): string {
  const reached = SIZES.filter((_, power) => rows >= 1e3 * 10 ** power).length
  if (reached === 0) return `n<${SIZES[0]}`
  return reached === SIZES.length ? `n>${SIZES.at(-1)}` : `${SIZES[reached - 1]}<n<${SIZES[reached]}`
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const day = (instant: string | null) => instant?.slice(0, 10) ?? '–'
const rowsOf = (rows: number) => rows.toLocaleString('en')

/** Licences as dataset hubs write them. */
function licenceLines({ licence, sources }: Manifest): string[] {
  const all = new Set([licence, ...sources.flatMap((source) => source.licence ?? [])])
  return all.size === 1 && licence.startsWith('CC')
    ? [`license: ${licence.toLowerCase()}`]
    : ['license: other', 'license_name: per-source', 'license_link: README.md']
}

const SIMULATED =
  '> **SIMULATED.** Every row of every file was made by a simulator (`simulated` is true in each). Nothing here says anything about a real airport.\n\n'
const NOT_TO_BE_PASSED_ON =
  '> **Not to be passed on.** This export was made for the own use of an operator and holds rows whose terms are unknown.\n\n'

function leftOutText({ left_out }: Manifest): string {
  if (left_out.length === 0) return 'Nothing was left out for its terms.'
  const rows = left_out.map(
    ({ table, source, rows, reason }) =>
      `| ${table} | ${source === null ? '–' : `\`${cell(source)}\``} | ${rowsOf(rows)} | ${cell(reason)} |`,
  )
  return [
    'Left out, because nobody may pass it on or nobody knows whether he may:',
    '',
    '| table | source | rows | why |',
    '| --- | --- | ---: | --- |',
    ...rows,
  ].join('\n')
}

function columnsText({ name, about, columns, sorted_by, time_column }: Manifest['tables'][number]): string {
  const sorted = sorted_by.slice(0, 6).map((column) => `\`${column}\``)
  return [
    `### ${name}`,
    '',
    `${about} Time column: \`${time_column}\`. Sorted by ${sorted.join(', ')}.`,
    '',
    '| column | type | meaning |',
    '| --- | --- | --- |',
    ...columns.map((column) => `| \`${column.name}\` | ${column.type} | ${cell(column.meaning)} |`),
  ].join('\n')
}

/** The README of an export, in the layout that dataset hubs take: front matter (YAML), then what, how and under which terms. */
export function readme(manifest: Manifest): string {
  const { title, description, simulated, sources, withheld_tables, licence, credit, rows, from, to } = manifest
  const exported = manifest.tables.filter(({ files }) => files > 0)
  const lines = <Item>(items: readonly Item[], lineOf: (item: Item) => string) => items.map(lineOf).join('\n')
  const tags = ['airports', 'waiting-times', 'security', 'forecasts']
  if (simulated) tags.push('simulated')
  return projectText('warehouse/export/dataset-card.md', {
    title,
    description,
    credit,
    quoted_title: JSON.stringify(title),
    licence_lines: licenceLines(manifest).join('\n'),
    tags: lines(tags, (tag) => `- ${tag}`),
    size: sizeOf(rows),
    configs: lines(
      exported,
      ({ name }) => `- config_name: ${name}\n  data_files: "${TABLES_FOLDER}/${name}/*/*/*.parquet"`,
    ),
    warnings: `${simulated ? SIMULATED : ''}${manifest.may_be_passed_on ? '' : NOT_TO_BE_PASSED_ON}`,
    rows: rowsOf(rows),
    from: day(from),
    to: day(to),
    tables: lines(
      exported,
      (table) =>
        `| [${table.name}](#${table.name}) | ${rowsOf(table.rows)} | ${day(table.from)} | ${day(table.to)} | ${cell(table.about)} |`,
    ),
    folder: TABLES_FOLDER,
    csv_columns: CSV_COLUMNS.join(', '),
    duckdb_lines: duckdbLines(manifest),
    licence: `${LICENCES[licence].title} (<${LICENCES[licence].url}>)`,
    sources: lines(
      sources,
      (source) =>
        `| \`${cell(source.id)}\` | ${cell(source.credit)} | ${source.licence === null ? 'unknown: do not pass on' : `[${source.licence}](${LICENCES[source.licence].url})`} | ${cell(source.terms)} |`,
    ),
    left_out: leftOutText(manifest),
    withheld: lines(withheld_tables, ({ name, reason }) => `- ${name}: ${reason}`),
    citation: citationOf(manifest),
    columns: exported.map(columnsText).join('\n\n'),
  })
}

/** How to cite an export, as BibTeX. */
function citationOf({ name, title, to, credit }: Pick<Manifest, 'name' | 'title' | 'to' | 'credit'>): string {
  const year = to?.slice(0, 4)
  return `@misc{${name},\n  title = {${title}},\n  author = {${credit}},${year === undefined ? '' : `\n  year = {${year}},`}\n  note = {Rows up to ${to ?? 'none'}}\n}`
}
