import { LICENCES } from '../../config/licences.ts'
import { duckdbLines } from './duckdb-lines.ts'
import { type Manifest, TABLES_FOLDER } from './manifest.ts'
import { csvColumns } from './write-files.ts'

const SIZES = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12]
const SIZE_NAMES = [
  'n<1K',
  '1K<n<10K',
  '10K<n<100K',
  '100K<n<1M',
  '1M<n<10M',
  '10M<n<100M',
  '100M<n<1B',
  '1B<n<10B',
  '10B<n<100B',
  '100B<n<1T',
  'n>1T',
]

const sizeOf = (rows: number) => SIZE_NAMES[SIZES.filter((size) => rows >= size).length]!
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

/** The front matter that dataset hubs read (YAML). */
function frontMatter(manifest: Manifest): string[] {
  const { title, simulated, tables, rows } = manifest
  const tags = ['airports', 'waiting-times', 'security', 'forecasts']
  if (simulated) tags.push('simulated')
  return [
    '---',
    `pretty_name: ${JSON.stringify(title)}`,
    ...licenceLines(manifest),
    'language:',
    '- en',
    'task_categories:',
    '- time-series-forecasting',
    '- tabular-regression',
    'tags:',
    ...tags.map((tag) => `- ${tag}`),
    'size_categories:',
    `- ${sizeOf(rows)}`,
    'configs:',
    ...tables
      .filter(({ files }) => files > 0)
      .flatMap(({ name }) => [`- config_name: ${name}`, `  data_files: "${TABLES_FOLDER}/${name}/*/*/*.parquet"`]),
    '---',
  ]
}

/** The README of an export, in the layout that dataset hubs take: front matter, then what, how and under which terms. */
export function readme(manifest: Manifest): string {
  const { title, description, simulated, may_be_passed_on, tables, sources, left_out, withheld_tables, licence } =
    manifest
  const exported = tables.filter(({ files }) => files > 0)
  return `${[
    ...frontMatter(manifest),
    '',
    `# ${title}`,
    '',
    ...(simulated
      ? [
          '> **SIMULATED.** Every row of every file was made by a simulator (`simulated` is true in each). Nothing here says anything about a real airport.',
          '',
        ]
      : []),
    ...(may_be_passed_on
      ? []
      : [
          '> **Not to be passed on.** This export was made for the own use of an operator and holds rows whose terms are unknown.',
          '',
        ]),
    description,
    '',
    `Rows: ${rowsOf(manifest.rows)}, from ${day(manifest.from)} to ${day(manifest.to)}. All instants are UTC. \`manifest.json\` has the length, SHA-256 and time span of each file.`,
    '',
    '## Tables',
    '',
    '| table | rows | from | to | what |',
    '| --- | ---: | --- | --- | --- |',
    ...exported.map(
      ({ name, rows, from, to, about }) =>
        `| [${name}](#${name}) | ${rowsOf(rows)} | ${day(from)} | ${day(to)} | ${cell(about)} |`,
    ),
    '',
    `A file holds a month of a table: \`${TABLES_FOLDER}/<table>/year=…/month=…/\`. Rows are sorted by place, then kind of queue, then time, and row groups are small, so that a reader of one airport fetches little. \`${TABLES_FOLDER}/airports/\` has one CSV an airport with its hourly waits (${csvColumns().join(', ')}).`,
    '',
    '## Read it',
    '',
    '```sql',
    duckdbLines(manifest),
    '```',
    '',
    '## Terms and credit',
    '',
    `What the installation computed itself (forecasts, scores, states of sources): ${LICENCES[licence].title} (<${LICENCES[licence].url}>), credit: ${manifest.credit}. Rows of sources have the terms of their source:`,
    '',
    '| source | credit | licence | terms |',
    '| --- | --- | --- | --- |',
    ...sources.map(
      (source) =>
        `| \`${cell(source.id)}\` | ${cell(source.credit)} | ${source.licence === null ? 'unknown: do not pass on' : `[${source.licence}](${LICENCES[source.licence].url})`} | ${cell(source.terms)} |`,
    ),
    '',
    ...(left_out.length === 0
      ? ['Nothing was left out for its terms.', '']
      : [
          'Left out, because nobody may pass it on or nobody knows whether he may:',
          '',
          '| table | source | rows | why |',
          '| --- | --- | ---: | --- |',
          ...left_out.map(
            ({ table, source, rows, reason }) =>
              `| ${table} | ${source === null ? '–' : `\`${cell(source)}\``} | ${rowsOf(rows)} | ${cell(reason)} |`,
          ),
          '',
        ]),
    'Never exported:',
    '',
    ...withheld_tables.map(({ name, reason }) => `- ${name}: ${reason}`),
    '',
    '## How to cite',
    '',
    '```bibtex',
    citationOf(manifest),
    '```',
    '',
    '## Columns',
    '',
    ...exported.flatMap(({ name, about, columns, sorted_by, time_column }) => [
      `### ${name}`,
      '',
      `${about} Time column: \`${time_column}\`. Sorted by ${sorted_by
        .slice(0, 6)
        .map((column) => `\`${column}\``)
        .join(', ')}.`,
      '',
      '| column | type | meaning |',
      '| --- | --- | --- |',
      ...columns.map((column) => `| \`${column.name}\` | ${column.type} | ${cell(column.meaning)} |`),
      '',
    ]),
  ].join('\n')}`
}

/** How to cite an export, as BibTeX. */
function citationOf({ name, title, to, credit }: Pick<Manifest, 'name' | 'title' | 'to' | 'credit'>): string {
  const year = to?.slice(0, 4)
  return `@misc{${name},\n  title = {${title}},\n  author = {${credit}},${year === undefined ? '' : `\n  year = {${year}},`}\n  note = {Rows up to ${to ?? 'none'}}\n}`
}
