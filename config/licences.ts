/**
 * The licences under which figures may be passed on. A source whose entry in config/sources.json names none of them has
 * unknown terms, and none of its figures leave the installation.
 */
export const LICENCES = {
  'us-government-work': {
    title: 'US Government work, in the public domain',
    url: 'https://www.usa.gov/government-works',
  },
  'CC0-1.0': {
    title: 'Creative Commons Zero 1.0',
    url: 'https://creativecommons.org/publicdomain/zero/1.0/',
  },
  'CC-BY-4.0': {
    title: 'Creative Commons Attribution 4.0',
    url: 'https://creativecommons.org/licenses/by/4.0/',
  },
  'CC-BY-SA-4.0': {
    title: 'Creative Commons Attribution Share Alike 4.0',
    url: 'https://creativecommons.org/licenses/by-sa/4.0/',
  },
  'ODbL-1.0': {
    title: 'Open Database License 1.0: credit and share alike',
    url: 'https://opendatacommons.org/licenses/odbl/1-0/',
  },
  'ODC-By-1.0': {
    title: 'Open Data Commons Attribution 1.0',
    url: 'https://opendatacommons.org/licenses/by/1-0/',
  },
  'PDDL-1.0': {
    title: 'Public Domain Dedication and License 1.0',
    url: 'https://opendatacommons.org/licenses/pddl/1-0/',
  },
  'OGL-UK-3.0': {
    title: 'Open Government Licence 3.0',
    url: 'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/',
  },
  'NLOD-2.0': {
    title: 'Norwegian Licence for Open Government Data 2.0',
    url: 'https://data.norge.no/nlod/en/2.0',
  },
} as const satisfies Record<string, { title: string; url: string }>

export type LicenceId = keyof typeof LICENCES

export const LICENCE_IDS = Object.keys(LICENCES) as [LicenceId, ...LicenceId[]]

export const isLicenceId = (text: string): text is LicenceId => Object.hasOwn(LICENCES, text)
