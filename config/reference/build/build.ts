import { writeFileSync } from 'node:fs'
import { z } from 'zod'
import { referencePath } from '../define.ts'
import { REFERENCE_FILES } from '../index.ts'
import { importLounges, importMetroCodes, importTerminals } from './airports.ts'
import { importCabinBags, importCheckedBags } from './bags.ts'
import { importCountries } from './countries.ts'
import { importMishandledBags } from './mishandled-bags.ts'
import { importPeaks } from './peaks.ts'
import { importRelatedServers } from './related-servers.ts'
import {
  importBorderWaitFigures,
  importBorderWaitPublishers,
  importEesFacts,
  importSchengenStates,
} from './schengen.ts'
import { type SourceFolder, sourceFolder } from './source-folder.ts'

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
  'related-servers': importRelatedServers,
}

/**
 * Imports all files of facts from a folder of sources and checks every row. Returns name → file text, one row per line.
 * @throws ZodError naming the row and field that breaks its shape.
 */
export function importedReference(folder: string): Map<string, string> {
  const from = sourceFolder(folder)
  return new Map(
    REFERENCE_FILES.map(({ name, row }) => {
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
