import type { Lane } from './vocabulary.ts'

/**
 * Lane names as sources write them, without spaces and punctuation, each seen in a source in 2026. There is no default: a
 * name that is not listed is unknown, and its row is excluded with a notice instead of being counted in another lane.
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
  // The second checkpoint of MSP's T2: PreCheck and travellers with a reserved time.
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

/** The lane that a source's name for it means; null for an unknown name. */
export function laneOfWord(words: string): Lane | null {
  const word = words.toLowerCase().replace(/[^a-z]/g, '')
  // `hasOwn`, because every object inherits the name "constructor".
  return Object.hasOwn(LANE_WORDS, word) ? (LANE_WORDS[word] ?? null) : null
}

/** Travellers' words for the lane that they may use. The programmes of US customs include PreCheck. */
const TRAVELLERS_WORDS: Record<string, Lane> = {
  globalentry: 'precheck',
  nexus: 'precheck',
  sentri: 'precheck',
  tsaprechecktouchlessid: 'precheck',
  prechecktouchlessid: 'precheck',
  prechecktouchless: 'precheck',
  touchlessid: 'precheck',
  ktn: 'precheck',
  knowntraveler: 'precheck',
  knowntravelernumber: 'precheck',
  knowncrewmember: 'crew',
  kcm: 'crew',
  precheckclear: 'precheck',
  clearprecheck: 'precheck',
  clearplus: 'clear',
  fastlane: 'priority',
  businessclass: 'priority',
  business: 'priority',
  firstclass: 'priority',
  skypriority: 'priority',
}

/** The lane that a traveller's words for it mean; null for unknown words. */
export function laneMeant(words: string): Lane | null {
  const word = words.toLowerCase().replace(/[^a-z]/g, '')
  return laneOfWord(words) ?? (Object.hasOwn(TRAVELLERS_WORDS, word) ? (TRAVELLERS_WORDS[word] ?? null) : null)
}

/**
 * The lane that a cell of a history file means: an empty cell is a queue that is not split by lane; a cell with several lanes
 * (`General|CLEAR`) is one queue for all of them.
 */
export function laneOfHistoryCell(cell: string): Lane | null {
  return cell.trim() === '' || cell.includes('|') ? 'all' : laneOfWord(cell)
}

/** The names of lanes as signs have them. */
export const LANE_NAMES: Readonly<Record<Lane, string>> = {
  standard: 'Standard',
  precheck: 'PreCheck',
  clear: 'CLEAR',
  priority: 'Priority',
  family: 'Family',
  crew: 'Crew',
  all: 'All lanes',
}

/** A lane within a sentence: `PreCheck lane`, `standard lane`, `all lanes`. */
export const laneText = (lane: Lane): string => {
  const name = LANE_NAMES[lane]
  if (lane === 'all') return 'all lanes'
  return `${lane === 'precheck' || lane === 'clear' ? name : name.toLowerCase()} lane`
}
