import { stringify } from 'csv-stringify/sync'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { published } from '../../api/dependencies.ts'
import { Instant } from '../../config/answer-schemas.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { pngOf } from '../charts/png.ts'
import { FORMATS } from '../pages/elements.tsx'
import { OPEN_ROUTE, type PageInput } from '../pages/open-answers.ts'
import { type MapPicture, mapFile } from './world-picture.tsx'

const TYPES = {
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const
type FileType = keyof typeof TYPES

/** A picture may be shown by pages of any site; as a document it loads nothing and runs nothing. */
export const PICTURE_HEADERS = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

/** The description in a file. */
interface AboutFile {
  title: string
  description: string
  unit: string | null
  source: string
  licence: string
  /** The address of the page that shows the same, and of the file of a format. */
  page: string
  file: (format: string) => string
  /** Each column with its meaning, in the order of the CSV. */
  columns: Readonly<Record<string, string>>
}

interface MapFile {
  about: AboutFile
  /** Rows of the CSV, and of the list `airports` of the JSON. */
  rows: readonly object[]
  picture: MapPicture
}

/**
 * Adds a map as files: `.svg`, `.png`, `.csv` and `.json` of one address. `keyOf` reads the parameters and throws where they are
 * wrong; `make` gathers the content.
 */
export function addMapFiles(
  pages: FastifyInstance,
  path: string,
  keyOf: (request: FastifyRequest) => string,
  make: (snapshot: Snapshot, input: PageInput, key: string) => MapFile,
): void {
  for (const type of Object.keys(TYPES) as FileType[])
    pages.get(`${path}.${type}`, OPEN_ROUTE, (request, reply) => {
      const key = keyOf(request)
      return request.server.openAnswers.send(request, reply, {
        key: `${path}.${type} ${key}`,
        type: TYPES[type],
        headers: PICTURE_HEADERS,
        make: (input) => {
          const snapshot = published(input.snapshot)
          return content(type, make(snapshot, input, key), snapshot)
        },
      })
    })
}

function content(
  type: FileType,
  { about: { file: addressOf, columns, ...about }, rows, picture }: MapFile,
  { generated_at, simulated }: Snapshot,
) {
  const made_at = Instant.parse(generated_at)
  if (type === 'json') {
    const files = Object.fromEntries(FORMATS.map((format) => [format, addressOf(format)]))
    return JSON.stringify({ ...about, made_at, simulated, files, columns, airports: rows })
  }
  if (type === 'csv') {
    const named = rows.map((row) => ({ ...row, made_at, simulated }))
    return stringify(named, { header: true, escape_formulas: true, cast: { boolean: String } })
  }
  const credit = [`As of ${made_at.slice(0, 10)} ${made_at.slice(11, 16)} UTC`, about.page, ...picture.credit].join(
    ' · ',
  )
  const isPixels = type === 'png'
  const svg = mapFile({ ...picture, title: about.title, description: about.description, credit, simulated, isPixels })
  return isPixels ? pngOf(svg, 1) : svg
}
