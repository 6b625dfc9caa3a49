/**
 * Known problems of single facts, from the README of the reference data (2026-11-21): contradictions between pages, and
 * changes announced after a page was written. Shown with the fact.
 */
const CAUTIONS: [file: string, key: RegExp, caution: string][] = [
  [
    'terminals',
    /^FRA /,
    'Terminal 3 was to open in April 2026 and Terminal 2 to empty for about five years; whether that came about is not known here: check with the airport.',
  ],
  ['terminals', /^LAX .*5/, 'Terminal 5 closed in October 2025 for rebuilding.'],
  ['lounges', /^JFK (Terminal )?[17]$/, 'From before the new terminals of JFK opened.'],
  [
    'cabin-bags',
    /^(lufthansa|swiss|austrian|brussels|eurowings|discover)/,
    'Contradicted: a Basic fare without a cabin bag is sold for travel since 2026-05-19.',
  ],
  [
    'mishandled-bags',
    /^AA 2023/,
    'Contradicted by scope: 0.76 for the branded network, 0.82 for the operating carrier.',
  ],
  ['mishandled-bags', / 2018-/, 'The period spans the change of definition of January 2019.'],
]

/** The known problems of a fact; null when there is none. */
export function cautionFor(file: string, key: string): string | null {
  const cautions = CAUTIONS.filter(([name, pattern]) => name === file && pattern.test(key))
  return cautions.map(([, , caution]) => caution).join(' ') || null
}
