import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { airportDirectory } from '../../config/airports/directory.ts'
import { projectFile } from '../../config/paths.ts'
import { CABIN_BAGS, CHECKED_BAGS } from '../../config/reference/bags.ts'
import { importedReference, SLOW_IMPORTS } from '../../config/reference/build/build.ts'
import { isCalendarInstalled } from '../../config/reference/build/calendar.ts'
import { referencePath } from '../../config/reference/define-reference.ts'
import { Evidence, evidence } from '../../config/reference/evidence.ts'
import { HAND_WRITTEN_FILES, REFERENCE_FILES } from '../../config/reference/index.ts'
import { METRO_CODES } from '../../config/reference/metro-codes.ts'
import { SCHENGEN_STATES } from '../../config/reference/schengen.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { testValues } from '../values.ts'

const SHARED = projectFile('..', 'shared')

/** All evidence objects in a value, at any depth. */
function evidencesIn(value: unknown): Evidence[] {
  if (Array.isArray(value)) return value.flatMap(evidencesIn)
  if (typeof value !== 'object' || value === null) return []
  const nested = Object.values(value).flatMap(evidencesIn)
  return 'source' in value && 'caution' in value ? [value as Evidence, ...nested] : nested
}

describe.each([...REFERENCE_FILES, ...HAND_WRITTEN_FILES].map((file) => [file.name, file] as const))(
  '%s',
  (_name, file) => {
    it('has rows that match their schema and carry evidence', () => {
      const rows = z.array(file.row).parse(file.rows())
      expect(rows.length).toBeGreaterThan(3)
      for (const row of rows) expect(evidencesIn(row).length, JSON.stringify(row)).toBeGreaterThan(0)
    })

    it('has a caution on facts without a date or from before 2023', () => {
      const all = evidencesIn(file.rows())
      for (const { as_of, caution } of all) if (as_of === null || as_of < '2023') expect(caution).not.toBeNull()
    })

    it('names only airports in the directory', () => {
      const { byIata } = airportDirectory()
      const named = file.rows().flatMap((row) => {
        const { iata, airports = [] } = row as {
          iata?: string | null
          airports?: (string | { iata: string })[] | Record<string, number>
        }
        const listed = Array.isArray(airports) ? airports : Object.keys(airports)
        return [iata, ...listed.map((airport) => (typeof airport === 'string' ? airport : airport.iata))]
      })
      const codes = named.filter((code): code is string => typeof code === 'string' && code.length === 3)
      // MLH (Mulhouse) is another code of EuroAirport Basel.
      expect(codes.filter((code) => !byIata.has(code) && code !== 'MLH')).toEqual([])
    })
  },
)

describe.skipIf(!existsSync(SHARED))('the import (needs ../shared)', () => {
  const expectCommitted = (isWanted: (name: string) => boolean) => {
    for (const [name, text] of importedReference(SHARED, isWanted))
      expect(readFileSync(referencePath(name), 'utf8'), name).toBe(text)
  }

  it('generates exactly the committed files', () => expectCommitted((name) => !SLOW_IMPORTS.has(name)))

  it.runIf(EXHAUSTIVE && isCalendarInstalled())(
    'generates exactly the committed files that are computed from histories and calendars',
    () => expectCommitted((name) => SLOW_IMPORTS.has(name)),
    180_000,
  )
})

testValues('config/evidence.json', {
  evidence: (source: string, as_of: string, note: string | null) => evidence(source, as_of, note ?? undefined),
  creditOf: (source: string, as_of: string) => evidence(source, as_of).credit,
  isEvidence: (as_of: string) => Evidence.safeParse({ ...evidence('x', '2016'), as_of }).success,
})

describe('facts that the import must preserve', () => {
  it('links checked bags to the cabin bags of the same airline', () => {
    const cabin = new Map(CABIN_BAGS.rows().map((row) => [row.id, row]))
    for (const { cabin_id, iata } of CHECKED_BAGS.rows()) expect(cabin.get(cabin_id)?.iata, cabin_id).toBe(iata)
  })

  it('has the 29 Schengen members, the first counted day of the late ones, and the EU states outside', () => {
    const members = SCHENGEN_STATES.rows().filter(({ member }) => member)
    expect(members).toHaveLength(29)
    expect(members.filter(({ days_count_from }) => days_count_from !== null).map((row) => row.country)).toEqual(
      expect.arrayContaining(['HR', 'BG', 'RO']),
    )
    expect(
      SCHENGEN_STATES.rows()
        .filter(({ member }) => !member)
        .map(({ country }) => country),
    ).toEqual(['CY', 'IE'])
  })

  it('lists the airports of London', () => {
    const london = METRO_CODES.rows().find(({ metro }) => metro === 'LON')
    expect(london?.airports.map(({ iata }) => iata)).toEqual(
      expect.arrayContaining(['LHR', 'LGW', 'STN', 'LTN', 'LCY']),
    )
  })
})
