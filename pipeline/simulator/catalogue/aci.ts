import type { Lane } from '../../../config/domain.ts'
import { type Queue, queue } from './queue.ts'

/** Lanes by the letter of a list below: G general, P PreCheck, R priority, C CLEAR. */
const LANES: Record<string, Lane> = { G: 'standard', P: 'precheck', R: 'priority', C: 'clear' }

type Post = [checkpoint: string, lanes: string, scale: number, opens: number, closes: number]

/** Miami and Baltimore split each checkpoint into lanes, whose word ends the queue's name. */
function posts(iata: string, words: Record<string, string>, list: Post[], placeOf = (name: string) => name): Queue[] {
  return list.flatMap(([name, lanes, scale, opens, closes]) =>
    [...lanes].map((letter) =>
      queue({
        iata,
        terminal: '',
        checkpoint: placeOf(name),
        lane: LANES[letter]!,
        scale,
        opens,
        closes,
        fields: { name: `${name} ${words[letter]}` },
      }),
    ),
  )
}

export const MIA: Queue[] = [
  ...posts('MIA', { G: 'General', P: 'TSA-Pre', R: 'Priority', C: 'Clear' }, [
    ['1', 'RP', 14, 4, 21],
    ['2', 'GRP', 16, 3.5, 23],
    ['3', 'GR', 15, 5, 20],
    ['4', 'GR', 14, 4.5, 20],
    ['5', 'CGRP', 15, 3.5, 23],
    ['6', 'GR', 12, 5, 21],
    ['7', 'GR', 13, 4, 22],
    ['8', 'CGRP', 19, 3.5, 24],
    ['9', 'CGR', 14, 4, 23],
    ['10', 'GR', 12, 5, 19],
  ]),
  // Its passport hall stands among the checkpoints.
  queue({
    kind: 'immigration',
    iata: 'MIA',
    terminal: '',
    checkpoint: 'FIS',
    lane: 'all',
    scale: 24,
    opens: 4,
    closes: 24,
    fields: { name: 'FIS General' },
  }),
]

export const PHX: Queue[] = (
  [
    ['3', 'T3', 10, 3.5, 24],
    ['4', 'T4 Checkpoint A', 13, 4, 22],
    ['4', 'T4 Checkpoint B', 15, 0, 24],
    ['4', 'T4 Checkpoint C', 14, 4, 23],
    ['4', 'T4 Checkpoint D', 12, 4, 21],
  ] satisfies [string, string, number, number, number][]
).map(([terminal, checkpoint, scale, opens, closes]) =>
  queue({
    iata: 'PHX',
    terminal,
    checkpoint,
    lane: 'standard',
    scale,
    opens,
    closes,
    fields: { name: `${checkpoint} General` },
  }),
)

/** Two of Baltimore's names are codes: BC is what the signs call C, DE is D/E. */
const SIGNS: Record<string, string> = { 'Checkpoint BC': 'Checkpoint C', 'Checkpoint DE': 'Checkpoint D/E' }

export const BWI: Queue[] = posts(
  'BWI',
  { G: 'General', P: 'TSA PreCheck', R: 'Priority', C: 'CLEAR' },
  [
    ['Checkpoint A', 'GRCP', 14, 3.5, 23],
    ['Checkpoint B', 'GRCP', 16, 4, 22.5],
    ['Checkpoint BC', 'GRCP', 13, 4, 21],
    ['Checkpoint DE', 'GRCP', 12, 3.5, 24],
  ],
  (name) => SIGNS[name] ?? name,
)
