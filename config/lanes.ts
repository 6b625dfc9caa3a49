import type { Lane } from './domain.ts'

/**
 * The words of the sources, each seen in public evidence of 2026, without spaces and marks. There is no default: a word
 * that is not here is unknown, and its row is left out with a notice rather than counted as somebody else's queue.
 */
const LANE_WORDS: Record<string, Lane> = {
  standard: 'standard',
  general: 'standard',
  reg: 'standard',
  regular: 'standard',
  std: 'standard',
  precheck: 'precheck',
  tsaprecheck: 'precheck',
  tsapre: 'precheck',
  pre: 'precheck',
  apre: 'precheck',
  tmpprecheck: 'precheck',
  precheckonly: 'precheck',
  precheckonlycheckpoint: 'precheck',
  precheckopenonly: 'precheck',
  // MSP's second checkpoint of T2: PreCheck, and travellers who booked a time.
  precheckmspreserve: 'precheck',
  clear: 'clear',
  priority: 'priority',
  premier: 'priority',
  premium: 'priority',
  fasttrack: 'priority',
  family: 'family',
  crew: 'crew',
  employee: 'crew',
  all: 'all',
  main: 'all',
  allpassengers: 'all',
}

/** The lane that a source's word means, null when we do not know the word. */
export function laneOfWord(words: string): Lane | null {
  const word = words.toLowerCase().replace(/[^a-z]/g, '')
  // "Constructor" is a name that every object inherits, and no lane.
  return Object.hasOwn(LANE_WORDS, word) ? (LANE_WORDS[word] ?? null) : null
}

/**
 * The lane that a cell of a table of history means: an empty one is an unsplit queue, and one that names several lanes
 * (`General|CLEAR`) is one queue for all of them.
 */
export function laneOfHistoryCell(cell: string): Lane | null {
  return cell.trim() === '' || cell.includes('|') ? 'all' : laneOfWord(cell)
}
