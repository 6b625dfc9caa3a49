import { z } from 'zod'
import { SEARCH_NAMES } from '../airports/search/search-names.ts'
import { referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

export const Country = z.strictObject({
  code: z.string().regex(/^[A-Z]{2}$/),
  name: z.string().min(1),
  ...Evidence.shape,
})
export type Country = z.infer<typeof Country>

/** The countries that have a code of two letters. */
export const COUNTRIES = referenceFile('countries', Country)

/** Codes that the European Union uses instead of the ISO code, and the code of Åland, which is part of Finland. */
const OTHER_CODES: Record<string, string> = { AX: 'FI', EL: 'GR', UK: 'GB' }
/** Codes of ISO 3166-1 that the file lacks. */
const FURTHER_CODES: Record<string, string> = { BV: 'Bouvet Island', SJ: 'Svalbard and Jan Mayen' }

/** Common English names that neither the file nor the Unicode locale data has, also of parts of countries that travellers name for them. */
const OTHER_NAMES: Record<string, string> = {
  aland: 'FI',
  america: 'US',
  azores: 'PT',
  'balearic islands': 'ES',
  bosnia: 'BA',
  britain: 'GB',
  burma: 'MM',
  canaries: 'ES',
  'canary islands': 'ES',
  ceuta: 'ES',
  corsica: 'FR',
  crete: 'GR',
  'czech republic': 'CZ',
  eire: 'IE',
  england: 'GB',
  'great britain': 'GB',
  holland: 'NL',
  'holy see': 'VA',
  ibiza: 'ES',
  'ivory coast': 'CI',
  macedonia: 'MK',
  madeira: 'PT',
  majorca: 'ES',
  mallorca: 'ES',
  melilla: 'ES',
  'northern ireland': 'GB',
  'republic of ireland': 'IE',
  sardinia: 'IT',
  scotland: 'GB',
  sicily: 'IT',
  svalbard: 'SJ',
  swaziland: 'SZ',
  tenerife: 'ES',
  'the netherlands': 'NL',
  turkey: 'TR',
  uae: 'AE',
  'united states of america': 'US',
  usa: 'US',
  vatican: 'VA',
  wales: 'GB',
}

/** Languages whose names go before those of the search, which has many more: English and those of the Schengen states. */
const LANGUAGES = 'en bg cs da de el es et fi fr hr hu is it lt lv mt nb nl nn pl pt pt-PT ro sk sl sv'.split(' ')

/** "U.S." is the code. */
const withoutDots = (name: string) => name.replaceAll('.', '')

const folded = (name: string) =>
  withoutDots(name)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

let names: ReadonlyMap<string, string> | null = null

let byCode: ReadonlyMap<string, string> | null = null

function countriesByCode(): ReadonlyMap<string, string> {
  byCode ??= new Map([
    ...COUNTRIES.rows().map(({ code, name }) => [code, name] as const),
    ...Object.entries(FURTHER_CODES),
  ])
  return byCode
}

function countryNames(): ReadonlyMap<string, string> {
  const codes = [...countriesByCode().keys()]
  // The first name that is entered wins, so English names win over those of other languages.
  const found = new Map<string, string>()
  const enter = (name: string, code: string) => {
    const key = folded(name)
    if (key !== '' && !found.has(key)) found.set(key, code)
  }
  for (const [code, name] of countriesByCode()) enter(name, code)
  for (const [name, code] of Object.entries(OTHER_NAMES)) enter(name, code)
  for (const language of LANGUAGES) {
    const localNames = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    for (const code of codes) enter(localNames.of(code) ?? '', code)
  }
  for (const { country, alpha3, names } of SEARCH_NAMES.countries())
    for (const name of [alpha3, ...names]) enter(name, country)
  return found
}

/**
 * The ISO code of a country from its code of two or three letters in any case, from the codes EL and UK of the European Union,
 * or from its name in many languages. Null when no country has this code or name.
 */
export function countryCode(text: string): string | null {
  const trimmed = withoutDots(text).trim()
  if (/^[A-Za-z]{2}$/.test(trimmed)) {
    const code = trimmed.toUpperCase()
    const iso = OTHER_CODES[code] ?? code
    return countriesByCode().has(iso) ? iso : null
  }
  names ??= countryNames()
  return names.get(folded(trimmed)) ?? null
}

const TERRITORIES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    US: 'PR VI GU MP AS',
    GB: 'GG IM JE GI AI BM FK IO KY MS SH TC VG',
    FR: 'GF GP MF MQ RE YT BL NC PF PM WF',
    NL: 'AW BQ CW SX',
    DK: 'FO GL',
    FI: 'AX',
    NO: 'SJ',
    AU: 'CC CX NF',
    NZ: 'CK NU TK',
    CN: 'HK MO',
  }).map(([country, codes]) => [country, codes.split(' ')]),
)

/** The territories of a country that have codes of their own (ISO 3166-1): HK and MO of CN. */
export const territoriesOf = (country: string): readonly string[] => TERRITORIES[country] ?? []

/** The English name of a country; the code itself when it is unknown. */
export const countryName = (code: string) => countriesByCode().get(code) ?? code

const NEEDS_ARTICLE =
  /^United |Republic of |^U\.S\. |(Islands|Republic|Territory|Netherlands|Philippines|Bahamas|Maldives|Gambia|Comoros)$/

/** The same within a sentence: `the United Kingdom`, `France`. */
export const countryInText = (code: string): string => withArticle(countryName(code))

/** The name of a country or territory as it stands in a sentence: `the Faroe Islands`. */
export const withArticle = (name: string): string => (NEEDS_ARTICLE.test(name) ? `the ${name}` : name)
