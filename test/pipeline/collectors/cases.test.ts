import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { projectFile } from '../../../config/paths.ts'
import { sourceById } from '../../../config/sources.ts'
import { collectorById } from '../../../pipeline/collectors/index.ts'
import { parseBody, parseContext } from '../../../pipeline/parsing/parse-body.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'
import { reported } from '../../reported.ts'
import { expectLandable, FETCHED, fixture, sharedFile } from './context.ts'
import { requestsOf } from './requests-of.ts'

/**
 * A raw answer and what its collector makes of it: `cases/SOURCE.json` holds those of a source. The answer is a file of
 * `fixtures/` or of the shared folder, with texts replaced, or the body itself.
 */
interface Case {
  title: string
  iata?: string
  fetched_at?: string
  fixture?: string
  /** A file of `test/reported/`. */
  reported?: string
  shared?: string
  replace?: [text: string, by: string][]
  body?: unknown
  /** A part of the message of the ParseError, in place of rows and notices. */
  rejected?: string
  /** One line a row: a reading by position (`lineOf`), others with the name of each column that is not null. */
  rows?: string[]
  /** Severity and code, path, value and airport of each notice. */
  notices?: string[]
  observed_at?: string | null
}

const FOLDER = projectFile('test', 'pipeline', 'collectors', 'cases')
const HAS_SHARED = sharedFile('live-sources.md') !== null

const inOneLine = (...columns: unknown[]) => columns.map((column) => column ?? '').join(' | ')

const lineOf = (row: ParsedReading) =>
  inOneLine(
    `${row.iata} ${row.kind}`,
    row.terminal,
    row.checkpoint,
    row.lane,
    inOneLine(row.wait_minutes, row.wait_minutes_low, row.wait_minutes_high),
    row.status,
    `${row.observed_at} ${row.observed_at_basis}`,
    row.wait_text,
  )

const namedLineOf = (row: object) =>
  Object.entries(row)
    .filter(([, value]) => value !== null)
    .map(([column, value]) => `${column} ${value}`)
    .join(' | ')

function bodyOf({ fixture: file, reported: input, shared, replace = [], body }: Case): string {
  if (body !== undefined) return typeof body === 'string' ? body : JSON.stringify(body)
  if (input !== undefined) return reported(input)
  const text = file === undefined ? (sharedFile(shared!) ?? '') : fixture(file)
  return replace.reduce((changed, [from, to]) => {
    expect(changed).toContain(from)
    return changed.replaceAll(from, to)
  }, text)
}

describe.each(readdirSync(FOLDER).map((file) => file.replace('.json', '')))('%s', (id) => {
  const cases: Case[] = JSON.parse(readFileSync(`${FOLDER}/${id}.json`, 'utf8'))
  const source = sourceById(id)
  const collector = collectorById(source.collector)

  describe.each(cases)('$title', (expected) => {
    it.skipIf(expected.shared !== undefined && !HAS_SHARED)('is read as its rows and notices', () => {
      const { iata = null, fetched_at = FETCHED } = expected
      const url = requestsOf(id)[0]?.url ?? source.url
      const context = parseContext(source, { iata, url, content_type: null, fetched_at })
      const parse = () => parseBody(collector, Buffer.from(bodyOf(expected)), context)
      if (expected.rejected !== undefined) {
        expect(parse).toThrow(ParseError)
        expect(parse).toThrow(expected.rejected)
        return
      }
      const { readings, notices, observed_at } = parse()
      expectLandable(collector.lands, { readings, notices })
      const isWait = collector.lands === 'readings'
      expect({
        rows: isWait ? (readings as ParsedReading[]).map(lineOf) : readings.map(namedLineOf),
        notices: notices.map((notice) =>
          inOneLine(`${notice.severity} ${notice.code}`, notice.path, notice.value, notice.iata),
        ),
        observed_at,
      }).toEqual({ rows: expected.rows, notices: expected.notices ?? [], observed_at: expected.observed_at })
    })
  })
})
