import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { countriesOfIcao, fitsCountry, namesAgree } from '../../../config/airports/build/agreement.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { distanceKm } from '../../../config/airports/distance.ts'
import { formerCodes, presentCode } from '../../../config/airports/former-codes.ts'
import { projectFile } from '../../../config/paths.ts'
import { allSources } from '../../../config/sources.ts'
import { reported } from '../../reported.ts'

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

describe('every row of the directory is one place', () => {
  it('has an ICAO code only with the letters of its country', () => {
    const wrong = directory.all.filter(({ icao, country }) => icao !== null && !fitsCountry(icao, country))
    expect(wrong.map(({ iata, icao, country }) => `${iata} ${icao} ${country}`)).toEqual([])
    expect(countriesOfIcao('UZTT')).toEqual(['UZ'])
    expect(countriesOfIcao('UTAA')).toEqual(['TM'])
    expect(countriesOfIcao('UTTT')).toEqual([])
    expect(countriesOfIcao('TJSJ')).toEqual(['PR'])
    expect(countriesOfIcao('BKPR')).toEqual(['XK'])
  })

  it('has the right values for the rows that were reported', () => {
    const rows = z
      .array(
        z.object({
          iata: z.string(),
          icao: z.string().optional(),
          country: z.string().optional(),
          near: z.tuple([z.number(), z.number()]).optional(),
        }),
      )
      .parse(JSON.parse(reported('directory-rows.json')))
    expect(rows.length).toBeGreaterThan(3)
    for (const { iata, icao, country, near } of rows) {
      const airport = directory.byIata.get(iata)!
      if (icao) expect(airport.icao).toBe(icao)
      if (country) expect(airport.country).toBe(country)
      if (near) expect(distanceKm(airport.latitude, airport.longitude, ...near), iata).toBeLessThan(50)
    }
  })

  // The most trusted list has minutes where decimals belong (ANR, KJK, LUX, NMI), or the others have copied whole minutes from each other.
  it.each([
    ['ANR', 51.1894, 4.4603],
    ['KJK', 50.8172, 3.2047],
    ['LUX', 49.6233, 6.2044],
    ['NMI', 18.9944, 73.0703],
    ['LEU', 42.3386, 1.4092],
    ['SKU', 38.9676, 24.4872],
    ['RAM', -12.3564, 134.898],
    ['NLA', -12.9617, 28.5167],
  ])('%s lies where it was measured', (iata, latitude, longitude) => {
    const airport = directory.byIata.get(iata)!
    expect(distanceKm(airport.latitude, airport.longitude, latitude, longitude)).toBeLessThan(2)
  })

  // A border of zones is near, and the base has the time of the other side.
  it.each([
    ['TJG', 'Asia/Makassar'],
    ['KLI', 'Africa/Kinshasa'],
    ['RNZ', 'America/Chicago'],
    ['TBC', 'America/Denver'],
  ])('%s has the time of its own side of a border', (iata, zone) => {
    expect(directory.byIata.get(iata)!.timezone).toBe(zone)
  })

  // Codes that changed hands: name, country, ICAO code and place of the present holder.
  it.each([
    ['VLO', 'Vlora', 'AL', 'LAVL', 40.6, 19.4, 'Europe/Tirane'],
    ['BOR', 'Bokeo', 'LA', 'VLBK', 20.3, 100.2, 'Asia/Vientiane'],
    ['SWN', 'Sarsawa', 'IN', 'VISP', 30, 77.4, 'Asia/Kolkata'],
    ['MZS', 'Moradabad', 'IN', 'VIMB', 28.8, 78.9, 'Asia/Kolkata'],
    ['TKM', 'Taksimo', 'RU', 'UIKG', 56.4, 114.9, 'Asia/Irkutsk'],
    ['BKA', 'Baykit', 'RU', 'UNIB', 61.7, 96.4, 'Asia/Krasnoyarsk'],
    ['ACO', 'Cobano', 'CR', 'MRAF', 9.7, -85.1, 'America/Costa_Rica'],
    ['KTI', 'Techo', 'KH', 'VDTI', 11.4, 104.9, 'Asia/Phnom_Penh'],
    ['LIJ', 'Lishui', 'CN', 'ZSLI', 28.4, 119.8, 'Asia/Shanghai'],
    ['MDR', 'Musiara', 'KE', 'HKMZ', -1.3, 35.1, 'Africa/Nairobi'],
    ['MJY', 'Motygino', 'RU', 'UNIM', 58.2, 94.7, 'Asia/Krasnoyarsk'],
    ['MUU', 'Barra Grande', 'BR', 'SIRI', -13.9, -38.9, 'America/Bahia'],
    ['HEW', 'Dongyang', 'CN', null, 29.1, 120.2, 'Asia/Shanghai'],
    ['SHO', 'King Mswati', 'SZ', 'FDSK', -26.4, 31.7, 'Africa/Mbabane'],
    ['JNG', "Da'an", 'CN', 'ZSJG', 35.6, 116.7, 'Asia/Shanghai'],
    ['HBE', 'Alexandria', 'EG', 'HEAX', 30.9, 29.7, 'Africa/Cairo'],
    ['LCB', 'Lacerda', 'BR', 'SWLE', -15.2, -59.3, 'America/Cuiaba'],
  ] as const)('%s is %s', (iata, name, country, icao, latitude, longitude, timezone) => {
    const airport = directory.byIata.get(iata)!
    expect(airport).toMatchObject({ country, icao, timezone })
    expect(airport.name).toContain(name)
    expect(distanceKm(airport.latitude, airport.longitude, latitude, longitude)).toBeLessThan(30)
  })

  it('gives every airport of Uzbekistan a code with UZ', () => {
    const airports = directory.all.filter(({ country }) => country === 'UZ')
    const codes = Object.fromEntries(airports.map(({ iata, icao }) => [iata, icao]))
    expect(codes).toMatchObject({
      TAS: 'UZTT',
      SKD: 'UZSS',
      BHK: 'UZSB',
      UGC: 'UZNU',
      NCU: 'UZNN',
      NVI: 'UZSA',
      TMJ: 'UZST',
      KSQ: 'UZSK',
      AFS: 'UZSN',
      FEG: 'UZKF',
      NMA: 'UZKN',
      AZN: 'UZKA',
    })
    expect(Object.values(codes).filter((icao) => icao !== null && !icao.startsWith('UZ'))).toEqual([])
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
      return airport !== undefined && distanceKm(airport.latitude, airport.longitude, Number(lat), Number(lon)) > 50
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
          .filter(
            (b) =>
              distanceKm(a.latitude, a.longitude, b.latitude, b.longitude) < 1 &&
              a.country === b.country &&
              namesAgree(a.name, b.name),
          )
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
