import { type Queue, queue } from './queue.ts'

/** Terminal, gates (or none), scale, whether it has a PreCheck line. */
type Post = [terminal: string, gate: string | null, scale: number, precheck: boolean, opens?: number, closes?: number]

/** The Port Authority's posts: a terminal, at Newark B a group of gates too, and the feed's own spelling of "checkpoint". */
function posts(iata: string, list: Post[]): Queue[] {
  return list.flatMap(([terminal, gate, scale, precheck, opens = 4, closes = 23.5]) =>
    (precheck ? (['standard', 'precheck'] as const) : (['standard'] as const)).map((lane) =>
      queue({
        iata,
        terminal,
        checkpoint: gate === null ? CHECKPOINT : `${CHECKPOINT}, gates ${gate}`,
        lane,
        scale,
        opens,
        closes,
        fields: { ...(gate === null ? {} : { gate }), queueType: lane === 'standard' ? 'Reg' : 'TSAPre' },
      }),
    ),
  )
}

/** The feed's own spelling (sic). */
export const CHECKPOINT = 'Main ChekPoint'

export const JFK = posts('JFK', [
  ['1', null, 20, true],
  ['4', null, 17, true, 0, 24],
  ['5', null, 12, true, 3.5, 24],
  ['7', null, 11, false],
  ['8', null, 13, true, 3.5, 23],
])

export const LGA = posts('LGA', [
  ['B', null, 12, true, 3.5, 22.5],
  ['C', null, 14, true, 3.5, 22.5],
])

export const EWR = posts('EWR', [
  ['A', null, 14, true, 3.5, 22.5],
  ['B', '40-49', 13, true],
  ['B', '51-57', 18, true],
  ['B', '60-68', 15, true],
  ['C', null, 19, true, 3.5, 24],
])

/** Passport halls, which another service of the Port Authority tells of. */
export const NEW_YORK_HALLS: Queue[] = (
  [
    ['JFK', '1', 26],
    ['JFK', '4', 24],
    ['JFK', '5', 14],
    ['JFK', '7', 16],
    ['JFK', '8', 20],
    ['EWR', 'B', 22],
    ['EWR', 'C', 18],
  ] satisfies [string, string, number][]
).map(([iata, terminal, scale]) =>
  queue({
    kind: 'immigration',
    iata,
    terminal,
    checkpoint: '',
    lane: 'all',
    scale,
    opens: 5,
    closes: 24,
    fields: {},
  }),
)
