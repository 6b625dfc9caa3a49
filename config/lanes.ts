import type { Lane } from './domain.ts'

/** Lane words as sources write them (live-sources trap 13), lower case without marks. No default: an unknown word is null. */
const LANE_WORDS: Record<string, Lane> = {
  '': 'all',
  all: 'all',
  'all passengers': 'all',
  standard: 'standard',
  std: 'standard',
  general: 'standard',
  reg: 'standard',
  regular: 'standard',
  main: 'standard',
  pre: 'precheck',
  precheck: 'precheck',
  'tsa pre': 'precheck',
  tsapre: 'precheck',
  'tsa precheck': 'precheck',
  'precheck open only': 'precheck',
  apre: 'precheck',
  'tmp precheck': 'precheck',
  clear: 'clear',
  priority: 'priority',
  premier: 'priority',
  premium: 'priority',
  fasttrack: 'priority',
  'fast track': 'priority',
  family: 'family',
  crew: 'crew',
}

/**
 * The lane a source's word means; null for a word we do not know.
 * A cell that names several lanes (`General|CLEAR`) is one queue for all of them.
 */
export function laneOf(word: string): Lane | null {
  if (word.includes('|')) return 'all'
  const plain = word
    .toLowerCase()
    .replace(/[✓✔®™]/g, '')
    .replace(/[-_]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return LANE_WORDS[plain] ?? null
}
