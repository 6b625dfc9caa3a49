import { closest } from 'fastest-levenshtein'
import { isLicenceId, LICENCE_IDS, type LicenceId } from './licences.ts'
import { CROWD_SOURCE, isImported, sourceOf } from './publishers.ts'
import { allSources } from './sources.ts'

/** The source and the licence of a pair like `import=CC-BY-4.0`. */
const partsOf = (pair: string) => /^([^=]+)=(.+)$/s.exec(pair)?.slice(1) ?? []

/** The fault of `source=licence` pairs by which an operator passes on figures; null without one. */
export function faultOfGrants(pairs: readonly string[]): string | null {
  const named = new Set<string>()
  for (const pair of pairs) {
    const [source = '', licence = ''] = partsOf(pair)
    if (!isLicenceId(licence)) return `must be like import=CC-BY-4.0; the licences are ${LICENCE_IDS.join(', ')}`
    if (sourceOf(source) === null && source !== CROWD_SOURCE && !isImported(source)) {
      const ids = [CROWD_SOURCE, ...allSources().map(({ id }) => id)]
      return `"${source}" is no source; did you mean ${closest(source, ids)}? \`holdshort sources\` lists all, and imported ones begin with "import"`
    }
    if (named.has(source)) return 'must name each source once'
    named.add(source)
  }
  return null
}

/** Pairs without a fault as a map. */
export const grantsOf = (pairs: readonly string[]) => new Map(pairs.map((pair) => partsOf(pair) as [string, LicenceId]))
