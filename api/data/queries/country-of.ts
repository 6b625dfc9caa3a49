import type { Directory } from '../../../config/airports/directory.ts'

const ENGLISH = new Intl.DisplayNames('en', { type: 'region' })
/** Names in daily use that are no code of ISO 3166-1 and no full name. */
const USUAL: Record<string, string> = { uk: 'GB', usa: 'US', england: 'GB', scotland: 'GB', wales: 'GB' }

const named = new WeakMap<Directory, Map<string, string>>()

/** The ISO 3166-1 code of a country with airports, by its English name or its code; null for any other word. */
export function countryOf(directory: Directory, name: string): string | null {
  let countries = named.get(directory)
  if (!countries) {
    const codes = [...new Set(directory.all.map(({ country }) => country))]
    countries = new Map(
      codes.flatMap((code) => [
        [code.toLowerCase(), code],
        [(ENGLISH.of(code) ?? code).toLowerCase(), code],
      ]),
    )
    named.set(directory, countries)
  }
  const word = name.trim().toLowerCase()
  return countries.get(word) ?? USUAL[word] ?? null
}
