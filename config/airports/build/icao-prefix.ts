import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { projectFile } from '../../paths.ts'

const Prefixes = z.object({ prefixes: z.record(z.string(), z.string()) })

let cached: Record<string, string> | null = null

function prefixes(): Record<string, string> {
  cached ??= Prefixes.parse(
    JSON.parse(readFileSync(projectFile('config', 'airports', 'build', 'icao-prefixes.json'), 'utf8')),
  ).prefixes
  return cached
}

/** The countries (ISO 3166-1) whose aerodromes have ICAO codes that begin like this one; empty where ICAO gave these letters to none. */
export function countriesOfIcao(icao: string): string[] {
  for (let length = 4; length > 0; length -= 1) {
    const countries = prefixes()[icao.slice(0, length)]
    if (countries !== undefined) return countries.split(' ')
  }
  return []
}

/** Four letters, or the letters K or C before an identifier of the FAA or of Transport Canada, by which weather is reported too. */
const ICAO_CODE = /^([A-Z]{4}|[KC][A-Z0-9]{3})$/

/** Whether an aerodrome of a country can have this ICAO code. */
export const fitsCountry = (icao: string, country: string) =>
  ICAO_CODE.test(icao) && countriesOfIcao(icao).includes(country)
