import type { Lane } from './vocabulary.ts'

/** The lane of each word, of the words of each lane. */
function byWord(wordsOfLanes: Partial<Record<Lane, string[]>>): ReadonlyMap<string, Lane> {
  const lanes = Object.entries(wordsOfLanes) as [Lane, string[]][]
  return new Map(lanes.flatMap(([lane, words]) => words.map((word) => [word, lane])))
}

const lettersOf = (words: string) => words.toLowerCase().replace(/[^a-z]/g, '')

/**
 * Lane names as sources write them, without spaces and punctuation, each seen in a source in 2026. There is no default: a
 * name that is not listed is unknown, and its row is excluded with a notice instead of being counted in another lane.
 */
const LANE_WORDS = byWord({
  standard: ['standard', 'general', 'reg', 'regular', 'std'],
  precheck: [
    'precheck',
    'tsaprecheck',
    'tsapre',
    'pre',
    'apre',
    'tmpprecheck',
    'precheckonly',
    'precheckonlycheckpoint',
    'precheckopenonly',
    // The second checkpoint of MSP's T2: PreCheck and travellers with a reserved time.
    'precheckmspreserve',
  ],
  clear: ['clear'],
  priority: ['priority', 'premier', 'premium', 'fasttrack'],
  family: ['family'],
  crew: ['crew', 'employee'],
  all: ['all', 'main', 'allpassengers'],
})

/** The lane that a source's name for it means; null for an unknown name. */
export function laneOfWord(words: string): Lane | null {
  return LANE_WORDS.get(lettersOf(words)) ?? null
}

/** Travellers' words for the lane that they may use. The programmes of US customs include PreCheck. */
const TRAVELLERS_WORDS = byWord({
  precheck: [
    'globalentry',
    'nexus',
    'sentri',
    'ktn',
    'knowntraveler',
    'knowntravelernumber',
    'tsaprechecktouchlessid',
    'prechecktouchlessid',
    'prechecktouchless',
    'touchlessid',
    'precheckclear',
    'clearprecheck',
  ],
  clear: ['clearplus'],
  priority: ['fastlane', 'businessclass', 'business', 'firstclass', 'skypriority'],
  crew: ['knowncrewmember', 'kcm'],
})

/** The programmes of US customs, whose members have PreCheck too, as they are written. */
const CUSTOMS_PROGRAMMES = new Map(['Global Entry', 'NEXUS', 'SENTRI'].map((name) => [lettersOf(name), name]))

/** The programme of US customs that words name; null for other words. */
export const customsProgramme = (words: string): string | null => CUSTOMS_PROGRAMMES.get(lettersOf(words)) ?? null

/** The lane that a traveller's words for it mean; null for unknown words. */
export function laneMeant(words: string): Lane | null {
  return laneOfWord(words) ?? TRAVELLERS_WORDS.get(lettersOf(words)) ?? null
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
