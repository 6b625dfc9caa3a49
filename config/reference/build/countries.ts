import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Country } from '../countries.ts'
import { evidence } from '../evidence.ts'
import type { SourceFolder } from './source-folder.ts'

const FILE = 'airports/ourairports-countries-2026-08-22.csv.gz'
const PAGE = 'https://davidmegginson.github.io/ourairports-data/countries.csv'
/** Codes of the file that are no country: disputed islands without a code, and the code for unknown. */
const NO_COUNTRY = new Set(['XP', 'ZZ'])

/** The countries of OurAirports (public domain): ISO 3166-1 codes, and XK, which its members use for Kosovo. */
export function importCountries(from: SourceFolder): Country[] {
  const csv = gunzipSync(readFileSync(from.samplePath(FILE))).toString('utf8')
  return csv
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, code, name] = line.match(/^\d+,"([A-Z]{2})","([^"]+)",/) ?? []
      if (!code || !name || NO_COUNTRY.has(code)) return []
      return [{ code, name: name.replace(/ \(disputed territory\)$/, ''), ...evidence(PAGE, '2026-08-22') }]
    })
}
