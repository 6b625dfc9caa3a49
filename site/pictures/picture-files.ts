import type { CsvRow } from '../../answers/questions/define.ts'
import { sourceText } from '../../answers/statements/text.ts'
import { csvText } from '../../api/rest/csv.ts'
import { Instant } from '../../config/answer-schemas.ts'
import { HoldshortError } from '../../config/errors.ts'
import { sourceOf } from '../../config/publishers.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import type { Chart } from '../charts/chart.ts'
import { chartFile } from '../charts/frame.tsx'
import { FORMATS } from '../pages/elements.tsx'

export type FileFormat = (typeof FORMATS)[number]
export const FILE_TYPES: Record<FileFormat, string> = {
  svg: 'image/svg+xml; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
}

/** No licence is invented: figures of sources stay theirs. */
const LICENCE =
  'No licence of our own: the terms of each source in `sources` apply to its figures and to what is derived from them.'

/** The columns of a picture with their meanings, in the order of the CSV. */
export type Columns = Readonly<Record<string, string>>

/** Fields of an answer as columns, with the meanings that its schema gives them: what is null there has an empty cell. @throws Error for a field without one */
export function columnsOf<Name extends string>(
  fields: Readonly<Record<Name, { description?: string | undefined }>>,
  names: readonly Name[],
): Record<Name, string> {
  const meanings = names.map((name) => {
    const { description } = fields[name]
    if (description === undefined) throw new Error(`the column ${name} has no description in its schema`)
    return [name, description.replace(/\bnull\b/g, 'empty')]
  })
  return Object.fromEntries(meanings) as Record<Name, string>
}

/** The content of a picture: the chart and the rows that it draws. */
export interface PictureContent {
  /** Null for rows without a picture, which have no SVG. */
  chart: Chart | null
  rows: CsvRow[]
  /** Ids of sources. */
  sources: string[]
  /** Further fields of the JSON. */
  about?: Record<string, unknown>
}

/** The rows of a picture: each has exactly the named columns. */
export const rowsOf = (columns: Columns, list: readonly object[]): CsvRow[] =>
  list.map((row) => Object.fromEntries(Object.keys(columns).map((name) => [name, (row as CsvRow)[name] ?? null])))

/** A list of source ids; some may be joined by `+`. */
export const idsOf = (sources: readonly (string | null)[]) => [
  ...new Set(sources.flatMap((source) => (source === null ? [] : source.split('+')))),
]

/** The place and title of a picture. */
export interface PictureLabel {
  /** The heading of the file: the airport, or what is compared. */
  heading: string
  /** The line below it. */
  subheading: string
  title: string
  columns: Columns
  unit: string
  /** The identity of the rows, in columns that every row of the CSV repeats. */
  identity: Record<string, string>
  /** The addresses of the page that shows the picture, and of the file of a format. */
  page: string
  file: (format: FileFormat) => string
  /** Default: all formats. */
  formats?: readonly FileFormat[]
  /** When the figures were published (UTC), and whether they are of a simulated world. */
  made_at: string
  simulated: boolean
  licence?: string
}

/** A file of rows that are not drawn was requested as a picture. */
const notDrawn = ({ title }: PictureLabel) => new HoldshortError('NOT_FOUND', `there is no picture of ${title}`)

/** A picture as a file of a format: the same figures in each. */
export function pictureFile(format: FileFormat, content: PictureContent, label: PictureLabel): string {
  switch (format) {
    case 'json':
      return JSON.stringify({ ...metadataOf(content, label), rows: content.rows })
    case 'csv':
      return csvOf(content, label)
    case 'svg':
      if (!content.chart) throw notDrawn(label)
      return chartFile(content.chart, textsOf(content, label))
  }
}

/** The metadata of a picture in its data. */
function metadataOf({ chart, sources, about }: PictureContent, label: PictureLabel) {
  const { title, identity, unit, made_at, simulated, page, file, formats = FORMATS, columns, licence = LICENCE } = label
  return {
    title,
    description: chart?.description ?? title,
    ...identity,
    ...about,
    unit,
    made_at: Instant.parse(made_at),
    simulated,
    page,
    files: Object.fromEntries(formats.map((format) => [format, file(format)])),
    licence,
    sources: sources.map((id) => {
      const source = sourceOf(id)
      return {
        source: id,
        name: sourceText(id),
        page: source?.page_url ?? null,
        licence: source?.licence ?? null,
        terms: source?.terms ?? null,
      }
    }),
    columns,
  }
}

/** The rows as CSV. Every row says what it is of and where it is from, because a CSV has no other place for it. */
function csvOf({ rows, sources }: PictureContent, label: PictureLabel): string {
  const { columns, identity, unit, made_at, simulated, page } = label
  const about = {
    ...identity,
    unit,
    sources: sources.join(' '),
    made_at: Instant.parse(made_at),
    simulated,
    page,
  }
  // A column of the rows may have the name of what they are of.
  const names = [...new Set([...Object.keys(columns), ...Object.keys(about)])]
  return csvText(
    names,
    rows.map((row) => ({ ...about, ...row })),
  )
}

/** The texts around the chart of a file. */
function textsOf({ sources }: PictureContent, { heading, subheading, page, made_at, simulated }: PictureLabel) {
  const made = isoUtc(Date.parse(made_at)).replace('T', ' ').replace('Z', ' UTC')
  return {
    heading,
    subheading,
    footer: [
      ...(sources.length > 0 ? [`Source: ${sourceText(sources.join('+'))}`] : []),
      `Holdshort, ${page.split('?')[0]} · made ${made}`,
    ],
    simulated,
  }
}
