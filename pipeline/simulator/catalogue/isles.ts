import { type Queue, queue } from './queue.ts'

/** Terminal, area (or none), scale, whether it has a fast track. */
const HEATHROW: [terminal: string, area: string, scale: number, fast: boolean][] = [
  ['2', '', 13, true],
  ['3', '', 15, true],
  ['4', '', 12, false],
  ['5', 'N', 14, true],
  ['5', 'S', 16, true],
]
const AREAS: Record<string, string> = { N: ' North', S: ' South' }

/** LHR: terminals, of which one has a checkpoint at either end. */
export const LHR_SECURITY: Queue[] = HEATHROW.flatMap(([terminal, area, scale, fast]) =>
  (fast ? (['standard', 'priority'] as const) : (['standard'] as const)).map((lane) =>
    queue({
      iata: 'LHR',
      terminal,
      lane,
      scale,
      opens: 4,
      closes: 22.5,
      checkpoint: `Security${AREAS[area] ?? ''}`,
      fields: { area, type: lane === 'standard' ? 'securityStandard' : 'securityFastTrack' },
    }),
  ),
)

/** LHR: two lines at the border of each terminal. */
export const LHR_IMMIGRATION: Queue[] = ['2', '3', '4', '5'].flatMap((terminal, at) =>
  (
    [
      ['immigrationEEA', 'UK and EEA passports', 11],
      ['immigrationNonEEA', 'Other passports', 26],
    ] as const
  ).map(([type, checkpoint, scale]) =>
    queue({
      kind: 'immigration',
      iata: 'LHR',
      terminal,
      checkpoint,
      lane: 'all',
      scale: scale + at,
      opens: 4.5,
      closes: 24,
      fields: { area: '', type },
    }),
  ),
)

/** DUB: one number a terminal. */
export const DUB: Queue[] = (
  [
    ['T1', 20, 0, 24],
    ['T2', 15, 3, 21.5],
  ] satisfies [string, number, number, number][]
).map(([terminal, scale, opens, closes]) =>
  queue({ iata: 'DUB', terminal, checkpoint: 'Security', lane: 'all', scale, opens, closes, fields: {} }),
)

/** EDI: one number for the airport. */
export const EDI: Queue[] = [
  queue({
    iata: 'EDI',
    terminal: '',
    checkpoint: 'Security',
    lane: 'all',
    scale: 13,
    opens: 3,
    closes: 21.5,
    fields: {},
  }),
]
