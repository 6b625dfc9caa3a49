import type { Lane } from '../../../config/domain.ts'
import { type Queue, queue } from './queue.ts'

type Post = [name: string, lane: Lane, word: string, scale: number]

function posts(iata: string, list: Post[], terminalOf: (name: string) => string = () => ''): Queue[] {
  return list.map(([name, lane, word, scale], at) =>
    queue({
      iata,
      terminal: terminalOf(name),
      // Houston's names end in the lane, which is no part of the place.
      checkpoint: name.replace(/ (Standard|PreCheck|Premier)$/, ''),
      lane,
      scale,
      opens: at % 3 === 0 ? 3.5 : 4.5,
      closes: 21 + (at % 4) * 0.75,
      fields: { name, lane: word },
      may_hide: true,
    }),
  )
}

const both = (name: string, scale: number, words: [string, string]): Post[] => [
  [name, 'standard', words[0], scale],
  [name, 'precheck', words[1], scale],
]

export const MCO = posts('MCO', [
  ...both('West (Gates 1-59)', 19, ['General', 'PreCheck']),
  ...both('East (Gates 70-129)', 17, ['General', 'PreCheck']),
  ...both('South (Gates C230-C254)', 12, ['General', 'PreCheck']),
])

export const IAH = posts(
  'IAH',
  [
    ['IAH Terminal A North Standard', 'standard', 'Standard', 13],
    ['IAH Terminal A North PreCheck', 'precheck', 'PreCheck', 13],
    ['IAH Terminal A South Standard', 'standard', 'Standard', 12],
    ['IAH Terminal C North Premier', 'priority', 'Premier', 16],
    ['IAH Terminal C North PreCheck', 'precheck', 'PreCheck', 16],
    ['IAH Terminal C South Standard', 'standard', 'Standard', 16],
    ['IAH Terminal D Standard', 'standard', 'Standard', 15],
    ['IAH Terminal E Standard', 'standard', 'Standard', 14],
    ['IAH Terminal E PreCheck', 'precheck', 'PreCheck', 14],
  ],
  (name) => name.match(/Terminal ([A-E])/)?.[1] ?? '',
)

export const HOU = posts('HOU', both('HOU Checkpoint', 15, ['General', 'PreCheck']))

const DFW_LANES: Record<string, string> = {
  A12: 'GP',
  A21: 'GTP',
  A35: 'GP',
  B9: 'GTP',
  B30: 'GT',
  C11: 'GP',
  C20: 'GT',
  D18: 'GT',
  D22: 'GT',
  D30: 'GT',
  E8: 'GTP',
  E16: 'T',
  E18: 'GT',
  E33: 'GP',
}
const DFW_WORDS: Record<string, [Lane, string]> = {
  G: ['standard', 'General'],
  T: ['precheck', 'TSA Pre'],
  P: ['priority', 'Priority'],
}

export const DFW = posts(
  'DFW',
  Object.entries(DFW_LANES).flatMap(([name, lanes], at) =>
    [...lanes].map((letter): Post => [name, DFW_WORDS[letter]![0], DFW_WORDS[letter]![1], 9 + (at % 5) * 1.5]),
  ),
)

/** Charlotte calls every lane `main`; which one it is stands in the attributes. */
export const CLT = posts('CLT', [
  ...both('1', 14, ['main', 'main']),
  ...both('2', 17, ['main', 'main']),
  ...both('3', 13, ['main', 'main']),
])

export const CVG = posts('CVG', both('CVG Checkpoint', 12, ['general', 'pre']))
