import { writeFileSync } from 'node:fs'
import { z } from 'zod'
import { referencePath } from '../define-reference.ts'
import { REFERENCE_FILES } from '../index.ts'
import { importCabinBags } from './cabin-bags.ts'
import { importCountries } from './countries.ts'
import * as facts from './facts.ts'
import { importHolidayDays, importPublicHolidays } from './holidays.ts'
import { importPeakVolumes } from './peak-volumes.ts'
import { importSecurityLanes } from './security-lanes.ts'
import { type SourceFolder, sourceFolder } from './source-folder.ts'

/** Imports that read long histories or a calendar: they take seconds. */
export const SLOW_IMPORTS: ReadonlySet<string> = new Set([
  'holiday-days',
  'peak-volumes',
  'public-holidays',
  'security-lanes',
])

const IMPORTS: Record<string, (from: SourceFolder) => unknown[]> = {
  terminals: facts.importTerminals,
  lounges: facts.importLounges,
  'checked-bags': facts.importCheckedBags,
  'cabin-bags': importCabinBags,
  'mishandled-bags': facts.importMishandledBags,
  'metro-codes': facts.importMetroCodes,
  countries: importCountries,
  'schengen-states': facts.importSchengenStates,
  'ees-facts': facts.importEesFacts,
  'border-wait-figures': facts.importBorderWaitFigures,
  'border-wait-publishers': facts.importBorderWaitPublishers,
  peaks: facts.importPeaks,
  'peak-volumes': importPeakVolumes,
  'public-holidays': importPublicHolidays,
  'holiday-days': importHolidayDays,
  'security-lanes': importSecurityLanes,
  'related-servers': facts.importRelatedServers,
}

/**
 * Imports all wanted files of facts from a folder of sources and checks every row. Returns name → file text, one row per line.
 * @throws ZodError naming the row and field that breaks its shape.
 */
export function importedReference(folder: string, isWanted = (_name: string) => true): Map<string, string> {
  const from = sourceFolder(folder)
  return new Map(
    REFERENCE_FILES.filter(({ name }) => isWanted(name)).map(({ name, row }) => {
      const rows = z.array(row).parse(IMPORTS[name]!(from))
      return [name, `[\n${rows.map((fact) => JSON.stringify(fact)).join(',\n')}\n]\n`]
    }),
  )
}

/** Writes config/reference/*.json; run by hand (`npm run reference -- ../shared`), never at install. */
function build(folder: string): void {
  for (const [name, text] of importedReference(folder)) {
    writeFileSync(referencePath(name), text)
    process.stdout.write(`${name}: ${text.split('\n').length - 3} rows\n`)
  }
}

if (process.argv[1]?.endsWith('config/reference/build/build.js')) build(process.argv[2] ?? '../shared')
