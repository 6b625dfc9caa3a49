import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fitsCountry, namesAgree } from '../../../config/airports/build/agreement.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { distanceKm } from '../../../config/airports/distance.ts'
import { formerCodes, presentCode } from '../../../config/airports/former-codes.ts'
import { projectFile } from '../../../config/paths.ts'
import { allSources } from '../../../config/sources.ts'
import { readCases } from '../../values.ts'

const directory = airportDirectory()
const LISTED = projectFile('..', 'shared', 'samples', 'airports', 'mborsetti-airportsdata-v20260803.csv.gz')

const Disagreement = z.strictObject({
  iata: z.string(),
  about: z.enum(['place', 'country', 'name', 'icao']),
  claims: z.array(z.string()),
  decided: z.string().min(10),
})
const json = (...path: string[]): unknown =>
  JSON.parse(readFileSync(projectFile('config', 'airports', ...path), 'utf8'))

/**
 * Rows that some source has wrong: reported ones, codes that changed hands, places whose minutes a list has as decimals, zones of
 * the other side of a border, and codes of Uzbekistan with the letters of before.
 */
const ROWS =
  readCases<
    {
      iata: string
      icao?: string
      country?: string
      timezone?: string
      name?: string
      near?: [number, number]
      within_km?: number
    }[]
  >('config/airports/rows.json')

describe('every row of the directory is one place', () => {
  it('has an ICAO code only with the letters of its country', () => {
    const wrong = directory.all.filter(({ icao, country }) => icao !== null && !fitsCountry(icao, country))
    expect(wrong.map(({ iata, icao, country }) => `${iata} ${icao} ${country}`)).toEqual([])
  })

  it('has the right values for the rows that were wrong in a source', () => {
    for (const { near, within_km, name, ...facts } of ROWS) {
      const airport = directory.byIata.get(facts.iata)!
      expect(airport).toMatchObject(facts)
      if (name) expect(airport.name).toContain(name)
      if (near)
        expect(distanceKm(airport, { latitude: near[0], longitude: near[1] }), facts.iata).toBeLessThan(within_km!)
    }
  })

  it.skipIf(!existsSync(LISTED))('is over 50 km from an independent list only where the build decided so', () => {
    const decided = new Set(
      z
        .array(Disagreement)
        .parse(json('build', 'disagreements.json'))
        .map(({ iata }) => iata),
    )
    const rows = parse(gunzipSync(readFileSync(LISTED)), { columns: true }) as Record<string, string>[]
    const far = rows.filter(({ iata, lat, lon }) => {
      const airport = directory.byIata.get(iata!)
      return airport !== undefined && distanceKm(airport, { latitude: Number(lat), longitude: Number(lon) }) > 50
    })
    expect(far.map(({ iata }) => iata).filter((iata) => !decided.has(iata!))).toEqual([])
    expect(far.length).toBeGreaterThan(10)
  })

  it('has no airport twice', () => {
    const near = new Map<string, (typeof directory.all)[number][]>()
    for (const airport of directory.all) {
      const key = `${airport.latitude.toFixed(1)} ${airport.longitude.toFixed(1)}`
      near.set(key, [...(near.get(key) ?? []), airport])
    }
    const twice = [...near.values()].flatMap((airports) =>
      airports.flatMap((a, index) =>
        airports
          .slice(index + 1)
          .filter((b) => distanceKm(a, b) < 1 && a.country === b.country && namesAgree(a.name, b.name))
          .map((b) => `${a.iata} ${b.iata}`),
      ),
    )
    expect(twice).toEqual([])
  })

  it('lists what the sources disagree about, each case decided', () => {
    const cases = z.array(Disagreement).parse(json('build', 'disagreements.json'))
    expect(cases.length).toBeGreaterThan(500)
    const codes = cases.map(({ iata }) => iata)
    expect(codes).toEqual(codes.toSorted())
    for (const code of ['VLO', 'BOR', 'SWN', 'ACO']) expect(codes).toContain(code)
  })
})

describe('former codes', () => {
  const { codes, byCode, byIcao } = formerCodes()

  it('are codes of no airport today, and lead to one that is there', () => {
    for (const { code, airport } of codes) {
      expect(directory.byIata.has(code), code).toBe(false)
      if (airport !== null) expect(directory.byIata.has(airport), `${code} ${airport}`).toBe(true)
    }
    for (const [icao, { airport }] of byIcao) {
      expect(directory.byIcao.has(icao), icao).toBe(false)
      if (airport !== null) expect(directory.byIata.has(airport), icao).toBe(true)
    }
    expect(new Set(codes.map(({ code }) => code)).size).toBe(codes.length)
    expect(codes.filter(({ kind, airport }) => kind !== 'closed' && airport === null)).toEqual([])
  })

  it('are not the codes of any source or reference table', () => {
    const ofSources = allSources().flatMap(({ airports }) => airports)
    expect(ofSources.filter((iata) => byCode.has(iata))).toEqual([])
    expect(ofSources.filter((iata) => !directory.byIata.has(iata))).toEqual([])
  })

  it('keep the rows of an airport that was renamed, and of no other', () => {
    expect(['PBI', 'TXL', 'JFK'].map(presentCode)).toEqual(['DJT', 'TXL', 'JFK'])
  })
})
