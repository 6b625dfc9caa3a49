import { writeFileSync } from 'node:fs'
import { z } from 'zod'
import { referencePath } from '../define-reference.ts'
import { REFERENCE_FILES } from '../index.ts'
import { importLounges, importMetroCodes, importTerminals } from './airports.ts'
import { importCabinBags, importCheckedBags } from './bags.ts'
import { importCountries } from './countries.ts'
import { importHolidayDays } from './holiday-days.ts'
import { importMishandledBags } from './mishandled-bags.ts'
import { importPeakVolumes } from './peak-volumes.ts'
import { importPeaks } from './peaks.ts'
import { importPublicHolidays } from './public-holidays.ts'
import { importRelatedServers } from './related-servers.ts'
import {
  importBorderWaitFigures,
  importBorderWaitPublishers,
  importEesFacts,
  importSchengenStates,
} from './schengen.ts'
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
  terminals: importTerminals,
  lounges: importLounges,
  'checked-bags': importCheckedBags,
  'cabin-bags': importCabinBags,
  'mishandled-bags': importMishandledBags,
  'metro-codes': importMetroCodes,
  countries: importCountries,
  'schengen-states': importSchengenStates,
  'ees-facts': importEesFacts,
  'border-wait-figures': importBorderWaitFigures,
  'border-wait-publishers': importBorderWaitPublishers,
  peaks: importPeaks,
  'peak-volumes': importPeakVolumes,
  'public-holidays': importPublicHolidays,
  'holiday-days': importHolidayDays,
  'security-lanes': importSecurityLanes,
  'related-servers': importRelatedServers,
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
