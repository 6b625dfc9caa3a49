import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { projectFile } from '../../../config/paths.ts'
import { sourceById } from '../../../config/sources.ts'
import { collectorById } from '../../../pipeline/collectors/index.ts'
import type { ParseContext, Parsed } from '../../../pipeline/parsing/collector.ts'
import type { Column } from '../../../warehouse/tables/define.ts'
import { type TableName, tables } from '../../../warehouse/tables/index.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'
import { FILLED_FIXTURES } from './filled-fixtures.ts'

/** Fetched at 05:03 in New York, 02:03 in San Francisco. */
export const FETCHED = '2026-11-21T10:03:00Z'

/** The context of parsing a source's first answer, by the real catalogue and the airport directory. */
export function contextFor(sourceId: string, iata: string | null, fetched_at = FETCHED): ParseContext {
  const source = sourceById(sourceId)
  const request = {
    source,
    airports: source.airports,
    now: Date.parse(fetched_at),
    learned_keys: {},
    icaoOf: () => null,
  }
  return {
    source,
    iata,
    url: collectorById(source.collector).request(request)[0]?.url ?? source.url,
    content_type: null,
    fetched_at,
    timezoneOf: (code) => {
      const airport = airportDirectory().byIata.get(code)
      if (airport === undefined) throw new Error(`the directory does not know ${code}`)
      return airport.timezone
    },
    iataOf: () => null,
  }
}

/** Parses a body with the collector of a source of the catalogue. */
export function parseAs(sourceId: string, body: string, iata: string | null, fetched_at = FETCHED) {
  const context = contextFor(sourceId, iata, fetched_at)
  const { readings, notices } = collectorById(context.source.collector).parse(body, context)
  return { readings: readings as ParsedReading[], notices }
}

const STAMPED = ['source', 'fetched_at', 'available_at', 'capture_id', 'flags', 'noticed_at']

/** Fails unless every row and notice fits its table once collection has stamped it. */
export function expectLandable(table: TableName, { readings, notices }: Parsed): void {
  for (const [name, rows] of [[table, readings] as const, ['notices', notices] as const]) {
    const columns: Record<string, Column> = tables[name].columns
    for (const row of rows) {
      expect(Object.keys(columns)).toEqual(expect.arrayContaining(Object.keys(row)))
      for (const [column, { schema }] of Object.entries(columns))
        if (!STAMPED.includes(column))
          expect(schema.safeParse(row[column as keyof typeof row]).error, `${column} of ${name}`).toBeUndefined()
    }
  }
}

/** A payload: a file of `fixtures/`, or one that the simulated world fills. */
export function fixture(name: string): string {
  return (
    FILLED_FIXTURES[name]?.() ?? readFileSync(projectFile('test', 'pipeline', 'collectors', 'fixtures', name), 'utf8')
  )
}

/** The text of a file in the shared folder beside the project; null where that folder is absent. */
export function sharedFile(...path: string[]): string | null {
  try {
    return readFileSync(projectFile('..', 'shared', ...path), 'utf8')
  } catch {
    return null
  }
}
