/**
 * What is known against single facts, by whoever compiled them (README of the reference data, 2026-11-21): contradictions
 * between pages, and changes announced after a page was made. Shown with the fact.
 */
const DOUBTS: [file: string, key: RegExp, doubt: string][] = [
  ['terminals', /^FRA /, 'Terminal 3 was to open in April 2026 and Terminal 2 to empty: check with the airport.'],
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

/** What is known against a fact; null when nothing is. */
export function cautionFor(file: string, key: string): string | null {
  const doubts = DOUBTS.filter(([name, pattern]) => name === file && pattern.test(key))
  return doubts.map(([, , doubt]) => doubt).join(' ') || null
}
