import type { LicenceId } from '../../config/licences.ts'
import { CROWD_SOURCE, sourceOf } from '../../config/publishers.ts'

/** The terms that decide which rows may leave an installation. */
export interface TermsContext {
  simulated: boolean
  /** The licence of this installation's own figures, and of simulated ones. */
  own_licence: LicenceId
  /** Licences that the operator has for sources whose terms the catalogue does not know. */
  grants: ReadonlyMap<string, LicenceId>
  /** The export is for the operator's own use: rows of unknown terms stay in it, and it says that it may not be passed on. */
  own_use: boolean
}

/**
 * The terms of a source. Simulated figures are this program's own, whatever source they imitate. Unknown terms are no
 * permission.
 */
export function termsOf(source: string, { simulated, own_licence, grants }: TermsContext) {
  const entry = sourceOf(source)
  const name = entry?.attribution ?? (source === CROWD_SOURCE ? 'Reports of travellers' : `Imported as "${source}"`)
  if (simulated)
    return { licence: own_licence, credit: `Simulated by Holdshort (${name})`, terms: 'Made by a simulator.' }
  const granted = grants.get(source)
  if (granted) return { licence: granted, credit: name, terms: 'Licence named by the operator of the installation.' }
  if (entry) return { licence: entry.licence ?? null, credit: name, terms: entry.terms }
  const terms =
    source === CROWD_SOURCE
      ? 'Travellers were not asked whether their reports may be passed on.'
      : 'An imported file whose terms are unknown. The operator may name its licence (HOLDSHORT_OPEN_DATA_GRANTS).'
  return { licence: null, credit: name, terms }
}

/** Ids of the sources in a cell: several are joined by `+`. */
export const sourcesInCell = (cell: string): string[] => cell.split('+')

/** Whether a row whose source column has this value may leave the installation. A row without a source may not. */
export function mayLeave(cell: string | null, context: TermsContext): boolean {
  if (context.own_use || context.simulated) return true
  return cell !== null && sourcesInCell(cell).every((source) => termsOf(source, context).licence !== null)
}
