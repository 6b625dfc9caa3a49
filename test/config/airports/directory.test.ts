import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Airport, airportDirectory } from '../../../config/airports/directory.ts'
import { distanceKm } from '../../../config/airports/distance.ts'
import { presentCode } from '../../../config/airports/former-codes.ts'
import { projectFile } from '../../../config/paths.ts'
import { readCases, testValues } from '../../values.ts'

/** Fifty well-known airports: IATA, ICAO, country, time zone, latitude, longitude. */
const KNOWN = readCases<[string, string, string, string, number, number][]>('config/airports/known-airports.json')

const directory = airportDirectory()
const shared = (path: string) => projectFile('..', 'shared', path)
const CSV = shared('samples/airports/mborsetti-airportsdata-v20260803.csv.gz')
const LIVE = shared('live-sources.json')
const FLIGHTS = shared('samples/bts-ontime/otp_2026_06_subset.csv')

describe('the airport directory', () => {
  it('no name or city has two spaces in a row', () => {
    const names = airportDirectory().all.flatMap(({ name, city }) => [name, city ?? ''])
    expect(names.filter((name) => /\s{2}|^\s|\s$/.test(name))).toEqual([])
  })

  it('holds more than 8,000 valid airports, sorted, each code once', () => {
    const all = z.array(Airport).parse(directory.all)
    expect(all.length).toBeGreaterThan(8_000)
    const codes = all.map((airport) => airport.iata)
    expect(codes).toEqual([...new Set(codes)].sort())
    for (const key of ['icao', 'faa_id'] as const) {
      const codes = all.flatMap((airport) => airport[key] ?? [])
      expect(new Set(codes).size, key).toBe(codes.length)
    }
  })

  it('gives each airport an existing time zone and plausible coordinates', () => {
    for (const zone of new Set(directory.all.map((airport) => airport.timezone)))
      expect(() => new Intl.DateTimeFormat('en', { timeZone: zone }), zone).not.toThrow()
    // Daocheng Yading is the highest airport, Bar Yehuda the lowest.
    const wrong = directory.all.filter(
      ({ latitude, longitude, elevation_ft, runways }) =>
        Math.abs(latitude) > 90 ||
        Math.abs(longitude) > 180 ||
        (elevation_ft ?? 0) <= -1_300 ||
        (elevation_ft ?? 0) >= 14_600 ||
        runways.some(({ length_ft }) => (length_ft ?? 0) >= 20_000),
    )
    expect(wrong).toEqual([])
  })

  it.each(KNOWN)('knows %s', (iata, icao, country, timezone, latitude, longitude) => {
    const airport = directory.byIata.get(iata)
    expect(airport).toMatchObject({ icao, country, timezone, size: 'large', scheduled_service: true })
    expect(airport?.city).not.toBeNull()
    expect(distanceKm(airport!, { latitude, longitude })).toBeLessThan(8)
    expect(directory.byIcao.get(icao)).toBe(airport)
  })

  it.skipIf(!existsSync(FLIGHTS))(
    'has scheduled flights at each airport where US airlines report them (needs ../shared)',
    () => {
      const rows = readFileSync(FLIGHTS, 'utf8').trim().split('\n').slice(1)
      // Year, month, day, origin, destination.
      const codes = new Set(rows.flatMap((row) => row.replaceAll('"', '').split(',').slice(3, 5)))
      expect(codes.size).toBeGreaterThan(200)
      const served = new Set(directory.all.filter((airport) => airport.scheduled_service).map(({ iata }) => iata))
      expect([...codes].map(presentCode).filter((code) => !served.has(code))).toEqual([])
    },
  )

  it('finds US airports by FAA id, also when it differs from the IATA code', () => {
    expect(directory.byFaaId.get('JFK')?.iata).toBe('JFK')
    expect(directory.byFaaId.get('DJT')?.iata).toBe('DJT')
    expect(directory.byIata.get('LHR')?.faa_id).toBeNull()
    expect(directory.byIata.get('JFK')?.runways.map((runway) => runway.ident)).toContain('04L/22R')
  })

  it('lists a runway only where the source counts them, so the longest alone is no list', () => {
    // OurAirports counts a handful of runways without naming their ends.
    const unnamed = directory.all.filter(({ runways }) => runways.some(({ ident }) => ident === null))
    expect(unnamed.length).toBeLessThan(20)
    expect(directory.byIata.get('BFY')).toMatchObject({ runways: [], longest_runway_ft: 8530 })
    for (const { iata, runways, longest_runway_ft } of directory.all)
      if (runways[0]?.length_ft) expect(longest_runway_ft, iata).toBe(runways[0]?.length_ft)
  })

  it('excludes rail stations, bus stops and wrong Q codes', () => {
    for (const code of ['QKL', 'QQK', 'XGB', 'PAR', 'QCJ', 'QAR', 'JBP'])
      expect(directory.byIata.has(code), code).toBe(false)
    // Bella Coola is a rare Q code with scheduled flights.
    expect(directory.byIata.get('QBC')?.scheduled_service).toBe(true)
    // Army airfields that OurAirports lists with flights.
    for (const iata of ['EDG', 'MDA', 'OKY', 'SYL']) expect(directory.byIata.get(iata)?.scheduled_service).toBe(false)
  })

  it.skipIf(!existsSync(LIVE))('has every airport of the live sources, with scheduled service', () => {
    const rows = z.array(z.object({ airports: z.array(z.string()) })).parse(JSON.parse(readFileSync(LIVE, 'utf8')))
    const codes = new Set(rows.flatMap((row) => row.airports).filter((code) => /^[A-Z]{3}$/.test(code)))
    expect(codes.size).toBeGreaterThan(100)
    expect([...codes].filter((code) => !directory.byIata.get(presentCode(code))?.scheduled_service)).toEqual([])
  })

  it.skipIf(!existsSync(CSV))('agrees with an independent list in 99 % of countries and positions', () => {
    const tally = { rows: 0, country: 0, place: 0 }
    for (const line of gunzipSync(readFileSync(CSV)).toString('utf8').trim().split('\n').slice(1)) {
      const cells = [...line.matchAll(/("([^"]|"")*"|[^,]*)(,|$)/g)].map((cell) => cell[1]!.replaceAll('"', ''))
      const airport = directory.byIata.get(cells[1]!)
      if (!airport || airport.size === 'small') continue
      tally.rows += 1
      if (airport.country === cells[5]) tally.country += 1
      if (distanceKm(airport, { latitude: Number(cells[7]), longitude: Number(cells[8]) }) < 20) tally.place += 1
    }
    expect(tally.rows).toBeGreaterThan(4_000)
    expect(tally.country / tally.rows).toBeGreaterThan(0.99)
    expect(tally.place / tally.rows).toBeGreaterThan(0.99)
  })
})

testValues('config/airports/directory.json', {
  runwaysOf: (iata: string) => directory.byIata.get(iata)?.runways.length,
})
